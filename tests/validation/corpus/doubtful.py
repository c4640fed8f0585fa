"""Delimited text with something wrong about it."""

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.delimited import NOTES
from tests.validation.corpus.figures import COUNTRIES, HEADER, ROWS, births, csv_text
from tests.validation.corpus.specimen import Before, Expected, Specimen, text_of

LINES = csv_text(end="\n").splitlines()


def doubted(
    name: str,
    text: str,
    reasons: tuple[str, ...],
    table: Expected | None = None,
    *,
    file_name: str = "births.csv",
    before: Before | None = None,
) -> Specimen:
    """A table with a warning."""
    return Specimen(
        name,
        text_of(text),
        Kind.DELIMITED,
        Judgement.SUSPECT,
        file_name=file_name,
        declared="text/csv" if file_name.endswith(".csv") else "",
        reasons=reasons,
        tables=(table,) if table else None,
        before=before,
    )


def mixed_separators() -> str:
    """A third of the lines with semicolons instead of commas."""
    body = [
        line.replace(",", ";") if number % 3 == 2 else line for number, line in enumerate(LINES)
    ]
    return "\n".join([*body, ""])


def ragged() -> str:
    """Every third row has too many values, or too few."""
    body = []
    for number, line in enumerate(LINES):
        if number % 6 == 3:
            body.append(line + ",9,9")
        elif number % 6 == 5:
            body.append(line.rpartition(",")[0].rpartition(",")[0])
        else:
            body.append(line)
    return "\n".join([*body, ""])


def repeated_header() -> str:
    """The header again before every year, as printed pages have it."""
    body = []
    for number, line in enumerate(LINES[1:]):
        if number % 5 == 0:
            body.append(LINES[0])
        body.append(line)
    return "\n".join([*body, ""])


def bad_dates() -> str:
    """Half of the dates are none."""
    lines = ["date,region,visits"]
    for number in range(40):
        day = f"2023-{number % 12 + 1:02}-15" if number % 2 else f"2023-{number % 7 + 13}-45"
        lines.append(f"{day},R{number % 5},{number * 12}")
    return "\n".join([*lines, ""])


def odd_years() -> str:
    """Years that no statistics are of."""
    years = (2015, 20155, 2017, 12, 2019)
    lines = ["year,country,births"]
    lines += [
        f"{years[number % 5]},{COUNTRIES[number // 5 % 5]},{number * 100}" for number in range(50)
    ]
    return "\n".join([*lines, ""])


def names_only() -> str:
    """A list of names and places: a table, but no statistics."""
    surnames = ("Abel", "Brandt", "Curie", "Dumas", "Euler", "Fermi")
    lines = ["name,town,office,remark"]
    lines += [
        f"{name} {letter},Town of {letter},Office {name},to be called"
        for name in surnames
        for letter in "ABCDE"
    ]
    return "\n".join([*lines, ""])


def open_quote() -> str:
    """A quote that is never closed swallows the rest of a strict reader's file."""
    body = list(LINES)
    body[6] = body[6].replace("France", '"France')
    return "\n".join([*body, ""])


SPECIMENS = (
    doubted(
        "header-only",
        ",".join(HEADER) + "\n",
        (codes.NO_ROWS,),
        Expected(rows=0, names=HEADER),
    ),
    doubted(
        "header-missing",
        "\n".join(
            [*(f"{year},{number},{births_}" for number, (year, _, births_, _) in enumerate(ROWS))]
        ),
        (codes.NO_HEADER,),
        Expected(rows=30, width=3),
    ),
    doubted(
        "mixed-separators",
        mixed_separators(),
        (codes.RAGGED, codes.BAD_DATES),
        Expected(rows=30),
    ),
    doubted("ragged", ragged(), (codes.RAGGED,), Expected(rows=30, width=6)),
    doubted("header-repeated", repeated_header(), (codes.REPEATED_HEADER,), births()),
    Specimen(
        "names-twice",
        text_of(csv_text(header=("Year", "Country", "Births", "Births"))),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="births.csv",
        # A note: tables with a column of marks after each column of figures are common.
        reasons=(codes.SAME_NAMES,),
        tables=(Expected(rows=30, width=4),),
    ),
    doubted(
        "bad-dates",
        bad_dates(),
        (codes.BAD_DATES,),
        Expected(rows=40, names=("date", "region", "visits")),
    ),
    doubted(
        "odd-years",
        odd_years(),
        (codes.FIRST_YEAR, codes.LAST_YEAR, codes.BAD_DATES),
        Expected(
            rows=50,
            names=("year", "country", "births"),
            roles={"year": ColumnRole.TIME},
            types={"year": ColumnType.INTEGER},
        ),
    ),
    Specimen(
        "no-figures",
        text_of(names_only()),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="births.csv",
        declared="text/csv",
        # A note: a list of names is read as it stands, and holds no statistics.
        reasons=(codes.FEW_NUMBERS,),
        tables=(Expected(rows=30, width=4),),
    ),
    Specimen(
        "quote-never-closed",
        text_of(open_quote()),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="births.csv",
        declared="text/csv",
        # Taken as a sign like any other, as that for inches, it does no harm.
        tables=(Expected(rows=30, names=HEADER),),
    ),
    doubted(
        "tabs-called-xls",
        csv_text("\t"),
        (codes.OTHERWISE_DECLARED,),
        births(delimiter="\t"),
        file_name="births.xls",
    ),
    doubted(
        "csv-called-parquet",
        csv_text(),
        (codes.OTHERWISE_DECLARED,),
        births(),
        file_name="births.parquet",
    ),
    doubted(
        "rows-collapsed",
        csv_text(),
        (codes.COLLAPSED,),
        births(),
        before=Before(3_000, HEADER),
    ),
    doubted(
        "columns-changed",
        csv_text(),
        (codes.COLUMNS_LOST, codes.COLUMNS_ADDED),
        births(),
        before=Before(30, ("Year", "Country", "Births", "Deaths")),
    ),
    doubted(
        "columns-renamed-and-rows-collapsed",
        csv_text(),
        (codes.COLUMNS_LOST, codes.COLUMNS_ADDED, codes.COLLAPSED),
        births(),
        before=Before(900, ("Jahr", "Land", "Geburten", "Quote")),
    ),
    Specimen(
        "as-before",
        text_of(csv_text()),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="births.csv",
        tables=(births(),),
        before=Before(25, HEADER),
    ),
)

PROSE = """\
Methodological note on the statistics of births

This note describes how the statistics of births are compiled. The figures are based on the
notices that municipalities send to the office, and they cover all live births to mothers who were
resident in the country at the time of the birth. Notices that arrive late are counted in the year
of the event, so that provisional figures are revised once.

The quality of the statistics is considered to be good. Users should keep in mind that the
definition of residence was changed, and that the series before and after the change cannot be
compared without care. Questions about this note may be sent to the office.
"""
PROSE_FRENCH = """\
Note méthodologique sur la statistique des naissances

Cette note décrit comment la statistique des naissances est établie. Les chiffres reposent sur les
avis que les communes envoient à l'office, et ils couvrent toutes les naissances vivantes dont la
mère était domiciliée dans le pays au moment de la naissance. Les avis tardifs sont comptés dans
l'année de l'événement, de sorte que les chiffres provisoires sont révisés une fois.

La qualité de la statistique est jugée bonne. Il convient de rappeler que la définition du domicile
a été modifiée, et que les séries ne peuvent pas être comparées sans précaution.
"""

SPECIMENS += (
    Specimen(
        "prose",
        text_of(PROSE),
        Kind.DOCUMENT,
        Judgement.DOCUMENT,
        file_name="note.txt",
        declared="text/plain",
        tables=(),
        language="en",
    ),
    Specimen(
        "prose-french-latin-1",
        text_of(PROSE_FRENCH, "latin-1"),
        Kind.DOCUMENT,
        Judgement.DOCUMENT,
        file_name="note.txt",
        declared="text/plain",
        tables=(),
        language="fr",
    ),
    Specimen(
        "prose-called-csv",
        text_of(PROSE + "\n".join(NOTES)),
        Kind.DOCUMENT,
        Judgement.DOCUMENT,
        file_name="births.csv",
        declared="text/csv",
        reasons=(codes.NO_TABLE, codes.OTHERWISE_DECLARED),
        tables=(),
    ),
)
