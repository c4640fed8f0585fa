"""The fleet: one night's requests, shared between the sites without their own budget.

It only writes allotments, which each site's plan reads; it starts no crawl.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import AllottedBy
from crawler.catalog.read.runs import PastRun, past_runs_of_all, requests_so_far
from crawler.catalog.write.allotments import (
    Allotted,
    allot_by_hand,
    allotments,
    forget_allotment,
    write_allotments,
)
from crawler.config.limits import Budget
from crawler.config.schedule import falls_within
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.learning.host_bandit import Arm, Exploration, share, success_rate
from crawler.pipeline.night.night import NightKind
from crawler.pipeline.night.plan import has_own_budget, kind_of_night
from crawler.pipeline.services import open_services
from crawler.state.run import RunKind
from crawler.state.stop import StopReason

RUNS = 10
"""Past runs of each site that its yield is computed from."""
VALID = timedelta(hours=36)
"""How long an allotment lasts: if the fleet stops running, sites fall back to their default."""
NIGHT = timedelta(hours=24)
MIN_REVISIT_REQUESTS = 50
FIRST_REVISIT_SHARE = 0.05
"""Of the requests of its longest run: a revisit looks at few of the pages and files it knows."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one site gets tonight, and why."""

    site: str
    requests: int
    budget_from: str
    """site, hand, fleet or default."""
    reason: str
    good: int = 0
    """New files of its last runs."""
    asked: int = 0
    """Requests of its last runs."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def share_out(sites: Sequence[SiteConfig], settings: Settings, now: datetime) -> list[Share]:
    """Decide the allotments of the coming night, write them, and return all shares."""
    enabled = [site for site in sites if site.enabled]
    with open_services(settings) as services:
        database = services.database
        history = past_runs_of_all(database, RUNS)
        by_hand = {
            allotted.site
            for allotted in allotments(database, now)
            if allotted.allotted_by is AllottedBy.HAND
        }
        free = [site for site in enabled if not has_own_budget(site) and site.name not in by_hand]
        if settings.fleet_requests is None:
            write_allotments(database, [])
        else:
            shared = _allot(free, settings, settings.fleet_requests, database, history, now)
            write_allotments(database, shared)
    return shares(sites, settings, now)


def shares(sites: Sequence[SiteConfig], settings: Settings, now: datetime) -> list[Share]:
    """What every enabled site may spend tonight, by name."""
    with open_services(settings) as services:
        allotted = {each.site: each for each in allotments(services.database, now)}
        history = past_runs_of_all(services.database, RUNS)
    listed = []
    for site in sorted((site for site in sites if site.enabled), key=lambda site: site.name):
        good, asked = _yield_of(history.get(site.name, []))
        if has_own_budget(site):
            budget = site.budget.requests, "site", "its site file sets it"
        elif (own := allotted.get(site.name)) is not None:
            budget = own.requests, own.allotted_by.value, own.reason
        else:
            budget = site.budget.requests, "default", "there is no other budget"
        listed.append(Share(site.name, *budget, good, asked))
    return listed


def set_by_hand(settings: Settings, site: str, requests: int, now: datetime) -> None:
    """Give a site this many requests a night until `forget`; the fleet leaves it alone."""
    with open_services(settings) as services:
        reason = "it was set by hand"
        allot_by_hand(services.database, Allotted(site, requests, AllottedBy.HAND, reason, now))


def forget(settings: Settings, site: str) -> bool:
    """Take an allotment away; False when there was none."""
    with open_services(settings) as services:
        return forget_allotment(services.database, site)


def _allot(
    sites: Sequence[SiteConfig],
    settings: Settings,
    requests: int,
    database: Database,
    history: dict[str, list[PastRun]],
    now: datetime,
) -> list[Allotted]:
    arms = [_arm(site, history.get(site.name, []), now) for site in sites]
    exploration = Exploration(
        settings.fleet_lambda,
        settings.fleet_decay,
        requests_so_far(database, (site.name for site in sites)),
    )
    dealt = share(
        arms,
        requests,
        score=settings.fleet_score,
        exploration=exploration,
        seed=f"{settings.fleet_seed} {now.astimezone(UTC):%Y-%m-%d}",
    )
    return [
        Allotted(
            site=arm.name,
            requests=dealt[arm.name],
            allotted_by=AllottedBy.FLEET,
            reason=_reason(arm, settings, exploration),
            decided_at=now,
            expires_at=now + VALID,
        )
        for arm in arms
        if arm.max_requests > 0
    ]


def _arm(site: SiteConfig, runs: Sequence[PastRun], now: datetime) -> Arm:
    good, asked = _yield_of(runs)
    best = runs[0].best_reward if runs else 1.0
    return Arm(
        name=site.name,
        good=good,
        bad=max(0, asked - good),
        best=best / (1 + best) if runs else 1.0,
        max_requests=_max_requests(site, runs, now),
    )


def _max_requests(site: SiteConfig, runs: Sequence[PastRun], now: datetime) -> int:
    """Requests the site can use tonight: none if it is not due, else what its delay allows."""
    kind, _ = kind_of_night(site, runs, "", now)
    once_is_over = site.schedule == "@once" and kind is not NightKind.FIRST
    if not kind.crawls or once_is_over or not falls_within(site.schedule, now, NIGHT):
        return 0
    most = Budget().requests
    if kind is NightKind.REVISIT and _is_complete(runs[0]):
        most = min(most, _revisit_requests(runs))
    if not site.politeness.delay:
        return most
    return min(most, int(site.budget.minutes * 60 / site.politeness.delay))


def _revisit_requests(runs: Sequence[PastRun]) -> int:
    """What a revisit may need: twice the last ones, or a share of the crawl before the first."""
    revisits = [run.requests for run in runs if run.kind == RunKind.REVISIT]
    if revisits:
        return MIN_REVISIT_REQUESTS + 2 * max(revisits)
    return MIN_REVISIT_REQUESTS + int(FIRST_REVISIT_SHARE * max(run.requests for run in runs))


def _is_complete(run: PastRun) -> bool:
    return run.stop_reason in set(StopReason) and StopReason(run.stop_reason).complete


def _yield_of(runs: Sequence[PastRun]) -> tuple[int, int]:
    return sum(run.new_versions for run in runs), sum(run.requests for run in runs)


def _reason(arm: Arm, settings: Settings, exploration: Exploration) -> str:
    random_share = f"{exploration.at(0):.0%} of the fleet's requests go to sites at random"
    if not arm.good and not arm.bad:
        return f"it was never crawled; {random_share}"
    history = f"{arm.good:,} new files in {arm.good + arm.bad:,} requests"
    rate = f"success rate {success_rate(arm):.3g}"
    return f"{history} ({rate}), ranked by {settings.fleet_score.value}; {random_share}"
