"""JSON-stat: cubes as statistics offices exchange them, as one record per cell."""

from itertools import islice, product
from math import prod
from typing import Any

from crawler.errors import NotATable

MOST_CELLS = 20_000_000
"""A document of some bytes can name a cube of any size."""


def is_json_stat(document: Any) -> bool:
    """Whether a JSON document is a JSON-stat dataset, of version 1 or 2."""
    dataset = _dataset(document)
    return isinstance(dataset.get("dimension"), dict) and isinstance(
        dataset.get("value"), list | dict
    )


def json_stat_records(document: Any, most: int | None = None) -> list[dict[str, Any]]:
    """The cells of a cube: a code for each dimension, and the value."""
    dataset = _dataset(document)
    dimensions: dict[str, Any] = dataset["dimension"]
    names = dataset.get("id") or dimensions.get("id")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise NotATable("the JSON-stat document names no dimensions")
    codes = [_codes(dimensions[name]["category"]) for name in names]
    cells = prod(len(values) for values in codes)
    if cells > MOST_CELLS:
        raise NotATable(f"the JSON-stat cube has {cells:,} cells, more than {MOST_CELLS:,}")
    values = dataset["value"]
    get = values.get if isinstance(values, dict) else None
    return [
        dict(zip(names, key, strict=True))
        | {"value": get(str(place)) if get else values[place] if place < len(values) else None}
        for place, key in enumerate(islice(product(*codes), most))
    ]


def _dataset(document: Any) -> dict[str, Any]:
    if not isinstance(document, dict):
        return {}
    inner = document.get("dataset", document)
    return inner if isinstance(inner, dict) else {}


def _codes(category: dict[str, Any]) -> list[str]:
    """The codes of a dimension in their order; one with a single category may have a label only."""
    index = category.get("index")
    if isinstance(index, list):
        return [str(code) for code in index]
    if isinstance(index, dict):
        return sorted(index, key=lambda code: int(index[code]))
    return list(category["label"])
