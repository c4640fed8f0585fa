"""What is in a file, in a few figures: its tables, their columns, its language."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from crawler.pages.file_name import extension_of, extension_of_name
from crawler.pages.mime_groups import EXTENSION_GROUPS, HTML_TYPES, TARGET_GROUPS
from crawler.readers.content import Content, Table
from crawler.readers.kinds import ARCHIVES, Kind
from crawler.validation.columns import DescribedColumn, describe_column
from crawler.validation.language import language_of
from crawler.validation.outcome import Profile, TableProfile
from crawler.validation.plain import plain

MAX_COLUMNS = 500
"""Of one table; its width tells how many there are."""
MAX_COLUMNS_OF_A_FILE = 3_000
MAX_TABLE_NAME = 200
MAX_LABEL = 120
MAX_LINE = 300
# The groups of `targets` that a kind may be called without anybody being misled.
_FITTING: dict[Kind, frozenset[str]] = {
    Kind.DELIMITED: frozenset({"csv", "text", "statistical"}),
    Kind.SDMX_CSV: frozenset({"csv", "text", "sdmx"}),
    Kind.XLS: frozenset({"excel"}),
    Kind.XLSX: frozenset({"excel"}),
    Kind.XLSB: frozenset({"excel"}),
    Kind.ODS: frozenset({"ods"}),
    Kind.PARQUET: frozenset({"parquet"}),
    Kind.ARROW: frozenset({"parquet"}),
    Kind.JSON: frozenset({"json", "text", "feed", "rdf"}),
    Kind.JSON_STAT: frozenset({"json", "text"}),
    Kind.SDMX_ML: frozenset({"sdmx", "xml", "text"}),
    Kind.XML: frozenset({"xml", "rdf", "feed", "sdmx", "text", "html"}),
    Kind.PDF: frozenset({"pdf"}),
    Kind.DOCUMENT: frozenset({"document", "text", "rdf", "yaml"}),
    Kind.HTML: frozenset({"html"}),
    **dict.fromkeys(ARCHIVES, frozenset({"archive"})),
}
# Servers call these any kind of file; nothing is claimed.
_CLAIM_NOTHING = frozenset({"binary", "text"})


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
        declared=_disagreement(content.kind, name, declared) or "",
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


def _disagreement(kind: Kind, name: str, declared: str) -> str | None:
    """What the file was said to be, where nothing of that fits; None where it fits or is unsaid."""
    fitting = _FITTING.get(kind)
    if fitting is None:
        return None
    by_name, by_server = _group_of_name(name), _group_of_type(declared)
    claims = [group for group in (by_name, by_server) if group]
    if not claims or any(group in fitting for group in claims):
        return None
    if all(group in _CLAIM_NOTHING for group in claims):
        return None
    said = by_name if by_name and by_name not in _CLAIM_NOTHING else by_server
    return said or None


def _group_of_name(name: str) -> str:
    ending = extension_of(name) if "://" in name else extension_of_name(name)
    return EXTENSION_GROUPS.get(ending, "html" if ending in ("html", "htm", "xhtml") else "")


def _group_of_type(declared: str) -> str:
    essence = declared.partition(";")[0].strip().lower()
    if essence in HTML_TYPES:
        return "html"
    for group in TARGET_GROUPS.values():
        for mime in group.mimes:
            if essence == mime or (mime.endswith("*") and essence.startswith(mime[:-1])):
                return group.name
    return ""
