"""What a crawl has cost and given so far."""

import copy
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True)
class Totals:
    """Counts since the crawl started; the difference of two is what lies between them."""

    requests: int = 0
    """All that the server saw: GET, HEAD, redirect hops, retries, robots.txt."""
    gets: int = 0
    """The time t of Algorithm 4."""
    heads: int = 0
    retries: int = 0
    pages: int = 0
    targets: int = 0
    received: int = 0
    """Body bytes."""
    kept: int = 0
    """Bytes of targets."""
    groups: Counter[str] = field(default_factory=Counter)
    """Targets by group."""
    skipped: Counter[str] = field(default_factory=Counter)
    """URLs by the reason they were skipped for."""

    @property
    def nothing_read(self) -> bool:
        """Whether no page and no target ever came."""
        return not self.pages and not self.targets

    def copy(self) -> "Totals":
        """The counts of this moment."""
        return copy.deepcopy(self)

    def since(self, start: "Totals") -> "Totals":
        """What was added since `start`."""
        return Totals(
            **{f.name: getattr(self, f.name) - getattr(start, f.name) for f in fields(self)}
        )

    def save(self) -> dict[str, Any]:
        """Ready for JSON."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return values | {"groups": dict(self.groups), "skipped": dict(self.skipped)}

    @staticmethod
    def load(saved: dict[str, Any]) -> "Totals":
        """Back from JSON."""
        counters = {name: Counter(saved[name]) for name in ("groups", "skipped")}
        return Totals(**(saved | counters))
