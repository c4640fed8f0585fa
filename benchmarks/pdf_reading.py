"""PDF tables made by code, read here and by pdfplumber: `python -m benchmarks.pdf_reading`.

Each table has a header of one or two lines, rules or none, columns aligned left, right or centred,
sometimes a column of texts; it is right when its names, its number of rows, its first and its last
row are.
"""

import argparse
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fpdf import FPDF

from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.readers.content import Table
from crawler.readers.grid import Grid
from crawler.readers.kinds import Kind
from crawler.readers.pdf import read_pdf
from crawler.readers.sheet_tables import tables_of_grid

PLACES = ("North", "South", "East", "West", "Upper Valley", "Coast of Iron", "Hills", "Old Town")
NAMES = ("Births", "Deaths", "Total", "Rate", "Men", "Women", "Change", "Share", "2019", "2020")
TEXTS = ("urban", "rural", "mixed area", "coast")
HEIGHT = 6
LEFT = 50


@dataclass(frozen=True, slots=True)
class Printed:
    """A document with one table, and what stands in it."""

    data: bytes
    header: list[str]
    rows: list[list[str]]


def printed(seed: int, *, hard: bool) -> Printed:
    """A table that a seed decides; the hard ones have mixed alignments, units and texts."""
    draw = random.Random(seed)
    width, height = draw.choice((3, 4, 5, 6, 8)), draw.choice((5, 8, 12, 20, 30))
    names = draw.sample(NAMES, width)
    aligns = [draw.choice("RRRRLC") if hard else "R" for _ in names]
    has_texts, has_units = hard and draw.random() < 0.3, hard and draw.random() < 0.4
    groups = ["First half", "Second half"] if draw.random() < 0.3 and width > 3 else []
    rules = draw.choice(("", "", "header", "rows", "full"))
    header = ["Region", *names]
    rows = [_row(draw, at, width, has_texts=has_texts) for at in range(height)]
    page = FPDF(orientation="L" if width > 5 else "P")
    page.set_font("Helvetica", size=draw.choice((8, 9, 10)))
    page.add_page()
    page.cell(0, 8, f"Table {seed}. Births and deaths by region", new_x="LMARGIN", new_y="NEXT")
    if groups:
        half = width // 2
        _line(page, ["", *groups], [half, width - half], "CC", width, border=rules == "full")
        over = [groups[0]] * half + [groups[1]] * (width - half)
        header = ["Region", *(f"{group} / {name}" for group, name in zip(over, names, strict=True))]
    _line(page, ["Region", *names], [1] * width, aligns, width, border=rules == "full")
    if has_units and rules != "full":
        units = ["per 1000" if at % 2 else "persons" for at in range(width)]
        _line(page, ["", *units], [1] * width, aligns, width, border=False)
        header = [header[0], *(f"{n} / {u}" for n, u in zip(header[1:], units, strict=True))]
    if rules in ("header", "rows"):
        page.line(page.l_margin, page.get_y(), page.w - page.r_margin, page.get_y())
    for row in rows:
        _line(page, row, [1] * width, aligns, width, border=rules == "full")
        if rules == "rows":
            page.line(page.l_margin, page.get_y(), page.w - page.r_margin, page.get_y())
    if draw.random() < 0.6:
        page.ln(3)
        page.cell(0, 5, "Source: Office of Statistics, vital events.")
    return Printed(bytes(page.output()), header, rows)


def _row(draw: random.Random, at: int, width: int, *, has_texts: bool) -> list[str]:
    values = [
        f"{draw.randint(0, 2_000_000):,}" if place % 3 else f"{draw.random() * 100:.1f}"
        for place in range(width)
    ]
    if has_texts:
        values[0] = TEXTS[at % 4]
    return [f"{PLACES[at % 8]} {at // 8 + 1}", *values]


def _line(
    page: FPDF,
    cells: Sequence[str],
    columns: Sequence[int],
    aligns: Sequence[str],
    width: int,
    *,
    border: bool,
) -> None:
    each = (page.w - page.l_margin - page.r_margin - LEFT) / width
    page.cell(LEFT, HEIGHT, cells[0], border=int(border))
    for text, count, align in zip(cells[1:], columns, aligns, strict=True):
        page.cell(each * count, HEIGHT, text, border=int(border), align=align)
    page.ln(HEIGHT)


def by_pdfplumber(data: bytes) -> list[Table]:
    """Its own tables, by lines and otherwise by words, through the same grid."""
    import pdfplumber

    rows: list[list[str]] = []
    by_words = {"vertical_strategy": "text", "horizontal_strategy": "text"}
    with pdfplumber.open(io.BytesIO(data)) as document:
        for page in document.pages:
            for table in page.extract_tables() or page.extract_tables(by_words):
                rows += [[" ".join((cell or "").split()) for cell in row] for row in table]
    width = max(map(len, rows), default=0)
    even = [row + [""] * (width - len(row)) for row in rows]
    return tables_of_grid(Grid(even, len(even)), "", Kind.PDF, DEFAULT_BOUNDS) if even else []


def is_right(tables: Sequence[Table], made: Printed) -> bool:
    """Whether the first table is the one that was printed."""
    if not tables:
        return False
    frame = tables[0].frame
    frame = frame.iloc[:, : frame.shape[1] - tables[0].flag_columns]
    if [str(name) for name in frame.columns] != made.header or len(frame) != len(made.rows):
        return False
    pairs = ((frame.iloc[0].tolist(), made.rows[0]), (frame.iloc[-1].tolist(), made.rows[-1]))
    return all(
        [_plain(cell) for cell in one] == [_plain(cell) for cell in row] for one, row in pairs
    )


def _plain(cell: Any) -> str:
    text = str(cell).replace(",", "")
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def main() -> None:
    """Prints how many tables of each sort are read right."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=125)
    count = options.parse_args().tables
    for hard in (False, True):
        made = [printed(seed, hard=hard) for seed in range(count)]
        here = sum(is_right(read_pdf(io.BytesIO(one.data)).tables, one) for one in made)
        peer = sum(is_right(by_pdfplumber(one.data), one) for one in made)
        sort = "mixed alignments" if hard else "figures to the right"
        print(f"{sort}: {here} of {count} right here, {peer} by pdfplumber")


if __name__ == "__main__":
    main()
