"""The connection pool of a crawl: guarded addresses, one deadline, nothing remembered.

This is requests without its Session, which would follow what a crawl must decide itself: it reads
the whole body of a redirect into memory, keeps cookies, and takes proxies and passwords from the
environment. An adapter sends one prepared request and hands back the open answer. That of a crawl
only finds the pool of connections for it, and urllib3 does the rest: what requests makes of a
request and of an answer costs two thirds of what the exchange itself does.
"""

import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from requests import PreparedRequest
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPSConnectionPool, PoolManager, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection

from crawler.turns import waiting
from crawler.web.addresses import AddressPolicy, connect
from crawler.web.deadline import Deadline, TimedResponse


@dataclass(frozen=True, slots=True)
class Guard:
    """What every connection of one fetcher obeys."""

    addresses: AddressPolicy
    deadline: Deadline


class _GuardedHTTPConnection(HTTPConnection):
    """A connection to a checked address, whose answers are read under the deadline."""

    def __init__(self, *args: Any, guard: Guard, **options: Any) -> None:
        super().__init__(*args, **options)
        self._guard = guard
        # http.client only calls it, so that a partial does where it declares a class.
        self.response_class = partial(TimedResponse, deadline=guard.deadline)  # type: ignore[assignment]

    def connect(self) -> None:
        """Resolves the name and connects, over a proxy and with TLS where that is so."""
        with waiting():
            super().connect()

    def _new_conn(self) -> socket.socket:
        sock = connect(
            self._dns_host,
            self.port,
            policy=None if self.proxy else self._guard.addresses,
            timeout=self.timeout,
            deadline=self._guard.deadline,
            options=self.socket_options or (),
        )
        sys.audit("http.client.connect", self, self.host, self.port)
        return sock


class _GuardedHTTPSConnection(_GuardedHTTPConnection, HTTPSConnection):
    """The same with TLS: the certificate is checked for the name, not for the address."""


class _GuardedHTTPPool(HTTPConnectionPool):
    ConnectionCls = _GuardedHTTPConnection


class _GuardedHTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _GuardedHTTPSConnection


class GuardedAdapter(HTTPAdapter):
    """Sends one request at a time over kept-alive, guarded connections."""

    def __init__(self, guard: Guard) -> None:
        self._pools: Mapping[str, Any] = {
            "http": partial(_GuardedHTTPPool, guard=guard),
            "https": partial(_GuardedHTTPSPool, guard=guard),
        }
        super().__init__(pool_maxsize=1, max_retries=0)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Makes the pool of direct connections."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = dict(self._pools)

    def proxy_manager_for(self, proxy: str, **options: Any) -> PoolManager:
        """Makes the pool of connections through a proxy."""
        manager: PoolManager = super().proxy_manager_for(proxy, **options)
        manager.pool_classes_by_scheme = dict(self._pools)
        return manager


class CrawlConnections(GuardedAdapter):
    """The connections of one fetcher, whose requests have no body."""

    def __init__(
        self, guard: Guard, *, timeout: float, proxies: dict[str, str], verify: str | bool
    ) -> None:
        self._timeout = Timeout(connect=timeout, read=timeout)
        self._proxies = proxies
        self._verify = verify
        self._last: tuple[str, HTTPConnectionPool] | None = None
        """The pool of the last request, by scheme, host and port: mostly that of the next one."""
        super().__init__(guard)

    def open(self, request: PreparedRequest, origin: str) -> BaseHTTPResponse:
        """The answer to a request, its body unread; raises what urllib3 and requests raise."""
        target = self.request_url(request, self._proxies) if self._proxies else request.path_url
        return self._pool(request, origin).urlopen(
            request.method or "",
            target,
            headers=request.headers,
            redirect=False,
            assert_same_host=False,
            preload_content=False,
            decode_content=False,
            retries=self.max_retries,
            timeout=self._timeout,
        )

    def _pool(self, request: PreparedRequest, origin: str) -> HTTPConnectionPool:
        if self._last is not None and self._last[0] == origin:
            return self._last[1]
        pool: Any = self.get_connection_with_tls_context(
            request, self._verify, proxies=self._proxies, cert=None
        )
        self.cert_verify(pool, request.url, self._verify, None)  # type: ignore[no-untyped-call]
        self._last = origin, pool
        return self._last[1]

    def close(self) -> None:
        """Closes all connections."""
        self._last = None
        super().close()
