"""Scores that flow back along the crawl graph (paper 004, Section 5.3, Equation 17)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Followed:
    """A link that was followed, in the crawl graph."""

    page: int
    """The page that showed it."""
    led_to: int
    """The page that it led to; 0 when that was none."""
    score: float
    """What the critic says of what it led to."""


def reinforced(links: Sequence[Followed]) -> list[float]:
    """Each score replaced by the mean of those of the followed links on the page it led to.

    The links stand in the order in which they were followed; the last ones are taken first, so
    that what is found deep down reaches the links that led there. A link without any keeps its
    own score.
    """
    below: dict[int, list[float]] = defaultdict(list)
    scores = [link.score for link in links]
    for at in range(len(links) - 1, -1, -1):
        link = links[at]
        found = below.pop(link.led_to, None) if link.led_to else None
        if found:
            scores[at] = sum(found) / len(found)
        below[link.page].append(scores[at])
    return scores
