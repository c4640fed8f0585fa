"""The plan of a night: a first acquisition, one that is resumed, one more, or nothing."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import AllottedBy
from crawler.catalog.read.runs import KnownSite, PastRun, known_sites, past_runs
from crawler.catalog.write.allotments import Allotted, allotment_of
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.night.night import AS_PLANNED, BudgetFrom, ByHand, Night, NightKind, night_key
from crawler.pipeline.report.wording import stop_reason_of, stop_sentence
from crawler.pipeline.services import open_services
from crawler.state.run import RunKind, new_run_id

CLOCKS_DIFFER_BY = timedelta(hours=1)
"""Between machines; a date that is further ahead is no date."""
_RUNS_TO_PLAN = 400
"""More than a year of nights: a full crawl may be that long ago."""

SAME_NIGHT = timedelta(hours=20)
"""A run that broke off is resumed with the rest of its budget, unless it is older than this."""


def plan(
    site: SiteConfig,
    settings: Settings,
    now: datetime,
    *,
    key: str = "",
    by_hand: ByHand = AS_PLANNED,
    configured: Collection[str] = (),
) -> Night:
    """What to do tonight for this site; `configured` names all sites that have a file.

    The plan reads the catalog, not the crawl state: another machine may have crawled last.
    """
    with open_services(settings) as services:
        database = services.database
        every = past_runs(database, site.name, limit=_RUNS_TO_PLAN)
        known = known_sites(database)
        requests, budget_from, since = _budget(site, database, now, by_hand)
    runs = [run for run in every if not _is_ahead(run, now)]
    before = next((other.start_url for other in known if other.name == site.name), "")
    kind, reason = kind_of_night(site, runs, before, now, fresh=by_hand.fresh)
    if not runs and every:
        kind, reason = (
            NightKind.AGAIN,
            "all its runs are dated in the future, so it is crawled again",
        )
    last = runs[0] if runs else None
    run_id = new_run_id(now)
    resumes = kind in (NightKind.CONTINUE, NightKind.REVISIT)
    if resumes and last is not None and _same_run(last, now):
        run_id = last.id
    used = used_since(since, [run for run in runs if run.id != run_id])
    if kind.crawls and used >= requests:
        kind = NightKind.NOTHING
        reason = (
            f"its allotment of {requests:,} requests is used up"
            if requests
            else "no requests were allotted to it tonight"
        )
    return Night(
        site=site.name,
        kind=kind,
        key=key or night_key(now),
        run_id=run_id,
        requests=max(0, requests - used),
        budget_from=budget_from,
        reason=reason,
        notes=(*_clock_notes(every, now), *_notes(site, known, configured)),
        strategy=by_hand.strategy,
        start_url=site.start_url,
    )


def kind_of_night(
    site: SiteConfig,
    runs: Sequence[PastRun],
    start_url: str,
    now: datetime,
    *,
    fresh: bool = False,
) -> tuple[NightKind, str]:
    """What to do after these runs, the newest first, which started at this page."""
    if not runs:
        return NightKind.FIRST, "it was never crawled, so this is its first acquisition"
    last = runs[0]
    if fresh:
        return NightKind.AGAIN, "it was started by hand, to crawl from the start again"
    if start_url and start_url != site.start_url:
        return NightKind.AGAIN, (
            f"it started at {start_url} and now starts at {site.start_url}, so it is crawled "
            "again; files and history stay"
        )
    reason = stop_reason_of(last.stop_reason)
    unfinished = NightKind.REVISIT if last.kind == RunKind.REVISIT else NightKind.CONTINUE
    if last.ended_at is None or reason is None:
        return unfinished, "its last run broke off and is resumed"
    if not reason.ends_run:
        return unfinished, f"it is resumed: {stop_sentence(reason).partition(';')[0]}"
    if not reason.complete:
        return NightKind.REVISIT, (
            "what is known of it is revisited, then its acquisition is resumed: "
            f"{stop_sentence(reason).partition(';')[0]}"
        )
    days = site.revisit.full_every_days
    crawled = _last_full_crawl(runs)
    if days is not None and crawled is not None and now - crawled >= timedelta(days=days):
        return NightKind.AGAIN, (
            f"it was crawled from the start until {crawled:%-d %B %Y}, and is again every "
            f"{days:g} days"
        )
    return NightKind.REVISIT, "it is known, so what may have changed is looked at"


def _last_full_crawl(runs: Sequence[PastRun]) -> datetime | None:
    """When the last crawl from the start ended; what it left may have been done by revisits."""
    return next((run.ended_at for run in runs if run.kind == RunKind.ACQUIRE), None)


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
    reason = stop_reason_of(last.stop_reason)
    return not (reason and reason.ends_run) and now - last.started_at < SAME_NIGHT


def _budget(
    site: SiteConfig, database: Database, now: datetime, by_hand: ByHand
) -> tuple[int, BudgetFrom, datetime | None]:
    """Requests, who decided them, and since when runs use them up; None where each run may."""
    if by_hand.requests is not None:
        return by_hand.requests, BudgetFrom.HAND, None
    if has_own_budget(site):
        return site.budget.requests, BudgetFrom.SITE, None
    allotted = allotment_of(database, site.name, now)
    if allotted is None:
        return site.budget.requests, BudgetFrom.DEFAULT, None
    is_by_hand = allotted.allotted_by is AllottedBy.HAND
    budget_from = BudgetFrom.HAND if is_by_hand else BudgetFrom.FLEET
    return allotted.requests, budget_from, in_use_since(allotted, now)


def in_use_since(allotted: Allotted, now: datetime) -> datetime:
    """Since when runs use an allotment up; it is for one night, and lasts if none follows it."""
    return max(allotted.decided_at, now - SAME_NIGHT)


def used_since(since: datetime | None, runs: Sequence[PastRun]) -> int:
    """The requests of runs that started since then."""
    return sum(run.requests for run in runs if since is not None and run.started_at >= since)


def has_own_budget(site: SiteConfig) -> bool:
    """Whether the site file sets the requests of a night."""
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
