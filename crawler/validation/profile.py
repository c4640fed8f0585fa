"""What is in a file, in a few figures: its tables, their columns, its language."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from crawler.readers.content import Content, Table
from crawler.validation.columns import DescribedColumn, describe_column
from crawler.validation.declared import disagreement
from crawler.validation.language import language_of
from crawler.validation.outcome import Profile, TableProfile
from crawler.validation.plain import plain

MAX_COLUMNS = 500
"""Of one table; its width tells how many there are."""
MAX_COLUMNS_OF_A_FILE = 3_000
MAX_TABLE_NAME = 200
MAX_LABEL = 120
MAX_LINE = 300


@dataclass(frozen=True, slots=True)
class DescribedTable:
    """A table with its profile and what was counted of its columns."""

    table: Table
    profile: TableProfile
    columns: tuple[DescribedColumn, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """A file's profile, and what its facts are made of."""

    profile: Profile
    tables: tuple[DescribedTable, ...]


def describe(content: Content, *, name: str = "", declared: str = "") -> Described:
    """The profile of what was read from a file."""
    tables: list[DescribedTable] = []
    left = MAX_COLUMNS_OF_A_FILE
    for table in content.tables:
        described = _describe_table(table, min(left, MAX_COLUMNS))
        left -= len(described.columns)
        tables.append(described)
    paper = content.paper
    profile = Profile(
        tables=tuple(table.profile for table in tables),
        table_count=len(tables),
        pages=paper.pages if paper else None,
        scanned=paper.scanned if paper else False,
        language=language_of(_texts(content, tables)),
        inner=content.inner,
        declared=disagreement(content.kind, name, declared) or "",
    )
    return Described(profile, tuple(tables))


def _describe_table(table: Table, most: int) -> DescribedTable:
    frame = table.frame
    # Columns of flags are made of others, and come and go with the flags.
    width = frame.shape[1] - table.flag_columns
    columns = tuple(
        describe_column(frame.iloc[:, place], str(frame.columns[place]), place)
        for place in range(min(width, most))
    )
    dialect = table.dialect
    profile = TableProfile(
        name=plain(table.name, MAX_TABLE_NAME),
        rows=table.rows,
        columns=tuple(column.profile for column in columns),
        width=width,
        cut=table.cut,
        footnotes=table.ledger.footnotes or len(table.footnotes),
        ledger=table.ledger,
        confidence=table.confidence,
        levels=tuple(
            tuple(plain(label, MAX_LABEL) for label in line[: len(columns)])
            for line in table.levels
        ),
        dropped=tuple(replace(line, text=plain(line.text, MAX_LINE)) for line in table.dropped),
        assumed=table.assumed,
        hidden=table.hidden,
        aside=table.aside,
        encoding=dialect.encoding if dialect else "",
        delimiter=dialect.delimiter if dialect else "",
        decimal=dialect.decimal if dialect else "",
    )
    return DescribedTable(table, profile, columns)


def _texts(content: Content, tables: list[DescribedTable]) -> Iterator[str]:
    """What tells the language best comes first: sentences, then names, then values."""
    if content.paper:
        yield content.paper.sample
    for table in content.tables:
        yield from table.footnotes
    for described in tables:
        yield described.profile.name
        yield from (column.profile.name for column in described.columns)
    for described in tables:
        for column in described.columns:
            yield from column.texts
