"""An answer that is being received: its head, then its body, decoded, piece by piece."""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from urllib3 import BaseHTTPResponse

from crawler.web.deadline import Deadline
from crawler.web.decoding import PIECE, CorruptBody, Decoder, decoder
from crawler.web.failures import NetworkFailure, broken_off
from crawler.web.messages import SNIFFED_BYTES, Failure, Head

DRAINED_BYTES = 16_384
"""The largest rest that is read only to keep the connection; a new one costs about as much."""

DRAIN_SECONDS = 5.0

MAX_RATIO = 200
"""How many decoded bytes one received byte may become, on average over the body so far."""

RATIO_FREE_BYTES = 20 * 1000**2
"""Decoded bytes for which no ratio is looked at: a short file of one repeated line is honest."""


class Answer:
    """One open answer; errors of the network come out as NetworkFailure."""

    def __init__(self, url: str, raw: BaseHTTPResponse, deadline: Deadline) -> None:
        self._raw = raw
        self._deadline = deadline
        self.head = Head(url=url, status=raw.status, headers=_headers(raw))
        self.received = 0
        """Body bytes received so far, decoded."""
        self._wire = 0
        """Body bytes received so far, as they came."""
        self.declared_size = _declared_size(raw)
        """How long the decoded body will be, when the headers tell it."""
        self._begun: list[bytes] = []
        self._early: NetworkFailure | None = None
        self._rest = self._receive()
        self._read_size = SNIFFED_BYTES

    def first(self) -> bytes:
        """The first bytes of the body, at most SNIFFED_BYTES; call it before `pieces`, once.

        A body that breaks off here raises only in `pieces`: nobody minds a broken image.
        """
        size = 0
        try:
            for piece in self._rest:
                self._begun.append(piece)
                size += len(piece)
                if size >= SNIFFED_BYTES:
                    break
        except NetworkFailure as failure:
            self._early = failure
        self._read_size = PIECE
        return b"".join(self._begun)[:SNIFFED_BYTES]

    def pieces(self) -> Iterator[bytes]:
        """The whole body in pieces of at most PIECE bytes, what `first` showed included."""
        if self._early is not None:
            raise self._early
        while self._begun:
            yield self._begun.pop(0)
        yield from self._rest

    def _receive(self) -> Iterator[bytes]:
        try:
            decoding = self._decoder()
            while data := self._raw.read(self._read_size, decode_content=False):
                self._wire += len(data)
                for piece in decoding.decode(data):
                    self._deadline.left()
                    self.received += len(piece)
                    self._check_ratio()
                    yield piece
            decoding.finish()
        except NetworkFailure:
            raise
        except Exception as error:
            raise broken_off(error) from error

    def _check_ratio(self) -> None:
        if self.received > RATIO_FREE_BYTES and self.received > MAX_RATIO * self._wire:
            raise NetworkFailure(
                Failure.TOO_LARGE,
                f"a compression bomb: {self._wire:,} bytes became more than {self.received:,}",
            )

    def _decoder(self) -> Decoder:
        # http.client takes the frames of "gzip, chunked" for the body itself.
        coding = self.head.headers.get("transfer-encoding", "").lower()
        if coding not in ("", "chunked", "identity"):
            raise CorruptBody("in a transfer coding that was not asked for")
        return decoder(self.head.headers.get("content-encoding", ""))

    def check_whole(self) -> None:
        """Raises NetworkFailure for answers that are no whole answer to a plain request."""
        if self.head.status < 200:
            raise NetworkFailure(Failure.BROKEN, f"only an interim answer, {self.head.status}")
        if self.head.status == 206:
            raise NetworkFailure(Failure.BROKEN, "a part of the file, which nobody asked for")

    def drain(self) -> None:
        """Reads a short rest unseen, so that the connection can serve the next request."""
        length = self._raw.length_remaining
        if length is None and "transfer-encoding" not in self.head.headers:
            return
        if length is not None and length > DRAINED_BYTES:
            return
        self._deadline.start(DRAIN_SECONDS)
        left = DRAINED_BYTES
        with suppress(Exception):
            while left > 0 and (data := self._raw.read(left, decode_content=False)):
                left -= len(data)
            if left <= 0:
                self._raw.read(1, decode_content=False)

    def close(self) -> None:
        """Ends the answer: a connection with bytes still on it is closed, another is kept."""
        with suppress(Exception):
            self._raw.close()
            self._raw.release_conn()


def _declared_size(raw: BaseHTTPResponse) -> int | None:
    coded = "content-encoding" in raw.headers or "transfer-encoding" in raw.headers
    return None if coded else raw.length_remaining


def _headers(raw: BaseHTTPResponse) -> Mapping[str, str]:
    return {name.lower(): _decoded(value) for name, value in raw.headers.itermerged()}


def _decoded(value: str) -> str:
    # http.client reads headers as latin-1; what servers send beyond ASCII is mostly UTF-8.
    try:
        return value.strip().encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value.strip()
