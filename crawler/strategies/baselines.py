"""`bfs`, `dfs` and `random`: every link goes to one frontier, and nothing is learned."""

from collections import deque
from collections.abc import Sequence
from typing import Any

from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.strategies.frontier import Frontier
from crawler.strategies.generator import Generator
from crawler.strategies.interface import NO_ACTION, Candidate, Selection, Strategy

EVERYTHING = 0
"""The one group of the frontier."""


class Baseline(Strategy):
    """Queues every link and learns nothing (paper 000, Section IV-C)."""

    def __init__(self) -> None:
        self._frontier = Frontier()

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the frontier."""
        for link in links:
            self._frontier.add(link.id, EVERYTHING)

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._frontier.take_updates())

    def progress(self) -> dict[str, Any]:
        """Nothing but the frontier."""
        return {}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:  # noqa: ARG002
        """Bring the frontier back."""
        self._frontier.load(state.frontier())


class BreadthFirst(Strategy):
    """`bfs`: the frontier is a queue (paper 000, Section IV-C (ii)).

    The slots of links grow, so that the queue comes back in its order; a link may be queued later
    than one that became known after it.
    """

    def __init__(self) -> None:
        self._waiting: deque[int] = deque()
        self._queued: list[LinkUpdate] = []
        self._next_slot = 0

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page to the end of the queue."""
        for link in links:
            self._waiting.append(link.id)
            slot, self._next_slot = self._next_slot, self._next_slot + 1
            self._queued.append(LinkUpdate(link.id, LinkStatus.FRONTIER, EVERYTHING, slot))

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The oldest link."""
        return Selection(self._waiting.popleft(), NO_ACTION) if self._waiting else None

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._queued)
        self._queued = []

    def progress(self) -> dict[str, Any]:
        """The next slot."""
        return {"next_slot": self._next_slot}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring the queue back; earlier versions gave no slots, and their links go first."""
        self._next_slot = progress.get("next_slot", 0)
        self._waiting.extend(link for link, _ in state.frontier())


class DepthFirst(Baseline):
    """`dfs`: the frontier is a stack (paper 000, Section IV-C (iii))."""

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The newest link."""
        waiting = self._frontier.count(EVERYTHING)
        if not waiting:
            return None
        return Selection(self._frontier.take(EVERYTHING, waiting - 1), NO_ACTION)


class RandomChoice(Baseline):
    """`random`: any link of the frontier, drawn uniformly (paper 000, Section IV-C (i))."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._generator = Generator(seed)

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """Any link of the frontier."""
        waiting = self._frontier.count(EVERYTHING)
        if not waiting:
            return None
        slot = self._generator.below(waiting)
        return Selection(self._frontier.take(EVERYTHING, slot), NO_ACTION)

    def progress(self) -> dict[str, Any]:
        """The generator's state."""
        return {"generator": self._generator.save()}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring frontier and generator back."""
        super().load(state, progress)
        self._generator.load(progress["generator"])
