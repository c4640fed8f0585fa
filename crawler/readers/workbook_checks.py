"""What is looked at before a workbook is opened: passwords, bombs, sheets of any size."""

import zipfile
from itertools import islice
from typing import BinaryIO

from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.readers.ods_extent import check_repetitions
from crawler.readers.packing import Meter, bytes_at, size_of
from crawler.readers.sheet_extent import check_sheets
from crawler.readers.unreadable import Unreadable, said
from crawler.readers.xls_dimensions import biff_records, check_old_workbook
from crawler.readers.xlsb_extent import check_binary_sheets
from crawler.readers.zip_files import open_zip, refuse_bombs

_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_FIRST_RECORD = b"\x09\x08\x10\x00"
_FILE_PASS = 0x2F
_SECTOR = 512
_PIECE = 1024**2
_DECLARATIONS = 64 * 1000
_MANIFEST = "META-INF/manifest.xml"
_CHECKS = {
    Kind.XLSX: check_sheets,
    Kind.XLSB: check_binary_sheets,
    Kind.ODS: check_repetitions,
}


def check_workbook(stream: BinaryIO, kind: Kind, bounds: Bounds) -> None:
    """Raises Unreadable for a workbook that must not, or cannot, be opened."""
    size = size_of(stream)
    if size > bounds.memory // 4:
        raise Unreadable(Trouble.TOO_LARGE, f"a workbook of {size:,} bytes is not opened")
    if _is_ole(stream):
        if is_encrypted_ole(stream) or (kind is Kind.XLS and _has_password_record(stream)):
            raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")
        if size < 3 * _SECTOR:
            raise Unreadable(Trouble.TRUNCATED, "it ends before its end")
        check_old_workbook(stream)
        return
    if kind is Kind.XLS:
        raise Unreadable(Trouble.UNSUPPORTED, "it is a workbook of before Excel 97")
    archive = open_zip(stream)
    infos = archive.infolist()
    if any(info.flag_bits & 1 for info in infos):
        raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")
    refuse_bombs(infos, Meter(size, bounds))
    for info in infos:
        if info.filename.endswith(".xml"):
            _check_part(archive, info)
    if kind in _CHECKS:
        _check_sheets(archive, kind, bounds)
    stream.seek(0)


def _check_sheets(archive: zipfile.ZipFile, kind: Kind, bounds: Bounds) -> None:
    try:
        _CHECKS[kind](archive, bounds)
    except (Unreadable, MemoryError):
        raise
    except Exception as error:  # zipfile's own, and those of zlib, bz2 and lzma
        raise Unreadable(Trouble.CORRUPT, f"it cannot be unpacked: {said(error)}") from error


def _check_part(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    name = info.filename
    xml = _beginning(archive, info, _DECLARATIONS)
    if b"<!ENTITY" in xml[:_DECLARATIONS]:
        # Nothing that an office writes declares entities, and the reader opens none.
        raise Unreadable(Trouble.BOMB, "it declares entities, as only bombs do")
    if name == _MANIFEST and b"encryption-data" in xml:
        raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")


def is_cut_short(stream: BinaryIO) -> bool:
    """Whether an old workbook ends within one of its sectors; new ones are archives without any."""
    return _is_ole(stream) and size_of(stream) % _SECTOR != 0


def _is_ole(stream: BinaryIO) -> bool:
    return bytes_at(stream, 0, 4) == b"\xd0\xcf\x11\xe0"


def is_encrypted_ole(stream: BinaryIO) -> bool:
    """Whether an old container holds a new document that only a password opens."""
    overlap = b""
    found = False
    while not found and (piece := stream.read(_PIECE)):
        found = _ENCRYPTED_PACKAGE in overlap + piece
        overlap = piece[-len(_ENCRYPTED_PACKAGE) :]
    stream.seek(0)
    return found


def _has_password_record(stream: BinaryIO) -> bool:
    """Whether one of the first records of an old workbook says that the others are encrypted."""
    found = False
    # Streams begin with a sector, the smallest of them with an eighth of one.
    while not found and (piece := stream.read(_PIECE)):
        at = piece.find(_FIRST_RECORD)
        while at >= 0 and not found:
            first = islice(biff_records(piece, at), 6)
            found = at % (_SECTOR // 8) == 0 and any(number == _FILE_PASS for number, *_ in first)
            at = piece.find(_FIRST_RECORD, at + 1)
    stream.seek(0)
    return found


def _beginning(archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int) -> bytes:
    try:
        with archive.open(info) as part:
            return part.read(size)
    except MemoryError:
        raise
    except Exception as error:  # zipfile's own, and those of zlib, bz2 and lzma
        if info.filename == "content.xml":
            # The manifest says what is encrypted, and it comes later.
            return b""
        raise Unreadable(Trouble.CORRUPT, f"{info.filename[-60:]} cannot be unpacked") from error
