"""Two versions of a file side by side: tables, columns, rows and cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from crawler.differences.alignment import Alignment, align
from crawler.differences.comparable import Codes, codes_of, plain
from crawler.differences.keys import find_key
from crawler.differences.records import (
    Difference,
    RenamedColumn,
    RevisedCell,
    TableDifference,
    Value,
)
from crawler.differences.renames import by_labels, by_name, by_rows
from crawler.readers.content import Table

if TYPE_CHECKING:
    import pandas as pd

MAX_LISTED = 500
"""Rows and cells that are listed for a table, of each kind; the counts are of all."""


def compare_tables(
    old: Sequence[Table], new: Sequence[Table], *, listed: int | None = MAX_LISTED
) -> Difference:
    """What the tables of a newer version differ in from those of an older one."""
    pairs, gone, added = _pairs(old, new)
    return Difference(
        tables=tuple(
            compare_frames(
                before.own_columns,
                after.own_columns,
                name=after.name,
                cut=before.cut or after.cut,
                listed=listed,
            )
            for before, after in pairs
        ),
        tables_added=tuple(table.name for table in added),
        tables_gone=tuple(table.name for table in gone),
    )


def compare_frames(
    old: pd.DataFrame,
    new: pd.DataFrame,
    *,
    name: str = "",
    cut: bool = False,
    listed: int | None = MAX_LISTED,
) -> TableDifference:
    """What one table differs in."""
    columns = _Columns.of(old, new)
    old = old.rename(columns=columns.renamed)
    key = find_key(old, new, columns.shared)
    rows = align(old, new, key)
    more = by_rows(old, new, columns.gone, columns.added, rows)
    old, columns = old.rename(columns=more), columns.with_renamed(more)
    cells = _Cells.of(old, new, [one for one in columns.shared if one not in key], rows)
    return TableDifference(
        table=name,
        key=key,
        rows_before=len(old),
        rows_after=len(new),
        columns_added=tuple(columns.added),
        columns_gone=tuple(columns.gone),
        columns_renamed=tuple(
            RenamedColumn(old=before, new=after) for before, after in columns.renamed.items()
        ),
        rows_added=len(rows.added),
        rows_gone=len(rows.gone),
        rows_changed=cells.rows,
        cells_revised=cells.revised,
        figures_revised=cells.figures,
        added=_rows(new, rows.added, listed),
        gone=_rows(old, rows.gone, listed),
        revised=cells.listed(old, new, key, rows, listed),
        cut=cut,
    )


def _pairs(
    old: Sequence[Table], new: Sequence[Table]
) -> tuple[list[tuple[Table, Table]], list[Table], list[Table]]:
    """Tables of the same name; what is alone on both sides is one table that was renamed."""
    by_table_name = {table.name: table for table in reversed(old)}
    pairs: list[tuple[Table, Table]] = []
    added: list[Table] = []
    for table in new:
        before = by_table_name.pop(table.name, None)
        if before is None:
            added.append(table)
        else:
            pairs.append((before, table))
    gone = [table for table in old if by_table_name.get(table.name) is table]
    if len(gone) == len(added) == 1:
        return [*pairs, (gone[0], added[0])], [], []
    return pairs, gone, added


@dataclass(frozen=True, slots=True)
class _Columns:
    """Names of columns: those of both, in the newer order, and those of one alone."""

    shared: list[str]
    gone: list[str]
    added: list[str]
    renamed: dict[str, str]

    @classmethod
    def of(cls, old: pd.DataFrame, new: pd.DataFrame) -> _Columns:
        found = cls(
            shared=[name for name in new.columns if name in old.columns],
            gone=[name for name in old.columns if name not in new.columns],
            added=[name for name in new.columns if name not in old.columns],
            renamed={},
        )
        found = found.with_renamed(by_name(found.gone, found.added))
        return found.with_renamed(by_labels(old, new, found.gone, found.added))

    def with_renamed(self, renamed: dict[str, str]) -> _Columns:
        """The same once it is known that some were renamed."""
        after = set(renamed.values())
        return _Columns(
            shared=[*self.shared, *renamed.values()],
            gone=[name for name in self.gone if name not in renamed],
            added=[name for name in self.added if name not in after],
            renamed={**self.renamed, **renamed},
        )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells that differ, column by column: places among the rows of both versions."""

    differing: dict[str, Codes]
    rows: int
    figures: int

    @property
    def revised(self) -> int:
        return sum(len(places) for places in self.differing.values())

    @classmethod
    def of(
        cls, old: pd.DataFrame, new: pd.DataFrame, columns: Sequence[str], rows: Alignment
    ) -> _Cells:
        differing: dict[str, Codes] = {}
        changed = np.zeros(len(rows.old), dtype=bool)
        figures = 0
        for name in columns:
            before, after = old[name].iloc[rows.old], new[name].iloc[rows.new]
            codes = codes_of(before, after)
            places = np.flatnonzero(codes[0] != codes[1])
            if len(places):
                differing[name] = places
                changed[places] = True
                figures += int(np.sum(_are_figures(before, places) & _are_figures(after, places)))
        return cls(differing, int(changed.sum()), figures)

    def listed(
        self,
        old: pd.DataFrame,
        new: pd.DataFrame,
        key: Sequence[str],
        rows: Alignment,
        most: int | None,
    ) -> tuple[RevisedCell, ...]:
        """The first revised cells, row by row as the older version has them."""
        # Column by column: to look up one cell of a frame takes as long as hundreds at once.
        cells = sorted(
            (
                (place, number, name, before, after)
                for number, (name, places) in enumerate(self.differing.items())
                for place, before, after in zip(
                    places[:most].tolist(),
                    old[name].iloc[rows.old[places[:most]]].tolist(),
                    new[name].iloc[rows.new[places[:most]]].tolist(),
                    strict=True,
                )
            ),
            key=lambda cell: cell[:2],
        )[:most]
        their_rows = rows.new[np.array([cell[0] for cell in cells], dtype=np.int64)]
        keys = _rows(new[list(key)], their_rows, None)
        return tuple(
            RevisedCell(key=own, column=name, old=plain(before), new=plain(after))
            for own, (_, _, name, before, after) in zip(keys, cells, strict=True)
        )


def _are_figures(column: pd.Series, places: Codes) -> npt.NDArray[np.bool_]:
    figures = [_is_figure(value) for value in column.iloc[places]]
    return np.array(figures, dtype=bool)


def _is_figure(value: object) -> bool:
    return isinstance(plain(value), int | float) and not isinstance(value, bool | np.bool_)


def _rows(frame: pd.DataFrame, places: Codes, listed: int | None) -> tuple[dict[str, Value], ...]:
    columns = {name: frame[name].iloc[places[:listed]].tolist() for name in frame.columns}
    count = len(places[:listed])
    return tuple(
        {name: plain(values[place]) for name, values in columns.items()} for place in range(count)
    )
