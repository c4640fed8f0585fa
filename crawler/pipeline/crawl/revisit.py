"""A revisit of one site: its crawl continues, and looks at what may have changed."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from crawler.catalog.read.run_changes import RunChanges, run_changes
from crawler.catalog.write.page_visits import PageVisited, record_page_visits
from crawler.config.revisit import RevisitConfig
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.checkpoint import is_planned
from crawler.engine.night_planner import NightPlanner, RevisitOrder, settle_histories
from crawler.errors import ConfigError
from crawler.pipeline.crawl.acquire import MIN_FREE_BYTES, crawl_context
from crawler.pipeline.crawl.context import ANY_RUN, CrawlContext, RunPlan
from crawler.pipeline.crawl.crawl_loop import run_crawl
from crawler.pipeline.crawl.outage import MAX_OUTAGE
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.state.crawl_state import CrawlState
from crawler.state.history_records import Evidence, VisitKind, VisitOutcome, VisitRow
from crawler.state.run import RunKind

_ANSWERED = {
    VisitOutcome.NEW,
    VisitOutcome.CHANGED,
    VisitOutcome.UNCHANGED,
    VisitOutcome.GONE,
}


class NothingKnown(ConfigError):
    """A site cannot be revisited before it was crawled."""


@dataclass(frozen=True, slots=True)
class RevisitSummary:
    """One night: what it cost, and what is new, changed or gone."""

    crawl: CrawlSummary
    changes: RunChanges
    """IDs of files, as the catalog knows them."""
    visited: int
    """Known pages that answered."""
    signals: int
    """Sitemaps and feeds that answered."""
    not_modified: int
    """Answers 304 among all that was planned."""
    checked_files: int
    """Known files that answered."""
    gone_pages: int
    """Known pages that are not there any more."""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return self.crawl.as_dict() | {
            "new": list(self.changes.new),
            "changed": list(self.changes.changed),
            "gone": list(self.changes.gone),
            "visited": self.visited,
            "signals": self.signals,
            "not_modified": self.not_modified,
            "checked_files": self.checked_files,
            "gone_pages": self.gone_pages,
        }


def revisit(
    site: SiteConfig,
    settings: Settings,
    plan: RunPlan = ANY_RUN,
    pages: int | None = None,
    *,
    config: RevisitConfig | None = None,
    watch: Watch | None = None,
    min_free_bytes: int = MIN_FREE_BYTES,
    max_outage: float = MAX_OUTAGE,
    wall_clock: Callable[[], float] = time.time,
) -> RevisitSummary:
    """Look at the known pages and files of a site that may have changed, and follow what is new.

    The plan is made once per run. A run that was killed or interrupted is resumed with the rest of
    its plan; without an id in `plan`, that is the last one of the state if it was a revisit and did
    not end. `pages` is the number of known pages to visit instead of the configured one.
    """
    config = config or site.revisit
    if pages is not None:
        config = config.model_copy(update={"pages": pages})
    with crawl_context(site, settings, watch, max_outage, wall_clock, planned=True) as context:
        state = context.state
        if not state.progress():
            raise NothingKnown("nothing is known of this site yet; crawl it first", site=site.name)
        resumed = plan if plan.run_id else replace(plan, run_id=_unfinished(state))
        crawl = run_crawl(context, resumed, min_free_bytes, config)
        context.retry.attempt(lambda: _record_pages(context, crawl.run_id))
        changes = context.retry.attempt(
            lambda: run_changes(context.services.database, crawl.run_id)
        )
        return _summary(crawl, changes, state)


def _record_pages(context: CrawlContext, run_id: str) -> None:
    """What people want to see of the night is in the catalog, too."""
    services, site = context.services, context.site.name
    pages = list(pages_visited(context.state))
    record_page_visits(services.database, site, run_id, context.lease.fence, pages)


def pages_visited(state: CrawlState) -> Iterator[PageVisited]:
    """The known pages of the last night, each with what is known of it by now."""
    for visit in visits_made(state):
        page = state.history.page(visit.link) if visit.kind is VisitKind.PAGE else None
        if page is None:
            continue
        link = state.link(visit.link)
        yield PageVisited(
            url=link.url,
            action=link.action if link.action >= 0 else None,
            first_visit=datetime.fromtimestamp(page.first_seen, UTC),
            visits=page.visit_count,
            files=page.targets_listed + page.new_targets,
            change_rate=page.new_targets / page.observed_days if page.observed_days else 0.0,
            visited_at=datetime.fromtimestamp(visit.at, UTC),
            outcome=visit.outcome.value,
            detected_by=visit.detected_by.value,
            reason=visit.reason,
            new_links=visit.new_links,
            new_files=visit.new_targets,
        )


def _unfinished(state: CrawlState) -> str:
    """The id of the last run if it is a revisit that did not end; empty otherwise."""
    run = state.run()
    is_open = run is not None and run.kind is RunKind.REVISIT and not run.over
    return run.run_id if run is not None and is_open else ""


def _summary(crawl: CrawlSummary, changes: RunChanges, state: CrawlState) -> RevisitSummary:
    made = list(visits_made(state))
    files = [visit for visit in made if visit.kind is VisitKind.FILE]
    pages = [visit for visit in made if visit.kind is VisitKind.PAGE]
    return RevisitSummary(
        crawl=crawl,
        changes=changes,
        visited=len(pages),
        signals=sum(visit.kind is VisitKind.SIGNAL for visit in made),
        not_modified=sum(visit.detected_by is Evidence.NOT_MODIFIED for visit in made),
        checked_files=len(files),
        gone_pages=sum(visit.outcome is VisitOutcome.GONE for visit in pages),
    )


def visits_made(state: CrawlState) -> Iterator[VisitRow]:
    """The visits of the last night that were answered, in their order."""
    if not is_planned(state):
        return iter(())
    return (visit for visit in state.history.visits() if visit.outcome in _ANSWERED)


def planned_visits(
    state: CrawlState, config: RevisitConfig, at: float, seed: int = 0
) -> list[VisitRow]:
    """The pages and files that a night at this time would look at, and why; nothing is written."""
    order = RevisitOrder("", at, config, seed)
    return NightPlanner(state, order).plan(1, settle_histories(state, 0))
