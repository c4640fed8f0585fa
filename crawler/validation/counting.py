"""The facts of a file, counted from what was read and described."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crawler.config.validation import RangeRule
from crawler.readers.content import Content
from crawler.readers.kinds import NOT_DATA, Kind
from crawler.readers.names import name_key
from crawler.readers.periods import is_period
from crawler.validation.facts import FileFacts, TableFacts
from crawler.validation.inspection import InspectionRequest
from crawler.validation.layout_facts import data_share, footnote_share, is_guess, prose_share
from crawler.validation.outcome import ColumnRole, ColumnType, Profile
from crawler.validation.plain import plain
from crawler.validation.profile import Described, DescribedTable

if TYPE_CHECKING:
    import pandas as pd

_MAX_NAMES = 50
_PRESENT = 2000.0
_NUMBERS_OF_DATA = 0.05
_NO_TROUBLE_OF_OURS = NOT_DATA | {Kind.DOCUMENT, Kind.BINARY, Kind.EMPTY, Kind.PDF}
"""Kinds of files in an archive that nobody expects a table of."""


def count_content(content: Content, described: Described, request: InspectionRequest) -> FileFacts:
    """The facts of a file and of each of its tables."""
    tables = [_count_table(table, request.ranges) for table in described.tables]
    tables = _set_aside(tables)
    shares = [table.numeric_share for table in tables if table.numeric_share is not None]
    drift = _drift(described.profile, request.previous)
    unread = [
        part.name for part in content.parts if part.trouble and part.kind not in _NO_TROUBLE_OF_OURS
    ]
    return FileFacts(
        tables=len(tables),
        rows=sum(table.rows for table in tables) if tables else None,
        numeric_share=max(shares, default=None),
        disagreement=described.profile.declared or None,
        unread_parts=len(unread),
        unread_names=tuple(plain(name) for name in unread[:_MAX_NAMES]),
        row_ratio=drift.row_ratio,
        previous_rows=drift.rows_before,
        columns_lost=drift.lost,
        columns_added=drift.added,
        missing_columns=_missing(described.tables, request.required_columns),
        per_table=tuple(tables),
    )


def _count_table(described: DescribedTable, ranges: Mapping[str, RangeRule]) -> TableFacts:
    table, columns = described.table, described.columns
    names = Counter(str(name).strip() for name in table.frame.columns)
    unnamed = sum(times for name, times in names.items() if not name or _is_unnamed(name))
    repeated = [name for name, times in names.items() if times > 1 and name]
    repeated = list(table.repeated_names) or repeated
    dated = [column for column in columns if column.dates_share is not None]
    worst = min(dated, key=lambda column: column.dates_share or 0.0, default=None)
    years = [(column.years, column.profile.name) for column in columns if column.years]
    oddest = max(years, key=lambda one: max(abs(year - _PRESENT) for year in one[0]), default=None)
    outside = _out_of_range(table.frame, ranges)
    return TableFacts(
        name=described.profile.name,
        rows=table.rows,
        width=described.profile.width,
        has_header=table.has_header,
        numeric_share=_numeric_share(described),
        ragged_share=_ragged_share(table.widths),
        repeated_headers=table.repeated_headers,
        repeated_names=tuple(plain(name) for name in repeated[:_MAX_NAMES]),
        unnamed_share=round(unnamed / len(table.frame.columns), 4) if names else 0.0,
        empty_columns=sum(column.profile.type is ColumnType.EMPTY for column in columns),
        dates_share=worst.dates_share if worst else None,
        dates_column=plain(worst.profile.name) if worst else "",
        least_year=min((least for (least, _), _ in years), default=None),
        most_year=max((most for (_, most), _ in years), default=None),
        year_column=plain(oddest[1]) if oddest else "",
        unaccounted=table.ledger.unaccounted,
        footnote_share=footnote_share(table),
        data_share=data_share(table),
        doubtful_rows=tuple(plain(row) for row in table.doubtful),
        guessed=is_guess(described),
        prose_share=prose_share(described),
        aside=table.aside,
        out_of_range=sum(outside.values()) if outside is not None else None,
        out_of_range_column=plain(max(outside, key=outside.__getitem__)) if outside else "",
    )


def _numeric_share(described: DescribedTable) -> float | None:
    """Numbers among the cells that tell neither time nor place; those are numbers in any table."""
    cells = numbers = 0.0
    for column in described.columns:
        if column.profile.role in (ColumnRole.TIME, ColumnRole.GEOGRAPHY):
            continue
        cells += column.filled
        numbers += column.numeric
    if cells:
        return round(numbers / cells, 4)
    return 0.0 if any(column.filled for column in described.columns) else None


def _ragged_share(widths: dict[int, int]) -> float | None:
    rows = sum(widths.values())
    return round(1 - max(widths.values()) / rows, 4) if rows else None


def _is_unnamed(name: str) -> bool:
    """pandas and some readers call a column without a name so."""
    return name.lower().startswith("unnamed:") or name.lower() in ("nan", "none")


def _out_of_range(frame: "pd.DataFrame", ranges: Mapping[str, RangeRule]) -> dict[str, int] | None:
    """Column -> its cells outside of its range; None where the table has none of the columns."""
    import pandas as pd

    wanted = {name_key(column): rule for column, rule in ranges.items()}
    counts: dict[str, int] = {}
    for place, name in enumerate(frame.columns if wanted else ()):
        rule = wanted.get(name_key(str(name)))
        if rule is None:
            continue
        numbers = pd.to_numeric(frame.iloc[:, place], errors="coerce")
        outside = 0
        if rule.min is not None:
            outside += int((numbers < rule.min).sum())
        if rule.max is not None:
            outside += int((numbers > rule.max).sum())
        counts[str(name)] = counts.get(str(name), 0) + outside
    return counts or None


def _missing(tables: Sequence[DescribedTable], required: Sequence[str]) -> tuple[str, ...] | None:
    """Required columns that are not there, in the table that lacks the fewest."""
    if not required or not tables:
        return None
    lacking = [
        [name for name in required if name_key(name) not in present]
        for table in tables
        for present in [{name_key(str(name)) for name in table.table.frame.columns}]
    ]
    return tuple(plain(name) for name in min(lacking, key=len))


def _set_aside(tables: list[TableFacts]) -> list[TableFacts]:
    """Marks covers and notes beside the data: sheets without numbers, where others have some."""

    def is_data(table: TableFacts) -> bool:
        if table.aside:
            return False
        return table.rows > 0 and (table.numeric_share or 0.0) >= _NUMBERS_OF_DATA

    if not any(map(is_data, tables)):
        return tables
    return [table if is_data(table) else replace(table, aside=True) for table in tables]


@dataclass(frozen=True, slots=True)
class _Drift:
    """The differences; None where the two cannot be compared."""

    rows_before: int | None = None
    row_ratio: float | None = None
    lost: tuple[str, ...] | None = None
    added: tuple[str, ...] | None = None


def _drift(now: Profile, before: Profile | None) -> _Drift:
    """What changed since the version before."""
    if before is None or not before.tables or not now.tables:
        return _Drift()
    rows_before = sum(table.rows for table in before.tables)
    rows = sum(table.rows for table in now.tables)
    ratio = round(rows / rows_before, 4) if rows_before else None
    if _is_partial(now) or _is_partial(before):
        return _Drift(rows_before, ratio)
    columns, columns_before = _names(now), _names(before)
    return _Drift(
        rows_before,
        ratio,
        lost=tuple(name for key, name in columns_before.items() if key not in columns),
        added=tuple(name for key, name in columns.items() if key not in columns_before),
    )


def _is_partial(profile: Profile) -> bool:
    """Whether the profile leaves out columns or tables."""
    return profile.table_count > len(profile.tables) or any(
        table.width > len(table.columns) for table in profile.tables
    )


def _names(profile: Profile) -> dict[str, str]:
    """Columns by name; those that are called after a period come and go with time."""
    return {
        name_key(column.name): column.name
        for table in profile.tables
        for column in table.columns
        if column.name and not is_period(column.name)
    }
