"""Where every site stands: by its crawl state, or by the catalog where another machine has it.

A running crawl is not disturbed.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from crawler.catalog.read.standings import Standing
from crawler.config.section import is_site_name
from crawler.config.settings import Settings
from crawler.errors import StorageError
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.report.newest_state import newest_state
from crawler.pipeline.report.site_view import SiteState, state_after, state_of
from crawler.pipeline.report.wording import stop_reason_of, stop_sentence
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import is_held
from crawler.state.records import LinkStatus
from crawler.state.reports import (
    ActionReport,
    actions_count,
    counts_by_status,
    open_for_reading,
    top_actions,
    with_waiting,
)
from crawler.state.stop import StopReason


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """One site: its acquisition with all its runs so far."""

    site: str
    state: SiteState
    files: str
    """The folder of the files."""
    manifest: str
    start_url: str = ""
    strategy: str = ""
    run_id: str = ""
    begun_at: str = ""
    stop_reason: StopReason | None = None
    """Of the last run; None while one is running, and when its process died."""
    stop_detail: str = ""
    stopped_at: str = ""
    requests: int = 0
    heads: int = 0
    retries: int = 0
    pages: int = 0
    targets: int = 0
    bytes: int = 0
    """Received, decoded."""
    target_bytes: int = 0
    known_urls: int | None = 0
    """None, as the next three, where only the catalog was asked."""
    frontier: int | None = 0
    """Links that wait to be chosen."""
    deferred: int | None = 0
    """Links that gave no answer, to be tried again at the end."""
    actions: int | None = 0
    formats: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    top_actions: tuple[ActionReport, ...] = ()

    @property
    def sentence(self) -> str:
        """The state in a few words, with the reason of the last stop."""
        if self.stop_reason is not None:
            return stop_sentence(self.stop_reason, self.stop_detail)
        if self.state is SiteState.INTERRUPTED:
            return "its process ended without a reason; run it again to continue"
        return self.stop_detail

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        actions = [asdict(action) | {"mean": action.mean} for action in self.top_actions]
        return {**asdict(self), "top_actions": actions, "sentence": self.sentence}

    def as_summary(self) -> CrawlSummary:
        """A run of a complete site: nothing was left to do."""
        if self.stop_reason is None:
            raise ValueError(f"{self.site} has not stopped")
        return CrawlSummary(
            site=self.site,
            run_id=self.run_id,
            strategy=self.strategy,
            stop_reason=self.stop_reason,
            stop_detail=self.stop_detail,
            files=self.files,
            manifest=self.manifest,
            in_all={
                "requests": self.requests,
                "heads": self.heads,
                "pages": self.pages,
                "targets": self.targets,
                "received": self.bytes,
                "kept": self.target_bytes,
                "groups": self.formats,
                "skipped": self.skipped,
            },
            top_actions=list(self.top_actions),
            resumed=True,
        )


def crawled_sites(settings: Settings) -> list[str]:
    """The names of the sites that have a crawl state, sorted."""
    folder = settings.state_path("any").parent
    names = (path.stem for path in folder.glob("*.db"))
    return sorted(name for name in names if is_site_name(name))


def all_statuses(
    settings: Settings, configured: Iterable[str], known: Mapping[str, Standing]
) -> list[SiteStatus]:
    """Every site that is configured, crawled here or `known` to the catalog.

    One unreadable state hides no other.
    """
    statuses = []
    listed = (name for name, standing in known.items() if not standing.forgotten)
    for name in sorted({*configured, *crawled_sites(settings), *listed}):
        try:
            statuses.append(_local_or_recorded(settings, name, known.get(name)))
        except StorageError as error:
            statuses.append(_blank(settings, name, SiteState.UNREADABLE, error.message))
    return statuses


def _local_or_recorded(settings: Settings, site: str, standing: Standing | None) -> SiteStatus:
    """By this machine's state if it made the last run; a snapshot is for one site, not for all."""
    path = settings.state_path(site)
    running = is_held(path.with_suffix(".lock"))
    state, recorded = open_for_reading(path), _recorded(settings, standing)
    if state is None:
        return recorded or _nothing_yet(settings, site, running=running)
    with closing(state):
        run = state.run()
        is_ours = run is not None and recorded is not None and run.run_id == recorded.run_id
        if recorded is not None and not running and not is_ours:
            return recorded
        return _read(settings, site, state, running=running, actions=5)


def site_status(settings: Settings, site: str, *, actions: int = 5) -> SiteStatus:
    """Where one site stands, with its best actions; StorageError when it cannot be read.

    The state may be a snapshot that another machine wrote.
    """
    running = is_held(settings.state_path(site).with_suffix(".lock"))
    with newest_state(settings, site) as state:
        if state is None:
            return _nothing_yet(settings, site, running=running)
        return _read(settings, site, state, running=running, actions=actions)


def _recorded(settings: Settings, standing: Standing | None) -> SiteStatus | None:
    """What the catalog knows; None when it has no run of the site."""
    if standing is None or not standing.runs:
        return None
    last, totals = standing.runs[0], standing.totals
    return SiteStatus(
        site=standing.site,
        state=state_of(standing),
        files=settings.place_of("blobs"),
        manifest=str(settings.manifest_path(standing.site)),
        start_url=standing.start_url,
        strategy=last.strategy,
        run_id=last.id,
        begun_at=_iso(standing.created_at),
        stop_reason=stop_reason_of(last.stop_reason) if last.ended_at else None,
        stop_detail=last.stop_detail,
        stopped_at=_iso(last.ended_at),
        requests=totals["requests"],
        heads=totals["heads"],
        pages=totals["pages"],
        targets=totals["targets"],
        bytes=totals["bytes"],
        known_urls=None,
        frontier=None,
        deferred=None,
        actions=None,
    )


def _nothing_yet(settings: Settings, site: str, *, running: bool) -> SiteStatus:
    state = SiteState.RUNNING if running else SiteState.NEVER_CRAWLED
    return _blank(settings, site, state)


def _blank(settings: Settings, site: str, state: SiteState, detail: str = "") -> SiteStatus:
    files, manifest = settings.place_of("blobs"), settings.manifest_path(site)
    return SiteStatus(site, state, str(files), str(manifest), stop_detail=detail)


def _read(
    settings: Settings, site: str, state: CrawlState, *, running: bool, actions: int
) -> SiteStatus:
    identity, run, so_far = state.identity(), state.run(), state.totals()
    links = counts_by_status(state)
    reason = run.stop_reason if run and not running else None
    return SiteStatus(
        site=site,
        state=SiteState.RUNNING if running else state_after(reason),
        files=settings.place_of("blobs"),
        manifest=str(settings.manifest_path(site)),
        start_url=identity.start_url if identity else "",
        strategy=json.loads(identity.strategy).get("name", "") if identity else "",
        run_id=run.run_id if run else "",
        begun_at=_iso(identity.created_at if identity else None),
        stop_reason=reason,
        stop_detail=run.stop_detail if run and reason else "",
        stopped_at=_iso(run.stopped_at if run and reason else None),
        requests=so_far.requests,
        heads=so_far.heads,
        retries=so_far.retries,
        pages=so_far.pages,
        targets=so_far.targets,
        bytes=so_far.received,
        target_bytes=so_far.kept,
        known_urls=sum(links.values()),
        frontier=links.get(LinkStatus.FRONTIER, 0),
        deferred=links.get(LinkStatus.DEFERRED, 0),
        actions=actions_count(state),
        formats=dict(so_far.groups.most_common()),
        skipped=dict(so_far.skipped.most_common()),
        top_actions=tuple(with_waiting(state, top_actions(state, actions))),
    )


def _iso(time: datetime | None) -> str:
    return time.isoformat() if time else ""
