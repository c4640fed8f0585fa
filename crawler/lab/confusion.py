"""How often a strategy's guess about a URL is right: the confusion matrix of Table VI."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from crawler.lab.oracles import Oracle
from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement, Strategy

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


class GuessWatch:
    """Listens to what a strategy answers when it places links, and does not disturb it.

    Links whose class was asked for with HEAD were not guessed and do not count. One byte per link
    is kept, so that watching does not show in the memory of a long crawl.
    """

    def __init__(self, strategy: Strategy, oracle: Oracle) -> None:
        self._oracle = oracle
        self._place = strategy.place
        self._cells = bytearray()
        """By the id of a link: 0, or its true and predicted class, see `_CELLS`."""
        self._guesses = False
        strategy.place = self._watched  # type: ignore[method-assign]

    def confusion(self) -> Confusion | None:
        """The guesses beside the truth; None for a strategy that takes every link alike."""
        if not self._guesses:
            return None
        counts = {cell: self._cells.count(at) for at, cell in enumerate(_CELLS, 1)}
        return Confusion(+Counter(counts))

    def _watched(self, links: Sequence[Candidate]) -> list[Placement]:
        """The strategy's answer; asked again about a link, it is the last answer that counts."""
        placements = self._place(links)
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
