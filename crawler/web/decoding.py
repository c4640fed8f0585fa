"""Undoing Content-Encoding in small pieces, so that a bomb never grows in memory.

urllib3 can decode too, but takes a gzip stream that ends early for a complete one.
"""

import zlib
from collections.abc import Iterator
from typing import Protocol

PIECE = 65_536
"""Most bytes in one decoded piece."""

ACCEPTED = "gzip, deflate"
"""What the fetcher asks for, and all that it can decode."""

_GZIP = frozenset({"gzip", "x-gzip"})
_UNKNOWN = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"})
"""Real codings that were not asked for. Anything else in the header is a mistake of the server,
such as `Content-Encoding: utf-8`, and means nothing; browsers read it so too."""

_WBITS_GZIP = 16 + zlib.MAX_WBITS
_WBITS_RAW = -zlib.MAX_WBITS


class CorruptBody(Exception):
    """The body is not what its Content-Encoding says, or ends early."""


class Decoder(Protocol):
    """Turns the bytes of the wire into the bytes that were meant."""

    def decode(self, data: bytes) -> Iterator[bytes]:
        """The pieces that this data completes, none over PIECE bytes."""

    def finish(self) -> None:
        """Raises CorruptBody when the end came too early."""


def decoder(content_encoding: str) -> Decoder:
    """The decoder for a Content-Encoding header; raises CorruptBody when there is none."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    known = [name for name in names if name in _GZIP or name == "deflate" or name in _UNKNOWN]
    if len(known) > 1 or (known and known[0] in _UNKNOWN):
        raise CorruptBody(f"in a coding that was not asked for: {', '.join(known)}")
    if not known:
        return _Identity()
    return _Gzip() if known[0] in _GZIP else _Deflate()


class _Identity:
    def decode(self, data: bytes) -> Iterator[bytes]:
        yield data

    def finish(self) -> None:
        return


class _Gzip:
    """One or more gzip members; what follows the last one and is none is ignored."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_WBITS_GZIP)
        self._begun = False
        """Something of the current member came."""
        self._produced = False
        """The current member gave bytes."""
        self._later = False
        """The current member is not the first."""
        self._garbage = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        more = bool(data) and not self._garbage
        while more:
            self._begun = True
            try:
                piece = self._member.decompress(data, PIECE)
            except zlib.error as error:
                if self._later and not self._produced:
                    self._garbage = True
                    return
                raise CorruptBody(f"corrupt gzip: {error}") from error
            if piece:
                self._produced = True
                yield piece
            if self._member.eof:
                data = self._member.unused_data
                self._member = zlib.decompressobj(_WBITS_GZIP)
                self._begun, self._produced, self._later = False, False, True
                more = bool(data)
            else:
                data = self._member.unconsumed_tail
                # A full piece may leave output inside zlib with no input outside it.
                more = bool(data) or len(piece) == PIECE

    def finish(self) -> None:
        if self._begun and (self._produced or not self._later):
            raise CorruptBody("the gzip stream ends early")


class _Deflate:
    """A zlib stream, or the bare deflate stream that some servers send under the same name."""

    def __init__(self) -> None:
        self._start = b""
        self._stream: zlib._Decompress | None = None

    def decode(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            data = self._start = self._start + data
            if len(data) < 2:
                return
            wrapped = data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if wrapped else _WBITS_RAW)
            self._start = b""
        more = bool(data) and not self._stream.eof
        while more:
            try:
                piece = self._stream.decompress(data, PIECE)
            except zlib.error as error:
                raise CorruptBody(f"corrupt deflate: {error}") from error
            if piece:
                yield piece
            data = self._stream.unconsumed_tail
            more = not self._stream.eof and (bool(data) or len(piece) == PIECE)

    def finish(self) -> None:
        if self._start or (self._stream is not None and not self._stream.eof):
            raise CorruptBody("the deflate stream ends early")
