"""What the three simple baselines share: every link goes to one frontier, nothing is learned."""

from collections.abc import Sequence
from typing import Any

from crawler.pages.mime import UrlClass
from crawler.state.records import Changes
from crawler.state.saved import SavedState
from crawler.strategies.frontier import Frontier
from crawler.strategies.interface import NO_ACTION, Candidate, Placement

EVERYTHING = 0
"""The one group of the frontier."""


class Baseline:
    """Queues every link and learns nothing (paper 000, Section IV-C)."""

    opinion = 0

    def __init__(self) -> None:
        self._frontier = Frontier()

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """All links go to the frontier: a baseline does not guess classes."""
        return [Placement.QUEUE] * len(links)

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the frontier."""
        for link in links:
            self._frontier.add(link.id, EVERYTHING)

    def forget_selection(self) -> None:
        """A baseline does not remember it."""

    def adopt(self, link: Candidate) -> int:  # noqa: ARG002
        """A baseline has no actions."""
        return NO_ACTION

    def reward(self, action: int, reward: int) -> None:
        """A baseline does not learn."""

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """A baseline does not learn."""

    def head_refused(self) -> None:
        """A baseline never asks."""

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._frontier.take_updates())

    def progress(self) -> dict[str, Any]:
        """Nothing but the frontier."""
        return {}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:  # noqa: ARG002
        """Bring the frontier back."""
        self._frontier.load(state.frontier())
