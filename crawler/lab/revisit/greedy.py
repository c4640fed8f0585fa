"""GREEDY: the pages that lead to the most new files, with foreknowledge (paper 003, 5.3).

No crawler can know it. It is the bound that others are compared with.
"""

from crawler.config.revisit import amount_of
from crawler.lab.revisit.simulated_crawl import SimulatedCrawl
from crawler.revisit.cover import greedy_cover
from crawler.revisit.night_plan import NightPlan, PageReason, PlannedPage
from crawler.revisit.planner_state import PlannerState


def foreknown_plan(crawl: SimulatedCrawl, night: int, amount: float | int) -> NightPlan:
    """The greedy cover of all new files that known pages lead to on a night."""
    gains = _gains(crawl, night)
    budget = amount_of(amount, len(crawl.known_pages))
    pages = tuple(
        PlannedPage(row, PageReason.COVER, float(gain)) for row, gain in greedy_cover(gains, budget)
    )
    return NightPlan(float(night), "greedy", pages, (), PlannerState())


def _gains(crawl: SimulatedCrawl, night: int) -> dict[int, frozenset[str]]:
    """For each known page the new files on it, and on the new pages behind it."""
    site = crawl.site
    existing = site.existing(night)
    files = site.files(night)
    gains: dict[int, frozenset[str]] = {}
    for row, page in enumerate(crawl.known_pages):
        if page not in existing:
            continue
        seen: set[str] = set()
        waiting = [page]
        while waiting:
            for link in site.links(night, waiting.pop()):
                if link not in seen and not crawl.is_known(link):
                    seen.add(link)
                    if link in existing:
                        waiting.append(link)
        if seen:
            gains[row] = frozenset(link for link in seen if link in files)
    return gains
