"""One view of a site: its file, its runs in the catalog, its plan; the same from any machine."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from crawler.catalog.read.record import Record
from crawler.catalog.read.runs import Run
from crawler.catalog.read.standings import Standing
from crawler.config.load import load_sites
from crawler.config.problem import Problem
from crawler.config.schedule import next_moment
from crawler.config.site import SiteConfig
from crawler.errors import ConfigError
from crawler.pipeline.report.wording import stop_reason_of, stop_sentence
from crawler.state.stop import StopReason


class SiteState(StrEnum):
    """Where the acquisition of a site stands."""

    NEVER_CRAWLED = "never crawled"
    RUNNING = "running"
    COMPLETE = "complete"
    STOPPED = "stopped"
    """The last run ended before it was complete; its stop reason says why."""
    INTERRUPTED = "interrupted"
    """The last run was interrupted, or its process died."""
    UNREADABLE = "unreadable"


class SiteFile(StrEnum):
    """What the site file says."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    INVALID = "invalid"
    """It has mistakes: the site is not visited until they are corrected."""
    MISSING = "missing"
    """The catalog knows the site, and it has no file any more."""


class Yield(Record):
    """What one of the last runs gave."""

    run_id: str = Field(examples=["20260302T010000Z-a1b2c3"])
    """The run."""
    started_at: datetime = Field(examples=["2026-03-02T01:00:00Z"])
    """When it started."""
    requests: int = Field(examples=[900])
    """Requests that it made."""
    new_versions: int = Field(examples=[12])
    """Files that were new or had changed."""


class SiteView(Record):
    """How a site stands: what is configured, what was done, what comes next."""

    name: str = Field(examples=["demo"])
    """The name of its site file."""
    start_url: str = Field(examples=["https://stats.example/"])
    """Where its crawl starts."""
    site_file: SiteFile = Field(examples=["enabled"])
    """Whether it has a site file that is right and enabled."""
    problem: str = Field(default="", examples=[""])
    """What is wrong with the site file."""
    state: SiteState = Field(examples=["complete"])
    """Where its acquisition stands."""
    running_on: str = Field(default="", examples=[""])
    """The machine and home that work on it now."""
    schedule: str = Field(default="", examples=["@daily"])
    """When it is visited; empty when it is not."""
    next_run: datetime | None = Field(default=None, examples=["2026-03-03T00:00:00Z"])
    """When the schedule comes next; null when it does not."""
    last_run: datetime | None = Field(default=None, examples=["2026-03-02T01:00:00Z"])
    """When the last run started; null before the first one."""
    last_run_id: str = Field(default="", examples=["20260302T010000Z-a1b2c3"])
    """That run."""
    last_kind: str = Field(default="", examples=["revisit"])
    """What it was for: acquire or revisit."""
    stop_reason: str = Field(default="", examples=["frontier_empty"])
    """Why it stopped; empty while it runs, and when its process died."""
    stopped_because: str = Field(default="", examples=["every link was followed"])
    """The same as a sentence."""
    last_error: str = Field(default="", examples=[""])
    """What the last run failed with, if it did."""
    failed_runs: int = Field(default=0, examples=[0])
    """Runs that failed, one after the other, up to the last one (a week of them at most)."""
    yields: tuple[Yield, ...] = ()
    """What the last runs gave, the newest first (a week of them at most)."""
    budget: int | None = Field(default=None, examples=[20000])
    """Requests that a night may make."""
    budget_left: int | None = Field(default=None, examples=[20000])
    """Those that are left of a night that is not over; of the next one otherwise."""

    @property
    def trend(self) -> str:
        """New and changed files of the last runs, the newest first: '12, 3, 0'."""
        return ", ".join(f"{one.new_versions:,}" for one in self.yields)


def site_views(
    known: Mapping[str, Standing], sites_dir: Path | None, now: datetime, also: Iterable[str] = ()
) -> list[SiteView]:
    """Every site that has a file or is in the catalog, by name; `also` names further ones."""
    sites: list[SiteConfig] = []
    problems: list[Problem] = []
    # Without the folder of site files, what the catalog knows is all there is.
    with suppress(ConfigError):
        if sites_dir is not None:
            sites, problems = load_sites(sites_dir)
    files = {site.name: site for site in sites}
    wrong = _by_name(problems)
    listed = (name for name, standing in known.items() if not standing.forgotten)
    names = sorted({*files, *listed, *wrong, *also})
    return [_view(name, files.get(name), wrong.get(name), known.get(name), now) for name in names]


def _by_name(problems: Sequence[Problem]) -> dict[str, Problem]:
    """The first problem of each file, by the name that the file suggests."""
    return {problem.file.stem: problem for problem in reversed(problems)}


def _view(
    name: str,
    site: SiteConfig | None,
    problem: Problem | None,
    standing: Standing | None,
    now: datetime,
) -> SiteView:
    runs = standing.runs if standing else ()
    last = runs[0] if runs else None
    active = site is not None and site.enabled
    budget = _budget(site, standing)
    return SiteView(
        name=name,
        start_url=site.start_url if site else standing.start_url if standing else "",
        site_file=_file(site, problem),
        problem=str(problem) if problem and site is None else "",
        state=state_of(standing),
        running_on=standing.held_by if standing else "",
        schedule=site.schedule if site and active else "",
        next_run=next_moment(site.schedule, now) if site and active else None,
        last_run=last.started_at if last else None,
        last_run_id=last.id if last else "",
        last_kind=last.kind if last else "",
        stop_reason=last.stop_reason if last and last.ended_at else "",
        stopped_because=_because(last),
        last_error=_because(last) if last and _failed(last) else "",
        failed_runs=_failures(runs),
        yields=tuple(
            Yield(
                run_id=run.id,
                started_at=run.started_at,
                requests=run.requests,
                new_versions=run.new_versions,
            )
            for run in runs
        ),
        budget=budget,
        budget_left=_left(budget, last),
    )


def _file(site: SiteConfig | None, problem: Problem | None) -> SiteFile:
    if site is not None:
        return SiteFile.ENABLED if site.enabled else SiteFile.DISABLED
    return SiteFile.INVALID if problem is not None else SiteFile.MISSING


def state_of(standing: Standing | None) -> SiteState:
    """The state by what the catalog knows."""
    if standing is not None and standing.held_by:
        return SiteState.RUNNING
    if standing is None or not standing.runs:
        return SiteState.NEVER_CRAWLED
    return state_after(stop_reason_of(standing.runs[0].stop_reason))


def state_after(reason: StopReason | None) -> SiteState:
    """The state that a run leaves behind which stopped for this reason."""
    if reason is None or reason in (StopReason.INTERRUPTED, StopReason.SLICE_ENDED):
        return SiteState.INTERRUPTED
    return SiteState.COMPLETE if reason.complete else SiteState.STOPPED


def _because(run: Run | None) -> str:
    if run is None:
        return ""
    reason = stop_reason_of(run.stop_reason)
    if reason is None:
        return "" if run.ended_at is None else "its process ended without a reason"
    return stop_sentence(reason, run.stop_detail)


def _failed(run: Run) -> bool:
    reason = stop_reason_of(run.stop_reason)
    return reason in (StopReason.FORBIDDEN, StopReason.UNREACHABLE, StopReason.DISK_FULL)


def _failures(runs: Sequence[Run]) -> int:
    return next((place for place, run in enumerate(runs) if not _failed(run)), len(runs))


def _budget(site: SiteConfig | None, standing: Standing | None) -> int | None:
    if site is None:
        return None
    own = "requests" in site.budget.model_fields_set
    allotted = standing.allotted if standing else None
    return site.budget.requests if own or allotted is None else allotted


def _left(budget: int | None, last: Run | None) -> int | None:
    if budget is None or last is None or last.ended_at is not None:
        return budget
    return max(0, budget - last.requests)
