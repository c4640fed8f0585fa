"""The verdict on a version as it is read back from the catalog."""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from crawler.validation.outcome import Check, Profile, Reason

Said = TypeVar("Said", bound=BaseModel)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VerdictDetail:
    """What validation found out about the newest version."""

    verdict: str
    kind: str
    """What the bytes are, whatever name and server say."""
    rows: int | None
    columns: int | None
    column_names: list[str]
    checks: tuple[Check, ...]
    reasons: tuple[Reason, ...]
    profile: Profile
    data_docs: str
    """The page of its checks below data-docs/<site>/ in the store; empty when there is none."""
    validator: str
    """The version of Tallyho that decided."""
    decided_at: datetime


def verdict_detail(row: Any) -> VerdictDetail:
    """The verdict of a row of the table."""
    return VerdictDetail(
        verdict=row.verdict,
        kind=row.kind,
        rows=row.rows,
        columns=row.columns,
        column_names=[str(name) for name in row.column_names],
        checks=each_of(Check, row.checks),
        reasons=each_of(Reason, row.reasons),
        profile=profile_of(row.profile),
        data_docs=row.data_docs,
        validator=row.validator,
        decided_at=row.decided_at,
    )


def profile_of(stored: Any) -> Profile:
    """A stored profile; an empty one where it cannot be understood."""
    return _read(Profile, stored) or Profile()


def each_of(shape: type[Said], stored: Any) -> tuple[Said, ...]:
    """Stored checks or reasons; what cannot be understood is left out."""
    found = (_read(shape, one) for one in stored) if isinstance(stored, list) else ()
    return tuple(one for one in found if one is not None)


def _read(shape: type[Said], stored: Any) -> Said | None:
    """Another version of Tallyho may have said more, or said it otherwise."""
    try:
        return shape.model_validate(stored, extra="ignore")
    except ValidationError as error:
        log.warning("a stored %s is not understood: %s", shape.__name__, error.errors()[0]["msg"])
        return None
