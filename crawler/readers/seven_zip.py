"""7z archives. Their members are often packed as one piece, so what is wanted unpacks at once."""

import struct
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.packing import Member, Meter, Packing, Unpacked, bytes_at, size_of, spool
from crawler.readers.unreadable import Unreadable, said

if TYPE_CHECKING:
    from py7zr import SevenZipFile

_START = struct.Struct("<12x2Q4x")
_MAX_HEADER = 64 * 1000**2


class SevenZipPacking(Packing):
    """The members of a 7z archive."""

    def __init__(self, stream: BinaryIO, bounds: Bounds) -> None:
        self._stream = stream
        self._bounds = bounds
        self._size = size_of(stream)
        _look_at_the_start(stream, self._size)
        with _library_errors(), _opened(stream) as archive:
            if archive.needs_password():
                raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")
            infos = {info.filename: info for info in archive.list() if info.is_file}
        Meter(self._size, bounds).check(sum(info.uncompressed for info in infos.values()))
        self.members = [
            Member(place, name, *_known_trouble(name)) for place, name in enumerate(infos)
        ]

    def unpack(self, chosen: Sequence[Member]) -> Iterator[Unpacked]:
        """The bytes of these members, each until the next is asked for."""
        wanted = {member.name: member for member in chosen if member.trouble is None}
        for member in chosen:
            if member.trouble is not None:
                yield member, Unreadable(member.trouble, member.detail)
        with ExitStack() as spools:
            for name, file in self._unpacked(set(wanted), spools).items():
                file.seek(0)
                yield wanted[name], file

    def _unpacked(self, names: set[str], spools: ExitStack) -> dict[str, BinaryIO]:
        factory = _Spools(spools, Meter(self._size, self._bounds))
        if names:
            with _library_errors(), _opened(self._stream) as archive:
                archive.extract(targets=names, factory=factory)
        return factory.files


class _Spools:
    """Makes the files that the library writes to; it knows them by the names of the members."""

    def __init__(self, spools: ExitStack, meter: Meter) -> None:
        self._spools = spools
        self._meter = meter
        self.files: dict[str, BinaryIO] = {}

    def create(self, filename: str) -> "_MeteredFile":
        self.files[filename] = self._spools.enter_context(spool())
        return _MeteredFile(self.files[filename], self._meter)


class _MeteredFile:
    def __init__(self, file: BinaryIO, meter: Meter) -> None:
        self._file = file
        self._meter = meter

    def write(self, data: bytes | bytearray) -> int:
        self._meter.count(len(data))
        return self._file.write(data)

    def read(self, size: int | None = None) -> bytes:
        return self._file.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def flush(self) -> None:
        self._file.flush()

    def size(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        """The file is read later; its maker closes it."""


def _look_at_the_start(stream: BinaryIO, size: int) -> None:
    start = bytes_at(stream, 0, _START.size)
    if len(start) < _START.size:
        raise Unreadable(Trouble.TRUNCATED, "it ends before its end")
    offset, length = _START.unpack(start)
    if _START.size + offset + length > size:
        raise Unreadable(
            Trouble.TRUNCATED, "the end of the archive, with its directory, is missing"
        )
    if length > _MAX_HEADER:
        raise Unreadable(Trouble.TOO_LARGE, "the directory of the archive is too large")


def _opened(stream: BinaryIO) -> "SevenZipFile":
    from py7zr import SevenZipFile

    stream.seek(0)
    return SevenZipFile(stream)


@contextmanager
def _library_errors() -> Iterator[None]:
    """Errors of the library, and of the dozen it is made of, as ours."""
    from py7zr import exceptions

    try:
        yield
    except (Unreadable, MemoryError):
        raise
    except exceptions.PasswordRequired as error:
        raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password") from error
    except exceptions.UnsupportedCompressionMethodError as error:
        raise Unreadable(Trouble.UNSUPPORTED, "its compression is not supported") from error
    except EOFError as error:
        raise Unreadable(Trouble.TRUNCATED, "it ends before its end") from error
    except Exception as error:
        raise Unreadable(Trouble.CORRUPT, said(error)) from error


def _known_trouble(name: str) -> tuple[Trouble | None, str]:
    """The library refuses a whole archive for one such name."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name or "\\" in name:
        return Trouble.UNSUPPORTED, "its name points elsewhere"
    return None, ""
