"""ZIP archives: the directory is checked before anything is unpacked, since all of it may lie."""

import struct
import zipfile
from collections.abc import Sequence
from typing import BinaryIO

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.packing import Member, Meter, Packing, bytes_at, size_of, unpacking_errors
from crawler.readers.unreadable import Unreadable, said

_END = b"PK\x05\x06"
_END_SIZE = 22
_MAX_COMMENT = 65_535
_MAX_DIRECTORY = 64 * 1000**2
_IN_64_BITS = 0xFFFFFFFF
_LOCAL_HEADER = 30
_ENCRYPTED = 0x1
_UTF8 = 0x800
_METHODS = {
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_BZIP2,
    zipfile.ZIP_LZMA,
}


class ZipPacking(Packing):
    """The members of a ZIP archive."""

    def __init__(self, stream: BinaryIO, bounds: Bounds) -> None:
        self._archive = open_zip(stream)
        self._infos = [info for info in self._archive.infolist() if not info.is_dir()]
        self._meter = Meter(size_of(stream), bounds)
        refuse_bombs(self._infos, self._meter)
        self.members = [
            Member(place, _name(info), *_known_trouble(info))
            for place, info in enumerate(self._infos)
        ]

    def unpack_one(self, member: Member, target: BinaryIO) -> None:
        """Writes the bytes of one member."""
        with unpacking_errors(), self._archive.open(self._infos[member.place]) as source:
            self._meter.copy(source, target)


def open_zip(stream: BinaryIO) -> zipfile.ZipFile:
    """The archive in a stream, its directory read."""
    _look_at_the_end(stream)
    try:
        return zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as error:
        raise Unreadable(Trouble.CORRUPT, said(error)) from error


def refuse_bombs(infos: Sequence[zipfile.ZipInfo], meter: Meter) -> None:
    """Raises when the directory of an archive tells that it is made to do harm."""
    meter.check(sum(info.file_size for info in infos))
    for info in infos:
        meter.check(info.file_size, info.compress_size)
        swollen = 1024 + 1.01 * info.file_size
        if info.compress_type == zipfile.ZIP_DEFLATED and info.compress_size > swollen:
            # Packing makes nothing larger by more than a little: the size is a lie.
            raise Unreadable(Trouble.BOMB, "it holds more than it says")
    # Members that share their bytes unpack one piece of data many times over.
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < 0:
            raise Unreadable(Trouble.CORRUPT, "its directory points to before its start")
        if info.header_offset < end:
            raise Unreadable(Trouble.BOMB, "its members overlap each other")
        end = info.header_offset + _LOCAL_HEADER + info.compress_size


def _look_at_the_end(stream: BinaryIO) -> None:
    """Whether the directory is there, and not so large that its list alone fills the memory."""
    tail = bytes_at(stream, -_END_SIZE - _MAX_COMMENT)
    place = tail.rfind(_END)
    if place < 0 or len(tail) - place < _END_SIZE:
        raise Unreadable(
            Trouble.TRUNCATED, "the end of the archive, with its directory, is missing"
        )
    (directory,) = struct.unpack_from("<L", tail, place + 12)
    if directory == _IN_64_BITS:
        directory = _directory_in_64_bits(stream, tail, place)
    if directory > _MAX_DIRECTORY:
        raise Unreadable(Trouble.TOO_LARGE, "the directory of the archive is too large")


def _directory_in_64_bits(stream: BinaryIO, tail: bytes, place: int) -> int:
    """The size of the directory where a second record at the end tells it."""
    locator = tail[max(0, place - 20) : place]
    if not locator.startswith(b"PK\x06\x07"):
        return 0
    (offset,) = struct.unpack_from("<Q", locator, 8)
    record = bytes_at(stream, offset, 56)
    return int(struct.unpack_from("<Q", record, 40)[0]) if len(record) == 56 else 0


def _known_trouble(info: zipfile.ZipInfo) -> tuple[Trouble | None, str]:
    if info.flag_bits & _ENCRYPTED:
        return Trouble.ENCRYPTED, "it is protected with a password"
    if info.compress_type not in _METHODS:
        return Trouble.UNSUPPORTED, f"compression method {info.compress_type} is not supported"
    return None, ""


def _name(info: zipfile.ZipInfo) -> str:
    """Many programs write UTF-8 without saying so, which reads as if it were that of old DOS."""
    if not info.flag_bits & _UTF8:
        try:
            return info.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return info.filename
