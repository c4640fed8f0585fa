"""The one URL that is worked on, through its retries and redirect hops."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from crawler.state.history_records import VisitKind, VisitRow
from crawler.strategies.interface import NO_ACTION, Candidate
from crawler.web.messages import Method


class Purpose(StrEnum):
    """Why a URL is requested."""

    ENTRY = "entry"
    """A start page: no action led to it."""
    SELECTED = "selected"
    """The strategy chose it from the frontier."""
    PREDICTED = "predicted"
    """It was taken for a target, and is fetched before anything else."""
    ASKED = "asked"
    """Its class is asked for with HEAD."""
    PLANNED = "planned"
    """It is known, and the plan of the night visits it again."""
    SUPPORTING = "supporting"
    """The strategy needs it beside a page; it is no link, and its id is 0."""


@dataclass(slots=True)
class Task:
    """A URL in work."""

    link: Candidate
    purpose: Purpose
    action: int = NO_ACTION
    attempts: int = 0
    wait: float = 0.0
    hops: int = 0
    """Redirections followed so far."""
    chain: list[int] = field(default_factory=list)
    """The links that they started from."""
    second_chance: bool = False
    """It was deferred before; another failure is final."""
    postponed: bool = False
    """It waited until all else was done, since its like gave nothing."""
    visit: VisitRow | None = None
    """The visit of the night's plan that it is."""
    only_head: bool = False
    """A known file whose length is asked for before its bytes are."""

    @property
    def is_new_choice(self) -> bool:
        """Whether it was chosen just now, and not because an earlier request failed."""
        is_retry = self.attempts or self.chain or (self.second_chance and not self.postponed)
        return self.purpose is Purpose.SELECTED and not is_retry

    @property
    def method(self) -> Method:
        """How it is requested."""
        return Method.HEAD if self.only_head or self.purpose is Purpose.ASKED else Method.GET

    def save(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    @staticmethod
    def load(saved: dict[str, Any]) -> "Task":
        """Back from JSON."""
        visit = saved.get("visit")
        known = {
            "link": Candidate(**saved["link"]),
            "purpose": Purpose(saved["purpose"]),
            "visit": visit and VisitRow(**(visit | {"kind": VisitKind(visit["kind"])})),
        }
        return Task(**(saved | known))
