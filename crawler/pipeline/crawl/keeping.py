"""From a crawl to the catalog: what is recorded of a run and of each kept file."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from crawler.catalog.upkeep.removal import discard_blobs
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.lease import LeaseHeld
from crawler.catalog.write.runs import ActionSummary, RunResult, end_run, start_run
from crawler.catalog.write.site_description import describe_site
from crawler.catalog.write.titles import url_key
from crawler.config.site import SiteConfig
from crawler.engine.events import FileLinked, Visited
from crawler.errors import StorageRefused
from crawler.pages.kept_file import KeptFile
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.history_records import VisitKind, VisitOutcome
from crawler.state.reports import curve
from crawler.state.run import RunKind
from crawler.state.stop import StopReason

SECONDS_BETWEEN_READS = 60.0
"""How old the list of files that were taken down may be."""


class TakenDown:
    """The files of a site that were taken down: a revisit does not fetch them again."""

    def __init__(
        self,
        read_keys: Callable[[], frozenset[str]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read_keys = read_keys
        self._monotonic = monotonic
        self._keys: frozenset[str] = frozenset()
        self._read_at: float | None = None

    def __call__(self, url: str) -> bool:
        """Whether the file at a URL was taken down."""
        now = self._monotonic()
        if self._read_at is None or now - self._read_at >= SECONDS_BETWEEN_READS:
            self._keys, self._read_at = self._read_keys(), now
        # Hashing a hundred thousand URLs for nothing takes longer than planning them.
        return bool(self._keys) and url_key(url) in self._keys


class Keeper:
    """Records one run of a site in the catalog; every write checks that we still hold the site."""

    def __init__(
        self,
        services: Services,
        site: SiteConfig,
        run_id: str,
        lease: LeaseHeld,
        *,
        resumes: bool = False,
        night: str = "",
        kind: RunKind = RunKind.ACQUIRE,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._now = now
        self._store = services.store
        self._database = database = services.database
        self._run_id = run_id
        start_run(
            database,
            run_id=run_id,
            site=site.name,
            start_url=site.start_url,
            strategy=site.strategy.name.value,
            started_at=now(),
            fence=lease.fence,
            resumes=resumes,
            night=night,
            kind=kind,
        )
        describe_site(database, site)
        self._ingest = Ingest(database, site.name, site.start_url, run_id, lease.fence)

    def keep(self, file: KeptFile) -> None:
        """Record a kept file; once more changes nothing."""
        sha256 = file.download.sha256
        if self._ingest.keep(file).removed:
            # Taken down before, and still on the site: its bytes are not kept a second time.
            discard_blobs(self._database, self._store, [sha256])
        elif not self._store.exists(sha256):
            # The same bytes of another file were taken down between their storing and this.
            raise StorageRefused(f"{sha256} is gone from the store", url=file.url)

    def record(self, event: Visited | FileLinked) -> None:
        """Record what a revisit found out about a known file; once more changes nothing."""
        at = datetime.fromtimestamp(event.at, UTC)
        match event:
            case Visited(kind=VisitKind.FILE, outcome=VisitOutcome.UNCHANGED):
                self._ingest.present(event.url, at)
            case Visited(kind=VisitKind.FILE, outcome=VisitOutcome.GONE):
                self._ingest.missing(event.url, at)
            case FileLinked():
                self._ingest.seen_again(event.url, event.link, at)

    def taken_down(self) -> Callable[[str], bool]:
        """Says of a URL whether its file was taken down; what it knows is a minute old at most."""
        return TakenDown(self._ingest.removed_keys)

    def end(self, state: CrawlState, summary: CrawlSummary) -> None:
        """Close the run, or note its counts when only a slice of it ended."""
        result = RunResult(
            stop_reason=summary.stop_reason.value,
            stop_detail=summary.stop_detail,
            requests=summary.requests,
            heads=summary.heads,
            pages=summary.pages,
            targets=summary.targets,
            bytes_received=summary.bytes,
            skipped=summary.skipped,
            curve=curve(state),
            actions=[
                ActionSummary(action.id, action.path, action.selections, action.mean)
                for action in summary.top_actions
            ],
        )
        over = summary.stop_reason is not StopReason.SLICE_ENDED
        end_run(self._database, self._run_id, result, ended_at=self._now() if over else None)
