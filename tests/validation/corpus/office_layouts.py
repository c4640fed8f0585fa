"""Workbooks laid out as offices lay them out: titles, headers in levels, notes, sheets beside data.

Each layout is described once and saved in several formats; names, figures and notes are made up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crawler.validation.outcome import ColumnType, Judgement
from tests.validation.corpus.sheets import ODS, PAGE, XLS, XLSX, Format, Sheet
from tests.validation.corpus.specimen import Expected, Specimen

I, N, T, P = (  # noqa: E741
    ColumnType.INTEGER,
    ColumnType.NUMBER,
    ColumnType.TEXT,
    ColumnType.PERIOD,
)
REGIONS = ("North", "South", "East", "West", "Upper Lakes", "Lower Lakes", "Coast", "Hills")
NOTE = "Note: Table reads: of all residents of the North, so many were born there in the year."
SOURCE = "Source: Office of Statistics, register of residents, January 2024."
FULL = (XLSX, XLS, ODS, PAGE)
BOOKS = (XLSX, XLS)


def body(width: int, *, lead: Sequence[Any] = (), decimals: bool = False) -> list[list[Any]]:
    """A row for each region: what stands before its name, the name, then figures."""
    rows: list[list[Any]] = []
    for at, name in enumerate(REGIONS):
        figures = [
            round(7.25 + at + place / 8, 3) if decimals and place % 2 else 1200 + 37 * at + place
            for place in range(width)
        ]
        rows.append([*lead, name, *figures])
    return rows


def blank(width: int) -> list[None]:
    """An empty row."""
    return [None] * width


def text(cell: str, width: int, at: int = 0) -> list[Any]:
    """A row with one cell."""
    row: list[Any] = [None] * width
    row[at] = cell
    return row


@dataclass(frozen=True)
class Layout:
    """A workbook, and what a person reads in it."""

    name: str
    sheets: tuple[Sheet, ...]
    header: tuple[str, ...]
    rows: int
    first: tuple[Any, ...]
    last: tuple[Any, ...]
    types: tuple[ColumnType, ...]
    table: str = ""
    formats: tuple[Format, ...] = FULL
    verdict: Judgement = Judgement.VALID
    reasons: tuple[str, ...] = ()
    footnotes: int | None = None
    titles: int | None = None


def one(name: str, cells: Sequence[Any], *, merged: tuple[str, ...] = (), **said: Any) -> Layout:
    """A workbook of one sheet."""
    return Layout(name, (Sheet("Data", cells, merged),), **said)


def plain_rows(width: int = 2) -> dict[str, Any]:
    """What is expected of `body(width)`."""
    rows = body(width)
    return {
        "rows": len(rows),
        "first": tuple(rows[0]),
        "last": tuple(rows[-1]),
        "types": (T, *[I] * width),
    }


NAMES = ["Region", "Births", "Deaths"]
HEADER = tuple(NAMES)
LAYOUTS = (
    one("title-over-all-columns", [text("Births and deaths by region, 2023", 3), blank(3), NAMES,
        *body(2)], merged=("A1:C1",), header=HEADER, titles=1, **plain_rows()),
    one("title-over-all-but-the-first", [[None, "Number of births and deaths of residents by region"
        " and by year of registration", None, None, None], [*NAMES, "Moves", "Total"], *body(4)],
        merged=("B1:E1",), header=(*HEADER, "Moves", "Total"), titles=1, **plain_rows(4)),
    one("subtitle-and-unit", [text("Births and deaths", 3), text("in persons", 3), text(
        "Table 12", 3), NAMES, *body(2)], header=HEADER, titles=3, **plain_rows()),
    one("notes-in-second-column", [[None, *NAMES], *[[None, *row] for row in body(2)],
        blank(4), text(NOTE, 4, 1), text(SOURCE, 4, 1)], header=HEADER, footnotes=2,
        **plain_rows()),
    one("notes-with-marks", [NAMES, *body(2), blank(3), ["*", "Figures are provisional and may "
        "change", None], ["a", "Including those who live abroad", None], ["b", "Estimated from "
        "the last census", None]], header=HEADER, footnotes=3, **plain_rows()),
    one("notes-numbered", [NAMES, *body(2), text("1 Live births of residents, wherever they were "
        "born.", 3), text("2 Deaths of residents, wherever they died.", 3), text(SOURCE, 3)],
        header=HEADER, footnotes=3, **plain_rows()),
    one("note-over-all-columns", [NAMES, *body(2), text("Totals may differ from the sum of their "
        "parts", 3)], merged=("A10:C10",), header=HEADER, footnotes=1, **plain_rows()),
    one("stray-sum-below-the-notes", [[*NAMES, "Moves", "Total"], *body(4), blank(5), text(SOURCE,
        5), blank(5), blank(5), [None, "9,600", None, "9,616", None]], header=(*HEADER, "Moves",
        "Total"), footnotes=2, formats=BOOKS, **plain_rows(4)),
    one("last-row-is-a-label", [NAMES, *body(2), ["Islands", None, None]], header=HEADER,
        rows=9, first=("North", 1200, 1201), last=("Islands", None, None), types=(T, I, I)),
    one("sections-between-rows", [NAMES, ["INLAND", None, None], *body(2)[:4], ["BY THE SEA", None,
        None], *body(2)[4:]], header=HEADER, rows=10, first=("INLAND", None, None),
        last=("Hills", 1459, 1460), types=(T, I, I)),
    one("row-of-blanks-below-the-header", [NAMES, [" ", None, "  "], *body(2)], header=HEADER,
        **plain_rows()),
    one("two-levels-merged", [["Region", "2022", None, "2023", None], [None, "Men", "Women", "Men",
        "Women"], *body(4)], merged=("A1:A2", "B1:C1", "D1:E1"), header=("Region", "2022 / Men",
        "2022 / Women", "2023 / Men", "2023 / Women"), **plain_rows(4)),
    one("two-levels-by-gaps", [["Region", "2022", None, "2023", None], [None, "Men", "Women", "Men",
        "Women"], *body(4)], header=("Region", "2022 / Men", "2022 / Women", "2023 / Men",
        "2023 / Women"), **plain_rows(4)),
    one("three-levels", [text("Residents by origin", 7), blank(7), [None, "Region", "Origin", None,
        None, None, "Total"], [None, None, "Inland", None, "Abroad", None, None], [None, None,
        "Number", "Percent", "Number", "Percent", None], *body(5, lead=("x",), decimals=True)],
        merged=("A1:G1", "B3:B5", "C3:F3", "C4:D4", "E4:F4", "G3:G5"), header=("column 1", "Region",
        "Origin / Inland / Number", "Origin / Inland / Percent", "Origin / Abroad / Number",
        "Origin / Abroad / Percent", "Total"), rows=8, first=("x", "North", 1200, 7.375, 1202,
        7.625, 1204), last=("x", "Hills", 1459, 14.375, 1461, 14.625, 1463), types=(T, T, I, N, I,
        N, I), formats=BOOKS),
    one("years-as-numbers-in-two-levels", [["Region", "Births", None, "Deaths", None], [None, 2022,
        2023, 2022, 2023], *body(4)], merged=("A1:A2", "B1:C1", "D1:E1"), header=("Region",
        "Births / 2022", "Births / 2023", "Deaths / 2022", "Deaths / 2023"), **plain_rows(4)),
    one("units-below-the-names", [NAMES, [None, "persons", "persons"], *body(2)],
        header=("Region", "Births / persons", "Deaths / persons"), **plain_rows()),
    one("columns-are-numbered", [["Region", "Births", "Deaths", "Moves"], [1, 2, 3, 4], *body(3)],
        header=("Region", "Births", "Deaths", "Moves"), **plain_rows(3)),
    one("years-name-columns", [["Region", 2021, 2022, 2023], *body(3)], header=("Region", "2021",
        "2022", "2023"), **plain_rows(3)),
    one("all-texts", [["Code", "Name", "Seat", "Kind"], *[[f"0{at}", name, f"Town of {name}",
        "district"] for at, name in enumerate(REGIONS)]], header=("Code", "Name", "Seat", "Kind"),
        rows=8, first=("00", "North", "Town of North", "district"), last=("07", "Hills",
        "Town of Hills", "district"), types=(T, T, T, T), reasons=("numeric-share",)),
    one("label-merged-over-rows", [["Item", "Sex", "Number"], *[[item, sex, 10 * at + n] for at,
        item in enumerate(("Schools", "Courses")) for n, sex in enumerate(("Men", "Women",
        "Total"))]], merged=("A2:A4", "A5:A7"), header=("Item", "Sex", "Number"), rows=6,
        first=("Schools", "Men", 0), last=("Courses", "Total", 12), types=(T, T, I)),
    one("figures-merged-over-two-rows", [["Item", "Sex", "Number", "Share"], [None, None, 17, 2.5],
        ["Schools", "Men", None, None], [None, "Women", 19, 3.5], ["Courses", "Men", 23, 4.5],
        [None, "Women", 29, 5.5]], merged=("C2:C3", "D2:D3"), header=("Item", "Sex", "Number",
        "Share"), rows=4, first=("Schools", "Men", 17, 2.5), last=(None, "Women", 29, 5.5),
        types=(T, T, I, N), formats=BOOKS),
    one("flags-in-their-own-columns", [["Region", "Births", None, "Deaths", None], *[[row[0],
        row[1], "p" if at % 3 == 0 else None, row[2], "e" if at % 4 == 0 else None] for at, row in
        enumerate(body(2))]], header=("Region", "Births", "column 3", "Deaths", "column 5"),
        rows=8, first=("North", 1200, "p", 1201, "e"), last=("Hills", 1459, None, 1460, None),
        types=(T, I, T, I, T)),
    one("flags-beside-figures", [NAMES, *[[row[0], f"{row[1]} (a)" if at % 3 == 0 else row[1],
        "1-3" if at == 2 else row[2]] for at, row in enumerate(body(2))]], header=HEADER, rows=8,
        first=("North", 1200, 1201), last=("Hills", 1459, 1460), types=(T, I, I)),
    one("fiscal-year-over-two-columns", [[None, None, "Loans", None, "Grants", None], ["Year", None,
        "Amount", "People", "Amount", "People"], *[[2014 + at // 4, f"Q{at % 4 + 1}", 10.5 + at,
        3.25, 4.75 + at, 1.5] for at in range(8)], blank(6), text("* Figures are provisional.", 6)],
        merged=("C1:D1", "E1:F1", "A2:B2"), header=("Year", "Year_2", "Loans / Amount",
        "Loans / People", "Grants / Amount", "Grants / People"), rows=8, first=(2014, "Q1", 10.5,
        3.25, 4.75, 1.5), last=(2015, "Q4", 17.5, 3.25, 11.75, 1.5), types=(I, T, N, N, N, N),
        reasons=("repeated-names",), footnotes=1, formats=BOOKS),
    Layout("index-sheet-first", (
        Sheet("Index", [["No", "Sheet", "Title", "Rows"], [1, "Births 2022", "Births", 8],
            [2, "Births 2023", "Births", 8]]),
        Sheet("Births 2022", [NAMES, *body(2)]), Sheet("Births 2023", [NAMES, *body(2)])),
        header=HEADER, table="Births 2022", formats=(XLSX, XLS, ODS), **plain_rows()),
    Layout("hidden-sheet-first", (
        Sheet("Codes", [["Code", "Value"], ["a", 1], ["b", 2], ["c", 3]], hidden=True),
        Sheet("Births", [NAMES, *body(2)])), header=HEADER, table="Births", formats=BOOKS,
        **plain_rows()),
    Layout("cover-and-properties-first", (
        Sheet("Cover", [["Statistics of births", None], ["Issue", 12], ["Pages", 40], ["Year",
            2024]]),
        Sheet("Properties", [["Property", "Value", "Unit", "Remark"], ["Version", 3, "no", "x"],
            ["Cells", 240, "no", "y"], ["Sheets", 4, "no", "z"]]),
        Sheet("Births", [text("Births by region", 3), blank(3), NAMES, *body(2)])),
        header=HEADER, table="Births", formats=(XLSX, XLS, ODS), **plain_rows()),
    Layout("notes-sheet-with-figures-first", (
        Sheet("Notes", [["No", "Note", "Page", "Since"], [1, "Residents only", 4, 2001],
            [2, "Rounded to tens", 5, 2004]]),
        Sheet("Births", [NAMES, *body(2)])), header=HEADER, table="Births", formats=BOOKS,
        **plain_rows()),
    Layout("one-sheet-per-year", tuple(
        Sheet(f"{year}", [text(f"Births and deaths in {year}", 3), blank(3), NAMES, *body(2)])
        for year in (2023, 2022, 2021)), header=HEADER, table="2023", formats=(XLSX, XLS, ODS),
        **plain_rows()),
    Layout("stacked-tables", (Sheet("Data", [text("Table 1. Births and deaths", 3), NAMES, *body(2),
        blank(3), text("Table 2. Moves and marriages", 3), ["Region", "Moves", "Marriages"],
        *body(2)]),), header=HEADER, table="Data, table 1", **plain_rows()),
    Layout("stacked-with-notes-between", (Sheet("Data", [text("Births and deaths", 3), NAMES,
        *body(2), text(SOURCE, 3), blank(3), text("Moves and marriages", 3), ["Region", "Moves",
        "Marriages"], *body(2), text(SOURCE, 3)]),), header=HEADER, table="Data, table 1",
        **plain_rows()),
    Layout("percentages-below", (Sheet("Data", [NAMES, *body(2), blank(3), text("Percent of all",
        3), *[[row[0], row[1] / 100, row[2] / 100] for row in body(2)]]),), header=HEADER,
        table="Data, table 1", **plain_rows()),
    Layout("pages-with-titles", (Sheet("Data", [row for page in range(3) for row in [text(
        "Births and deaths", 3), text(f"Page {page + 1}", 3), NAMES, *body(2), blank(3)]]),),
        header=HEADER, rows=24, first=("North", 1200, 1201), last=("Hills", 1459, 1460),
        types=(T, I, I), verdict=Judgement.SUSPECT, reasons=("repeated-headers",)),
    one("note-of-full-width-with-figures", [NAMES, *body(2), ["Source: register", 12, 2024]],
        header=HEADER, rows=9, first=("North", 1200, 1201), last=("Source: register", 12, 2024),
        types=(T, I, I), verdict=Judgement.SUSPECT, reasons=("doubtful-rows",)),
)  # fmt: skip


def specimens(layout: Layout) -> list[Specimen]:
    """The layout in each of its formats."""
    made = []
    for form in layout.formats:
        table = Expected(
            rows=layout.rows,
            names=layout.header,
            types=dict(zip(layout.header, layout.types, strict=True)),
            table=layout.table if form is not PAGE else "",
            footnotes=layout.footnotes,
            titles=layout.titles,
            first=layout.first,
            last=layout.last,
        )
        made.append(
            Specimen(
                f"office-{layout.name}-{form.ending}",
                lambda form=form: form.save(layout.sheets),  # type: ignore[misc]
                form.kind,
                layout.verdict,
                file_name=f"data.{form.ending}",
                declared=form.declared,
                reasons=layout.reasons,
                tables=(table,),
                only_first_table=True,
            )
        )
    return made


SPECIMENS = tuple(specimen for layout in LAYOUTS for specimen in specimens(layout))
