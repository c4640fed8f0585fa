"""Delimited text as offices write it: dialects, headers, notes around the table."""

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus.figures import COUNTRIES, HEADER, ROWS, births, csv_text
from tests.validation.corpus.specimen import Expected, Specimen, text_of

I, N, T = ColumnType.INTEGER, ColumnType.NUMBER, ColumnType.TEXT  # noqa: E741
NOTES = (
    "Source: Office of Statistics, vital events, provisional for the last year.",
    "1) Figures before 2017 were revised in the census of that year.",
)


def good(
    name: str,
    text: str,
    table: Expected,
    *,
    file_name: str = "births.csv",
    declared: str = "text/csv",
) -> Specimen:
    """A valid file of one table."""
    return Specimen(
        name,
        text_of(text),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name=file_name,
        declared=declared,
        tables=(table,),
    )


def grouped(separator: str, mark: str, decimal: str, *, quoted: bool = False) -> str:
    """Figures of a year and country with a thousands separator."""
    quote = '"' if quoted else ""
    lines = [separator.join(HEADER)]
    for year, country, number, rate in ROWS:
        figure = f"{number * 10:,}".replace(",", mark)
        written = f"{rate:.1f}".replace(".", decimal)
        cells = (str(year), country, f"{quote}{figure}{quote}", f"{quote}{written}{quote}")
        lines.append(separator.join(cells))
    return "\n".join([*lines, ""])


def of_grouped(delimiter: str, decimal: str) -> Expected:
    """What is expected of them: numbers, not texts."""
    return Expected(
        rows=30,
        names=HEADER,
        types={"Year": I, "Births": I, "Rate": N},
        least={"Births": "1000000"},
        delimiter=delimiter,
        decimal=decimal,
    )


def wide() -> str:
    """Years across: Country,2000,2001,..."""
    years = range(2000, 2021)
    lines = ["Country," + ",".join(str(year) for year in years)]
    for place, country in enumerate(COUNTRIES):
        lines.append(f"{country}," + ",".join(str(50 + place + year % 7) for year in years))
    return "\n".join([*lines, ""])


def eurostat() -> str:
    """The dimensions in one column with commas, then a column per year, tabs, flags, colons."""
    lines = ["freq,unit,geo\\TIME_PERIOD\t" + "\t".join(f"{year} " for year in range(2012, 2022))]
    for place, code in enumerate(("AT", "BE", "DE", "ES", "FR", "IT", "NL", "PL", "SE")):
        cells = [
            ": " if (year + place) % 9 == 0 else f"{year - 2000 + place}.{place} "
            for year in range(2012, 2022)
        ]
        lines.append(f"A,PC,{code}\t" + "\t".join(cells))
    return "\n".join([*lines, ""])


def fixed_width() -> str:
    """Columns by runs of blanks."""
    lines = [f"{'Year':<6}{'Country':<12}{'Births':>10}{'Rate':>8}"]
    lines += [f"{y:<6}{country:<12}{births:>10}{rate:>8}" for y, country, births, rate in ROWS]
    return "\n".join([*lines, ""])


def typed() -> str:
    """Dates, booleans, negative and scientific numbers, blanks."""
    lines = ["date,area,provisional,balance,share,note"]
    for number in range(40):
        note = "" if number % 4 else "revised"
        lines.append(
            f"2024-{number % 12 + 1:02}-{number % 28 + 1:02},R{number % 7:02},"
            f"{'true' if number % 2 else 'false'},{number * 31 - 500},{number / 8:.3e},{note}"
        )
    return "\n".join([*lines, ""])


def quoted() -> str:
    """Separators, quotes and line ends inside quoted fields."""
    lines = ["year,item,amount"]
    lines += [
        f'{2000 + number % 20},"Bread, ""white"",\nsliced {number}",{number * 3}'
        for number in range(30)
    ]
    return "\r\n".join([*lines, ""])


def missing_marks() -> str:
    """The marks that offices write where a figure is missing."""
    marks = (":", "..", "-", "n/a", "…", "x")
    lines = ["Year;Country;Deaths"]
    for number, (year, country, births_, _) in enumerate(ROWS):
        figure = marks[number // 5] if number % 5 == 0 else str(births_)
        lines.append(f"{year};{country};{figure}")
    return "\n".join([*lines, ""])


BODY = csv_text(";", end="\n")
TITLE = "Births by year and country\nOffice of Statistics, table B-12\n\n"
SPREAD = "\n".join(
    [
        "Year;Country;Births;;Rate;",
        ";;Boys;Girls;Boys;Girls",
        *(f"{y};{country};{b};{b - 700};{r};{r + 0.1:.1f}" for y, country, b, r in ROWS),
        "",
    ]
)
UNITS = BODY.replace("\n", "\n;;persons;per 1000\n", 1)

SPECIMENS = (
    good("semicolons", BODY, births(delimiter=";", decimal=".")),
    good("tabs", csv_text("\t"), births(delimiter="\t"), file_name="births.tsv", declared=""),
    good("pipes", csv_text("|", end="\n"), births(delimiter="|"), declared="text/plain"),
    good("decimal-comma", csv_text(";", ","), births(delimiter=";", decimal=",")),
    good("decimal-comma-tabs", csv_text("\t", ","), births(delimiter="\t", decimal=",")),
    good("line-ends-of-old-macs", csv_text(end="\r"), births(delimiter=",")),
    good("no-last-line-end", csv_text().rstrip(), births(delimiter=",")),
    good("blank-lines-around", "\n\n" + csv_text(end="\n") + "\n\n\n", births(delimiter=",")),
    good("fields-in-quotes", quoted(), Expected(rows=30, names=("year", "item", "amount"))),
    good("octet-stream", csv_text(), births(), declared="application/octet-stream"),
    good("no-name-at-all", csv_text(), births(), file_name="", declared=""),
    good("excel-type-for-csv", csv_text(), births(), declared="application/vnd.ms-excel"),
    good("thousands-comma", grouped(",", ",", ".", quoted=True), of_grouped(",", ".")),
    good("thousands-blank", grouped(";", " ", ","), of_grouped(";", ",")),
    good("thousands-hard-blank", grouped(";", "\N{NO-BREAK SPACE}", ","), of_grouped(";", ",")),
    good(
        "thousands-narrow-blank",
        grouped(";", "\N{NARROW NO-BREAK SPACE}", ","),
        of_grouped(";", ","),
    ),
    good("thousands-apostrophe", grouped(";", "'", "."), of_grouped(";", ".")),
    good("thousands-point", grouped(";", ".", ","), of_grouped(";", ",")),
    good("preamble", TITLE + BODY, births(delimiter=";")),
    good("footnotes", BODY + "\n" + "\n".join(NOTES) + "\n", births(delimiter=";", footnotes=2)),
    good(
        "preamble-and-footnotes",
        TITLE + BODY + "\n".join(NOTES) + "\n",
        births(delimiter=";", footnotes=2),
    ),
    good(
        "comment-lines",
        "# Births by year and country\n# extracted 2024-02-01\n" + csv_text(end="\n"),
        births(delimiter=","),
    ),
    good(
        "two-header-lines",
        SPREAD,
        Expected(
            rows=30,
            names=(
                "Year",
                "Country",
                "Births / Boys",
                "Births / Girls",
                "Rate / Boys",
                "Rate / Girls",
            ),
            types={"Births / Girls": I, "Rate / Boys": N},
            roles={"Year": ColumnRole.TIME},
        ),
    ),
    good(
        "units-line",
        UNITS,
        Expected(
            rows=30,
            names=("Year", "Country", "Births / persons", "Rate / per 1000"),
            types={"Births / persons": I, "Rate / per 1000": N},
        ),
    ),
    good(
        "missing-marks",
        missing_marks(),
        Expected(
            rows=30,
            names=("Year", "Country", "Deaths"),
            types={"Deaths": I},
            nulls={"Deaths": 0.2},
        ),
    ),
    good(
        "years-across",
        wide(),
        Expected(
            rows=5,
            width=22,
            names=("Country", *(str(year) for year in range(2000, 2021))),
            roles={"Country": ColumnRole.GEOGRAPHY},
            types={"2000": I, "2020": I},
        ),
    ),
    good(
        "eurostat-tabs",
        eurostat(),
        Expected(rows=9, width=13, delimiter="\t", types={"geo": T, "2012": N, "2021": N}),
        file_name="une_rt_a.tsv",
        declared="text/tab-separated-values",
    ),
    good(
        "columns-by-blanks",
        fixed_width(),
        Expected(rows=30, names=HEADER, types={"Births": I, "Rate": N}),
        file_name="births.txt",
        declared="text/plain",
    ),
    good(
        "all-types",
        typed(),
        Expected(
            rows=40,
            names=("date", "area", "provisional", "balance", "share", "note"),
            types={
                "date": ColumnType.DATE,
                "area": T,
                "provisional": ColumnType.BOOLEAN,
                "balance": I,
                "share": N,
                "note": T,
            },
            roles={"date": ColumnRole.TIME},
            least={"balance": "-500"},
            nulls={"note": 0.75},
        ),
    ),
    good(
        "one-column-of-numbers",
        "population\n" + "\n".join(str(1000 + 7 * number) for number in range(50)) + "\n",
        Expected(rows=50, names=("population",), types={"population": I}),
    ),
    good(
        "quarters-and-nuts",
        "time,geo,value\n"
        + "".join(
            f"{year}-Q{quarter},{code},{year - 2000 + quarter / 10}\n"
            for year in range(2018, 2022)
            for quarter in range(1, 5)
            for code in ("DE11", "DE12", "FR10", "ITC4")
        ),
        Expected(
            rows=64,
            names=("time", "geo", "value"),
            roles={
                "time": ColumnRole.TIME,
                "geo": ColumnRole.GEOGRAPHY,
                "value": ColumnRole.MEASURE,
            },
        ),
    ),
    good(
        "days-first",
        "Date;Country;Cases\n"
        + "".join(
            f"{day:02}/{month:02}/2021;{country};{day * month}\n"
            for month in (1, 2, 3)
            for day in (5, 13, 28)
            for country in COUNTRIES
        ),
        Expected(
            rows=45,
            names=("Date", "Country", "Cases"),
            types={"Date": ColumnType.DATE},
            roles={"Date": ColumnRole.TIME},
        ),
    ),
)
