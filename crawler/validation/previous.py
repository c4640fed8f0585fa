"""How a version differs from the one before it: rows, and columns that went and came."""

from dataclasses import dataclass

from crawler.readers.names import name_key
from crawler.readers.periods import is_period
from crawler.validation.outcome import Profile


@dataclass(frozen=True, slots=True)
class Drift:
    """The differences; None where the two cannot be compared."""

    rows_before: int | None = None
    row_ratio: float | None = None
    lost: tuple[str, ...] | None = None
    added: tuple[str, ...] | None = None


def compare(now: Profile, before: Profile | None) -> Drift:
    """What changed since the version before."""
    if before is None or not before.tables or not now.tables:
        return Drift()
    rows_before = sum(table.rows for table in before.tables)
    rows = sum(table.rows for table in now.tables)
    ratio = round(rows / rows_before, 4) if rows_before else None
    if _is_partial(now) or _is_partial(before):
        return Drift(rows_before, ratio)
    columns, columns_before = _names(now), _names(before)
    return Drift(
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
