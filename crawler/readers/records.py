"""Records of trees, JSON or XML, as the columns of a frame."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crawler.readers.figures import column_of

if TYPE_CHECKING:
    import pandas as pd

_LEVELS = 2
_MAX_EXACT = 2**53
_MAX_TEXT = 1000


def flattened(record: Mapping[str, Any], levels: int = _LEVELS) -> dict[str, Any]:
    """A record without records in it: their fields get names with points, lists become text."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and levels and value:
            for inner, part in flattened(value, levels - 1).items():
                flat[f"{name}.{inner}"] = part
        elif isinstance(value, dict | list):
            flat[name] = json.dumps(value, ensure_ascii=False)[:_MAX_TEXT]
        else:
            flat[name] = value
    return flat


def column_names(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Every name of a field, in the order in which they come."""
    return list(dict.fromkeys(name for record in records for name in record))


def frame_of_columns(columns: Mapping[str, Sequence[Any]], *, raw: bool = False) -> "pd.DataFrame":
    """Columns of values as a frame; numbers that are written as texts become numbers."""
    import pandas as pd

    values = dict(enumerate(map(_exact, columns.values())))
    frame = pd.DataFrame(values)
    for place in range(0 if raw else frame.shape[1]):
        column = frame.iloc[:, place]
        if isinstance(column.dtype, pd.StringDtype):
            frame.isetitem(place, _figures(column))
    frame.columns = list(columns)
    return frame


def _exact(values: Sequence[Any]) -> Sequence[Any]:
    """Long whole numbers with gaps as texts: as decimal numbers they would lose digits."""
    if None not in values:
        return values
    if not any(type(value) is int and abs(value) >= _MAX_EXACT for value in values):
        return values
    return [None if value is None else str(value) for value in values]


def _figures(column: "pd.Series") -> "pd.Series":
    import pyarrow as pa

    texts = pa.chunked_array([pa.array(column, pa.string(), from_pandas=True)])
    return column_of(texts).to_pandas()
