"""What stands at the edges of tables: lines of units and dates above, signs and remarks below."""

from crawler.validation.outcome import ColumnType, Judgement
from tests.validation.corpus.office_layouts import (
    BOOKS,
    HEADER,
    NAMES,
    REGIONS,
    I,
    Layout,
    N,
    T,
    blank,
    body,
    one,
    plain_rows,
    specimens,
    text,
)
from tests.validation.corpus.office_texts import good
from tests.validation.corpus.sheets import ODS, XLS, XLSX, Sheet

SPARSE = [[name, sex, 12 if name == "North" else None, None, 7 if at == 2 else None]
          for name in REGIONS for at, sex in enumerate(("Men", "Women", "Both"))]  # fmt: skip
QUESTIONS = [[f"Did anybody of the household pay for care of kind {at} during the last year?",
              40 + at, 60 - at] for at in range(6)]  # fmt: skip

LAYOUTS = (
    one("signs-explained-below-sparse-rows", [["Region", "Sex", "A", "B", "C"], *SPARSE, blank(5),
        ["*", "No data were collected here", *[None] * 3], ["a", "More than a tenth is missing",
        *[None] * 3], text("For an explanation see the report.", 5, 1), ["#", "More than a third "
        "is missing", *[None] * 3]], header=("Region", "Sex", "A", "B", "C"), rows=24, first=(
        "North", "Men", 12, None, None), last=("Hills", "Both", None, None, 7), types=(T, T, I,
        ColumnType.EMPTY, I), footnotes=4,
        formats=(XLSX, XLS, ODS)),
    one("shorthand-in-brackets", [NAMES, *body(2), text("[x] not available", 3), text(
        "c = confidential", 3), text("— Not applicable.", 3)], header=HEADER, footnotes=3,
        **plain_rows()),
    one("sign-below-the-numbers-of-rows", [["No", *NAMES], *[[at, *row] for at, row in
        enumerate(body(2), 1)], blank(4), ["*", "provisional data", None, None]], header=("No",
        *HEADER), rows=8, first=(1, "North", 1200, 1201), last=(8, "Hills", 1459, 1460),
        types=(I, T, I, I), footnotes=1),
    one("figures-merged-over-the-last-row", [["Region", "Town", "Budget"], *[row for at, name in
        enumerate(REGIONS) for row in ([name, f"{name} town", 100 + at], [None, f"{name} port",
        None])]], merged=tuple(f"{letter}{2 * at}:{letter}{2 * at + 1}" for at in range(1, 9)
        for letter in "AC"), header=("Region", "Town", "Budget"), rows=16, first=("North",
        "North town", 100), last=("Hills", "Hills port", None), types=(T, T, I), formats=BOOKS),
    one("unit-over-the-figures", [text("Work", 4), ["Branch", "2020", "2021", "2022"], [None,
        "Thousands of persons", None, None], *body(3)], merged=("B3:D3",), header=("Branch",
        *[f"{year} / Thousands of persons" for year in (2020, 2021, 2022)]), formats=BOOKS,
        **plain_rows(3)),
    one("labels-named-on-a-line-of-their-own", [text("Data extracted on 12/03/2024", 4), blank(4),
        ["Unit", None, "Percent", None], ["Sex", None, "Total", None], blank(4), ["TIME", "2021",
        "2022", "2023"], text("GEO (Labels)", 4), *body(3)], header=("TIME / GEO (Labels)", "2021",
        "2022", "2023"), formats=(XLSX, XLS, ODS), **plain_rows(3)),
    one("days-below-one-name", [["Land", *["Reference date"] * 3], [None, "31.12.2021",
        "31.12.2022", "31.12.2023"], *body(3)], header=("Land", "Reference date / 31.12.2021",
        "Reference date / 31.12.2022", "Reference date / 31.12.2023"), **plain_rows(3)),
    one("codes-of-which-some-are-numbers", [["Name", "Control number", "Births"], *[[name,
        201_020_427_144 + at if at % 3 == 1 else f"2012-4-04-{28049 + at}", 12 + at]
        for at, name in enumerate(REGIONS)]], header=("Name", "Control number", "Births"), rows=8,
        first=("North", "2012-4-04-28049", 12), last=("Hills", "201020427151", 19),
        types=(T, ColumnType.MIXED, I), formats=BOOKS),
    one("remark-unlike-the-labels", [NAMES, *body(2), text("Early figures, that may change later",
        3)], header=HEADER, rows=9, first=("North", 1200, 1201), last=(
        "Early figures, that may change later", None, None), types=(T, I, I),
        verdict=Judgement.SUSPECT, reasons=("doubtful-rows",)),
    one("questions-of-a-survey", [["Question", "Yes", "No"], *QUESTIONS], header=("Question", "Yes",
        "No"), rows=6, first=tuple(QUESTIONS[0]), last=tuple(QUESTIONS[-1]), types=(T, I, I)),
    one("run-date-below", [["School", "Town", "Pupils"], *[[f"School {at}", "Town", 70 + at]
        for at in range(8)], text("Run date: 03/01/2015", 3)], header=("School", "Town", "Pupils"),
        rows=8, first=("School 0", "Town", 70), last=("School 7", "Town", 77), types=(T, T, I),
        footnotes=1),
    Layout("codes-name-columns-by-format", (Sheet("Data", [["Region", 504, 601, 702], *body(3)],
        bold=(1,), figures_from=2),), header=("Region", "504", "601", "702"), formats=(XLSX,),
        **plain_rows(3)),
    Layout("first-row-is-a-bold-total", (Sheet("Data", [["Region", 1, 2, 3], ["Total", 9600, 9608,
        9616], *body(3)], bold=(1, 2), figures_from=2),), header=("Region", "1", "2", "3"), rows=9,
        first=("Total", 9600, 9608, 9616), last=("Hills", 1459, 1460, 1461), types=(T, I, I, I),
        formats=(XLSX,)),
    Layout("ages-name-columns", (Sheet("Data", [text("Residents by age", 6), ["Region", 0, 1, 2, 3,
        4], *[[name, *[900 + (at * 37 + age * 53) % 101 for age in range(5)]] for at, name in
        enumerate(REGIONS)]]),), header=("Region", "0", "1", "2", "3", "4"), rows=8, first=("North",
        900, 953, 905, 958, 910), last=("Hills", 957, 909, 962, 914, 967), types=(T, *[I] * 5)),
)  # fmt: skip

TEXTS = (
    good("note-with-a-sign-of-its-language", "都道府県,総数,男\n" + "".join(
        f"県{at},{100 + at},{50 + at}\n" for at in range(20)) + "注 総数には不詳を含む。,,\n",
        ("都道府県", "総数", "男"), 20, ("県0", 100, 50), ("県19", 119, 69), (T, I, I),
        encoding="cp932", footnotes=1),
    good("days-in-the-second-line", "Tabelle: 12411\nLand;Stichtag;Stichtag\n;31.12.2021;"
        "31.12.2022\n" + "".join(f"{name};{1000 + at},5;{1100 + at},25\n"
        for at, name in enumerate(REGIONS)) + "__________\nStand: 12.03.2024 / 10:15:22\n",
        ("Land", "Stichtag / 31.12.2021", "Stichtag / 31.12.2022"), 8, ("North", 1000.5, 1100.25),
        ("Hills", 1007.5, 1107.25), (T, N, N), footnotes=2),
)  # fmt: skip

SPECIMENS = (*(specimen for layout in LAYOUTS for specimen in specimens(layout)), *TEXTS)
