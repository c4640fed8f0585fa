"""The connection pool of a crawl: guarded addresses, one deadline, nothing remembered.

This is requests without its Session, which would follow what a crawl must decide itself: it reads
the whole body of a redirect into memory, keeps cookies, and takes proxies and passwords from the
environment. An adapter sends one prepared request and hands back the open answer.
"""

import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection

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
