"""`sb-oracle`: the sleeping bandit with perfect knowledge of URL classes (paper 000, IV-E)."""

from collections.abc import Sequence

from crawler.config.strategy import ActionIndex
from crawler.lab.oracles import Oracle
from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement
from crawler.strategies.sleeping_bandit import SleepingBanditStrategy


class SleepingBanditWithOracle(SleepingBanditStrategy):
    """SB-ORACLE: an oracle stands where SB-CLASSIFIER has its URL classifier, all else is the same.

    It never asks with HEAD, and what is neither page nor target is not requested at all.
    """

    opinion = 0

    def __init__(
        self,
        oracle: Oracle,
        *,
        n: int,
        theta: float,
        alpha: float,
        m: int,
        w: int,
        max_actions: int,
        seed: int,
        index: ActionIndex = ActionIndex.EXACT,
    ) -> None:
        super().__init__(
            n=n,
            theta=theta,
            alpha=alpha,
            m=m,
            w=w,
            b=1,
            max_actions=max_actions,
            seed=seed,
            index=index,
        )
        self._oracle = oracle

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Targets are fetched at once, by the truth instead of a prediction."""
        return [
            Placement.FETCH if self._oracle(link.url) is UrlClass.TARGET else Placement.QUEUE
            for link in links
        ]

    def queue(self, links: Sequence[Candidate]) -> None:
        """Pages join the action of their tag path; what is neither is left where it is."""
        super().queue([link for link in links if self._oracle(link.url) is UrlClass.HTML])

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """An oracle has nothing to learn."""

    def head_refused(self) -> None:
        """An oracle never asks."""
