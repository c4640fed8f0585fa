"""Columns that have another name and the same values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from crawler.differences.alignment import Alignment
from crawler.differences.comparable import codes_of, is_label
from crawler.readers.names import name_key

if TYPE_CHECKING:
    import pandas as pd

ALIKE = 0.8
"""The share of equal values from which on two columns are the same one."""
_MAX_COLUMNS = 60
_MAX_ROWS = 20_000


def by_name(gone: Sequence[str], added: Sequence[str]) -> dict[str, str]:
    """Old name to new name where only case and spaces differ."""
    spelt: dict[str, str] = {}
    for name in added:
        spelt.setdefault(name_key(name), name)
    renamed: dict[str, str] = {}
    for name in gone:
        if (new := spelt.pop(name_key(name), None)) is not None:
            renamed[name] = new
    return renamed


def by_labels(
    old: pd.DataFrame, new: pd.DataFrame, gone: Sequence[str], added: Sequence[str]
) -> dict[str, str]:
    """The same for columns of labels, before it is known which row is which."""
    shares = {
        (before, after): _same_labels(old[before], new[after])
        for before in gone[:_MAX_COLUMNS]
        for after in added[:_MAX_COLUMNS]
        if is_label(old[before]) and is_label(new[after])
    }
    return _best(shares)


def by_rows(
    old: pd.DataFrame,
    new: pd.DataFrame,
    gone: Sequence[str],
    added: Sequence[str],
    rows: Alignment,
) -> dict[str, str]:
    """The same for all columns, by the rows that both versions have."""
    before_rows, after_rows = rows.old[:_MAX_ROWS], rows.new[:_MAX_ROWS]
    if not len(before_rows):
        return {}
    shares = {}
    for before in gone[:_MAX_COLUMNS]:
        for after in added[:_MAX_COLUMNS]:
            pair = codes_of(old[before].iloc[before_rows], new[after].iloc[after_rows])
            shares[before, after] = float(np.mean(pair[0] == pair[1]))
    return _best(shares)


def _same_labels(old: pd.Series, new: pd.Series) -> float:
    before, after = (np.unique(codes) for codes in codes_of(old, new))
    both = len(np.intersect1d(before, after))
    return both / max(1, len(before), len(after))


def _best(shares: dict[tuple[str, str], float]) -> dict[str, str]:
    """Pairs that are alike, the most alike first, each column once."""
    renamed: dict[str, str] = {}
    taken: set[str] = set()
    for (before, after), share in sorted(shares.items(), key=lambda one: -one[1]):
        if share >= ALIKE and before not in renamed and after not in taken:
            renamed[before] = after
            taken.add(after)
    return renamed
