"""Tables in workbooks: Excel, old and new, and OpenDocument. Each sheet may hold one."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from crawler.errors import NotATable
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Table, Trouble
from crawler.readers.grid import Grid, Span, Styles
from crawler.readers.kinds import Kind
from crawler.readers.ranking import has_figures, is_about_name, ranked
from crawler.readers.sheet_tables import tables_of_grid
from crawler.readers.unreadable import Unreadable, said
from crawler.readers.workbook_checks import check_workbook, is_cut_short
from crawler.readers.xlsx_styles import styles_of_xlsx
from crawler.readers.xml_events import Enough, local_name, read_events
from crawler.readers.zip_files import open_zip

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_MORE_SHEETS = 10
"""Looked at beyond the tables that are wanted: covers, contents, notes."""
_MAX_MERGED = 20_000
_MORE_ROWS = 60
"""Read beyond the rows that are wanted: titles and headers."""
_COLUMNS_OF_NOTES = 3
_CONTENT = "content.xml"
_MAX_CONTENT = 300 * 1000**2
_BLANKS = re.compile(rb"(?<=>)\s+(?=</?(?:table|office):)")
_MAX_ROW = 5_000
"""Merged cells further down are rare, and the sheets that have them large."""
_MAX_SPANS = 20_000
_CELLS = ("table-cell", "covered-table-cell")


def read_workbook(
    stream: BinaryIO,
    kind: Kind,
    bounds: Bounds = DEFAULT_BOUNDS,
    *,
    sheet: str | int | None = None,
    raw: bool = False,
) -> list[Table]:
    """The tables of all sheets, the best first, or those of the one sheet asked for.

    Sheets of notes are left out, unless there is nothing else, or they are asked for.
    """
    check_workbook(stream, kind, bounds)
    with _errors_as_ours(stream):
        stream.seek(0)
        workbook = _opened(stream, kind)
        spans = _spans_of_ods(stream, bounds) if kind is Kind.ODS else {}
        styles = styles_of_xlsx(stream) if kind is Kind.XLSX else {}
        reader = _Workbook(workbook, kind, raw, spans, styles)
        if sheet is not None:
            return reader.tables_of(_chosen(workbook, sheet), bounds)
        return reader.tables(bounds)


def _opened(stream: BinaryIO, kind: Kind) -> "CalamineWorkbook":
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        return CalamineWorkbook.from_filelike(stream)
    except CalamineError:
        if kind is not Kind.ODS:
            raise
    # The library stumbles over blanks between the cells, which XML allows.
    return CalamineWorkbook.from_filelike(_without_blanks_between_cells(stream))


def _without_blanks_between_cells(stream: BinaryIO) -> io.BytesIO:
    """The same spreadsheet with nothing between the tags of its tables, as programs write it."""
    stream.seek(0)
    target = io.BytesIO()
    with open_zip(stream) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
        for info in source.infolist():
            if info.filename == _CONTENT and info.file_size > _MAX_CONTENT:
                raise Unreadable(Trouble.TOO_LARGE, "its content is larger than may be rewritten")
            if info.filename not in (_CONTENT, "mimetype", "META-INF/manifest.xml"):
                continue
            data = source.read(info)
            if info.filename == _CONTENT:
                data = _BLANKS.sub(b"", data)
            copy.writestr(info.filename, data)
    target.seek(0)
    return target


@dataclass(frozen=True, slots=True)
class _Workbook:
    book: "CalamineWorkbook"
    kind: Kind
    raw: bool
    spans: Mapping[str, Sequence[Span]]
    """Merged cells of each sheet, where the library does not know them."""
    styles: Mapping[str, Styles]

    def tables(self, bounds: Bounds) -> list[Table]:
        """The tables of all sheets, the best first."""
        from python_calamine import SheetTypeEnum, SheetVisibleEnum

        sheets = [one for one in self.book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
        hidden = {one.name for one in sheets if one.visible != SheetVisibleEnum.Visible}
        names = [one.name for one in sheets]
        # What is likely to be data is read first, as there may be more sheets than are read.
        order = sorted(names, key=lambda name: (name in hidden, is_about_name(name)))
        found: dict[str, list[Table]] = {}
        count, cells = 0, bounds.cells
        for name in order[: bounds.tables + _MORE_SHEETS]:
            tables = self.tables_of(name, replace(bounds, cells=cells))
            found[name] = [replace(table, hidden=name in hidden) for table in tables]
            count += sum(not self._is_notes(table) for table in tables)
            cells -= sum(table.frame.size for table in tables)
            if count >= bounds.tables or cells <= 0:
                break
        every = [table for name in names for table in found.get(name, ())]
        data = [table for table in every if not self._is_notes(table)]
        return ranked(data or every, names, raw=self.raw)[: bounds.tables]

    def tables_of(self, name: str, bounds: Bounds) -> list[Table]:
        """The tables of one sheet."""
        sheet = self.book.get_sheet_by_name(name)
        if not sheet.height or not sheet.width:
            return []
        most = bounds.rows_of(sheet.width) + _MORE_ROWS
        rows = sheet.to_python(skip_empty_area=True, nrows=most)
        if not rows:
            return []
        merged = _merged(sheet, self.spans.get(name) or sheet.merged_cell_ranges or ())
        first = sheet.start[0] + 1 if sheet.start else 1
        styles = _styles(sheet, self.styles.get(name))
        grid = Grid(rows, sheet.height, merged, styles=styles, first_row=first)
        return tables_of_grid(grid, name, self.kind, bounds, raw=self.raw)

    def _is_notes(self, table: Table) -> bool:
        """Whether a sheet is about others: few columns, and not one figure or date in them."""
        few = table.frame.shape[1] <= _COLUMNS_OF_NOTES
        return few and not has_figures(table, raw=self.raw)


def _merged(sheet: "CalamineSheet", spans: Sequence[Span]) -> tuple[Span, ...]:
    """The merged cells, counted from the first cell that is filled."""
    start = sheet.start
    if not spans or start is None or len(spans) > _MAX_MERGED:
        return ()
    top, left = start
    return tuple(
        ((first[0] - top, first[1] - left), (last[0] - top, last[1] - left))
        for first, last in spans
        if first[0] >= top and first[1] >= left
    )


def _styles(sheet: "CalamineSheet", styles: Styles | None) -> Styles:
    """The styles, counted from the first cell that is filled."""
    if sheet.start is None or styles is None:
        return Styles()
    top, left = sheet.start
    rows = {
        row - top: {place - left: style for place, style in cells.items()}
        for row, cells in styles.rows.items()
    }
    return Styles(rows, styles.general)


def _chosen(workbook: "CalamineWorkbook", sheet: str | int) -> str:
    names = workbook.sheet_names
    wanted = names[sheet : sheet + 1] if isinstance(sheet, int) else [sheet]
    if not wanted or wanted[0] not in names:
        listed = ", ".join(name[:40] for name in names[:20])
        raise NotATable(f"the workbook has no sheet '{str(sheet)[:40]}', but {listed}")
    return wanted[0]


@contextmanager
def _errors_as_ours(stream: BinaryIO) -> Iterator[None]:
    """Errors of the library as ours. It is written in Rust, whose panics are no Exception."""
    from python_calamine import CalamineError, PasswordError

    try:
        yield
    except PasswordError as error:
        raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password") from error
    except CalamineError as error:
        trouble = Trouble.TRUNCATED if is_cut_short(stream) else Trouble.CORRUPT
        raise Unreadable(trouble, f"the workbook cannot be read: {said(error)}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Unreadable(Trouble.CORRUPT, "the workbook cannot be read") from None


def _spans_of_ods(stream: BinaryIO, bounds: Bounds) -> dict[str, list[Span]]:
    """The merged cells of each sheet, counted from its first cell; none where it has none.

    The library that reads the cells leaves them out.
    """
    merged = _MergedCells()
    stream.seek(0)
    try:
        with open_zip(stream) as archive, archive.open(_CONTENT) as content:
            if b"-spanned" not in archive.read(_CONTENT):
                return {}
            read_events(content, bounds, merged.start, merged.end)  # type: ignore[arg-type]
    except (Unreadable, KeyError, zipfile.BadZipFile, OSError):
        # The cells say what is wrong with the file; where they merge is only a help.
        return {}
    return merged.spans


class _MergedCells:
    def __init__(self) -> None:
        self.spans: dict[str, list[Span]] = {}
        self._sheet = ""
        self._row = self._place = 0
        self._repeated = 1
        self._found = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local_name(name)
        if name == "table":
            own = {local_name(key): value for key, value in attributes.items()}
            self._sheet, self._row = own.get("name", ""), 0
        elif name == "table-row":
            self._place = 0
            self._repeated = _whole(attributes.get("table:number-rows-repeated", "1"))
        elif name in _CELLS and self._row < _MAX_ROW:
            high = _whole(attributes.get("table:number-rows-spanned", "1"))
            wide = _whole(attributes.get("table:number-columns-spanned", "1"))
            if high > 1 or wide > 1:
                last = (self._row + high - 1, self._place + wide - 1)
                self.spans.setdefault(self._sheet, []).append(((self._row, self._place), last))
                self._found += 1
                if self._found > _MAX_SPANS:
                    raise Enough
            self._place += _whole(attributes.get("table:number-columns-repeated", "1"))

    def end(self, name: str) -> None:
        if local_name(name) == "table-row":
            self._row += self._repeated


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
