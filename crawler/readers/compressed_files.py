"""Files that were compressed one by one (gzip, bzip2, xz), and tar archives within them."""

import bz2
import gzip
import lzma
import tarfile
from typing import IO, BinaryIO, cast

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.readers.packing import Member, Meter, Packing, bytes_at, size_of, unpacking_errors
from crawler.readers.unreadable import Unreadable, said

_TAR_MAGIC = 257, b"ustar"
_SUFFIXES = (".gz", ".bz2", ".xz", ".lzma")


class CompressedPacking(Packing):
    """The one member of a compressed file; `name` is that of the file."""

    def __init__(self, stream: BinaryIO, kind: Kind, name: str, bounds: Bounds) -> None:
        self._stream = stream
        self._kind = kind
        self._meter = Meter(size_of(stream), bounds)
        self.members = [Member(0, _without_suffix(name))]

    def unpack_one(self, _: Member, target: BinaryIO) -> None:
        """Writes the bytes of one member."""
        with unpacking_errors(), _opened(self._stream, self._kind) as source:
            self._meter.copy(source, target)


class TarPacking(Packing):
    """The members of a tar archive that was unpacked already."""

    def __init__(self, stream: BinaryIO, bounds: Bounds) -> None:
        self._meter = Meter(size_of(stream), bounds)
        self._infos: list[tarfile.TarInfo] = []
        try:
            self._archive = tarfile.open(fileobj=stream, mode="r:")  # noqa: SIM115 - the stream's
            for info in self._archive:
                if info.isreg():
                    self._infos.append(info)
                if len(self._infos) > bounds.members:
                    break
        except (tarfile.TarError, ValueError, OSError, EOFError) as error:
            raise Unreadable(Trouble.CORRUPT, said(error)) from error
        self.members = [Member(place, info.name) for place, info in enumerate(self._infos)]

    def unpack_one(self, member: Member, target: BinaryIO) -> None:
        """Writes the bytes of one member."""
        try:
            source = self._archive.extractfile(self._infos[member.place])
            if source is not None:
                with source:
                    self._meter.copy(source, target)
        except (tarfile.TarError, ValueError, OSError, EOFError) as error:
            raise Unreadable(Trouble.TRUNCATED, said(error)) from error


def is_tar(stream: BinaryIO) -> bool:
    """Whether a stream is a tar archive."""
    place, magic = _TAR_MAGIC
    return bytes_at(stream, place, len(magic)) == magic


def _opened(stream: BinaryIO, kind: Kind) -> IO[bytes]:
    stream.seek(0)
    if kind is Kind.GZIP:
        return cast("IO[bytes]", gzip.GzipFile(fileobj=stream, mode="rb"))
    return bz2.BZ2File(stream) if kind is Kind.BZIP2 else lzma.LZMAFile(stream)


def _without_suffix(name: str) -> str:
    lower = name.lower()
    if lower.endswith((".tgz", ".txz")):
        return name[:-3] + "tar"
    for suffix in _SUFFIXES:
        if lower.endswith(suffix):
            return name[: -len(suffix)]
    return name
