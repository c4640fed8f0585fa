"""The whole night without Airflow: plan, crawl, validate and publish, one site or many at once."""

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.errors import StorageError, TallyhoError
from crawler.pipeline.crawl.revisit import RevisitSummary
from crawler.pipeline.crawl.slices import SliceResult, crawl_slice
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms
from crawler.pipeline.night.at_once import Stages, run_at_once
from crawler.pipeline.night.night import AS_PLANNED, ByHand, Night
from crawler.pipeline.night.plan import plan
from crawler.pipeline.night.publish import Published, publish
from crawler.pipeline.services import open_services
from crawler.pipeline.validate.batches import pending_batches, validate_versions
from crawler.pipeline.validate.summary import ValidationSummary
from crawler.pipeline.validate.validation_process import ValidationProcess
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
    cut_off: bool = False
    """Interrupted in a request that did not end in time; it resumes after its last step."""

    @property
    def failed(self) -> bool:
        """Whether a step failed."""
        return bool(self.failures)

    @property
    def interrupted(self) -> bool:
        """Whether the crawl was interrupted."""
        crawled = self.crawled
        interrupted = crawled is not None and crawled.stop_reason is StopReason.INTERRUPTED
        return self.cut_off or interrupted

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
    at_once: int = 1,
    watch_for: Callable[[SiteConfig, Night], Watch] = lambda _site, _night: Watch(),
    stop_requested: Callable[[], bool] = lambda: False,
    on_report: Callable[[NightReport], None] = lambda _: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> list[NightReport]:
    """Run the night of every site; a failure does not stop the others, an interruption does.

    With more than one site `at_once`, crawls run in threads of this process, and validation in a
    process of its own.
    """
    nights = [_Night(site, settings, by_hand, configured, clock, watch_for) for site in sites]
    if at_once > 1 and len(nights) > 1:
        return _at_once(nights, settings, at_once, stop_requested, on_report)
    reports = []
    for night in nights:
        report = night.finish(night.crawl(), partial(validate_versions, settings))
        on_report(report)
        reports.append(report)
        if report.interrupted:
            break
    return reports


def _at_once(
    nights: Sequence["_Night"],
    settings: Settings,
    at_once: int,
    stop_requested: Callable[[], bool],
    on_report: Callable[[NightReport], None],
) -> list[NightReport]:
    # Opened here, so that all share them; a catalog that is away is every site's own failure.
    with ExitStack() as held:
        with suppress(StorageError):
            held.enter_context(open_services(settings))
        validation = held.enter_context(ValidationProcess(settings))
        stages = Stages(
            first=_Night.crawl,
            second=lambda night, report: night.finish(report, validation.validate),
            stop_requested=stop_requested,
            on_result=on_report,
        )
        ran = run_at_once(nights, stages, at_once)
    cut_off = [NightReport(night.name, cut_off=True) for night in ran.cut_off]
    for report in cut_off:
        on_report(report)
    return ran.results + cut_off


class _Night:
    """One site's night; each step may fail on its own."""

    def __init__(
        self,
        site: SiteConfig,
        settings: Settings,
        by_hand: ByHand,
        configured: Collection[str],
        clock: Callable[[], datetime],
        watch_for: Callable[[SiteConfig, Night], Watch],
    ) -> None:
        self._site = site
        self._settings = settings
        self._by_hand = by_hand
        self._configured = configured
        self._clock = clock
        self._watch_for = watch_for
        self._failures: list[StepFailure] = []

    @property
    def name(self) -> str:
        """The site's."""
        return self._site.name

    def crawl(self) -> NightReport:
        """Plan and crawl."""
        night = self._try("plan", self._plan)
        if night is None:
            return NightReport(self.name, failures=tuple(self._failures))
        result = self._try("crawl", lambda: self._crawl(night)) if night.kind.crawls else None
        return NightReport(
            site=self.name,
            night=night,
            crawled=result.summary if result else None,
            revisited=result.revisited if result else None,
            failures=tuple(self._failures),
        )

    def _crawl(self, night: Night) -> SliceResult:
        watch = self._watch_for(self._site, night)
        return crawl_slice(self._site, self._settings, night, watch=watch)

    def finish(
        self, report: NightReport, validate: Callable[[Sequence[int]], ValidationSummary]
    ) -> NightReport:
        """Validate and publish what a crawl brought, unless it was interrupted; send alarms."""
        night = report.night
        if night is not None and not report.interrupted:
            report = replace(
                report,
                validated=self._try("validate", lambda: self._validate(validate)),
                published=self._try(
                    "publish", lambda: publish(self._settings, night, self._clock())
                ),
                failures=tuple(self._failures),
            )
        send_alarms(self._settings, _alarms(report))
        return report

    def _plan(self) -> Night:
        return plan(
            self._site,
            self._settings,
            self._clock(),
            by_hand=self._by_hand,
            configured=self._configured,
        )

    def _validate(
        self, validate: Callable[[Sequence[int]], ValidationSummary]
    ) -> ValidationSummary:
        """Includes versions that an earlier night left unchecked."""
        checked = ValidationSummary()
        for batch in pending_batches(self._settings, self._site.name):
            checked += validate(batch)
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
