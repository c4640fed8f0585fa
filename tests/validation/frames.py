"""Files as the readers would give them, for tests that start after reading."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from crawler.config.validation import ValidationConfig
from crawler.readers.content import Content, Table
from crawler.readers.kinds import Kind
from crawler.validation.inspection import Inspection, InspectionRequest, inspect_content

GOOD = {
    "country": ["FR", "DE", "IT", "ES"] * 5,
    "year": [2001 + place for place in range(20)],
    "births": [1000 + place for place in range(20)],
}


def table(data: Mapping[str, Any] | pd.DataFrame, name: str = "", **facts: Any) -> Table:
    """A table of these columns."""
    frame = data if isinstance(data, pd.DataFrame) else pd.DataFrame(dict(data))
    return Table(name, Kind.DELIMITED, frame, facts.pop("rows", len(frame)), **facts)


def file_of(*tables: Table, kind: Kind = Kind.DELIMITED, **facts: Any) -> Content:
    """A file that holds these tables."""
    return Content(kind, tables=tables, **facts)


def inspected(
    content: Content | Mapping[str, Sequence[Any]], name: str = "births.csv", **request: Any
) -> Inspection:
    """What the reading process would find in it."""
    found = content if isinstance(content, Content) else file_of(table(content))
    return inspect_content(found, InspectionRequest(name=name, **request))


def config(**validation: Any) -> ValidationConfig:
    """The `validation` of a site file."""
    return ValidationConfig.model_validate(validation)
