"""`bfs`: the frontier is a queue."""

from collections import deque
from collections.abc import Sequence
from typing import Any

from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.strategies.baselines import EVERYTHING, Baseline
from crawler.strategies.interface import NO_ACTION, Candidate, Selection


class BreadthFirst(Baseline):
    """Paper 000, Section IV-C (ii). The ids of links grow as they are found, so no slots."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[int] = deque()
        self._queued: list[LinkUpdate] = []

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page to the end of the queue."""
        for link in links:
            self._waiting.append(link.id)
            self._queued.append(LinkUpdate(link.id, LinkStatus.FRONTIER, EVERYTHING))

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The link that was found first."""
        return Selection(self._waiting.popleft(), NO_ACTION) if self._waiting else None

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._queued)
        self._queued = []

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:  # noqa: ARG002
        """Bring the queue back."""
        self._waiting.extend(link for link, _ in state.frontier())
