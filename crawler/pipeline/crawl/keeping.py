"""From a crawl to the catalog: what is recorded of a run and of each kept file."""

from datetime import UTC, datetime

from crawler.catalog.upkeep.removal import discard_blobs
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.kept_file import KeptFile
from crawler.catalog.write.lease import LeaseHeld
from crawler.catalog.write.runs import ActionSummary, RunResult, begin_run, end_run
from crawler.config.site import SiteConfig
from crawler.engine.stop import StopReason
from crawler.errors import StorageRefused
from crawler.pages.file_name import suggested_name
from crawler.pipeline.crawl.publication_date import publication_date
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import KeptTarget, curve, kept_target


class Keeper:
    """Records one run of a site in the catalog; every write checks that we still hold the site."""

    def __init__(
        self,
        services: Services,
        site: SiteConfig,
        run_id: str,
        lease: LeaseHeld,
        *,
        goes_on: bool = False,
        night: str = "",
    ) -> None:
        self._store = services.store
        self._database = database = services.database
        self._run_id = run_id
        begin_run(
            database,
            run_id=run_id,
            site=site.name,
            start_url=site.start_url,
            strategy=site.strategy.name.value,
            started_at=datetime.now(UTC),
            fence=lease.fence,
            goes_on=goes_on,
            night=night,
        )
        self._ingest = Ingest(database, site.name, site.start_url, run_id, lease.fence)

    def keep(self, state: CrawlState, link: int) -> None:
        """Record the target that was kept for a link; once more changes nothing."""
        target = kept_target(state, link)
        if target is None:
            return
        kept = self._ingest.keep(kept_file(target))
        if kept.removed:
            # Taken down before, and still on the site: its bytes are not kept a second time.
            discard_blobs(self._database, self._store, [target.sha256])
        elif not self._store.exists(target.sha256):
            # The same bytes of another file were taken down between their storing and this.
            raise StorageRefused(f"{target.sha256} is gone from the store", url=target.url)

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
        end_run(self._database, self._run_id, result, ended_at=datetime.now(UTC) if over else None)


def kept_file(target: KeptTarget) -> KeptFile:
    """A target of the state as the catalog takes it."""
    return KeptFile(
        url=target.url,
        sha256=target.sha256,
        size=target.size,
        mime_declared=target.declared,
        mime_detected=target.mime,
        format=target.group,
        etag=target.etag,
        last_modified=target.last_modified,
        file_name=suggested_name(target.disposition),
        fetched_at=datetime.fromtimestamp(target.fetched_at, UTC),
        page_url=target.page_url,
        page_title=target.page_title,
        page_language=target.page_language,
        anchor=target.anchor,
        tag_path=target.tag_path,
        action=target.action if target.action >= 0 else None,
        licence=target.licence,
        publisher=target.publisher,
        published_at=publication_date(target.published),
    )
