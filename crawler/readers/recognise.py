"""What a file is: by its bytes first, then by what its name and its server say."""

import re
from typing import BinaryIO

from crawler.pages.sniff import sniff
from crawler.readers.biff_streams import BEGINNINGS
from crawler.readers.containers import OLE_MAGIC, ZIP_MAGIC, kind_of_ole, kind_of_zip
from crawler.readers.encoding import HEAD, encoding_of, sample_of
from crawler.readers.html_workbooks import is_html_workbook
from crawler.readers.json_stat import looks_like_json_stat
from crawler.readers.kinds import Kind
from crawler.readers.layout import find_layout
from crawler.readers.markup import is_html, kind_of_xml
from crawler.readers.messages import LARGEST, is_error_json, is_error_text
from crawler.readers.packing import bytes_at

_MAGIC = (
    (b"%PDF-", Kind.PDF),
    (b"PAR1", Kind.PARQUET),
    (b"PARE", Kind.PARQUET),
    (b"ARROW1\0\0", Kind.ARROW),
    (b"\x1f\x8b", Kind.GZIP),
    (b"BZh", Kind.BZIP2),
    (b"\xfd7zXZ\0", Kind.XZ),
    (b"7z\xbc\xaf\x27\x1c", Kind.SEVEN_ZIP),
    (b"{\\rtf", Kind.DOCUMENT),
)
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/rtf")
_NOTHING = b" \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe\0"
"""Blanks, byte order marks, and the zeros beside blanks in UTF-16 or of a file never filled."""
_JSON = re.compile(r"\{\s*(?:[\"}]|\Z)|\[\s*(?:[\[{\"\]\d-]|true|false|null|\Z)")
_SDMX_CSV = re.compile(
    r"\"?(?:DATAFLOW\"?[,;\t]|STRUCTURE\"?[,;\t]\"?STRUCTURE_ID\b)|STRUCTURE\[[;,|]?\]?\"?[,;\t]"
)


def recognise(stream: BinaryIO, name: str = "", declared: str = "") -> Kind:
    """The kind of the file in a seekable stream, from its head and its directory alone."""
    head = bytes_at(stream, 0, 4096)
    if not head.strip(_NOTHING):
        return _kind_of_blanks(stream, name, declared)
    return _kind_of_bytes(stream, head, name) or _kind_of_text(stream, name, declared)


def _kind_of_blanks(stream: BinaryIO, name: str, declared: str) -> Kind:
    """A file that begins with blanks, or zeros, may hold nothing else."""
    zeros = 0
    while chunk := stream.read(1024**2):
        zeros += chunk.count(b"\0")
        if chunk.strip(_NOTHING):
            stream.seek(0)
            return _kind_of_text(stream, name, declared) if not zeros else Kind.BINARY
    stream.seek(0)
    return Kind.EMPTY


def _kind_of_bytes(stream: BinaryIO, head: bytes, name: str) -> Kind | None:
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.startswith(ZIP_MAGIC):
        return kind_of_zip(stream)
    if head.startswith(OLE_MAGIC):
        return kind_of_ole(stream, name)
    if b"%PDF-" in head[:1024] and not head.lstrip().startswith(b"<"):
        # Readers of PDF allow some bytes before its beginning, and servers put them there.
        return Kind.PDF
    mime = sniff(head)
    if mime is not None and not mime.startswith(_TEXT_TYPES) and not mime.endswith("+xml"):
        return Kind.BINARY
    # Workbooks before Excel 97, which were no containers yet.
    if head[:4] in (b"\x09\x08\x10\x00", b"\x09\x08\x08\x00", *BEGINNINGS):
        return Kind.XLS
    return None


def _kind_of_text(stream: BinaryIO, name: str, declared: str) -> Kind:
    blocks = sample_of(stream, whole=False)
    encoding = encoding_of(blocks, declared)
    if encoding is None:
        return Kind.BINARY
    complete = len(blocks[0]) < HEAD
    text = blocks[0].decode(encoding, "replace").removeprefix("\ufeff").lstrip()
    if not text:
        # Blanks for as far as a text is looked at, and something behind them, is not empty.
        return Kind.EMPTY if complete else Kind.BINARY
    if text.startswith("<") or is_html(text):
        kind = kind_of_xml(text, complete=complete)
        is_workbook = kind is Kind.HTML and is_html_workbook(text, name, declared)
        return Kind.XLS if is_workbook else kind
    short = complete and len(text) <= LARGEST
    if _JSON.match(text):
        if short and is_error_json(text):
            return Kind.ERROR_MESSAGE
        return Kind.JSON_STAT if looks_like_json_stat(text) else Kind.JSON
    if short and is_error_text(text):
        return Kind.ERROR_MESSAGE
    if _SDMX_CSV.match(text):
        return Kind.SDMX_CSV
    return Kind.DELIMITED if find_layout(text, complete=complete) is not None else Kind.DOCUMENT
