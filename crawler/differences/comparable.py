"""Columns of two versions made comparable: numbers as numbers, all else as the text it shows."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

Codes = npt.NDArray[np.int64]
MISSING = "\x00missing"
"""Stands for an empty cell; no text of a file has this character."""
_MAX_EXACT = 2**53


def codes_of(old: pd.Series, new: pd.Series) -> tuple[Codes, Codes]:
    """Numbers that are equal exactly where two cells say the same, for each of the columns."""
    import pandas as pd

    values: Any
    if _is_number(old) and _is_number(new):
        values = pd.concat([old, new], ignore_index=True)
    else:
        values = np.concatenate([_texts(old), _texts(new)])
    codes, _ = pd.factorize(values, use_na_sentinel=False)
    return codes[: len(old)].astype(np.int64), codes[len(old) :].astype(np.int64)


def is_label(column: pd.Series) -> bool:
    """Whether a column holds names, codes or dates, by which rows are recognised."""
    return not _is_number(column)


def is_whole(column: pd.Series) -> bool:
    """Whether a column holds whole numbers, which may be years or codes."""
    import pandas.api.types as types

    return types.is_integer_dtype(column) and not types.is_bool_dtype(column)


def plain(value: object) -> str | int | float | bool | None:
    """A cell as JSON can say it."""
    if value is None or value is np.nan:
        return None
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return value if math.isfinite(value) else str(value)
    return text_of(value)


def text_of(value: object) -> str:
    """A cell as it reads; a whole number reads the same whatever its type."""
    if isinstance(value, float):
        if math.isnan(value):
            return MISSING
        whole = value.is_integer() and abs(value) < _MAX_EXACT
        return str(int(value)) if whole else repr(value)
    if isinstance(value, datetime):
        moment = value.isoformat()
        return moment.removesuffix("T00:00:00")
    if isinstance(value, date):
        return value.isoformat()
    return MISSING if _is_missing(value) else str(value)


def _is_missing(value: object) -> bool:
    import pandas as pd

    return value is None or value is pd.NA or value is pd.NaT


def _is_number(column: pd.Series) -> bool:
    import pandas.api.types as types

    return types.is_numeric_dtype(column) and not types.is_bool_dtype(column)


def _texts(column: pd.Series) -> npt.NDArray[Any]:
    """Each cell as text; every different value is written out once."""
    import pandas as pd

    codes, distinct = pd.factorize(column, use_na_sentinel=True)
    known = [text_of(value) for value in pd.Index(distinct).astype(object)]
    texts: npt.NDArray[Any] = np.array([*known, MISSING], dtype=object)[codes]
    return texts
