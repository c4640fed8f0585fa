"""Daily housekeeping: leftovers are cleared, blobs verified, bytes of old versions removed."""

import logging
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from crawler.catalog.read.runs import known_sites
from crawler.catalog.upkeep.retention import Retention, apply_retention
from crawler.catalog.upkeep.tidying import (
    CatalogFigures,
    close_abandoned_runs,
    free_expired_leases,
    refresh_statistics,
)
from crawler.catalog.upkeep.verify_some import PartlyVerified, verify_some
from crawler.config.settings import Settings
from crawler.errors import TallyhoError
from crawler.pipeline.crawl.reconcile import Reconciled
from crawler.pipeline.night.alarm import Alarm, AlarmKind
from crawler.pipeline.night.reconcile_sites import reconcile_sites
from crawler.pipeline.services import Services, open_services
from crawler.state.stop import StopReason

AGE_OF_A_DEAD_UPLOAD = timedelta(days=2)
"""Longer than any upload takes: the largest file is sent in parts within hours."""
_MAX_REPORTED = 20

Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UpkeepReport:
    """What one upkeep did, and what is wrong."""

    freed_leases: tuple[str, ...] = ()
    closed_runs: tuple[str, ...] = ()
    repaired: dict[str, Reconciled] = field(default_factory=dict)
    """By site: what its crawl state knew and catalog or store had lost."""
    swept_uploads: int = 0
    versions_let_go: int = 0
    verified: PartlyVerified | None = None
    figures: CatalogFigures | None = None
    without_file: tuple[str, ...] = ()
    """Sites of the catalog that have no site file any more; their files stay."""
    failures: tuple[str, ...] = ()

    @property
    def alarms(self) -> list[Alarm]:
        """What a person should know."""
        problems = self.verified.problems if self.verified else ()
        sentences = [f"{each.kind.value} {each.what} {each.detail}".rstrip() for each in problems]
        reported = [*self.failures, *sentences[:_MAX_REPORTED]]
        reported += [
            f"{site}: {done.recorded} files recorded again, {done.to_fetch} to be fetched again"
            for site, done in self.repaired.items()
        ]
        more = len(sentences) - _MAX_REPORTED
        if more > 0:
            reported.append(f"and {more} more; see `tallyho catalog verify --deep`")
        return [Alarm(AlarmKind.UPKEEP, "", "; ".join(reported))] if reported else []

    def as_dict(self) -> dict[str, Any]:
        """For JSON, with the first problems only."""
        report = asdict(self)
        if report["verified"]:
            problems = report["verified"]["problems"]
            report["verified"]["problems"] = [dict(each) for each in problems[:_MAX_REPORTED]]
            report["verified"]["wrong"] = len(problems)
        lists = ("freed_leases", "closed_runs", "without_file", "failures")
        return report | {name: list(report[name]) for name in lists}


def upkeep(settings: Settings, now: datetime, configured: Collection[str]) -> UpkeepReport:
    """Do every part; one that fails is reported and does not stop the others."""
    with open_services(settings) as services:
        work = _Upkeep(services, settings, now)
        names = work.part("sites", lambda: [known.name for known in known_sites(services.database)])
        return UpkeepReport(
            freed_leases=tuple(
                work.part("leases", lambda: free_expired_leases(services.database)) or ()
            ),
            closed_runs=tuple(work.part("runs", work.close_runs) or ()),
            repaired=work.part(
                "states", lambda: reconcile_sites(settings, services, names or (), now)
            )
            or {},
            swept_uploads=work.part("uploads", work.sweep) or 0,
            versions_let_go=work.part("retention", work.let_go) or 0,
            verified=work.part("verification", work.verify),
            figures=work.part("statistics", lambda: refresh_statistics(services.database)),
            without_file=tuple(name for name in names or () if name not in configured),
            failures=tuple(work.failures),
        )


class _Upkeep:
    def __init__(self, services: Services, settings: Settings, now: datetime) -> None:
        self._services = services
        self._settings = settings
        self._now = now
        self.failures: list[str] = []

    def part(self, name: str, action: Callable[[], Result]) -> Result | None:
        try:
            return action()
        except TallyhoError as error:
            log.error("upkeep: %s: %s", name, error)
            self.failures.append(f"{name}: {error.message}")
            return None

    def close_runs(self) -> list[str]:
        reason = StopReason.INTERRUPTED.value
        return close_abandoned_runs(self._services.database, self._now, reason)

    def sweep(self) -> int:
        return self._services.store.sweep(self._now - AGE_OF_A_DEAD_UPLOAD)

    def let_go(self) -> int:
        kept = self._settings.retention
        retention = Retention(None if kept == "all" else kept)
        services = self._services
        return apply_retention(services.database, services.store, retention).versions

    def verify(self) -> PartlyVerified:
        return verify_some(
            self._services.database,
            self._services.store,
            max_blobs=self._settings.upkeep_blobs,
            max_bytes=self._settings.upkeep_bytes,
            now=self._now,
            nights=self._settings.upkeep_days,
        )
