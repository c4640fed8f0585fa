"""Strategies that are given the class of every URL in advance: bounds to compare with, lab only."""

from collections.abc import Callable, Sequence

from crawler.pages.mime import UrlClass
from crawler.strategies.interface import Candidate, Placement

Oracle = Callable[[str], UrlClass]
"""The true class of a URL; only a site whose every answer is known can have one."""


def placed_by_truth(oracle: Oracle, links: Sequence[Candidate]) -> list[Placement]:
    """Targets are fetched at once, by the truth instead of a prediction."""
    return [
        Placement.FETCH if oracle(link.url) is UrlClass.TARGET else Placement.QUEUE
        for link in links
    ]
