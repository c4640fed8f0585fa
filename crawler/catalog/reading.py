"""Reads a file of the catalog into a pandas DataFrame, whatever it says it is.

What a file is, its first bytes tell: names and declared types are wrong too often. All of it is
hostile, so sizes are bounded before anything is unpacked.
"""

import bz2
import gzip
import lzma
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any, BinaryIO

from crawler.catalog.tables_in_text import read_delimited
from crawler.catalog.tables_in_trees import read_json, read_sdmx_ml
from crawler.catalog.workbooks import read_workbook
from crawler.errors import NotATable

if TYPE_CHECKING:
    import pandas as pd

MOST_BYTES = 2 * 1000**3
"""What a packed file may hold; more is a bomb, or no file for a DataFrame."""

_HEAD = 4096
_IN_MEMORY = 16 * 1000**2
_NESTED = 2
_XML_BEGINNINGS = (b"<", b"\xff\xfe<\x00", b"\xfe\xff\x00<")


class Kind(StrEnum):
    """What the bytes of a file are."""

    PARQUET = "Parquet"
    ARROW = "Arrow"
    WORKBOOK = "workbook"
    ZIP = "ZIP archive"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    SDMX = "SDMX-ML"
    JSON = "JSON"
    TEXT = "text"
    XML = "XML"
    HTML = "HTML page"
    PDF = "PDF"
    EMPTY = "empty file"
    OTHER = "binary file"


_COMPRESSED = (Kind.GZIP, Kind.BZIP2, Kind.XZ)
_MAGIC = (
    (b"PAR1", Kind.PARQUET),
    (b"ARROW1", Kind.ARROW),
    (b"\xd0\xcf\x11\xe0", Kind.WORKBOOK),
    (b"\x1f\x8b", Kind.GZIP),
    (b"BZh", Kind.BZIP2),
    (b"\xfd7zXZ", Kind.XZ),
    (b"%PDF", Kind.PDF),
)


def read_table(
    stream: BinaryIO,
    *,
    rows: int | None = None,
    sheet: str | int | None = None,
    member: str | None = None,
) -> "pd.DataFrame":
    """The table in a seekable stream; NotATable says what the file is when it holds none.

    `rows` bounds the rows, `sheet` chooses a sheet of a workbook, `member` a file of an archive.
    """
    try:
        return _read(stream, rows, sheet, member, _NESTED)
    except NotATable:
        raise
    except (ValueError, KeyError, TypeError, IndexError, OSError, EOFError) as error:
        raise _broken(error) from error
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError) as error:
        raise _broken(error) from error
    except (ArithmeticError, RuntimeError, RecursionError, MemoryError, SyntaxError) as error:
        raise _broken(error) from error


def kind_of(stream: BinaryIO) -> Kind:
    """What the bytes of a seekable stream are."""
    stream.seek(0)
    head = stream.read(_HEAD)
    stream.seek(0)
    if not head.strip():
        return Kind.EMPTY
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _kind_of_zip(stream)
    bare = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if bare.startswith(_XML_BEGINNINGS):
        return _kind_of_markup(bare.replace(b"\x00", b"").lower())
    if bare[:1] in (b"{", b"["):
        return Kind.JSON
    if b"\x00" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Kind.OTHER
    return Kind.TEXT


def _read(
    stream: BinaryIO,
    rows: int | None,
    sheet: str | int | None,
    member: str | None,
    nested: int,
) -> "pd.DataFrame":
    kind = kind_of(stream)
    if kind is Kind.ZIP or kind in _COMPRESSED:
        if not nested:
            raise NotATable("an archive within an archive within an archive")
        with _unpacked(stream, kind, member) as inner:
            return _read(inner, rows, sheet, None, nested - 1)
    if kind is Kind.TEXT:
        return read_delimited(stream, rows=rows)
    if kind is Kind.WORKBOOK:
        return read_workbook(stream, rows=rows, sheet=sheet)
    if kind is Kind.PARQUET or kind is Kind.ARROW:
        return _read_arrow(stream, kind, rows)
    if kind is Kind.JSON:
        return read_json(stream, rows=rows)
    if kind is Kind.SDMX:
        return read_sdmx_ml(stream, rows=rows)
    raise NotATable(f"a table cannot be read from {_with_article(kind)}")


def _read_arrow(stream: BinaryIO, kind: Kind, rows: int | None) -> "pd.DataFrame":
    import pyarrow as pa
    import pyarrow.parquet

    try:
        if kind is Kind.ARROW:
            table = pa.ipc.open_file(stream).read_all()
        elif rows is None:
            table = pa.parquet.read_table(stream)
        else:
            file = pa.parquet.ParquetFile(stream)
            batch = next(file.iter_batches(batch_size=max(rows, 1)), None)
            table = file.schema_arrow.empty_table() if batch is None else pa.table(batch)
    except pa.ArrowException as error:
        raise _broken(error) from error
    return (table if rows is None else table.slice(0, rows)).to_pandas()


@contextmanager
def _unpacked(stream: BinaryIO, kind: Kind, member: str | None) -> Iterator[Any]:
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as unpacked:
        if kind is Kind.ZIP:
            with (
                zipfile.ZipFile(stream) as archive,
                archive.open(_member(archive, member)) as source,
            ):
                _copy(source, unpacked)
        else:
            with _unpack(stream, kind) as source:
                _copy(source, unpacked)
        unpacked.seek(0)
        yield unpacked


def _unpack(stream: BinaryIO, kind: Kind) -> Any:
    if kind is Kind.GZIP:
        return gzip.open(stream)
    return bz2.open(stream) if kind is Kind.BZIP2 else lzma.open(stream)


def _copy(source: Any, target: Any) -> None:
    shutil.copyfileobj(_Bounded(source, MOST_BYTES), target, 1024**2)


class _Bounded:
    """A stream that ends with an error when it gives more than it may."""

    def __init__(self, source: Any, most: int) -> None:
        self._source = source
        self._left = most

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise NotATable(f"unpacked it is larger than {MOST_BYTES:,} bytes")
        return data


def _member(archive: zipfile.ZipFile, wanted: str | None) -> zipfile.ZipInfo:
    files = [
        info
        for info in archive.infolist()
        if not info.is_dir() and not info.filename.startswith("__MACOSX/")
    ]
    if wanted is not None:
        found = next((info for info in files if info.filename == wanted), None)
        if found is None:
            raise NotATable(f"the archive holds no '{wanted[:80]}', but {_listed(files)}")
        return found
    if len(files) > 1:
        # What comes with a table for people: a licence, a description.
        files = [info for info in files if not _is_for_people(info.filename)] or files
    if len(files) != 1:
        raise NotATable(f"the archive holds {len(files)} files, choose a member: {_listed(files)}")
    return files[0]


def _is_for_people(name: str) -> bool:
    last = name.lower().rpartition("/")[2]
    return last.endswith((".pdf", ".html", ".docx", ".md")) or last.startswith(
        ("readme", "licence", "license", ".")
    )


def _listed(files: list[zipfile.ZipInfo]) -> str:
    names = ", ".join(info.filename[:80] for info in files[:10])
    return f"{names}, ..." if len(files) > 10 else names or "nothing"


def _kind_of_zip(stream: BinaryIO) -> Kind:
    try:
        with zipfile.ZipFile(stream) as archive:
            names = set(archive.namelist())
            size = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise _broken(error) from error
    finally:
        stream.seek(0)
    is_workbook = (
        any(name.startswith("xl/") for name in names)
        or {
            "mimetype",
            "content.xml",
        }
        <= names
    )
    if is_workbook and size > MOST_BYTES:
        raise NotATable(f"unpacked it is larger than {MOST_BYTES:,} bytes")
    return Kind.WORKBOOK if is_workbook else Kind.ZIP


def _kind_of_markup(head: bytes) -> Kind:
    if b"<!doctype html" in head or b"<html" in head:
        return Kind.HTML
    return Kind.SDMX if b"sdmx.org/resources/sdmxml" in head else Kind.XML


def _with_article(kind: Kind) -> str:
    return f"{'an' if kind[0] in 'aeiouHX' else 'a'} {kind.value}"


def _broken(error: BaseException) -> NotATable:
    said = str(error).strip().partition("\n")[0][:200]
    return NotATable(f"the file cannot be read: {said or type(error).__name__}")
