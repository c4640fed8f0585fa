"""Tables in workbooks: Excel, old and new, and OpenDocument. Each sheet may hold one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from crawler.errors import NotATable
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Table, Trouble
from crawler.readers.grid import HEADER_ROWS, Block, Grid, table_of_grid
from crawler.readers.kinds import Kind
from crawler.readers.unreadable import Unreadable, said
from crawler.readers.workbook_checks import check_workbook, is_cut_short

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_MORE_SHEETS = 10
"""Looked at beyond the tables that are wanted: covers, contents, notes."""
_MOST_MERGED = 20_000
_COLUMNS_OF_NOTES = 3


def read_workbook(
    stream: BinaryIO,
    kind: Kind,
    bounds: Bounds = DEFAULT_BOUNDS,
    *,
    sheet: str | int | None = None,
) -> list[Table]:
    """A table for each sheet that holds one, or of the one sheet asked for.

    Sheets of notes are left out, unless there is nothing else, or they are asked for.
    """
    check_workbook(stream, kind, bounds)
    with _told(stream):
        from python_calamine import CalamineWorkbook

        stream.seek(0)
        workbook = CalamineWorkbook.from_filelike(stream)
        if sheet is not None:
            wanted = _chosen(workbook, sheet)
            found = _table(workbook.get_sheet_by_name(wanted), wanted, kind, bounds)
            return [] if found is None else [found]
        return _tables(workbook, kind, bounds)


def _tables(workbook: "CalamineWorkbook", kind: Kind, bounds: Bounds) -> list[Table]:
    from python_calamine import SheetTypeEnum

    sheets = [one.name for one in workbook.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
    tables: list[Table] = []
    notes: list[Table] = []
    cells = bounds.cells
    for name in sheets[: bounds.tables + _MORE_SHEETS]:
        left = replace(bounds, cells=cells)
        shown = name if len(sheets) > 1 else ""
        found = _table(workbook.get_sheet_by_name(name), shown, kind, left)
        if found is None:
            continue
        (notes if _is_notes(found) else tables).append(found)
        cells -= found.frame.size
        if len(tables) >= bounds.tables or cells <= 0:
            break
    return tables or notes[: bounds.tables]


def _table(sheet: "CalamineSheet", name: str, kind: Kind, bounds: Bounds) -> Table | None:
    if not sheet.height or not sheet.width:
        return None
    most = max(1, min(bounds.rows, bounds.cells // sheet.width)) + HEADER_ROWS
    rows = sheet.to_python(skip_empty_area=True, nrows=most)
    if not rows:
        return None
    return table_of_grid(Grid(rows, sheet.height, _merged(sheet)), name, kind, bounds)


def _merged(sheet: "CalamineSheet") -> tuple[Block, ...]:
    """The merged cells, counted from the first cell that is filled."""
    blocks = sheet.merged_cell_ranges
    start = sheet.start
    if not blocks or start is None or len(blocks) > _MOST_MERGED:
        return ()
    top, left = start
    return tuple(
        ((first[0] - top, first[1] - left), (last[0] - top, last[1] - left))
        for first, last in blocks
        if first[0] >= top and first[1] >= left
    )


def _is_notes(table: Table) -> bool:
    """Whether a sheet is about the others: a few columns, and not one figure or date in them."""
    import pandas as pd

    if table.frame.shape[1] > _COLUMNS_OF_NOTES:
        return False
    return not any(
        pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind)
        for kind in table.frame.dtypes
    )


def _chosen(workbook: "CalamineWorkbook", sheet: str | int) -> str:
    names = workbook.sheet_names
    wanted = names[sheet : sheet + 1] if isinstance(sheet, int) else [sheet]
    if not wanted or wanted[0] not in names:
        listed = ", ".join(name[:40] for name in names[:20])
        raise NotATable(f"the workbook has no sheet '{str(sheet)[:40]}', but {listed}")
    return wanted[0]


@contextmanager
def _told(stream: BinaryIO) -> Iterator[None]:
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
