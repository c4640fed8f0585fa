"""One request, and what came of it: nothing is followed, repeated or remembered here."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from requests import PreparedRequest
from requests.structures import CaseInsensitiveDict
from requests.utils import check_header_validity

from crawler.errors import ConfigError, StorageError
from crawler.turns import waiting
from crawler.web.addresses import AddressPolicy, AddressRefused
from crawler.web.answer import Answer
from crawler.web.connections import CrawlConnections, Guard
from crawler.web.deadline import Deadline
from crawler.web.decoding import ACCEPTED
from crawler.web.failures import NetworkFailure, bad_url, not_connected
from crawler.web.messages import (
    Conditions,
    Decision,
    Failure,
    Head,
    Method,
    Reply,
    Request,
    StoredFile,
)
from crawler.web.pacer import Pacer

ACCEPT = "text/html, application/xhtml+xml, */*;q=0.8"
"""Pages are preferred where a server offers a choice; files come under their own URLs."""

RESERVED_HEADERS = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding", "user-agent"}
)
"""Headers that a site's YAML may not set: they are the fetcher's, or have their own field."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """How much one answer may cost; sizes count decoded bytes."""

    file_bytes: int = 2 * 1024**3
    """A larger file is given up."""
    page_bytes: int = 10 * 1000**2
    """A longer page is cut."""
    timeout: float = 30.0
    """Seconds to connect, and the longest silence between two bytes."""
    total: float = 1800.0
    """Seconds for a whole file."""
    page_total: float = 120.0
    """Seconds for a whole page, and for the headers of anything."""


class Stored(Protocol):
    """A file that is complete and durable."""

    @property
    def sha256(self) -> str:
        """Of the decoded bytes, in lower-case hexadecimal."""

    @property
    def size(self) -> int:
        """In bytes."""


class FileSpool(Protocol):
    """Where a file goes while it is received; the object store's spools are such."""

    def write(self, data: bytes) -> None:
        """Adds bytes."""

    def finish(self) -> Stored:
        """Makes the file durable."""

    def discard(self) -> None:
        """Forgets what was written."""


class Fetcher:
    """Sends requests one at a time and reports what happened; serves one thread.

    `headers` are the site's own, from its YAML. They go to `own_origins` (scheme, host and port, as
    `pages.urls.origin` spells them) and to no other, since they may hold credentials: not to http
    when the site is https, not to another port, not to a subdomain, also not through a redirect.
    Credentials inside a URL are never sent.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        limits: FetchLimits,
        addresses: AddressPolicy,
        pacer: Pacer,
        headers: Mapping[str, str] | None = None,
        own_origins: Iterable[str] = (),
        proxy: str | None = None,
        ca_bundle: str | Path | None = None,
    ) -> None:
        self._own_origins = frozenset(own_origins)
        if headers and not self._own_origins:
            raise ValueError("headers need own_origins: the origins that may see them")
        self._site_headers = dict(headers or {})
        self._headers = CaseInsensitiveDict(
            {
                "User-Agent": user_agent,
                "Accept": ACCEPT,
                "Accept-Encoding": ACCEPTED,
                "Connection": "keep-alive",
            }
        )
        _check_headers(self._headers, self._site_headers)
        self._limits = limits
        self._addresses = addresses
        self._pacer = pacer
        self._proxies = _proxies(proxy)
        self._deadline = Deadline()
        self._connections = CrawlConnections(
            Guard(addresses, self._deadline),
            timeout=limits.timeout,
            proxies=self._proxies,
            verify=_ca_bundle(ca_bundle),
        )
        self._asked: str | None = None
        """The host whose request is under way."""

    def close(self) -> None:
        """Closes all connections."""
        self._connections.close()

    def fetch(
        self,
        request: Request,
        on_headers: Callable[[Head, bytes], Decision],
        spools: Callable[[], FileSpool],
    ) -> Reply:
        """Waits for its turn, sends the request, and receives as much as `on_headers` decides.

        `on_headers` is asked for the answers to GET with a status of 2xx. What the network does
        is in the reply; what raises is a full disk (StorageError) or an interrupted wait.
        """
        try:
            host, origin, prepared = self._prepare(request)
        except NetworkFailure as failure:
            return Reply(failure=failure.failure, detail=failure.detail)
        self._pacer.before(host, request.delay, request.wait)
        self._asked = host
        try:
            return self._exchange(request, prepared, origin, on_headers, spools)
        finally:
            self._request_over()

    def _request_over(self) -> None:
        """The server has nothing to do with us any more; a second time does nothing."""
        if self._asked is not None:
            self._pacer.after(self._asked)
            self._asked = None

    def _prepare(self, request: Request) -> tuple[str, str, PreparedRequest]:
        """The host, the origin, and the request as it is sent: no password, no cookies, no body."""
        try:
            prepared = PreparedRequest()
            prepared.method = request.method.value
            prepared.prepare_url(request.url, None)
            prepared.headers = self._headers.copy()
            parts = urlsplit(prepared.url or "")
            host = parts.hostname or ""
            if parts.scheme not in ("http", "https") or not host:
                raise ValueError("neither http nor https, or no host")
            if parts.port == 0:
                raise ValueError("no port")
        except Exception as error:
            raise bad_url(error) from error
        if self._proxies:
            try:
                self._addresses.check_literal(host)
            except AddressRefused as error:
                raise NetworkFailure(Failure.PRIVATE_ADDRESS, str(error)) from error
        origin = _origin(parts)
        if origin in self._own_origins:
            prepared.headers.update(self._site_headers)
        prepared.headers.update(_conditional_headers(request.conditions))
        return host, origin, prepared

    def _exchange(
        self,
        request: Request,
        prepared: PreparedRequest,
        origin: str,
        on_headers: Callable[[Head, bytes], Decision],
        spools: Callable[[], FileSpool],
    ) -> Reply:
        answer: Answer | None = None
        try:
            self._deadline.start(self._limits.page_total)
            with closing(self._send(request.url, prepared, origin)) as answer:
                return self._receive(request.method, answer, on_headers, spools)
        except NetworkFailure as failure:
            return Reply(
                head=answer.head if answer else None,
                failure=failure.failure,
                detail=failure.detail,
                received=answer.received if answer else 0,
            )

    def _send(self, url: str, prepared: PreparedRequest, origin: str) -> Answer:
        try:
            return Answer(url, self._connections.open(prepared, origin), self._deadline)
        except Exception as error:
            raise not_connected(error) from error

    def _receive(
        self,
        method: Method,
        answer: Answer,
        on_headers: Callable[[Head, bytes], Decision],
        spools: Callable[[], FileSpool],
    ) -> Reply:
        head = answer.head
        answer.check_whole()
        if method is Method.HEAD or not 200 <= head.status < 300:
            answer.drain()
            return Reply(head=head)
        decision = on_headers(head, answer.first())
        if decision is Decision.READ:
            body, cut = self._read(answer)
            return Reply(head=head, decision=decision, body=body, cut=cut, received=answer.received)
        if decision is Decision.KEEP:
            self._deadline.extend(self._limits.total)
            file = self._keep(answer, spools)
            return Reply(head=head, decision=decision, file=file, received=answer.received)
        return Reply(head=head, decision=decision, received=answer.received)

    def _read(self, answer: Answer) -> tuple[bytes, bool]:
        limit = self._limits.page_bytes
        body = bytearray()
        for piece in answer.pieces():
            body += piece
            if len(body) > limit:
                return bytes(body[:limit]), True
        return bytes(body), False

    def _keep(self, answer: Answer, spools: Callable[[], FileSpool]) -> StoredFile:
        limit = self._limits.file_bytes
        declared = answer.declared_size
        if declared is not None and declared > limit:
            raise _too_large(f"{declared} bytes", limit)
        try:
            spool = spools()
            try:
                written = 0
                for piece in answer.pieces():
                    written += len(piece)
                    if written > limit:
                        raise _too_large("the file", limit)
                    spool.write(piece)
                # What the store takes to keep the file is no time of the server's.
                self._request_over()
                with waiting():
                    stored = spool.finish()
            except BaseException:
                with suppress(StorageError, OSError):
                    spool.discard()
                raise
        except OSError as error:
            raise StorageError(
                f"the file cannot be stored: {error}", url=answer.head.url
            ) from error
        return StoredFile(sha256=stored.sha256, size=stored.size)


def _origin(parts: SplitResult) -> str:
    """`scheme://host:port` with the port spelt out, as `pages.urls.origin` writes it."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _conditional_headers(conditions: Conditions) -> dict[str, str]:
    named = {"If-None-Match": conditions.etag, "If-Modified-Since": conditions.last_modified}
    # A server's own words come back to it; what could break the header is not sent.
    return {
        name: value
        for name, value in named.items()
        if value and value.isascii() and value.isprintable()
    }


def _too_large(what: str, limit: int) -> NetworkFailure:
    return NetworkFailure(Failure.TOO_LARGE, f"{what}: more than limits.file_bytes, {limit}")


def _check_headers(own: Mapping[str, str], site: Mapping[str, str]) -> None:
    for name, value in [*own.items(), *site.items()]:
        try:
            check_header_validity((name, value))
            name.encode("ascii")
            value.encode("latin-1")
        except (ValueError, AttributeError) as error:
            raise ConfigError(f"the header {name!r} cannot be sent: {error}") from error
    for name in site:
        if name.lower() in RESERVED_HEADERS:
            raise ConfigError(f"http.headers may not set {name}")


def _proxies(proxy: str | None) -> dict[str, str]:
    if proxy is None:
        return {}
    parts = urlsplit(proxy)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError("http.proxy is not an http:// or https:// URL")
    return {"http": proxy, "https": proxy}


def _ca_bundle(path: str | Path | None) -> str | bool:
    if path is None:
        return True
    if not Path(path).exists():
        raise ConfigError(f"http.ca_bundle does not exist: {path}")
    return str(path)
