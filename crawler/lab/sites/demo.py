"""The demo site: the statistics office of a country that does not exist."""

from dataclasses import replace
from datetime import date

from crawler.lab.sites.calendar import FIRST_DAY
from crawler.lab.sites.habits import Habits
from crawler.lab.sites.kinds import DEMO, DEMO_IDS
from crawler.lab.sites.site import SyntheticSite

DEMO_BASE = "http://127.0.0.1:8350"


def demo_site(
    pages: int = 600,
    seed: int = 1,
    base: str = DEMO_BASE,
    *,
    unique_ids: bool = False,
    habits: Habits | None = None,
    first_day: date = FIRST_DAY,
) -> SyntheticSite:
    """The demo site with about this many HTML pages; the same seed gives the same bytes."""
    kind = DEMO_IDS if unique_ids else DEMO
    if habits is not None:
        kind = replace(kind, habits=habits)
    in_all = round(pages / (1 - kind.profile.density))
    name = f"{kind.name}-{pages}-{seed}"
    return SyntheticSite(kind, in_all, seed, base, name=name, first_day=first_day)
