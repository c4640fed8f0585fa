"""What is in a container: ZIP files that are documents of some office, and the older OLE files."""

import struct
from typing import BinaryIO

from crawler.readers.kinds import Kind
from crawler.readers.packing import bytes_at
from crawler.readers.unreadable import Unreadable
from crawler.readers.zip_files import open_zip

ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ODF = "application/vnd.oasis.opendocument."
_HEAD = 64 * 1024
_DIRECTORY = 64 * 1024


def kind_of_zip(stream: BinaryIO) -> Kind:
    """A workbook, a document, or an archive of files; a damaged one is known by its beginning."""
    head = bytes_at(stream, 0, _HEAD)
    try:
        with open_zip(stream) as archive:
            names = set(archive.namelist())
    except Unreadable:
        names = {
            name
            for name in ("xl/", "xl/workbook.bin", "word/", "ppt/", "content.xml", "mimetype")
            if name.encode() in head
        }
    stream.seek(0)
    if "mimetype" in names and (declared := _odf_type(head)):
        return Kind.ODS if declared.startswith("spreadsheet") else Kind.DOCUMENT
    if any(name.startswith("xl/") for name in names):
        return Kind.XLSB if "xl/workbook.bin" in names else Kind.XLSX
    if any(name.startswith(("word/", "ppt/")) for name in names):
        return Kind.DOCUMENT
    return Kind.ODS if {"mimetype", "content.xml"} <= names else Kind.ZIP


def kind_of_ole(stream: BinaryIO, name: str = "") -> Kind:
    """A workbook or a document in the format of old; encrypted ones by what they call themselves.

    What can be neither is a binary file: databases and installers use the container too.
    """
    found = _ole_names(stream)
    if "EncryptedPackage" in found:
        return Kind.DOCUMENT if name.lower().endswith((".docx", ".pptx")) else Kind.XLSX
    if found & {"Workbook", "Book", "WORKBOOK", "BOOK"}:
        return Kind.XLS
    if found & {"WordDocument", "PowerPoint Document"}:
        return Kind.DOCUMENT
    # Its directory is cut off, or elsewhere: the name is all there is.
    return Kind.XLS if not found or name.lower().endswith(".xls") else Kind.BINARY


def _odf_type(head: bytes) -> str:
    if head[30:38] != b"mimetype":
        return ""
    declared = head[38 : 38 + 80].decode("ascii", "replace")
    return declared.removeprefix(_ODF) if declared.startswith(_ODF) else ""


def _ole_names(stream: BinaryIO) -> set[str]:
    """Names of the streams in the first sectors of the directory."""
    header = bytes_at(stream, 0, 512)
    if len(header) < 76:
        return set()
    (shift,) = struct.unpack_from("<H", header, 30)
    (first,) = struct.unpack_from("<L", header, 48)
    if shift not in (9, 12) or first > 2**26:
        return set()
    directory = bytes_at(stream, (first + 1) << shift, _DIRECTORY)
    names = set()
    for at in range(0, len(directory) - 127, 128):
        (length,) = struct.unpack_from("<H", directory, at + 64)
        kind = directory[at + 66]
        # The directory's sectors may lie apart: what follows the first is then no directory.
        if not 2 <= length <= 64 or kind not in (1, 2, 5):
            continue
        names.add(directory[at : at + length - 2].decode("utf-16-le", "replace"))
    return names
