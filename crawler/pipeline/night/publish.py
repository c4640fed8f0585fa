"""The end of a night: what is new is announced, and the site's yield is judged."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from crawler.catalog.read.page_visits import LostListing, lost_listings
from crawler.catalog.read.run_changes import run_changes
from crawler.catalog.read.runs import PastRun, past_runs
from crawler.catalog.write.publications import MAX_IDS, Announced, announce
from crawler.catalog.write.runs import close_run
from crawler.config.settings import Settings
from crawler.metrics.meter import count
from crawler.metrics.working import PUBLISHED
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms
from crawler.pipeline.night.night import Night
from crawler.pipeline.night.yield_alarm import Collapse, judge_yield
from crawler.pipeline.services import open_services
from crawler.state.stop import StopReason

MIN_LISTED = 5
"""Files that a page must have listed for its loss to be an alarm."""
_RUNS_TO_JUDGE = 200
"""An acquisition may take many nights, and several of them are compared."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a night announced."""

    site: str
    night: str
    run_id: str
    """The run that crawled; empty when nothing was crawled."""
    announced: Announced
    gone_ids: tuple[int, ...] = ()
    """Files that the site does not have any more, found out tonight."""
    alarms: tuple[Alarm, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing new, so that no event is needed."""
        return self.announced.empty and not self.gone_ids

    def as_dict(self) -> dict[str, Any]:
        """For JSON and for the asset event: counts and ids."""
        announced = asdict(self.announced)
        return {
            "site": self.site,
            "night": self.night,
            "run_id": self.run_id,
            **announced,
            "new_ids": list(announced["new_ids"]),
            "changed_ids": list(announced["changed_ids"]),
            "gone_files": len(self.gone_ids),
            "gone_ids": list(self.gone_ids[:MAX_IDS]),
            "verdicts": dict(announced["verdicts"]),
        }


def end_night(settings: Settings, night: Night, why: str, now: datetime) -> None:
    """End the night of a site that was removed, disabled or moved; what was acquired stays."""
    with open_services(settings) as services:
        close_run(services.database, night.run_id, StopReason.INTERRUPTED.value, why, now)
    sentence = f"the night ended before its crawl did: {why}; what was acquired stays"
    send_alarms(settings, [Alarm(AlarmKind.SITE_ENDED, night.site, sentence, night.run_id)])


def publish(settings: Settings, night: Night, now: datetime) -> Published:
    """Announce what is new and judge the yield; repeated, it announces the same."""
    published = _publish(settings, night, now)
    announced = published.announced
    count(PUBLISHED, announced.new_files, site=night.site, change="new")
    count(PUBLISHED, announced.changed_files, site=night.site, change="changed")
    count(PUBLISHED, len(published.gone_ids), site=night.site, change="gone")
    return published


def _publish(settings: Settings, night: Night, now: datetime) -> Published:
    with open_services(settings) as services:
        announced = announce(services.database, night.site, night.key, now)
        runs = past_runs(services.database, night.site, _RUNS_TO_JUDGE)
        crawled = night.kind.crawls and bool(runs) and runs[0].id == night.run_id
        if not crawled:
            return Published(night.site, night.key, "", announced)
        gone = run_changes(services.database, night.run_id).gone
        with services.database.reading() as session:
            lost = lost_listings(session, night.run_id, MIN_LISTED)
    alarms = [*_yield_alarms(night, runs), *_lost_listing_alarms(night, lost)]
    return Published(night.site, night.key, night.run_id, announced, gone, tuple(alarms))


def _yield_alarms(night: Night, runs: Sequence[PastRun]) -> Iterator[Alarm]:
    collapsed = judge_yield(runs)
    if collapsed is not None:
        zero = collapsed.collapse is Collapse.ZERO
        kind = AlarmKind.YIELD_ZERO if zero else AlarmKind.YIELD_FELL
        yield Alarm(kind, night.site, collapsed.sentence, night.run_id)


def _lost_listing_alarms(night: Night, lost: Sequence[LostListing]) -> Iterator[Alarm]:
    """New files would appear on pages that list files: without them nothing new is found."""
    if lost:
        files = sum(page.files for page in lost)
        pages = "a page" if len(lost) == 1 else f"{len(lost):,} pages"
        sentence = f"{pages} that listed {files:,} files cannot be found any more: {lost[0].url}"
        yield Alarm(AlarmKind.LISTING_GONE, night.site, sentence, night.run_id)
