"""How often a strategy's guess about a URL is right: the confusion matrix of Table VI."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crawler.lab.oracles import Oracle
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes
from crawler.state.saved import SavedState
from crawler.strategies.interface import (
    Candidate,
    Placement,
    ReadPage,
    Selection,
    Strategy,
    SupportingFile,
    WantsFiles,
)

PREDICTED = (UrlClass.HTML, UrlClass.TARGET)
"""What a classifier answers: as in Section III-D it never says NEITHER."""


_CELLS = [(true, predicted) for true in UrlClass for predicted in PREDICTED]
_SPARE = 10_000


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many URLs of a true class were taken for which class."""

    counts: Counter[tuple[UrlClass, UrlClass]] = field(default_factory=Counter)
    """By true class and predicted class."""

    @property
    def total(self) -> int:
        """URLs that were judged."""
        return self.counts.total()

    def percent(self, true: UrlClass, predicted: UrlClass) -> float:
        """The share of one cell in all URLs that were judged."""
        return 100 * self.counts[true, predicted] / self.total if self.total else 0.0


class WatchedStrategy:
    """Passes every call on, and remembers what the strategy took new links for.

    Links whose class was asked for with HEAD were not guessed and do not count. One byte per link
    is kept, so that watching does not show in the memory of a long crawl.
    """

    def __init__(self, strategy: Strategy, oracle: Oracle) -> None:
        self._strategy = strategy
        self._oracle = oracle
        self._cells = bytearray()
        """By the id of a link: 0, or its true and predicted class, see `_CELLS`."""
        self._guesses = False

    def confusion(self) -> Confusion | None:
        """The guesses beside the truth; None for a strategy that takes every link alike."""
        if not self._guesses:
            return None
        counts = {cell: self._cells.count(at) for at, cell in enumerate(_CELLS, 1)}
        return Confusion(+Counter(counts))

    @property
    def opinion(self) -> int:
        """The strategy's own."""
        return self._strategy.opinion

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """The strategy's answer; asked again about a link, it is the last answer that counts."""
        placements = self._strategy.place(links)
        self._guesses = self._guesses or any(p is not Placement.QUEUE for p in placements)
        if self._guesses:
            for link, placement in zip(links, placements, strict=False):
                self._note(link, placement)
        return placements

    def _note(self, link: Candidate, placement: Placement) -> None:
        if link.id >= len(self._cells):
            self._cells.extend(bytes(link.id + 1 - len(self._cells) + _SPARE))
        if placement is Placement.ASK:
            self._cells[link.id] = 0
            return
        predicted = UrlClass.TARGET if placement is Placement.FETCH else UrlClass.HTML
        self._cells[link.id] = 1 + _CELLS.index((self._oracle(link.url), predicted))

    def queue(self, links: Sequence[Candidate]) -> None:
        """Passed on."""
        self._strategy.queue(links)

    def next_link(self, t: int) -> Selection | None:
        """Passed on."""
        return self._strategy.next_link(t)

    def forget_selection(self) -> None:
        """Passed on."""
        self._strategy.forget_selection()

    def adopt(self, link: Candidate) -> int:
        """Passed on."""
        return self._strategy.adopt(link)

    def read(self, page: ReadPage) -> None:
        """Passed on."""
        self._strategy.read(page)

    def wanted(self) -> str | None:
        """Passed on to a strategy that wants files."""
        return self._strategy.wanted() if isinstance(self._strategy, WantsFiles) else None

    def take_file(self, file: SupportingFile) -> None:
        """Passed on to a strategy that wants files."""
        if isinstance(self._strategy, WantsFiles):
            self._strategy.take_file(file)

    def reward(self, action: int, reward: int) -> None:
        """Passed on."""
        self._strategy.reward(action, reward)

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """Passed on."""
        self._strategy.learn(link, url_class)

    def head_refused(self) -> None:
        """Passed on."""
        self._strategy.head_refused()

    def save(self, changes: Changes) -> None:
        """Passed on."""
        self._strategy.save(changes)

    def progress(self) -> dict[str, Any]:
        """Passed on."""
        return self._strategy.progress()

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Passed on."""
        self._strategy.load(state, progress)
