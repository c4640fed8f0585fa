"""Early stopping: the crawl ends when hardly anything more is to be expected of it."""

import math
import statistics
from dataclasses import dataclass, field
from typing import Any

from crawler.learning.files_to_come import most_files

MIN_WAITING = 10
"""Fewer waiting links are followed to the end: leaving them would save little."""
SURE = 0.994
"""How certain it has to be that no more files come than may be left."""
LAST_PAGES = 128
"""Pages with files that are remembered."""
ALIKE = 32
"""A page is like the waiting links if it promised at most this many times their mean."""
MIN_ALIKE = 4
"""Where fewer pages are, those that promised least are taken."""
WEAKEST = -40
"""The strength of promises that are too small to be told apart, or that are not known."""
MEMORY = 2
"""Half-lives, in followed links, after which a promise, and what came of it, count half."""
GROWTH_MEMORY = 0.2
"""The same for the links that they brought: a part of a site that is just opened soon ends."""
MAX_GROWTH = 0.9
"""New links for each one followed, above which it is not known how many will come."""
MIN_IN_VAIN, MAX_IN_VAIN = 24, 500
IN_VAIN_SHARE = 0.03
"""Postponed links that are followed in vain before the others are left, of all requests so far."""
_SAVED = (
    "found",
    "asked",
    "under",
    "files",
    "hits",
    "promises",
    "promised_in_all",
    "promised_before",
    "strength",
    "pages",
    "followed",
    "new_links",
    "links",
    "expected",
    "waiting",
    "is_enough",
    "in_vain",
    "is_rest",
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
    before the first request one target is taken for granted, so that it starts at one.

    How many pages with files wait is told by those that came of late for what the links promised;
    the links that are still to be found count too. How many files such a page has is told by pages
    that promised as little: those that promised much are hubs with hundreds of files, or files
    themselves, and of both the pages that are left have nothing.
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
    under: int = 0
    files: int = 0
    """New targets since the link that is followed now was chosen."""
    sizes: list[int] = field(default_factory=list)
    """How many targets the last links gave that gave some."""
    strengths: list[int] = field(default_factory=list)
    """What each of them promised, as `_strength` tells it."""
    pages: int = 0
    """How many such links there were."""
    hits: float = 0.0
    """Followed links of late that gave targets."""
    promises: float = 0.0
    """What all links followed of late promised."""
    promised_in_all: float = 0.0
    promised_before: float | None = None
    """What was promised before the first forecast: what came of it is not known."""
    strength: int = WEAKEST
    """The same of the link that is followed now."""
    followed: float = 0.0
    """Links followed just now: a shorter memory than that of promises."""
    new_links: float = 0.0
    """Links that they brought."""
    links: int = 0
    """Links that waited when the last one was chosen."""
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
        self.files += new_targets
        self.under = self.under + requests if self.smoothed < self.floor else 0

    def consider(self, forecast: Forecast, targets: int) -> None:
        """Take in what is expected, `targets` being there; twice the same changes nothing."""
        if forecast.promised > self.promised_in_all:
            self._choose(forecast)
        self.waiting, self.is_rest, self.is_enough = forecast.links, False, False
        growth = max(self.new_links / max(self.followed, 1), 0)
        if forecast.links < MIN_WAITING or growth > MAX_GROWTH or self.promised_before is None:
            return
        # One more page is taken for granted, for what such a page promised in the whole crawl.
        granted = (self.promised_in_all - self.promised_before) / (self.pages + 1)
        pages = (self.hits + 1) * forecast.waiting / max(self.promises + granted, 1e-9)
        # Every link brings `growth` others, each of those as many again, and so on.
        pages /= 1 - growth
        limit = int(self.share * targets)
        if pages > limit:  # each of them has a file at least
            return
        sizes = self.sizes_alike(forecast.waiting / forecast.links)
        most = most_files(pages, sizes, SURE, limit)
        if most is not None:
            mean = pages * statistics.fmean(sizes)
            self.is_enough, self.expected = self.share > 0, max(most, mean)

    def sizes_alike(self, promise: float) -> list[int]:
        """The files of pages that promised as little as links that promise this in the mean.

        One more page is taken for granted, with twice the files of any: the largest is yet to come.
        """
        if not self.sizes:
            return []
        weakest = sorted(self.strengths)[:MIN_ALIKE]
        limit = max(_strength(ALIKE * promise), weakest[-1])
        pages = zip(self.strengths, self.sizes, strict=True)
        alike = [size for strength, size in pages if strength <= limit]
        return [*alike, 2 * max(alike)]

    def _choose(self, forecast: Forecast) -> None:
        """A link was chosen: what the one before gave is known."""
        if self.files:
            self.sizes = [*self.sizes, self.files][-LAST_PAGES:]
            self.strengths = [*self.strengths, self.strength][-LAST_PAGES:]
        if self.promised_before is None:
            # What single links promised so far is not known: all that wait are like them.
            self.promised_before = forecast.promised
        else:
            promise = forecast.promised - self.promised_in_all
            slow, fast = (0.5 ** (1 / (of * self.half_life)) for of in (MEMORY, GROWTH_MEMORY))
            self.hits = slow * self.hits + bool(self.files)
            self.promises = slow * self.promises + promise
            self.followed = fast * self.followed + 1
            self.new_links = fast * self.new_links + forecast.links - self.links + 1
            self.pages += bool(self.files)
            self.strength = _strength(promise)
        self.files, self.links, self.promised_in_all = 0, forecast.links, forecast.promised

    def consider_rest(self, links: int, requests: int) -> None:
        """Only these links wait: page after page like them led to nothing but more of the same.

        An endless calendar has as many as one reads, so it is no use to follow them to the end.
        """
        most = min(MAX_IN_VAIN, max(MIN_IN_VAIN, IN_VAIN_SHARE * requests))
        self.is_enough = self.is_rest = self.share > 0 and self.in_vain >= most
        self.waiting = links

    def save(self) -> dict[str, Any]:
        """What is to be saved of it."""
        saved = {name: getattr(self, name) for name in _SAVED}
        return {**saved, "sizes": list(self.sizes), "strengths": list(self.strengths)}

    def load(self, saved: dict[str, Any] | list[float]) -> None:
        """Bring it back; an earlier version kept less, and not what pages had promised."""
        if isinstance(saved, list):
            self.asked = 1 / (1 - 0.5 ** (1 / self.half_life))
            self.found, self.under = saved[0] * self.asked, int(saved[1])
            return
        for name in _SAVED:
            setattr(self, name, saved.get(name, getattr(self, name)))
        self.sizes = list(saved.get("sizes", []))
        self.strengths = list(saved.get("strengths", [WEAKEST] * len(self.sizes)))

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


def _strength(promise: float) -> int:
    """A promise as a small number, two steps for twice as much."""
    return max(math.floor(2 * math.log2(promise)), WEAKEST) if promise > 0 else WEAKEST
