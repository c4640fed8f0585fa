"""`focused`: the likeliest target of the whole frontier goes first (paper 000, Section IV-C)."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any

from crawler.learning.link_classifier import LinkClassifier, LinkText
from crawler.learning.url_classifier import Weights
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes, LinkRow, LinkStatus, LinkUpdate, ModelRow
from crawler.state.saved import SavedState
from crawler.strategies.baselines import EVERYTHING
from crawler.strategies.frontier import LINKS_AT_ONCE, waiting_rows
from crawler.strategies.interface import NO_ACTION, Candidate, Selection, Strategy


@dataclass(frozen=True, slots=True)
class _Example:
    """A followed link and what it was."""

    id: int
    link: LinkText
    is_target: bool


class Focused(Strategy):
    """A priority queue by a logistic regression that is trained on every `period` followed links.

    After a training all waiting links are scored anew; before the first one all are alike, and the
    oldest goes first. The texts of waiting links stay in memory.
    """

    def __init__(self, *, period: int) -> None:
        self._period = period
        self._classifier = LinkClassifier()
        self._trainings = self._saved_trainings = 0
        self._waiting: dict[int, LinkText] = {}
        self._queue: list[tuple[float, int]] = []
        """Minus the score, and the link; out of date after a training."""
        self._outdated = False
        self._followed: tuple[int, LinkText] | None = None
        """The link in work, until its class is known."""
        self._batch: list[_Example] = []
        self._queued: list[LinkUpdate] = []

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the priority queue."""
        texts = [LinkText(link.url, link.anchor, link.depth - 1) for link in links]
        scores = [] if self._outdated else self._classifier.scores(texts)
        for link, text in zip(links, texts, strict=True):
            self._waiting[link.id] = text
            self._queued.append(LinkUpdate(link.id, LinkStatus.FRONTIER, EVERYTHING))
        for link, score in zip(links, scores, strict=False):
            heappush(self._queue, (-score, link.id))

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The likeliest target; of links that are alike the oldest one."""
        if self._outdated:
            self._score_all()
        self._followed = None
        if not self._queue:
            return None
        _, link = heappop(self._queue)
        self._followed = link, self._waiting.pop(link)
        return Selection(link, NO_ACTION)

    def forget_selection(self) -> None:
        """The next answer is not that of a followed link."""
        self._followed = None

    def _score_all(self) -> None:
        self._outdated = False
        self._queue = []
        waiting = list(self._waiting.items())
        for start in range(0, len(waiting), LINKS_AT_ONCE):
            links = waiting[start : start + LINKS_AT_ONCE]
            scores = self._classifier.scores([text for _, text in links])
            self._queue += [(-s, link) for (link, _), s in zip(links, scores, strict=True)]
        heapify(self._queue)

    def learn(self, link: Candidate, url_class: UrlClass) -> None:  # noqa: ARG002
        """An example at no cost: page or target, whatever URL the followed link led to."""
        followed, self._followed = self._followed, None
        if followed is None or url_class is UrlClass.NEITHER:
            return
        self._batch.append(_Example(*followed, url_class is UrlClass.TARGET))
        if len(self._batch) >= self._period:
            for example in self._batch:
                self._classifier.learn(example.link, is_target=example.is_target)
            self._batch = []
            self._trainings += 1
            self._outdated = True

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._queued)
        self._queued = []
        if self._trainings != self._saved_trainings:
            self._saved_trainings = self._trainings
            weights = self._classifier.weights()
            changes.model = ModelRow(
                weights.coefficients, weights.intercept, weights.steps, self._trainings
            )

    def progress(self) -> dict[str, Any]:
        """The link in work and the open batch, by their ids: their texts are in the state."""
        return {
            "followed": self._followed[0] if self._followed else None,
            "batch": [[example.id, example.is_target] for example in self._batch],
        }

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring classifier, queue and examples back."""
        model = state.model()
        if model is not None:
            self._classifier.load(Weights(model.coefficients, model.intercept, model.steps))
            self._trainings = self._saved_trainings = model.trainings
        self._waiting = {row.id: _text(row) for row in waiting_rows(state)}
        self._score_all()
        if progress["followed"] is not None:
            link = int(progress["followed"])
            self._followed = link, _text(state.link(link))
        self._batch = [
            _Example(int(link), _text(state.link(int(link))), bool(is_target))
            for link, is_target in progress["batch"]
        ]


def _text(row: LinkRow) -> LinkText:
    return LinkText(row.url, row.anchor, row.depth - 1)
