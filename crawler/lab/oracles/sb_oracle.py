"""`sb-oracle`: the sleeping bandit with perfect knowledge of URL classes (paper 000, IV-E)."""

from collections.abc import Sequence
from typing import Any

from crawler.lab.oracles import Oracle, placed_by_truth
from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement
from crawler.strategies.sleeping_bandit import SleepingBanditStrategy


class SleepingBanditWithOracle(SleepingBanditStrategy):
    """SB-ORACLE: an oracle stands where SB-CLASSIFIER has its URL classifier, all else is the same.

    It never asks with HEAD, and what is neither page nor target is not requested at all.
    """

    opinion = 0

    def __init__(self, oracle: Oracle, **parameters: Any) -> None:
        """The parameters are those of `sb`, without the batches of its classifier."""
        super().__init__(**parameters, b=1)
        self._oracle = oracle

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Targets are fetched at once, by the truth instead of a prediction."""
        return placed_by_truth(self._oracle, links)

    def queue(self, links: Sequence[Candidate]) -> None:
        """Pages join the action of their tag path; what is neither is left where it is."""
        super().queue([link for link in links if self._oracle(link.url) is UrlClass.HTML])

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """An oracle has nothing to learn."""

    def head_refused(self) -> None:
        """An oracle never asks."""
