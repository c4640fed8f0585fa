"""`omniscient`: knows all targets from the start, fetches nothing else (paper 000, IV-C (iv))."""

from collections.abc import Sequence

from crawler.lab.oracles import Oracle, placed_by_truth
from crawler.strategies.baselines import Baseline
from crawler.strategies.interface import Candidate, Placement, Selection


class Omniscient(Baseline):
    """The unreachable upper bound: one request per target.

    The lab gives it the targets as further start pages, which the engine fetches one after the
    other. Of the start page it takes the targets too, and no other link.
    """

    def __init__(self, oracle: Oracle) -> None:
        super().__init__()
        self._oracle = oracle

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Targets are fetched at once."""
        return placed_by_truth(self._oracle, links)

    def queue(self, links: Sequence[Candidate]) -> None:
        """Knows all targets, so no page is needed."""

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """Nothing is left besides the targets."""
        return None
