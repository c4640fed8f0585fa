"""The verdict on a version as it is read from the catalog."""

import logging
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from crawler.catalog.read.record import Record
from crawler.validation.outcome import Check, Profile, Reason

DATA_DOCS = "data-docs"
"""Where the pages of the checks are, in the store and in the web application."""

Part = TypeVar("Part", bound=BaseModel)

log = logging.getLogger(__name__)


def profile_of(stored: Any) -> Profile:
    """A stored profile; an empty one where it cannot be understood."""
    return _read(Profile, stored) or Profile()


def each_of(kind: type[Part], stored: Any) -> tuple[Part, ...]:
    """Stored checks or reasons; what cannot be understood is left out."""
    parts = (_read(kind, one) for one in stored) if isinstance(stored, list | tuple) else ()
    return tuple(part for part in parts if part is not None)


def _read(kind: type[Part], stored: Any) -> Part | None:
    """Another version of Tallyho may have stored more, or other fields."""
    try:
        return kind.model_validate(stored, extra="ignore")
    except ValidationError as error:
        log.warning("a stored %s is not understood: %s", kind.__name__, error.errors()[0]["msg"])
        return None


class Verdict(Record):
    """What validation found out about a version."""

    verdict: str = Field(examples=["suspect"])
    """valid, suspect, document, broken or not_a_dataset."""
    kind: str = Field(examples=["delimited"])
    """What the bytes are, whatever name and server say."""
    rows: int | None = Field(examples=[1204])
    """Rows of all tables together."""
    columns: int | None = Field(examples=[3])
    """Columns of the widest table."""
    column_names: list[str] = Field(examples=[["year", "region", "births"]])
    """The different names of the columns of all tables."""
    period_start: str = Field(examples=["1990"])
    """The first period that its tables cover; empty where they name none."""
    period_end: str = Field(examples=["2025"])
    """The last one."""
    frequency: str = Field(examples=["year"])
    """How far its periods are apart: year, quarter, month, week or day; may be empty."""
    places: list[str] = Field(examples=[["Corsica", "Brittany"]])
    """Values of its columns of places, the first of them."""
    dimension_values: list[str] = Field(examples=[["women", "men"]])
    """Values of its other columns of texts, the first of them."""
    reasons: Annotated[tuple[Reason, ...], BeforeValidator(lambda value: each_of(Reason, value))]
    """Why the verdict is what it is; empty when every check was met."""
    checks: Annotated[tuple[Check, ...], BeforeValidator(lambda value: each_of(Check, value))]
    """Every expectation and how the file met it."""
    profile: Annotated[Profile, BeforeValidator(profile_of)]
    """What is in the file: its tables with their columns."""
    data_docs: str = Field(examples=["data-docs/demo/delimited.html"])
    """The page of its checks, in the store and below the root of the web application; may be
    empty."""
    validator: str = Field(examples=["0.1.0"])
    """The version of Tallyho that decided."""
    decided_at: datetime = Field(examples=["2026-03-02T01:12:40Z"])
    """When it was decided."""
