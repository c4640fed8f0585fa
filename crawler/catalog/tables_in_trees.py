"""Tables in trees: records of JSON and JSON-stat, observations of SDMX-ML."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from lxml import etree

from crawler.catalog.json_stat import is_json_stat, json_stat_records
from crawler.errors import NotATable

if TYPE_CHECKING:
    import pandas as pd

MOST_JSON_BYTES = 500 * 1000**2
"""JSON is read at once, and takes ten times its size in memory."""
MOST_OBSERVATIONS = 20_000_000
_LIST_NAMES = ("records", "data", "results", "items", "rows", "value", "features")


def read_json(stream: BinaryIO, *, rows: int | None = None) -> "pd.DataFrame":
    """The records of a JSON document: a list of objects, on its own or within an object."""
    import pandas as pd

    data = stream.read(MOST_JSON_BYTES + 1)
    if len(data) > MOST_JSON_BYTES:
        raise NotATable(f"the JSON is larger than {MOST_JSON_BYTES:,} bytes")
    try:
        document = json.loads(data)
    except ValueError:
        document = _lines(data)
    except RecursionError:
        raise NotATable("the JSON is nested too deeply") from None
    if is_json_stat(document):
        return pd.DataFrame.from_records(json_stat_records(document, rows))
    records = _records(document)
    if records is None:
        raise NotATable("the JSON holds no list of records")
    return pd.json_normalize(records[:rows], max_level=2)


def read_sdmx_ml(stream: BinaryIO, *, rows: int | None = None) -> "pd.DataFrame":
    """The observations of an SDMX-ML data message, generic or structure-specific."""
    import pandas as pd

    found = islice(_observations(stream), MOST_OBSERVATIONS if rows is None else rows)
    try:
        frame = pd.DataFrame.from_records(list(found))
    except etree.XMLSyntaxError as error:
        raise NotATable(f"the XML cannot be read: {error}") from error
    if frame.empty:
        raise NotATable("the SDMX message holds no observations")
    if "OBS_VALUE" in frame.columns:
        numbers = pd.to_numeric(frame["OBS_VALUE"], errors="coerce")
        # "NaN" and "-" are how offices write that there is none; other words stay as they are.
        if (frame["OBS_VALUE"][numbers.isna()].dropna().isin(["NaN", "-", ".", ":", ""])).all():
            frame["OBS_VALUE"] = numbers
    return frame


def _lines(data: bytes) -> Any:
    """One JSON document per line."""
    try:
        return [json.loads(line) for line in data.splitlines() if line.strip()]
    except ValueError as error:
        raise NotATable(f"the JSON cannot be read: {error}") from None


def _records(document: Any) -> list[Any] | None:
    if isinstance(document, list):
        if document and all(isinstance(record, dict) for record in document):
            return document
        if len(document) > 1 and all(isinstance(row, list) for row in document):
            return _rows_of_lists(document)
        return None
    if not isinstance(document, dict):
        return None
    if document.get("type") == "FeatureCollection":
        features = document.get("features")
        return [feature.get("properties") or {} for feature in features] if features else None
    names = [*_LIST_NAMES, *document]
    lists = (_records(document[name]) for name in names if isinstance(document.get(name), list))
    return next((records for records in lists if records), None)


def _rows_of_lists(rows: list[list[Any]]) -> list[Any] | None:
    header = rows[0]
    if not all(isinstance(name, str) for name in header) or len(set(header)) != len(header):
        return None
    return [dict(zip(header, row, strict=False)) for row in rows[1:]]


def _observations(stream: BinaryIO) -> Iterator[dict[str, str]]:
    events = etree.iterparse(
        stream, events=("start", "end"), resolve_entities=False, no_network=True, huge_tree=False
    )
    series: dict[str, str] = {}
    key: dict[str, str] = {}
    for event, element in events:
        name = etree.QName(element).localname
        if event == "start":
            if name == "Series":
                series = _attributes(element)
            continue
        if name == "SeriesKey":
            key = _values(element)
        elif name == "Obs":
            yield series | key | _attributes(element) | _generic(element)
        elif name == "Series":
            series, key = {}, {}
        elif name == "Attributes" and etree.QName(element.getparent()).localname == "Series":
            key = key | _values(element)
            continue
        if name in ("Obs", "Series", "Group"):
            element.clear()
            # Finished brothers would stay in memory for the length of the message.
            while element.getprevious() is not None:
                del element.getparent()[0]


def _generic(observation: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in observation:
        name = etree.QName(part).localname
        if name in ("ObsKey", "Attributes"):
            found |= _values(part)
        elif name == "ObsDimension":
            found[part.get("id", "TIME_PERIOD")] = part.get("value", "")
        elif name == "Time":
            found["TIME_PERIOD"] = (part.text or "").strip()
        elif name == "ObsValue":
            found["OBS_VALUE"] = part.get("value", "")
    return found


def _values(element: Any) -> dict[str, str]:
    """Concepts and values of a generic message; version 2.0 names them otherwise than 2.1."""
    return {
        part.get("id") or part.get("concept", ""): part.get("value", "")
        for part in element
        if etree.QName(part).localname == "Value"
    }


def _attributes(element: Any) -> dict[str, str]:
    return {
        etree.QName(name).localname: value
        for name, value in element.attrib.items()
        if "XMLSchema-instance" not in name
    }
