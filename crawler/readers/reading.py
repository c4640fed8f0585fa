"""Reads any file: its kind by its bytes, then what the reader of that kind finds in it.

All of it is hostile. Whatever a file holds, `read_content` tells it and raises nothing;
`read_table` is for analysts, who want one table or the reason why there is none.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from crawler.errors import NotATable, TallyhoError
from crawler.readers.archives import read_archive
from crawler.readers.biff_streams import BEGINNINGS, read_biff_stream
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.choosing import choose
from crawler.readers.columnar import read_columnar
from crawler.readers.containers import OLE_MAGIC, ZIP_MAGIC
from crawler.readers.content import Content, Table, Trouble
from crawler.readers.delimited import read_delimited
from crawler.readers.html_workbooks import read_html_workbook
from crawler.readers.json_tables import read_json
from crawler.readers.kinds import ARCHIVES, WORKBOOKS, Kind
from crawler.readers.packing import bytes_at
from crawler.readers.paper import read_paper
from crawler.readers.pdf import read_pdf
from crawler.readers.recognise import recognise
from crawler.readers.sdmx_ml import read_sdmx_ml
from crawler.readers.spreadsheet_xml import NAMESPACE, read_spreadsheet_xml
from crawler.readers.unreadable import Unreadable, said
from crawler.readers.values import with_values
from crawler.readers.workbooks import read_workbook
from crawler.readers.xml_tables import read_xml

if TYPE_CHECKING:
    import pandas as pd

_FOR_ANALYSTS = Bounds(rows=2**31 - 1, cells=2**40, tables=20)
_WITHOUT_VALUES = frozenset({Kind.JSON, Kind.JSON_STAT, Kind.SDMX_ML, Kind.XML})
"""Kinds whose readers leave dates and flags as texts."""
_NO_PLAIN_TEXT = (*ZIP_MAGIC, OLE_MAGIC, b"{\\rtf")
_NOT_LOOKED_INTO = {
    Kind.HTML: "a web page",
    Kind.ERROR_MESSAGE: "a message of the server",
    Kind.EMPTY: "nothing but blanks",
    Kind.BINARY: "of no kind that can be read",
}
_CALLED = {
    Kind.DELIMITED: "a text",
    Kind.SDMX_CSV: "a text of SDMX-CSV",
    Kind.PARQUET: "a Parquet file",
    Kind.ARROW: "an Arrow file",
    Kind.JSON: "a JSON document",
    Kind.JSON_STAT: "a JSON-stat document",
    Kind.SDMX_ML: "an SDMX message",
    Kind.XML: "an XML document",
    Kind.PDF: "a PDF document",
    Kind.DOCUMENT: "a document of text",
    Kind.HTML: "an HTML page",
    Kind.ERROR_MESSAGE: "a message of the server",
    Kind.EMPTY: "an empty file",
    Kind.BINARY: "a binary file",
}


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be read of a file."""

    bounds: Bounds = DEFAULT_BOUNDS
    declared: str = ""
    sheet: str | int | None = None
    member: str | None = None
    whole: bool = True
    """Whether rows beyond the bounds are counted."""
    raw: bool = False
    """Whether values stay the texts that they are written as."""


def read_content(
    stream: BinaryIO, *, name: str = "", declared: str = "", bounds: Bounds = DEFAULT_BOUNDS
) -> Content:
    """What is in the file of a seekable stream; trouble with it is reported, never raised."""
    return _read_safely(stream, name, _Wish(bounds, declared))


def read_table(
    stream: BinaryIO,
    *,
    rows: int | None = None,
    table: str | int | None = None,
    sheet: str | int | None = None,
    member: str | None = None,
    raw: bool = False,
) -> "pd.DataFrame":
    """The table in a seekable stream; NotATable says what the file is when it holds none.

    `table` chooses one of several by its name or its place, or all parts of one table ("all");
    `rows` bounds the rows, `sheet` chooses a sheet of a workbook, `member` a file of an archive,
    `raw` leaves the values as the texts that they are written as.
    """
    bounds = _FOR_ANALYSTS if rows is None else replace(_FOR_ANALYSTS, rows=max(1, rows))
    wish = _Wish(bounds, sheet=sheet, member=member, whole=rows is None, raw=raw)
    found = choose(_tables_of(_read_safely(stream, "", wish)), table)
    return found.frame if rows is None else found.frame.head(rows)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was read, and the table of it that is wanted."""

    content: Content
    table: Table


def read_file(
    stream: BinaryIO,
    *,
    name: str = "",
    table: str | int | None = None,
    raw: bool = False,
    bounds: Bounds = _FOR_ANALYSTS,
) -> Reading:
    """A file as `read_table` reads it, with all that is known of its tables."""
    content = _read_safely(stream, name, _Wish(bounds, raw=raw))
    return Reading(content, choose(_tables_of(content), table))


def _tables_of(content: Content) -> tuple[Table, ...]:
    if content.trouble is not None:
        raise Unreadable(content.trouble, content.detail)
    if not content.tables:
        raise NotATable(_why_no_table(content))
    return content.tables


def _read_safely(stream: BinaryIO, name: str, wish: _Wish) -> Content:
    kind = Kind.BINARY
    try:
        size = stream.seek(0, 2)
        if size > wish.bounds.file_bytes:
            raise Unreadable(Trouble.TOO_LARGE, f"the file has {size:,} bytes")
        kind = recognise(stream, name, wish.declared)
        stream.seek(0)
        content = _read(stream, kind, name, wish)
        if kind in _WITHOUT_VALUES and not wish.raw:
            is_coded = kind in (Kind.JSON_STAT, Kind.SDMX_ML)
            tables = (with_values(table, only_times=is_coded) for table in content.tables)
            content = replace(content, tables=tuple(tables))
        return content
    except Unreadable as error:
        return Content(kind, trouble=error.trouble, detail=error.detail)
    except TallyhoError:
        # The store is away, or a wish cannot be met: this is not what the file holds.
        raise
    except MemoryError:
        return Content(kind, trouble=Trouble.MEMORY, detail="reading it takes too much memory")
    except RecursionError:
        return Content(kind, trouble=Trouble.TOO_DEEP, detail="it is nested too deeply")
    except Exception as error:  # a dozen libraries, on whatever the web holds
        return Content(kind, trouble=Trouble.CORRUPT, detail=said(error))


def _read(stream: BinaryIO, kind: Kind, name: str, wish: _Wish) -> Content:
    """What the reader of this kind finds."""
    match kind:
        case Kind.DELIMITED | Kind.SDMX_CSV:
            return _read_text(stream, kind, wish)
        case Kind.PARQUET | Kind.ARROW:
            return read_columnar(stream, kind, wish.bounds)
        case Kind.JSON | Kind.JSON_STAT:
            return read_json(stream, wish.bounds, raw=wish.raw)
        case Kind.SDMX_ML:
            return read_sdmx_ml(stream, wish.bounds, whole=wish.whole)
        case Kind.XML:
            return _read_xml(stream, wish)
        case Kind.PDF:
            return read_pdf(stream, wish.bounds)
        case Kind.DOCUMENT:
            return _read_document(stream, wish)
    if kind in WORKBOOKS:
        return _read_workbook(stream, kind, wish)
    if kind in ARCHIVES:
        return _read_archive(stream, kind, name, wish)
    return Content(kind, detail=_NOT_LOOKED_INTO[kind])


def _read_text(stream: BinaryIO, kind: Kind, wish: _Wish) -> Content:
    return read_delimited(
        stream, wish.bounds, kind=kind, declared=wish.declared, whole=wish.whole, raw=wish.raw
    )


def _read_xml(stream: BinaryIO, wish: _Wish) -> Content:
    head = stream.read(4096)
    if NAMESPACE.encode() in head:
        return read_spreadsheet_xml(stream, wish.bounds)
    return read_xml(stream, wish.bounds, raw=wish.raw)


def _read_workbook(stream: BinaryIO, kind: Kind, wish: _Wish) -> Content:
    head = bytes_at(stream, 0, 8)
    if kind is Kind.XLS and head[:4] in BEGINNINGS:
        return Content(kind, tuple(read_biff_stream(stream, wish.bounds, raw=wish.raw)))
    if kind is Kind.XLS and not head.startswith((OLE_MAGIC, b"\x09\x08")):
        tables = read_html_workbook(stream, wish.bounds, raw=wish.raw)
        if not tables:
            return Content(Kind.HTML, detail=_NOT_LOOKED_INTO[Kind.HTML])
        return Content(kind, tuple(tables))
    return Content(
        kind, tuple(read_workbook(stream, kind, wish.bounds, sheet=wish.sheet, raw=wish.raw))
    )


def _read_document(stream: BinaryIO, wish: _Wish) -> Content:
    if not bytes_at(stream, 0, 16).startswith(_NO_PLAIN_TEXT):
        return _read_text(stream, Kind.DOCUMENT, wish)
    return read_paper(stream, wish.bounds)


def _read_archive(stream: BinaryIO, kind: Kind, name: str, wish: _Wish) -> Content:
    def read_member(inner: BinaryIO, inner_name: str, left: Bounds) -> Content:
        return _read_safely(inner, inner_name, replace(wish, bounds=left, declared="", member=None))

    return read_archive(stream, kind, wish.bounds, read_member, name=name, member=wish.member)


def _why_no_table(content: Content) -> str:
    if content.kind in ARCHIVES:
        return f"no table in {content.detail or 'the archive'}"
    if content.kind in WORKBOOKS:
        return "no sheet of the workbook holds a table"
    called = _CALLED[content.kind]
    detail = content.detail
    if content.kind in _NOT_LOOKED_INTO or not detail:
        return f"a table cannot be read from {called}"
    return f"a table cannot be read from {called}: {detail}"
