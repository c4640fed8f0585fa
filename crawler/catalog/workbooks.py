"""Tables in workbooks: Excel, old and new, and OpenDocument."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from crawler.errors import NotATable

if TYPE_CHECKING:
    import pandas as pd

_TITLE_ROWS = 50
"""How far down a header is looked for."""


def read_workbook(
    stream: BinaryIO, *, rows: int | None = None, sheet: str | int | None = None
) -> "pd.DataFrame":
    """The table of a sheet: the one asked for, else the first that holds a table."""
    import pandas as pd
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        workbook = CalamineWorkbook.from_filelike(stream)
        table = _table(workbook, rows, sheet)
    except CalamineError as error:
        raise NotATable(f"the workbook cannot be read: {str(error)[:200]}") from error
    except BaseException as error:
        # The reader is written in Rust, whose panics come as a BaseException of their own.
        if type(error).__name__ != "PanicException":
            raise
        raise NotATable("the workbook cannot be read") from None
    header, *body = table
    frame = pd.DataFrame(
        [[None if cell == "" else cell for cell in row] for row in body],
        columns=_names(header),
    )
    return frame.infer_objects()


def _table(workbook: Any, rows: int | None, sheet: str | int | None) -> list[list[Any]]:
    names: list[str] = workbook.sheet_names
    if sheet is not None:
        wanted = names[sheet : sheet + 1] if isinstance(sheet, int) else [sheet]
        if not wanted or wanted[0] not in names:
            listed = ", ".join(name[:40] for name in names[:20])
            raise NotATable(f"the workbook has no sheet '{str(sheet)[:40]}', but {listed}")
        names = wanted
    most = None if rows is None else rows + _TITLE_ROWS + 1
    for name in names:
        cells = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True, nrows=most)
        table = _trimmed(cells)
        if len(table) > 1 and len(table[0]) > 1:
            return table if rows is None else table[: rows + 1]
    raise NotATable("no sheet of the workbook holds a table")


def _trimmed(cells: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """From the header on, without empty rows and columns: titles stand above, notes below."""
    filled = [[place for place, cell in enumerate(row) if cell != ""] for row in cells]
    widest = max((len(row) for row in filled), default=0)
    enough = max(2, (widest + 1) // 2)
    start = next(
        (number for number, row in enumerate(filled[:_TITLE_ROWS]) if len(row) >= enough), None
    )
    if start is None:
        return []
    used = sorted({place for row in filled[start:] for place in row})
    return [
        [cells[number][place] for place in used]
        for number in range(start, len(cells))
        if filled[number]
    ]


def _names(header: Sequence[Any]) -> list[str]:
    names: list[str] = []
    for place, cell in enumerate(header):
        name = str(cell).strip() or f"column {place + 1}"
        while name in names:
            name = f"{name}_{place + 1}"
        names.append(name)
    return names
