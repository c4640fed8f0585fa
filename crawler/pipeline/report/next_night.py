"""What the next revisit of a site will look at, and why: planned, and not written anywhere."""

from collections import Counter
from dataclasses import dataclass

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.revisit import planned_visits
from crawler.pipeline.report.newest_state import newest_state
from crawler.state.history_records import VisitKind

MAX_SHOWN = 10


@dataclass(frozen=True, slots=True)
class NextVisit:
    """A known page, sitemap, feed or file that will be asked for."""

    url: str
    kind: VisitKind
    reason: str
    """The rule that chose it."""


@dataclass(frozen=True, slots=True)
class NextNight:
    """The plan of a night that would start now."""

    counts: dict[str, int]
    """Visits by kind: page, file, signal."""
    reasons: dict[str, int]
    """Visits by the rule that chose them, the most frequent first."""
    first: tuple[NextVisit, ...]
    """The first of each kind."""


def next_night(site: SiteConfig, settings: Settings, now: float) -> NextNight | None:
    """The plan of the next revisit; None when nothing is known of the site."""
    with newest_state(settings, site.name) as state:
        if state is None or not state.progress():
            return None
        visits = planned_visits(state, site.revisit, now, site.seed)
        shown: list[NextVisit] = []
        for kind in VisitKind:
            some = [visit for visit in visits if visit.kind is kind][:MAX_SHOWN]
            shown += [NextVisit(state.link(one.link).url, kind, one.reason) for one in some]
    return NextNight(
        counts=dict(Counter(visit.kind.value for visit in visits)),
        reasons=dict(Counter(visit.reason for visit in visits).most_common()),
        first=tuple(shown),
    )
