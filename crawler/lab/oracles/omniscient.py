"""`omniscient`: knows all targets from the start, fetches nothing else (paper 000, IV-C (iv))."""

from collections.abc import Sequence
from typing import Any

from crawler.lab.oracles import Oracle
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes
from crawler.state.saved import SavedState
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, Selection


class Omniscient:
    """The unreachable upper bound: one request per target.

    The lab gives it the targets as further start pages, which the engine fetches one after the
    other. Of the start page it takes the targets too, and no other link.
    """

    opinion = 0

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Targets are fetched at once."""
        return [
            Placement.FETCH if self._oracle(link.url) is UrlClass.TARGET else Placement.QUEUE
            for link in links
        ]

    def queue(self, links: Sequence[Candidate]) -> None:
        """Who knows all targets needs no page."""

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """Nothing is left besides the targets."""
        return None

    def forget_selection(self) -> None:
        """It does not remember it."""

    def adopt(self, link: Candidate) -> int:  # noqa: ARG002
        """There are no actions."""
        return NO_ACTION

    def reward(self, action: int, reward: int) -> None:
        """There is nothing to learn."""

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """There is nothing to learn."""

    def head_refused(self) -> None:
        """It never asks."""

    def save(self, changes: Changes) -> None:
        """It remembers nothing."""

    def progress(self) -> dict[str, Any]:
        """It remembers nothing."""
        return {}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """It remembers nothing."""
