"""By which columns rows are recognised: the fewest labels that tell all rows of both apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from crawler.differences.alignment import combined_codes
from crawler.differences.comparable import is_label, is_whole

if TYPE_CHECKING:
    import pandas as pd

_MAX_COLUMNS = 60
"""Columns that are looked at for a key."""
_MAX_WHOLE = 12
"""Whole-number columns that are tried, alone and beside the labels."""
_YEARS = range(1500, 2201)


def find_key(old: pd.DataFrame, new: pd.DataFrame, shared: Sequence[str]) -> tuple[str, ...]:
    """The columns whose values tell rows apart and recognise most of them in both versions.

    Years, names, codes and dates make a key before other whole numbers do; decimal numbers are
    what tables report, and never part of one. Where nothing tells rows apart, rows are compared by
    their labels, or whole, equal ones in their order.
    """
    looked_at = list(shared)[:_MAX_COLUMNS]
    whole = [name for name in looked_at if is_whole(old[name]) and is_whole(new[name])]
    years = [name for name in whole if _are_years(old[name]) and _are_years(new[name])]
    texts = [name for name in looked_at if is_label(old[name]) and is_label(new[name])]
    others = [name for name in whole if name not in years][:_MAX_WHOLE]
    candidates = dict.fromkeys(_candidates(old, new, [*years, *texts], others))
    labels = [name for name in looked_at if name in {*years, *texts}]
    # Of equally good ones the first is taken.
    best = max(candidates, key=lambda key: _recognised(old, new, key), default=None)
    return tuple(labels or shared) if best is None else tuple(sorted(best, key=looked_at.index))


def _candidates(
    old: pd.DataFrame, new: pd.DataFrame, labels: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    for some in ([], *([name] for name in others), list(others)):
        key = [*labels, *some]
        if key and _tells_apart(old, new, key):
            telling = {name: -old[name].nunique() for name in key}
            yield _fewest(old, new, key, sorted(key, key=lambda name: telling[name]))
            yield _fewest(old, new, key, key)
    for name in others:
        if _tells_apart(old, new, [name]):
            yield (name,)


def _fewest(
    old: pd.DataFrame, new: pd.DataFrame, key: Sequence[str], order: Sequence[str]
) -> tuple[str, ...]:
    """Without the columns that are not needed; those that come first in the order stay."""
    kept = list(key)
    for name in reversed(order):
        fewer = [other for other in kept if other != name]
        if fewer and _tells_apart(old, new, fewer):
            kept = fewer
    return tuple(kept)


def _tells_apart(old: pd.DataFrame, new: pd.DataFrame, key: Sequence[str]) -> bool:
    return all(len(np.unique(codes)) == len(codes) for codes in combined_codes(old, new, key))


def _recognised(old: pd.DataFrame, new: pd.DataFrame, key: Sequence[str]) -> float:
    """The share of rows that both versions have, to the percent."""
    old_codes, new_codes = combined_codes(old, new, key)
    both = len(np.intersect1d(old_codes, new_codes))
    return round(both / max(1, len(old), len(new)), 2)


def _are_years(column: pd.Series) -> bool:
    return bool(column.between(_YEARS[0], _YEARS[-1]).all())
