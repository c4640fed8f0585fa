"""The whole night without Airflow: plan, crawl, validate and publish, one site after the other."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.errors import TallyhoError
from crawler.pipeline.crawl.revisit import RevisitSummary
from crawler.pipeline.crawl.slices import crawl_slice
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms
from crawler.pipeline.night.night import AS_PLANNED, ByHand, Night
from crawler.pipeline.night.plan import plan
from crawler.pipeline.night.publish import Published, publish
from crawler.pipeline.validate.batches import pending_batches, validate_versions
from crawler.pipeline.validate.summary import ValidationSummary
from crawler.state.stop import StopReason

Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StepFailure:
    """A step of the night that failed, in one sentence."""

    step: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.step}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class NightReport:
    """The outcome of one site's night: what each step gave, and which failed."""

    site: str
    night: Night | None = None
    crawled: CrawlSummary | None = None
    revisited: RevisitSummary | None = None
    """What is new, changed and gone, when the night was a revisit."""
    validated: ValidationSummary | None = None
    published: Published | None = None
    failures: tuple[StepFailure, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a step failed."""
        return bool(self.failures)

    @property
    def interrupted(self) -> bool:
        """Whether the crawl was interrupted."""
        return self.crawled is not None and self.crawled.stop_reason is StopReason.INTERRUPTED

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "site": self.site,
            "night": self.night.as_dict() if self.night else None,
            "crawl": self._crawl_as_dict(),
            "validation": self.validated.as_dict() if self.validated else None,
            "published": self.published.as_dict() if self.published else None,
            "failures": [{"step": each.step, "reason": each.sentence} for each in self.failures],
        }

    def _crawl_as_dict(self) -> dict[str, Any] | None:
        summary = self.revisited or self.crawled
        return summary.as_dict() if summary else None


def nightly(
    sites: Sequence[SiteConfig],
    settings: Settings,
    *,
    by_hand: ByHand = AS_PLANNED,
    configured: Collection[str] = (),
    watch_for: Callable[[SiteConfig, Night], Watch] = lambda _site, _night: Watch(),
    on_report: Callable[[NightReport], None] = lambda _: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> list[NightReport]:
    """Run the night of every site; a failure does not stop the others, an interruption does."""
    reports = []
    for site in sites:
        report = _Night(site, settings, by_hand, configured, clock).report(watch_for)
        send_alarms(settings, _alarms(report))
        on_report(report)
        reports.append(report)
        if report.interrupted:
            break
    return reports


class _Night:
    """One site's night; each step may fail on its own."""

    def __init__(
        self,
        site: SiteConfig,
        settings: Settings,
        by_hand: ByHand,
        configured: Collection[str],
        clock: Callable[[], datetime],
    ) -> None:
        self._site = site
        self._settings = settings
        self._by_hand = by_hand
        self._configured = configured
        self._clock = clock
        self._failures: list[StepFailure] = []

    def report(self, watch_for: Callable[[SiteConfig, Night], Watch]) -> NightReport:
        site, settings = self._site, self._settings
        night = self._try("plan", self._plan)
        if night is None:
            return NightReport(site.name, failures=tuple(self._failures))
        result = None
        if night.kind.crawls:
            watch = watch_for(site, night)
            result = self._try("crawl", lambda: crawl_slice(site, settings, night, watch=watch))
        crawled = result.summary if result else None
        if crawled is not None and crawled.stop_reason is StopReason.INTERRUPTED:
            return NightReport(site.name, night, crawled)
        return NightReport(
            site=site.name,
            night=night,
            crawled=crawled,
            revisited=result.revisited if result else None,
            validated=self._try("validate", self._validate),
            published=self._try("publish", lambda: publish(settings, night, self._clock())),
            failures=tuple(self._failures),
        )

    def _plan(self) -> Night:
        return plan(
            self._site,
            self._settings,
            self._clock(),
            by_hand=self._by_hand,
            configured=self._configured,
        )

    def _validate(self) -> ValidationSummary:
        """Includes versions that an earlier night left unchecked."""
        checked = ValidationSummary()
        for batch in pending_batches(self._settings, self._site.name):
            checked += validate_versions(self._settings, batch)
        return checked

    def _try(self, step: str, action: Callable[[], Result]) -> Result | None:
        try:
            return action()
        except TallyhoError as error:
            self._failures.append(StepFailure(step, error.message))
        except Exception as error:
            # A bug in the night of one site must not end the nights of the others.
            log.exception("%s: %s failed", self._site.name, step)
            self._failures.append(StepFailure(step, f"{type(error).__name__}: {error}"))
        return None


def _alarms(report: NightReport) -> list[Alarm]:
    run_id = report.night.run_id if report.night else ""
    alarms = [
        Alarm(AlarmKind.NIGHT_FAILED, report.site, str(failure), run_id)
        for failure in report.failures
    ]
    return alarms + list(report.published.alarms if report.published else ())
