"""What a site says to one request."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers and body; a HEAD request gets the same without the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: int | None = None
    """The size of the whole body, where only its beginning may be at hand."""

    @property
    def size(self) -> int:
        """The size of the whole body."""
        return len(self.body) if self.whole is None else self.whole


def answer(
    body: bytes, content_type: str, *, status: int = 200, headers: dict[str, str] | None = None
) -> Answer:
    """An answer with a body and the headers that describe it."""
    described = {"Content-Type": content_type, "Content-Length": str(len(body))}
    return Answer(status, described | (headers or {}), body)


def etag(body: bytes) -> str:
    """An entity tag that changes with the bytes."""
    return f'"{blake2b(body, digest_size=8).hexdigest()}"'
