"""HTTP connections that cannot be held for nothing: limits of time, number and size.

uvicorn waits for ever for the rest of a request that was sent by half, and for a client that does
not read. A proxy in front does this better; without one, a thousand sockets must not lock everybody
out.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 200
"""At once; over it, the connection that has waited longest for its request is closed."""
MAX_HEADER_BYTES = 16_384
"""Request line and headers."""
SECONDS_FOR_REQUEST = 10.0
"""From the first byte, or from the connection, to the end of the headers."""
SECONDS_WITHOUT_READING = 60.0
"""That a client may leave an answer in our buffers."""


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with those limits."""

    _due: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there: it gets its time, and somebody may have to go for it."""
        super().connection_made(transport)
        self._expect_request()
        if len(self.connections) > MAX_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Some of a request, which must be whole before its time is over."""
        before = self.cycle
        if self._due is None and (before is None or before.response_complete):
            self._expect_request()
        super().data_received(data)
        if self.cycle is not before:
            self._forget_due()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, and so are its limits."""
        self._forget_due()
        self._forget_stuck()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client does not read as fast as it is written to."""
        super().pause_writing()
        self._forget_stuck()
        self._stuck = self.loop.call_later(SECONDS_WITHOUT_READING, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads."""
        self._forget_stuck()
        super().resume_writing()

    @property
    def waits_since(self) -> float | None:
        """Until when it may take to send its request; None while it is answered."""
        return self._due.when() if self._due is not None else None

    def _expect_request(self) -> None:
        self._forget_due()
        self._due = self.loop.call_later(SECONDS_FOR_REQUEST, self.transport.abort)

    def _make_room(self) -> None:
        waiting = [
            (since, other)
            for other in self.connections
            if isinstance(other, BoundedProtocol) and (since := other.waits_since) is not None
        ]
        oldest = min(waiting, key=lambda each: each[0])[1] if waiting else self
        oldest.transport.abort()

    def _forget_due(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _forget_stuck(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
