"""Pages of PDF files as statistics offices typeset them."""

from collections.abc import Sequence

from fpdf import FPDF

PROSE = (
    "The number of births fell to 678,000 in 2023, after 726,000 in 2022 and 742,100 in 2021. "
    "The total fertility rate was 1.68 children per woman, down from 1.79. Mothers were 31.0 "
    "years old on average, 0.1 years older than in 2022 and 2.2 years older than in 1996. "
)
REGIONS = ("Nord", "Sud", "Est", "Ouest", "Centre", "Littoral", "Montagne", "Capitale")


def document() -> FPDF:
    made = FPDF()
    made.set_font("Helvetica", size=10)
    made.add_page()
    return made


def write_prose(made: FPDF, times: int = 3) -> None:
    for _ in range(times):
        made.multi_cell(0, 5, PROSE, new_x="LMARGIN", new_y="NEXT")
        made.ln(3)


def write_columns(
    made: FPDF, rows: Sequence[Sequence[str]], *, border: int = 0, width: float = 30
) -> None:
    """A label on the left, figures that end at the same place."""
    for row in rows:
        for place, cell in enumerate(row):
            made.cell(width, 6, cell, border=border, align="L" if place == 0 else "R")
        made.ln(6)


def figures(first: int = 0) -> list[list[str]]:
    header = ["Region", "2021", "2022", "2023"]
    body = [
        [name, f"{1000 + 37 * at + first:,}", f"{1100 + 31 * at:,}", f"{900 + 29 * at:,}"]
        for at, name in enumerate(REGIONS)
    ]
    return [header, *body]
