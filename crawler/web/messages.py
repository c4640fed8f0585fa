"""What the engine and the fetcher say to each other: plain values, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

SNIFFED_BYTES = 4096
"""How much of a body the engine may look at before it decides what to do with the rest."""


class Method(StrEnum):
    """The two methods a crawler needs."""

    GET = "GET"
    HEAD = "HEAD"


class Decision(Enum):
    """What to do with the body of an answer, decided on its headers."""

    READ = "read"
    KEEP = "keep"
    DROP = "drop"


class Failure(StrEnum):
    """Why no complete answer came; `retryable` ones may be over in a minute."""

    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    BROKEN = "broken"
    """The connection ended early, or the server does not speak HTTP."""
    TOO_SLOW = "too_slow"
    """Bytes kept coming, but the whole answer took longer than one request may."""
    TOO_LARGE = "too_large"
    """A file over `limits.file_bytes`; nothing of it is kept."""
    PRIVATE_ADDRESS = "private_address"
    """The name resolves to an address that the site's YAML does not allow."""
    BAD_URL = "bad_url"
    POISONOUS = "poisonous"
    """Not asked for again: its answer ended the process, or took too much memory."""

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self in {Failure.DNS, Failure.CONNECT, Failure.TIMEOUT, Failure.BROKEN}


@dataclass(frozen=True, slots=True)
class Conditions:
    """What an earlier answer said: an unchanged page or file need not be sent again."""

    etag: str = ""
    """Sent as If-None-Match."""
    last_modified: str = ""
    """Sent as If-Modified-Since."""

    def __bool__(self) -> bool:
        return bool(self.etag or self.last_modified)


UNCONDITIONAL = Conditions()


@dataclass(frozen=True, slots=True)
class Request:
    """One request, as the server will see it: nothing is followed or repeated behind it."""

    url: str
    method: Method = Method.GET
    delay: float = 0.0
    """Least seconds since the previous request to this host ended."""
    wait: float = 0.0
    """Seconds to wait before sending in any case: a backoff, or the server's Retry-After."""
    conditions: Conditions = UNCONDITIONAL
    """From the last answer of this very URL, never of one that redirected to it."""


@dataclass(frozen=True, slots=True)
class Head:
    """Status line and headers of an answer; header names are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def content_type(self) -> str:
        """The Content-Type as sent, or an empty string."""
        return self.headers.get("content-type", "")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is complete and durable in the store."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one request."""

    head: Head | None = None
    failure: Failure | None = None
    detail: str = ""
    """A sentence for the log when there was a failure."""
    decision: Decision = Decision.DROP
    body: bytes = b""
    """The page, when it was READ."""
    cut: bool = False
    """The page was longer than `limits.page_bytes`, and `body` is its beginning."""
    file: StoredFile | None = None
    """The file, when it was KEPT."""
    received: int = 0
    """Body bytes received, decoded."""
