"""Texts as offices publish them: SDMX-CSV with gaps, packed keys, labels with colons, flags."""

import json
from typing import Any

from crawler.lab.sites.files.csv_files import archive
from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnType, Judgement
from tests.validation.corpus.office_layouts import REGIONS, SOURCE
from tests.validation.corpus.specimen import Expected, Specimen

I, N, T, P, D = (  # noqa: E741
    ColumnType.INTEGER,
    ColumnType.NUMBER,
    ColumnType.TEXT,
    ColumnType.PERIOD,
    ColumnType.DATE,
)
Types = tuple[ColumnType, ...]


def good(
    name: str,
    text: str,
    header: tuple[str, ...],
    rows: int,
    first: tuple[Any, ...],
    last: tuple[Any, ...],
    types: Types,
    *,
    kind: Kind = Kind.DELIMITED,
    verdict: Judgement = Judgement.VALID,
    reasons: tuple[str, ...] = (),
    encoding: str = "utf-8",
    file_name: str = "data.csv",
    declared: str = "text/csv",
    **more: Any,
) -> Specimen:
    """A text of one table, with what a person reads in it."""
    table = Expected(
        rows=rows,
        names=header,
        types=dict(zip(header, types, strict=True)),
        first=first,
        last=last,
        **more,
    )
    return Specimen(
        f"text-{name}",
        lambda: text.encode(encoding),
        kind,
        verdict,
        file_name=file_name,
        declared=declared,
        reasons=reasons,
        tables=(table,),
    )


SDMX = ("DATAFLOW", "FREQ", "GEO", "TIME_PERIOD", "OBS_VALUE", "OBS_FLAG")
FLOW = "ESTAT:UNE_RT_M(1.0)"


def sdmx(gaps: "set[int]", rows: int = 48) -> str:
    """Monthly observations, some of them missing."""
    lines = [",".join(SDMX)]
    for at in range(rows):
        value = "" if at in gaps else f"{3 + at % 7}.{at % 10}"
        flag = "p" if at == rows - 1 else ""
        month = f"{2019 + at // 12}-{at % 12 + 1:02}"
        lines.append(f"{FLOW},M,{'DE' if at < rows // 2 else 'FR'},{month},{value},{flag}")
    return "\n".join([*lines, ""])


def of_sdmx(name: str, gaps: "set[int]") -> Specimen:
    """Every row is there, whatever is missing in it."""

    def row(at: int) -> tuple[Any, ...]:
        number = float(f"{3 + at % 7}.{at % 10}")
        value: Any = None if at in gaps else int(number) if number.is_integer() else number
        geo = "DE" if at < 24 else "FR"
        return (
            FLOW,
            "M",
            geo,
            f"{2019 + at // 12}-{at % 12 + 1:02}",
            value,
            "p" if at == 47 else None,
        )

    types = (T, T, T, P, N, T)
    return good(
        f"sdmx-{name}", sdmx(gaps), SDMX, 48, row(0), row(47), types, kind=Kind.SDMX_CSV,
        file_name="une_rt_m.csv", declared="application/vnd.sdmx.data+csv",
    )  # fmt: skip


def lines(*rows: str) -> str:
    """Lines of a text."""
    return "\n".join([*rows, ""])


def monthly(write: "Any", header: str = "Period,Births") -> str:
    """Twelve months in some writing."""
    return lines(header, *[f"{write(at)},{100 + at}" for at in range(1, 13)])


def labelled(*labels: str) -> str:
    """Rows with these labels, and two figures."""
    return lines(
        "Item,2022,2023", *[f"{name},{at + 10},{at + 20}" for at, name in enumerate(labels)]
    )


MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
LABELS = ("Sex: Male", "Note: none", "http://example.org/a", "Sex: Female", "Age: 15-24", "x:y")
ASIAN = {
    "big5": ("縣市,年份,人口數", "臺北市", "高雄市"),
    "gb18030": ("地区,年份,总人口", "北京市", "黑龙江省"),
    "shift_jis": ("都道府県,年,人口", "北海道", "神奈川県"),
    "euc_jp": ("都道府県,年,人口", "北海道", "神奈川県"),
    "euc_kr": ("시도,연도,인구", "서울특별시", "충청북도"),
}


def asian(encoding: str) -> Specimen:
    """A long text in an encoding of several bytes."""
    head, one, other = ASIAN[encoding]
    rows = [f"{one if at % 2 else other},{2000 + at % 20},{10_000 + 7 * at}" for at in range(2000)]
    return good(
        f"encoding-{encoding}", lines(head, *rows), tuple(head.split(",")), 2000,
        (other, 2000, 10_000), (one, 2019, 23_993), (T, I, I), encoding=encoding,
    )  # fmt: skip


def zipped() -> bytes:
    """What is about the data stands before them."""
    return archive({
        "a_meta.csv": lines("Code,Name,Note", "A,North,none", "B,South,none").encode(),
        "data.csv": labelled("Births", "Deaths", "Moves").encode(),
    })  # fmt: skip


BANK = [
    {"page": 1, "pages": 1, "per_page": 50, "total": 3},
    [
        {"countryiso3code": "FRA", "date": str(year), "value": 100 + year - 2020, "unit": ""}
        for year in (2022, 2021, 2020)
    ],
]

SPECIMENS = (
    of_sdmx("without-gaps", set()),
    of_sdmx("first-is-missing", {0}),
    of_sdmx("last-is-missing", {47}),
    of_sdmx("last-ten-are-missing", set(range(38, 48))),
    of_sdmx("middle-is-missing", set(range(20, 28))),
    of_sdmx("every-third-is-missing", set(range(0, 48, 3))),
    of_sdmx("most-are-missing", set(range(5, 46))),
    good("labels-with-colons", labelled(*LABELS), ("Item", "2022", "2023"), 6,
         ("Sex: Male", 10, 20), ("x:y", 15, 25), (T, I, I)),
    good("last-label-alone", lines("Country,2022,2023", "Albania,1,2", "Bosnia,3,4", "Kosovo,,"),
         ("Country", "2022", "2023"), 3, ("Albania", 1, 2), ("Kosovo", None, None), (T, I, I)),
    good("long-rows", lines("a,b", *["x,1"] * 40, "y,2,3"), ("a", "b", "column 3"), 41,
         ("x", 1, None), ("y", 2, 3), (T, I, I)),
    good("notes-below", lines("Region;Births;Deaths", *[f"{name};{at};{at + 1}" for at, name in
         enumerate(REGIONS)], "", SOURCE, "1) Provisional figures."),
         ("Region", "Births", "Deaths"), 8, ("North", 0, 1), ("Hills", 7, 8), (T, I, I),
         footnotes=2),
    good("title-above", lines("Births and deaths by region", "", "Region,Births,Deaths",
         *[f"{name},{at},{at + 1}" for at, name in enumerate(REGIONS)]),
         ("Region", "Births", "Deaths"), 8, ("North", 0, 1), ("Hills", 7, 8), (T, I, I), titles=1),
    good("two-levels", lines("Region,2022,,2023,", ",Men,Women,Men,Women", *[
         f"{name},{at},{at + 1},{at + 2},{at + 3}" for at, name in enumerate(REGIONS)]),
         ("Region", "2022 / Men", "2022 / Women", "2023 / Men", "2023 / Women"), 8,
         ("North", 0, 1, 2, 3), ("Hills", 7, 8, 9, 10), (T, I, I, I, I)),
    good("packed-keys-and-flags", lines("freq,unit,geo\\TIME_PERIOD\t2021 \t2022 \t2023 ",
         "A,PC,AT\t5.1 \t5.2 p\t: ", "A,PC,BE\t6.1 b\t6.2 \t6.3 ", "A,PC,DE\t3.1 \t3.2 \t: c"),
         ("freq", "unit", "geo", "2021", "2022", "2023"), 3, ("A", "PC", "AT", 5.1, 5.2, None),
         ("A", "PC", "DE", 3.1, 3.2, None), (T, T, T, N, N, N), file_name="une.tsv",
         declared="text/tab-separated-values"),
    good("identifiers-with-gaps", lines("id,births", "123456789012345678,1", ",2",
         "123456789012345679,3"), ("id", "births"), 3, ("123456789012345678", 1),
         ("123456789012345679", 3), (T, I)),
    good("stray-quote", lines('"Item","Size","Births"', '"Pipe 5" wide","a","1"', '"Rod","b","2"',
         '"Bar","c","3"'), ("Item", "Size", "Births"), 3, ('Pipe 5" wide', "a", 1),
         ("Bar", "c", 3), (T, T, I)),
    good("months-of-eurostat", monthly(lambda at: f"2023M{at:02}"), ("Period", "Births"), 12,
         ("2023-01", 101), ("2023-12", 112), (P, I)),
    good("months-by-name", monthly(lambda at: f"{MONTHS[3 * at - 3 : 3 * at]}-23"),
         ("Period", "Births"), 12, ("2023-01", 101), ("2023-12", 112), (P, I)),
    good("quarters", lines("Quarter,Births", *[f"{2021 + at // 4}-Q{at % 4 + 1},{at}" for at in
         range(8)]), ("Quarter", "Births"), 8, ("2021Q1", 0), ("2022Q4", 7), (P, I)),
    good("days-first", lines("Day,Births", *[f"{at:02}/02/2023,{at}" for at in range(10, 20)]),
         ("Day", "Births"), 10, ("2023-02-10", 10), ("2023-02-19", 19), (D, I)),
    good("timestamps", lines("Moment,Births", *[f"2023-02-{at:02}T00:00:00,{at}" for at in
         range(10, 20)]), ("Moment", "Births"), 10, ("2023-02-10", 10), ("2023-02-19", 19), (D, I)),
    good("currency-and-percent", lines("Item;Price;Share", "A;$1,200.50;12.5%", "B;$300.25;37.5%",
         "C;$15.75;50.0%"), ("Item", "Price", "Share"), 3, ("A", 1200.5, 12.5), ("C", 15.75, 50),
         (T, N, N)),
    good("suppressed", lines("Region,Births,Deaths", "North,[x],3", "South,12,..", "East,15,4",
         "West,17,5"), ("Region", "Births", "Deaths"), 4, ("North", None, 3), ("West", 17, 5),
         (T, I, I)),
    good("flags-after-figures", lines("Region,Births", "North,12 p", "South,13", "East,14 e",
         "West,15", "Coast,16"), ("Region", "Births"), 5, ("North", 12), ("Coast", 16), (T, I)),
    *[asian(encoding) for encoding in ASIAN],
    Specimen("zip-of-meta-and-data", zipped, Kind.ZIP, Judgement.VALID, file_name="data.zip",
        declared="application/zip", only_first_table=True, tables=(Expected(rows=3, names=("Item",
        "2022", "2023"), table="data.csv", first=("Births", 10, 20), last=("Moves", 12, 22)),)),
    Specimen("json-of-the-world-bank", lambda: json.dumps(BANK).encode(), Kind.JSON,
        Judgement.VALID, file_name="pop.json", declared="application/json", tables=(Expected(rows=3,
        names=("countryiso3code", "date", "value", "unit"), first=("FRA", 2022, 102, None),
        last=("FRA", 2020, 100, None)),)),
)  # fmt: skip
