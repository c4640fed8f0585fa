"""The end of a night: what is new is announced, and the site's yield is judged."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from crawler.catalog.read.runs import past_runs
from crawler.catalog.write.publications import Announced, announce
from crawler.config.settings import Settings
from crawler.pipeline.night.alarm import Alarm, AlarmKind
from crawler.pipeline.night.night import Night
from crawler.pipeline.night.yield_alarm import Collapse, judge_yield
from crawler.pipeline.services import open_services

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
    alarms: tuple[Alarm, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing new, so that no event is needed."""
        return self.announced.empty

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
            "verdicts": dict(announced["verdicts"]),
        }


def publish(settings: Settings, night: Night, now: datetime) -> Published:
    """Announce what is new and judge the yield; repeated, it announces the same."""
    with open_services(settings) as services:
        announced = announce(services.database, night.site, night.key, now)
        runs = past_runs(services.database, night.site, _RUNS_TO_JUDGE)
    crawled = night.kind.crawls and bool(runs) and runs[0].id == night.run_id
    collapsed = judge_yield(runs) if crawled else None
    alarms: tuple[Alarm, ...] = ()
    if collapsed is not None:
        zero = collapsed.collapse is Collapse.ZERO
        kind = AlarmKind.YIELD_ZERO if zero else AlarmKind.YIELD_FELL
        alarms = (Alarm(kind, night.site, collapsed.sentence, night.run_id),)
    return Published(night.site, night.key, night.run_id if crawled else "", announced, alarms)
