"""What all archives have in common: members, and a meter that stops the bombs among them."""

import lzma
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, cast

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable, said

_IN_MEMORY = 16 * 1000**2
_PIECE = 1024**2
_HARMLESS = 16 * 1000**2
"""Whatever the ratio, so much may come out of an archive: small files of zeros are common."""
_MAX_NAME = 120


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive. Its name is for people, never a path."""

    place: int
    name: str
    trouble: Trouble | None = None
    """Why it cannot be unpacked, where that is known beforehand."""
    detail: str = ""


Unpacked = tuple[Member, BinaryIO | Unreadable]


class Packing:
    """An archive that was opened."""

    members: Sequence[Member]

    def unpack(self, chosen: Sequence[Member]) -> Iterator[Unpacked]:
        """The bytes of these members, each until the next is asked for.

        What goes wrong with one is its own trouble.
        """
        for member in chosen:
            if member.trouble is not None:
                yield member, Unreadable(member.trouble, member.detail)
                continue
            with spool() as target:
                try:
                    self.unpack_one(member, target)
                except Unreadable as error:
                    if error.trouble is Trouble.BOMB:
                        raise
                    yield member, error
                    continue
                target.seek(0)
                yield member, target

    def unpack_one(self, member: Member, target: BinaryIO) -> None:
        """Writes the bytes of one member; Unreadable where that is not possible."""
        raise NotImplementedError


class Meter:
    """Counts what comes out of an archive, and stops when it is more than it may be."""

    def __init__(self, packed: int, bounds: Bounds) -> None:
        self._packed = max(packed, 1)
        self._ratio = bounds.ratio
        self._most = bounds.unpacked
        self._out = 0

    def check(self, declared: int, packed: int | None = None) -> None:
        """Refuses what an archive says of itself, before anything is unpacked."""
        packed = self._packed if packed is None else max(packed, 1)
        if declared > self._most:
            raise _bomb(f"it says that it unpacks to {declared:,} bytes")
        if declared > _HARMLESS and declared > self._ratio * packed:
            raise _bomb(f"it says that {packed:,} bytes of it unpack to {declared:,}")

    def count(self, size: int) -> None:
        """Takes note of bytes that came out."""
        self._out += size
        if self._out > self._most:
            raise _bomb(f"it unpacks to more than {self._most:,} bytes")
        if self._out > _HARMLESS and self._out > self._ratio * self._packed:
            raise _bomb(f"{self._packed:,} bytes of it unpack to {self._out:,} and more")

    def copy(self, source: IO[bytes], target: IO[bytes]) -> None:
        """Copies all that a source gives, counted."""
        while piece := source.read(_PIECE):
            self.count(len(piece))
            target.write(piece)


@contextmanager
def unpacking_errors() -> Iterator[None]:
    """What the libraries raise while they unpack, as trouble of the member."""
    try:
        yield
    except EOFError:
        raise Unreadable(Trouble.TRUNCATED, "it ends before its end") from None
    except (NotImplementedError, RuntimeError) as error:
        raise Unreadable(Trouble.UNSUPPORTED, said(error)) from error
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, ValueError) as error:
        raise Unreadable(Trouble.CORRUPT, said(error)) from error


def spool() -> AbstractContextManager[BinaryIO]:
    """A file without a name, in memory while it is small."""
    made: Any = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the caller's
    return cast("AbstractContextManager[BinaryIO]", made)


def size_of(stream: BinaryIO) -> int:
    """The bytes of a seekable stream, which then stands at its beginning."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size


def bytes_at(stream: BinaryIO, place: int, size: int = -1) -> bytes:
    """Some bytes of a seekable stream, which then stands at its beginning.

    A negative place counts from the end; by default all bytes from the place on are read.
    """
    end = size_of(stream)
    stream.seek(max(0, end + place) if place < 0 else min(place, end))
    data = stream.read(size)
    stream.seek(0)
    return data


def shown(name: str) -> str:
    """The name of a member as it can be printed."""
    clean = "".join(sign if sign.isprintable() else "�" for sign in name)
    return clean if len(clean) <= _MAX_NAME else f"…{clean[1 - _MAX_NAME :]}"


def _bomb(detail: str) -> Unreadable:
    return Unreadable(Trouble.BOMB, detail)
