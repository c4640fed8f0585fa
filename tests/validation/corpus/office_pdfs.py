"""Tables in PDF as offices print them: with rules and without, over pages, with groups."""

from collections.abc import Sequence
from typing import Any

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnType, Judgement
from tests.validation.corpus.office_layouts import REGIONS
from tests.validation.corpus.pdf_files import paper
from tests.validation.corpus.specimen import Expected, Specimen

HEIGHT = 6


def printed(
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    align: str,
    rules: str = "",
    groups: Sequence[str] = (),
    note: str = "",
) -> bytes:
    """A table on as many pages as it takes; `align` has a letter for each column."""
    document = paper()
    document.add_page()
    document.cell(0, 8, "Table 4. Births and deaths by region", new_x="LMARGIN", new_y="NEXT")
    width = (document.w - document.l_margin - document.r_margin - 50) / (len(header) - 1)
    border = 1 if rules == "full" else 0
    if groups:
        wide = width * (len(header) - 1) / len(groups)
        document.cell(50, HEIGHT, "", border=border)
        for group in groups:
            document.cell(wide, HEIGHT, group, border=border, align="C")
        document.ln(HEIGHT)
    for row in (header, *rows):
        for place, value in enumerate(row):
            document.cell(
                width if place else 50, HEIGHT, str(value), border=border, align=align[place]
            )
        document.ln(HEIGHT)
        if rules == "lines":
            right = document.w - document.r_margin
            document.line(document.l_margin, document.get_y(), right, document.get_y())
    if note:
        document.ln(4)
        document.cell(0, HEIGHT, note)
    return bytes(document.output())


def figures(count: int, width: int) -> list[list[Any]]:
    """Rows with a label and figures."""
    return [
        [
            f"{REGIONS[at % 8]} {at // 8 + 1}",
            *[f"{1200 + 37 * at + place:,}" for place in range(width)],
        ]
        for at in range(count)
    ]


def of(
    name: str, header: Sequence[str], count: int, align: str, verdict: Judgement, **look: Any
) -> Specimen:
    """A table of whole numbers, and what is expected of it."""
    rows = figures(count, len(header) - 1)
    groups = look.get("groups", ())
    names = tuple(header)
    if groups:
        each = (len(header) - 1) // len(groups)
        over = [group for group in groups for _ in range(each)]
        pairs = zip(over, header[1:], strict=True)
        names = (header[0], *[f"{group} / {own}" for group, own in pairs])
    last = count - 1
    table = Expected(
        rows=count,
        names=names,
        types=dict.fromkeys(names[1:], ColumnType.INTEGER),
        first=("North 1", *[1200 + place for place in range(len(header) - 1)]),
        last=(rows[-1][0], *[1200 + 37 * last + place for place in range(len(header) - 1)]),
    )
    return Specimen(
        f"pdf-{name}",
        lambda: printed(header, rows, align=align, **look),
        Kind.PDF,
        verdict,
        file_name="report.pdf",
        declared="application/pdf",
        reasons=("table-guessed",) if verdict is Judgement.SUSPECT else (),
        tables=(table,),
    )


def wrapped(count: int) -> list[list[Any]]:
    """Rows whose labels take two lines, the figures beside the second."""
    return [
        line
        for row in figures(count, 3)
        for line in (["Persons who came here from", "", "", ""], [f"the {row[0]}", *row[1:]])
    ]


FOUR = ("Region", "Births", "Deaths", "Moves")
SIX = ("Region", "Births", "Deaths", "Moves", "Visits", "Stays")
SPECIMENS = (
    of("without-rules", FOUR, 12, "LRRR", Judgement.VALID),
    of("centred", FOUR, 12, "LCCC", Judgement.VALID),
    of("left-and-right", SIX, 15, "LLRCRL", Judgement.VALID),
    of("lines-between-rows", SIX, 15, "LRRRRR", Judgement.VALID, rules="lines"),
    of("with-rules", FOUR, 12, "LRRR", Judgement.VALID, rules="full"),
    of("over-two-pages", FOUR, 60, "LRRR", Judgement.VALID),
    of("over-two-pages-with-rules", FOUR, 60, "LRRR", Judgement.VALID, rules="full"),
    of("with-a-note", FOUR, 12, "LRRR", Judgement.VALID, note="Source: Office of Statistics."),
    Specimen("pdf-labels-of-two-lines", lambda: printed(FOUR, wrapped(8), align="LRRR"), Kind.PDF,
        Judgement.SUSPECT, file_name="report.pdf", declared="application/pdf",
        reasons=("table-guessed",), tables=(Expected(width=4),)),
    of("groups", ("Region", "Men", "Women", "Boys", "Girls"), 12, "LRRRR", Judgement.SUSPECT,
       groups=("Adults", "Children")),
    of("groups-with-rules", ("Region", "Men", "Women", "Boys", "Girls"), 12, "LRRRR",
       Judgement.VALID, groups=("Adults", "Children"), rules="full"),
)  # fmt: skip
