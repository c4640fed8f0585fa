"""The fleet: one night's requests, shared between the sites without their own budget.

It only writes allotments, which each site's plan reads; it starts no crawl.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from crawler.catalog.db.models import AllottedBy
from crawler.catalog.read.runs import PastRun, past_runs_of_all
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
from crawler.learning.fleet_share import Arm, Fairness, Portion, Visit, decayed, evidence, share
from crawler.learning.group_bandit import Exploration, success_rate
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms
from crawler.pipeline.night.night import NightKind
from crawler.pipeline.night.plan import has_own_budget, in_use_since, kind_of_night, used_since
from crawler.pipeline.night.yield_alarm import is_complete
from crawler.pipeline.services import open_services
from crawler.state.run import RunKind

RUNS = 10
"""Past runs of each site that its yield is computed from."""
VALID = timedelta(hours=36)
"""How long an allotment lasts: if the fleet stops running, sites fall back to their default."""
NIGHT = timedelta(hours=24)
MIN_REVISIT_REQUESTS = 50
FIRST_REVISIT_SHARE = 0.05
"""Of the requests of its longest run: a revisit looks at few of the pages and files it knows."""
NAMED = 10
"""Starved sites that an alarm names."""


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
    used: int = 0
    """Of the allotment, by runs of this night."""


def share_out(sites: Sequence[SiteConfig], settings: Settings, now: datetime) -> list[Share]:
    """Decide the allotments of the coming night, write them, and return all shares."""
    enabled = [site for site in sites if site.enabled]
    with open_services(settings) as services:
        database = services.database
        history = past_runs_of_all(database, RUNS)
        before = {allotted.site: allotted for allotted in allotments(database, now)}
        by_hand = {name for name, each in before.items() if each.allotted_by is AllottedBy.HAND}
        free = [site for site in enabled if not has_own_budget(site) and site.name not in by_hand]
        shared: list[Allotted] = []
        alarms: list[Alarm] = []
        if settings.fleet_requests is not None:
            shared, alarms = _allot(free, settings, settings.fleet_requests, history, before, now)
        write_allotments(database, shared)
    send_alarms(settings, alarms)
    return shares(sites, settings, now)


def shares(sites: Sequence[SiteConfig], settings: Settings, now: datetime) -> list[Share]:
    """What every enabled site may spend tonight, by name."""
    with open_services(settings) as services:
        allotted = {each.site: each for each in allotments(services.database, now)}
        history = past_runs_of_all(services.database, RUNS)
    listed = []
    for site in sorted((site for site in sites if site.enabled), key=lambda site: site.name):
        runs, used = history.get(site.name, []), 0
        good, asked = _yield_of(runs)
        if has_own_budget(site):
            budget = site.budget.requests, "site", "its site file sets it"
        elif (own := allotted.get(site.name)) is not None:
            budget = own.requests, own.allotted_by.value, own.reason
            used = min(own.requests, used_since(in_use_since(own, now), runs))
        else:
            budget = site.budget.requests, "default", "there is no other budget"
        listed.append(Share(site.name, *budget, good, asked, used))
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
    history: Mapping[str, Sequence[PastRun]],
    before: Mapping[str, Allotted],
    now: datetime,
) -> tuple[list[Allotted], list[Alarm]]:
    arms = [_arm(site, history.get(site.name, []), settings.fleet_half_life, now) for site in sites]
    exploration = Exploration(settings.fleet_lambda, settings.fleet_decay)
    requests_before = sum(
        decayed(visit.requests, visit.days_ago, settings.fleet_half_life)
        for site in sites
        for visit in _visits(history.get(site.name, []), now)
    )
    portions = share(
        arms,
        requests,
        score=settings.fleet_score,
        exploration=exploration,
        fairness=Fairness(settings.fleet_floor, settings.fleet_first),
        requests_before=requests_before,
        seed=f"{settings.fleet_seed} {_date(now)}",
    )
    at_random = exploration.at(requests_before)
    allotted = []
    for arm in arms:
        if arm.max_requests <= 0:
            continue
        # Sharing once more in the same night must not give back what was spent already.
        known = before.get(arm.name)
        decided_at = known.decided_at if known and _date(known.decided_at) == _date(now) else now
        allotted.append(
            Allotted(
                site=arm.name,
                requests=portions[arm.name].requests,
                allotted_by=AllottedBy.FLEET,
                reason=_reason(arm, portions[arm.name], settings, at_random),
                decided_at=decided_at,
                expires_at=now + VALID,
            )
        )
    due = {each.site: portions[each.site] for each in allotted}
    return allotted, _alarms(due, requests)


def _date(at: datetime) -> str:
    """The night that a time belongs to."""
    return f"{at.astimezone(UTC):%Y-%m-%d}"


def _alarms(portions: Mapping[str, Portion], requests: int) -> list[Alarm]:
    """One for all sites that get less than their floor, or than a revisit of them takes."""
    starved = sorted(name for name, portion in portions.items() if portion.is_starved)
    if not starved:
        return []
    missing = sum(max(p.floor, p.need, 1) - p.requests for p in map(portions.get, starved) if p)
    more = f" and {len(starved) - NAMED} others" if len(starved) > NAMED else ""
    sentence = (
        f"{len(starved)} of {len(portions)} sites get fewer requests tonight than their floor or "
        f"than a revisit takes: {', '.join(starved[:NAMED])}{more}; TALLYHO_FLEET_REQUESTS is "
        f"{requests:,}, and {missing:,} are missing"
    )
    return [Alarm(AlarmKind.STARVED, "", sentence)]


def _visits(runs: Sequence[PastRun], now: datetime) -> list[Visit]:
    return [
        Visit(
            (now - (run.ended_at or run.started_at)) / timedelta(days=1),
            run.requests,
            run.new_versions,
        )
        for run in runs
    ]


def _arm(site: SiteConfig, runs: Sequence[PastRun], half_life: float, now: datetime) -> Arm:
    good, bad = evidence(_visits(runs, now), half_life)
    best = runs[0].best_reward if runs else 1.0
    return Arm(
        name=site.name,
        good=good,
        bad=bad,
        best=best / (1 + best) if runs else 1.0,
        max_requests=_max_requests(site, runs, now),
        need=_revisit_need(runs),
        is_new=not runs,
    )


def _max_requests(site: SiteConfig, runs: Sequence[PastRun], now: datetime) -> int:
    """Requests the site can use tonight: none if it is not due, else what its delay allows."""
    kind, _ = kind_of_night(site, runs, "", now)
    once_is_over = site.schedule == "@once" and kind is not NightKind.FIRST
    if not kind.crawls or once_is_over or not falls_within(site.schedule, now, NIGHT):
        return 0
    most = Budget().requests
    if kind is NightKind.REVISIT and is_complete(runs[0]):
        most = min(most, MIN_REVISIT_REQUESTS + 2 * _revisit_need(runs))
    if not site.politeness.delay:
        return most
    return min(most, int(site.budget.minutes * 60 / site.politeness.delay))


def _revisit_need(runs: Sequence[PastRun]) -> int:
    """What a revisit of a complete site takes: as the last ones, else a share of its crawl."""
    # A revisit that ended with its budget says nothing: it may have needed more.
    revisits = [run for run in runs if run.kind == RunKind.REVISIT and is_complete(run)]
    if revisits:
        return max(run.requests for run in revisits)
    if not runs or not is_complete(runs[0]):
        return 0
    return int(FIRST_REVISIT_SHARE * max(run.requests for run in runs))


def _yield_of(runs: Sequence[PastRun]) -> tuple[int, int]:
    return sum(run.new_versions for run in runs), sum(run.requests for run in runs)


def _reason(arm: Arm, portion: Portion, settings: Settings, at_random: float) -> str:
    parts = [f"{portion.floor:,} for every site"] if portion.floor else []
    if portion.need > portion.floor:
        parts.append(f"{min(portion.need, portion.requests):,} for its revisit")
    reserved = f"; {', '.join(parts)}" if parts else ""
    if arm.is_new:
        return f"it was never crawled{reserved}"
    rate = f"success rate {success_rate(arm.good, arm.bad):.3g}"
    return f"ranked by {settings.fleet_score.value} ({rate}), {at_random:.0%} at random{reserved}"
