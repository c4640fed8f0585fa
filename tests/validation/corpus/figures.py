"""The figures that most files of the corpus hold: births by year and country."""

from crawler.validation.outcome import ColumnRole, ColumnType
from tests.validation.corpus.specimen import Expected

COUNTRIES = ("France", "Germany", "Spain", "Italy", "Poland")
YEARS = tuple(range(2015, 2021))
HEADER = ("Year", "Country", "Births", "Rate")
ROWS = tuple(
    (year, country, 100_000 + 997 * (year - 2015) + 12_345 * place, round(8.1 + 0.3 * place, 1))
    for year in YEARS
    for place, country in enumerate(COUNTRIES)
)
TYPES = {
    "Year": ColumnType.INTEGER,
    "Country": ColumnType.TEXT,
    "Births": ColumnType.INTEGER,
    "Rate": ColumnType.NUMBER,
}
ROLES = {
    "Year": ColumnRole.TIME,
    "Country": ColumnRole.GEOGRAPHY,
    "Births": ColumnRole.MEASURE,
    "Rate": ColumnRole.MEASURE,
}

FRENCH_HEADER = ("Année", "Pays", "Naissances", "Taux")
FRENCH_COUNTRIES = ("France", "Belgique", "Suède", "Grèce", "Norvège")
FRENCH_ROWS = tuple(
    (year, FRENCH_COUNTRIES[COUNTRIES.index(country)], births, rate)
    for year, country, births, rate in ROWS
)


def births(
    table: str = "",
    *,
    encoding: str = "",
    delimiter: str = "",
    decimal: str = "",
    footnotes: int | None = None,
) -> Expected:
    """What is expected of a file with these figures."""
    return Expected(
        rows=len(ROWS),
        width=4,
        names=HEADER,
        types=TYPES,
        roles=ROLES,
        least={"Year": "2015", "Births": "100000"},
        most={"Year": "2020"},
        table=table,
        encoding=encoding,
        delimiter=delimiter,
        decimal=decimal,
        footnotes=footnotes,
    )


def naissances(*, encoding: str, delimiter: str = ";", decimal: str = ",") -> Expected:
    """What is expected of a file with the French figures."""
    return Expected(
        rows=len(FRENCH_ROWS),
        width=4,
        names=FRENCH_HEADER,
        types=dict(zip(FRENCH_HEADER, TYPES.values(), strict=True)),
        roles=dict(zip(FRENCH_HEADER, ROLES.values(), strict=True)),
        encoding=encoding,
        delimiter=delimiter,
        decimal=decimal,
    )


def csv_text(
    separator: str = ",",
    decimal: str = ".",
    end: str = "\r\n",
    *,
    header: tuple[str, ...] = HEADER,
    rows: tuple[tuple[object, ...], ...] = ROWS,
) -> str:
    """The figures as delimited text."""
    lines = [separator.join(header)] if header else []
    for row in rows:
        cells = (
            str(cell).replace(".", decimal) if isinstance(cell, float) else str(cell)
            for cell in row
        )
        lines.append(separator.join(cells))
    return end.join([*lines, ""])


def french_text() -> str:
    """The French figures as a French spreadsheet exports them."""
    return csv_text(";", ",", header=FRENCH_HEADER, rows=FRENCH_ROWS)
