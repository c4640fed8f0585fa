"""A text that is small enough to be looked at as a whole, as a grid of cells."""

from collections.abc import Sequence
from dataclasses import replace

from crawler.readers.bounds import Bounds
from crawler.readers.content import TITLE, DroppedLine, Table
from crawler.readers.dialect import Row, split_lines
from crawler.readers.grid import Grid
from crawler.readers.kinds import Kind
from crawler.readers.layout import COMMENT, Layout
from crawler.readers.ledger import MAX_DROPPED
from crawler.readers.quotes import STAND_IN
from crawler.readers.sheet_tables import tables_of_grid

MAX_LINES = 3_000
MAX_CELLS = 100_000
MAX_BYTES = 1_000_000


def is_small(data: bytes, layout: Layout) -> bool:
    """Whether a text can be looked at as a whole."""
    lines = data.count(b"\n") + 1
    if len(data) > MAX_BYTES:
        return False
    return lines <= MAX_LINES and lines * layout.shape.width <= MAX_CELLS


def tables_of_text(
    source: bytes, data: bytes, layout: Layout, kind: Kind, bounds: Bounds, *, raw: bool
) -> list[Table]:
    """The tables of a small text; `data` is the source without its comments."""
    texts = source.decode("utf-8", "replace"), data.decode("utf-8", "replace")
    grid, comments = _grid(*texts, layout)
    if not grid.rows:
        return []
    tables = tables_of_grid(grid, "", kind, bounds, raw=raw)
    return [*tables[:-1], _with_comments(tables[-1], comments)] if tables else []


def _grid(source: str, text: str, layout: Layout) -> tuple[Grid, list[tuple[int, str]]]:
    """The rows of a text, blank ones too, and the lines of comments with their numbers."""
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    numbers = list(range(1, len(lines) + 1))
    comments: list[tuple[int, str]] = []
    if layout.comments:
        every = source.removesuffix("\n").split("\n")
        comments = [(at, line) for at, line in enumerate(every, 1) if line.startswith(COMMENT)]
        said = {at for at, _ in comments}
        numbers = [at for at in range(1, len(every) + 1) if at not in said]
        numbers += [len(every)] * (len(lines) - len(numbers))
    rows = split_lines(lines, layout.shape.delimiter)
    shifted = layout.shifted_rows
    cells: list[list[str]] = []
    begins: list[int] = []
    line = 0
    for place, row in enumerate(rows):
        cells += [[] for _ in range(line, row.first_line)]
        begins += [numbers[at] for at in range(line, row.first_line)]
        cells.append(_cells(row, is_shifted=place in shifted))
        begins.append(numbers[min(row.first_line, len(numbers) - 1)])
        line = row.next_line
    width = max(map(len, cells), default=0)
    grid = Grid(
        rows=[row + [""] * (width - len(row)) for row in cells],
        height=len(cells),
        core=layout.shape.width,
        lines=begins,
        lengths=[len(row) for row in cells],
        names=_commented_names(layout),
        decimal=layout.decimal,
    )
    return grid, comments


def _cells(row: Row, *, is_shifted: bool) -> list[str]:
    cells = [cell.strip().replace(STAND_IN, '"') for cell in row.cells]
    return ["", *cells] if is_shifted else cells


def _commented_names(layout: Layout) -> tuple[str, ...]:
    is_in_comment = layout.header_rows and not layout.header.found
    return tuple(layout.names) if is_in_comment else ()


def _with_comments(table: Table, comments: Sequence[tuple[int, str]]) -> Table:
    if not comments:
        return table
    lines = [DroppedLine(at, TITLE, line[:300]) for at, line in comments]
    dropped = sorted((*table.dropped, *lines), key=lambda line: line.row)[:MAX_DROPPED]
    known = table.ledger
    source = None if known.source is None else known.source + len(comments)
    ledger = replace(known, titles=known.titles + len(comments), source=source)
    return replace(table, ledger=ledger, dropped=tuple(dropped))
