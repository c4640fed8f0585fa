"""Columns of cells as workbooks give them, as columns of one type where they have one."""

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crawler.readers.cells import MARKS
from crawler.readers.figures import column_of
from crawler.readers.grid import text_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_ERRORS = {"#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA"}
_NOTHING = MARKS | _ERRORS
_DATES = {datetime.date, datetime.datetime}
_MAX_WHOLE = 2.0**53
_MAX_MARKS = 200


def frame_of_cells(
    cells: "np.ndarray[Any, Any]", names: Sequence[str], *, raw: bool = False, decimal: str = ""
) -> "pd.DataFrame":
    """A DataFrame of a grid of cells in which empty ones are None; with `raw`, of their texts."""
    import pandas as pd

    columns = [
        _raw(cells[:, place]) if raw else _typed(cells[:, place], decimal)
        for place in range(cells.shape[1])
    ]
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(len(cells)))
    frame.columns = list(names)
    return frame


def _raw(values: "np.ndarray[Any, Any]") -> "pd.Series[Any]":
    import pandas as pd

    texts = [None if cell is None else text_of(cell) for cell in values]
    return pd.Series(texts, dtype="str")


def _typed(values: "np.ndarray[Any, Any]", decimal: str) -> "pd.Series[Any]":
    import pandas as pd

    series = pd.Series(values).infer_objects()
    if series.dtype == "float64":
        return whole_numbers(series)
    if pd.api.types.is_string_dtype(series.dtype) and series.dtype != object:
        return _from_texts(series, decimal)
    if series.dtype != object:
        return series
    kinds = set(map(type, values)) - {type(None)}
    if not kinds:
        return series.astype("float64")
    if kinds <= _DATES:
        return _dates(series)
    if kinds <= {int, float, str} and _is_figures(values):
        is_text = series.map(lambda cell: type(cell) is str)
        return whole_numbers(pd.to_numeric(series.where(~is_text, None)))
    if float in kinds:
        # A year among words is 2024, not 2024.0.
        return pd.Series([_as_written(cell) for cell in values], dtype=object)
    return series


def whole_numbers(series: "pd.Series[Any]") -> "pd.Series[Any]":
    """Workbooks know no whole numbers: those of a column without gaps become whole again."""
    if series.dtype != "float64" or not len(series):
        return series
    if series.isna().any() or not ((series % 1 == 0) & (series.abs() < _MAX_WHOLE)).all():
        return series
    return series.astype("int64")


def _from_texts(series: "pd.Series[Any]", known: str) -> "pd.Series[Any]":
    """Numbers that were saved as texts."""
    import pandas as pd
    import pyarrow as pa

    texts = pa.chunked_array([pa.array(series, pa.string(), from_pandas=True)])
    found = texts
    for decimal in (known,) if known else (".", ","):
        found = column_of(texts, decimal)
        if not pa.types.is_string(found.type):
            break
    return pd.Series(found.to_pandas().array)


def _dates(series: "pd.Series[Any]") -> "pd.Series[Any]":
    import pandas as pd

    try:
        return pd.to_datetime(series)
    except (ValueError, OverflowError):
        return series


def _is_figures(values: "np.ndarray[Any, Any]") -> bool:
    """Whether all texts of a column of numbers say that there is no number."""
    texts = {cell for cell in values if type(cell) is str}
    return len(texts) <= _MAX_MARKS and all(text.strip() in _NOTHING for text in texts)


def _as_written(cell: object) -> object:
    return int(cell) if type(cell) is float and cell.is_integer() else cell
