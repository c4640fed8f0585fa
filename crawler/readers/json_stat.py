"""JSON-stat: cubes as statistics offices exchange them, as one row per cell."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from math import prod
from typing import Any

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.names import unique_names
from crawler.readers.unreadable import Unreadable

_CLASS = re.compile(r'"class"\s*:\s*"(?:dataset|collection)"')
_VERSION = re.compile(r'"version"\s*:\s*"2')
_DATASET = re.compile(r'"dimension"\s*:\s*\{')
_VALUE = re.compile(r'"value"\s*:\s*[\[{]')
_SURELY_MANY = 1_000_000
_CATEGORY = re.compile(r'"category"\s*:\s*\{')


def looks_like_json_stat(text: str) -> bool:
    """Whether the beginning of a JSON document is that of JSON-stat, of version 1 or 2."""
    if _CLASS.search(text) and _VERSION.search(text):
        return True
    return bool(_DATASET.search(text) and (_CATEGORY.search(text) or _VALUE.search(text)))


def is_json_stat(document: Any) -> bool:
    """Whether a JSON document holds cubes of JSON-stat."""
    return next(_datasets(document), None) is not None


def json_stat_tables(document: Any, bounds: Bounds = DEFAULT_BOUNDS) -> list[Table]:
    """The cubes of a document: a code for each dimension, and the value."""
    found = list(islice(_datasets(document), bounds.tables))
    if len(found) == 1:
        return [_table("", found[0][1], bounds)]
    return [_table(name, dataset, bounds) for name, dataset in found]


def _table(name: str, dataset: Mapping[str, Any], bounds: Bounds) -> Table:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    dimensions = dataset["dimension"]
    names = dataset.get("id") or dimensions.get("id")
    if not isinstance(names, list) or not all(isinstance(part, str) for part in names):
        raise Unreadable(Trouble.CORRUPT, "the JSON-stat document names no dimensions")
    try:
        codes = [_codes(dimensions[part]["category"]) for part in names]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(
            Trouble.CORRUPT, "a dimension of the JSON-stat document has no categories"
        ) from error
    values = dataset["value"]
    cells = prod(len(part) for part in codes)
    _check_sizes(dataset.get("size") or dimensions.get("size"), [len(part) for part in codes])
    if cells > _SURELY_MANY and cells > 10 * len(values):
        # A document of some bytes can name a cube of any size.
        raise Unreadable(
            Trouble.BOMB, f"the JSON-stat cube has {cells:,} cells, and {len(values):,} values"
        )
    rows = min(cells, bounds.rows_of(len(codes) + 1))
    columns: list[Any] = []
    stride = cells
    place = np.arange(rows)
    for part in codes:
        stride = stride // max(1, len(part))
        taken = (place // max(1, stride)) % max(1, len(part))
        columns.append(pa.array(part, pa.string()).take(pa.array(taken)).to_pandas())
    columns.append(pd.Series(_values(values, rows)))
    frame = pd.concat(columns, axis=1)
    frame.columns = unique_names([*names, "value"])
    return Table(name, Kind.JSON_STAT, frame, cells, cut=rows < cells)


def _check_sizes(declared: Any, sizes: list[int]) -> None:
    if isinstance(declared, list) and declared != sizes:
        raise Unreadable(
            Trouble.CORRUPT,
            f"the JSON-stat cube is said to be {_shown(declared)}, and its dimensions are "
            f"{_shown(sizes)}",
        )


def _shown(sizes: list[Any]) -> str:
    return " × ".join(str(size)[:20] for size in sizes[:10])


def _values(values: Any, rows: int) -> list[Any]:
    if isinstance(values, list):
        return (values[:rows] + [None] * (rows - len(values)))[:rows]
    found: list[Any] = [None] * rows
    for key, value in values.items():
        if key.isascii() and key.isdigit() and len(key) < 15 and int(key) < rows:
            found[int(key)] = value
    return found


def _datasets(document: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """A dataset on its own, or several of them by their names."""
    if not isinstance(document, dict):
        return
    if _is_dataset(document):
        yield "", document
        return
    for name, part in document.items():
        if _is_dataset(part):
            yield name, part
    link = document.get("link")
    items = link.get("item") if isinstance(link, dict) else None
    for part in items if isinstance(items, list) else ():
        if _is_dataset(part):
            yield str(part.get("label", ""))[:80], part


def _is_dataset(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("dimension"), dict)
        and isinstance(part.get("value"), list | dict)
    )


def _codes(category: dict[str, Any]) -> list[str]:
    """The codes of a dimension in their order; one with a single category may have a label only."""
    index = category.get("index")
    if isinstance(index, list):
        return [str(code) for code in index]
    if isinstance(index, dict):
        return sorted(index, key=lambda code: int(index[code]))
    return list(category["label"])
