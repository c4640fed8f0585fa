"""Which row of the older version is which row of the newer one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.differences.comparable import Codes, codes_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Alignment:
    """Rows by their places: pairs of both versions, and those of one alone, in their order."""

    old: Codes
    new: Codes
    """The same rows as `old`, in the newer version."""
    gone: Codes
    added: Codes


def align(old: pd.DataFrame, new: pd.DataFrame, key: Sequence[str]) -> Alignment:
    """Pairs the rows that have the same key; of several equal ones the first with the first."""
    import pandas as pd

    codes = combined_codes(old, new, key)
    both = np.concatenate(codes)
    versions = np.repeat([0, 1], [len(old), len(new)])
    repetition = pd.Series(both).groupby([versions, both]).cumcount().to_numpy()
    unique = _paired(both, repetition)
    old_keys, new_keys = unique[: len(old)], unique[len(old) :]
    places = pd.Index(new_keys).get_indexer(pd.Index(old_keys))
    paired = places >= 0
    is_added = np.ones(len(new), dtype=bool)
    is_added[places[paired]] = False
    return Alignment(
        old=np.flatnonzero(paired),
        new=places[paired].astype(np.int64),
        gone=np.flatnonzero(~paired),
        added=np.flatnonzero(is_added),
    )


def combined_codes(old: pd.DataFrame, new: pd.DataFrame, key: Sequence[str]) -> tuple[Codes, Codes]:
    """One number for each row, equal where all key columns say the same."""
    whole = np.zeros(len(old) + len(new), dtype=np.int64)
    for name in key:
        whole = _paired(whole, np.concatenate(codes_of(old[name], new[name])))
    return whole[: len(old)], whole[len(old) :]


def _paired(first: Codes, second: Codes) -> Codes:
    """One number for each pair of numbers; small again, so that many columns fit."""
    import pandas as pd

    width = int(second.max(initial=0)) + 1
    codes: Codes = pd.factorize(first * width + second)[0].astype(np.int64)
    return codes
