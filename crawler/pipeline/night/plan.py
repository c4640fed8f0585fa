"""The plan of a night: a first acquisition, one that goes on, one more, or nothing."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from crawler.catalog.db.database import Database
from crawler.catalog.db.night_tables import AllottedBy
from crawler.catalog.read.run_history import KnownSite, PastRun, known_sites, past_runs
from crawler.catalog.write.allotments import allotment_of
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.stop import StopReason
from crawler.pipeline.crawl.run_record import new_run_id
from crawler.pipeline.night.night import NO_WISH, BudgetFrom, ByHand, Night, NightKind, night_key
from crawler.pipeline.report.wording import stop_sentence
from crawler.pipeline.services import open_services

CLOCKS_DIFFER_BY = timedelta(hours=1)
"""Between machines; a date that is further ahead is no date."""

SAME_NIGHT = timedelta(hours=20)
"""A run that broke off goes on with what is left of its budget, unless it is from another night."""


def plan(
    site: SiteConfig,
    settings: Settings,
    now: datetime,
    *,
    key: str = "",
    wish: ByHand = NO_WISH,
    configured: Collection[str] = (),
) -> Night:
    """What tonight is for this site; `configured` names all sites that have a file.

    The catalog is asked, not the crawl state: another machine may have crawled last.
    """
    with open_services(settings) as services:
        database = services.database
        every = past_runs(database, site.name)
        known = known_sites(database)
        requests, budget_from = _budget(site, database, now, wish)
    runs = [run for run in every if not _is_ahead(run, now)]
    before = next((other.start_url for other in known if other.name == site.name), "")
    kind, reason = kind_of_night(site, runs, before, now, fresh=wish.fresh)
    if not runs and every:
        kind, reason = (
            NightKind.AGAIN,
            "all its runs are dated in the future, so it is crawled anew",
        )
    if kind.crawls and not requests:
        kind, reason = NightKind.NOTHING, "no requests were allotted to it tonight"
    last = runs[0] if runs else None
    run_id = new_run_id(now)
    if kind is NightKind.CONTINUE and last is not None and _same_run(last, now):
        run_id = last.id
    return Night(
        site=site.name,
        kind=kind,
        key=key or night_key(now),
        run_id=run_id,
        requests=requests,
        budget_from=budget_from,
        reason=reason,
        notes=(*_clock_notes(every, now), *_notes(site, known, configured)),
        strategy=wish.strategy,
    )


def kind_of_night(
    site: SiteConfig,
    runs: Sequence[PastRun],
    start_url: str,
    now: datetime,
    *,
    fresh: bool = False,
) -> tuple[NightKind, str]:
    """What is to be done after these runs, the newest first, that began at this start page."""
    if not runs:
        return NightKind.FIRST, "it was never crawled, so this is its first acquisition"
    last = runs[0]
    if fresh:
        return NightKind.AGAIN, "somebody wants it crawled afresh"
    if start_url and start_url != site.start_url:
        return NightKind.AGAIN, (
            f"it started at {start_url} and now starts at {site.start_url}, so it is crawled "
            "afresh; files and history stay"
        )
    reason = StopReason(last.stop_reason) if last.stop_reason in set(StopReason) else None
    if last.ended_at is None or reason is None:
        return NightKind.CONTINUE, "its last run broke off, so it goes on"
    if not reason.complete:
        return NightKind.CONTINUE, f"it goes on: {stop_sentence(reason).partition(';')[0]}"
    every = timedelta(days=site.revisit.every_days)
    if now - last.ended_at >= every:
        return NightKind.AGAIN, (
            f"it was complete on {last.ended_at:%-d %B %Y} and is crawled afresh every "
            f"{site.revisit.every_days:g} days"
        )
    again = last.ended_at + every
    return NightKind.NOTHING, (
        f"it is complete since {last.ended_at:%-d %B %Y}; it is crawled afresh from "
        f"{again:%-d %B %Y} on"
    )


def _is_ahead(run: PastRun, now: datetime) -> bool:
    """Whether a run is dated in the future: a clock was wrong, and its dates say nothing."""
    return max(run.started_at, run.ended_at or run.started_at) > now + CLOCKS_DIFFER_BY


def _clock_notes(runs: Sequence[PastRun], now: datetime) -> list[str]:
    ahead = [run for run in runs if _is_ahead(run, now)]
    if not ahead:
        return []
    return [
        f"{len(ahead)} of its runs are dated in the future, up to {ahead[0].started_at:%-d %B %Y}: "
        "a clock was wrong, and they are not counted when the next visit is planned"
    ]


def _same_run(last: PastRun, now: datetime) -> bool:
    ended = last.stop_reason in set(StopReason) and StopReason(last.stop_reason).ends_run
    return not ended and now - last.started_at < SAME_NIGHT


def _budget(
    site: SiteConfig, database: Database, now: datetime, wish: ByHand
) -> tuple[int, BudgetFrom]:
    if wish.requests is not None:
        return wish.requests, BudgetFrom.HAND
    if has_own_budget(site):
        return site.budget.requests, BudgetFrom.SITE
    allotted = allotment_of(database, site.name, now)
    if allotted is None:
        return site.budget.requests, BudgetFrom.DEFAULT
    by_hand = allotted.allotted_by is AllottedBy.HAND
    return allotted.requests, BudgetFrom.HAND if by_hand else BudgetFrom.FLEET


def has_own_budget(site: SiteConfig) -> bool:
    """Whether the site file says how many requests a night may make."""
    return "requests" in site.budget.model_fields_set


def _notes(site: SiteConfig, known: Sequence[KnownSite], configured: Collection[str]) -> list[str]:
    if any(other.name == site.name for other in known):
        return []
    return [
        f"{other.name} had the same start page and has no site file any more: this looks like the "
        f"same site under a new name; the files of {other.name} stay under that name"
        for other in known
        if other.start_url == site.start_url and other.name not in configured
    ]
