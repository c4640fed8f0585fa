"""Early stopping: the crawl ends when hardly anything more is to be expected of it."""

from dataclasses import dataclass
from typing import Any

MIN_WAITING = 200
"""Fewer waiting links are followed to the end: leaving them would save little."""
QUIET = 0.2
"""Half-lives without a target before a forecast may end a crawl."""
MEMORY = 4
"""Half-lives after which a promise, and what came of it, count half."""
PAGES_GRANTED = 2
"""Pages with files that might have come as well: what never came of late is not impossible."""
MIN_IN_VAIN, MAX_IN_VAIN = 24, 500
IN_VAIN_SHARE = 0.03
"""Postponed links that are followed in vain before the others are left, of all requests so far."""
_SAVED = (
    "found",
    "asked",
    "promised",
    "promised_in_all",
    "under",
    "quiet",
    "expected",
    "waiting",
    "is_enough",
    "in_vain",
    "is_rest",
    "came",
    "finds",
    "longest_gap",
)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a strategy expects, in a measure of its own that it keeps all along."""

    promised: float
    """What all links that were followed so far seemed to be worth when they were chosen."""
    waiting: float
    """What all links that wait seem to be worth together."""
    links: int
    """How many links wait."""


@dataclass(slots=True)
class YieldMonitor:
    """A smoothed yield of new targets per request, and what the waiting links may still give.

    The yield is an average of what came so far, in which an old request counts less than a new one;
    before the first request one target is taken for granted, so that it starts at one. A forecast
    is set right by what promises of late came to.
    """

    half_life: float
    """Requests after which an observation counts half."""
    floor: float
    """New targets per request under which a crawl is not worth its requests."""
    patience: int
    """Requests in a row under the floor that end the crawl."""
    share: float = 0.0
    """Share of the targets that may be left where a forecast says so; 0 asks for no forecast."""
    found: float = 1.0
    """New targets of late: of every target what its age has left of it."""
    asked: float = 0.0
    """Requests of late, in the same way."""
    came: float = 1.0
    """New targets as well, but remembered for as long as promises are."""
    promised: float = 0.0
    """What the links followed of late promised."""
    promised_in_all: float = 0.0
    under: int = 0
    quiet: int = 0
    """Requests since the last target."""
    finds: int = 0
    """How often targets came, all that came one after the other counting once."""
    longest_gap: int = 0
    """The most requests without a target that one came after: it may come so late again."""
    expected: float | None = None
    """Targets that the waiting links may still give, at most; None without a forecast."""
    waiting: int = 0
    """The links of that forecast."""
    is_enough: bool = False
    in_vain: int = 0
    """Requests for postponed links since the last target."""
    is_rest: bool = False
    """Whether it was enough because only postponed links wait."""

    @property
    def smoothed(self) -> float:
        """New targets per request."""
        return self.found / self.asked if self.asked else 1.0

    def observe(self, requests: int, new_targets: int, *, postponed: bool = False) -> None:
        """Take in what these requests gave; `postponed` if they were for postponed links."""
        if not requests:
            return
        self.in_vain = 0 if new_targets else self.in_vain + requests * postponed
        decay = 0.5 ** (requests / self.half_life)
        # The middle of what decays within these requests.
        weight = (1 - decay) / (requests * (1 - 0.5 ** (1 / self.half_life)))
        self.found = decay * self.found + weight * new_targets
        self.asked = decay * self.asked + weight * requests
        slow = 0.5 ** (requests / (MEMORY * self.half_life))
        self.came = slow * self.came + new_targets
        self.promised *= slow
        self.finds += bool(new_targets and self.quiet)
        if new_targets:
            self.longest_gap = max(self.longest_gap, self.quiet)
        self.quiet = 0 if new_targets else self.quiet + requests
        self.under = self.under + requests if self.smoothed < self.floor else 0

    def consider(self, forecast: Forecast, targets: int) -> None:
        """Take in what is expected, `targets` being there; twice the same changes nothing."""
        self.promised += forecast.promised - self.promised_in_all
        self.promised_in_all = forecast.promised
        files_of_a_page = targets / max(self.finds, 1)
        kept_word = (self.came + PAGES_GRANTED * files_of_a_page) / max(self.promised, 1e-9)
        self.expected, self.waiting = kept_word * forecast.waiting, forecast.links
        is_quiet = self.quiet >= max(QUIET * self.half_life, self.longest_gap)
        is_many = forecast.links >= MIN_WAITING
        self.is_enough = is_quiet and is_many and self.expected <= self.share * targets
        self.is_rest = False

    def consider_rest(self, links: int, requests: int) -> None:
        """Only these links wait: page after page like them led to nothing but more of the same.

        An endless calendar has as many as one reads, so it is no use to follow them to the end.
        """
        most = min(MAX_IN_VAIN, max(MIN_IN_VAIN, IN_VAIN_SHARE * requests))
        self.is_enough = self.is_rest = self.share > 0 and self.in_vain >= most
        self.waiting = links

    def save(self) -> dict[str, float | None]:
        """What is to be saved of it."""
        return {name: getattr(self, name) for name in _SAVED}

    def load(self, saved: dict[str, Any] | list[float]) -> None:
        """Bring it back; earlier versions kept the yield and how long it was under the floor."""
        if isinstance(saved, list):
            self.asked = 1 / (1 - 0.5 ** (1 / self.half_life))
            self.found, self.under = saved[0] * self.asked, int(saved[1])
            return
        for name in _SAVED:
            setattr(self, name, saved.get(name, 0))
        self.came = saved.get("came", self.found)

    def why(self, targets: int) -> str:
        """What was expected when a crawl was ended, as a sentence; empty if its yield ended it."""
        if self.is_enough and self.is_rest:
            return (
                f"{self.in_vain} more pages of calendars and the like gave nothing,"
                f" and nothing else is in the {self.waiting:,} waiting links"
            )
        if not self.is_enough or self.expected is None:
            return ""
        share = 100 * self.expected / max(targets, 1)
        return (
            f"at most {share:.1f}% more targets are expected in the {self.waiting:,} waiting links"
        )

    @property
    def exhausted(self) -> bool:
        """Whether the yield has been too low for long enough, or too little is expected."""
        return self.under >= self.patience or self.is_enough
