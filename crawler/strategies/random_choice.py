"""`random`: the next link is drawn uniformly from the whole frontier."""

from typing import Any

from crawler.state.saved import SavedState
from crawler.strategies.baselines import EVERYTHING, Baseline
from crawler.strategies.generator import Generator
from crawler.strategies.interface import NO_ACTION, Selection


class RandomChoice(Baseline):
    """Paper 000, Section IV-C (i)."""

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
