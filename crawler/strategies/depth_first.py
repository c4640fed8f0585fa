"""`dfs`: the frontier is a stack."""

from crawler.strategies.baselines import EVERYTHING, Baseline
from crawler.strategies.interface import NO_ACTION, Selection


class DepthFirst(Baseline):
    """Paper 000, Section IV-C (iii)."""

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The link that was found last."""
        waiting = self._frontier.count(EVERYTHING)
        if not waiting:
            return None
        return Selection(self._frontier.take(EVERYTHING, waiting - 1), NO_ACTION)
