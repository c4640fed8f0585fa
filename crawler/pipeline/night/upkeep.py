"""Daily housekeeping: leftovers are cleared, blobs verified, bytes of old versions removed."""

import logging
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from crawler.catalog.read.runs import known_sites
from crawler.catalog.search.reindex import reindex
from crawler.catalog.upkeep.retention import apply_retention
from crawler.catalog.upkeep.tidying import (
    CatalogFigures,
    close_abandoned_runs,
    free_expired_leases,
    refresh_statistics,
)
from crawler.catalog.upkeep.verify_some import PartlyVerified, verify_some
from crawler.catalog.write.forgotten import forgotten_sites
from crawler.config.settings import Settings
from crawler.errors import TallyhoError
from crawler.pipeline.crawl.reconcile import Reconciled
from crawler.pipeline.night.airflow_cleanup import AirflowCleanup, clean_airflow
from crawler.pipeline.night.alarm import Alarm, AlarmKind
from crawler.pipeline.night.neglect import neglected
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
    indexed: int = 0
    """Datasets whose search documents were made anew."""
    airflow: AirflowCleanup | None = None
    """Old logs and records of Airflow that were deleted, if that is wanted."""
    without_file: tuple[str, ...] = ()
    """Sites of the catalog that have no site file any more; their files stay."""
    neglected: tuple[Alarm, ...] = ()
    """Nights that never began or fail one after the other, wrong site files, old snapshots."""
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
        own = [Alarm(AlarmKind.UPKEEP, "", "; ".join(reported))] if reported else []
        return [*own, *self.neglected]

    def as_dict(self) -> dict[str, Any]:
        """For JSON, with the first problems only."""
        report = asdict(self)
        if report["verified"]:
            problems = report["verified"]["problems"]
            report["verified"]["problems"] = [dict(each) for each in problems[:_MAX_REPORTED]]
            report["verified"]["wrong"] = len(problems)
        report["neglected"] = [alarm.as_dict() for alarm in self.neglected]
        lists = ("freed_leases", "closed_runs", "without_file", "failures")
        return report | {name: list(report[name]) for name in lists}


def upkeep(settings: Settings, now: datetime, configured: Collection[str]) -> UpkeepReport:
    """Do every part; one that fails is reported and does not stop the others."""
    with open_services(settings) as services:
        work = _Upkeep(services, settings, now)
        names = work.part("sites", work.names)
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
            indexed=work.part("search index", work.index) or 0,
            airflow=work.part(
                "Airflow's logs", lambda: clean_airflow(settings, services.store, now)
            ),
            without_file=tuple(name for name in names or () if name not in configured),
            neglected=tuple(work.part("watch", lambda: neglected(settings, services, now)) or ()),
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

    def names(self) -> list[str]:
        """Every site of the catalog that nobody has forgotten."""
        with self._services.database.reading() as session:
            forgotten = forgotten_sites(session)
        known = known_sites(self._services.database)
        return [site.name for site in known if site.name not in forgotten]

    def close_runs(self) -> list[str]:
        reason = StopReason.INTERRUPTED.value
        return close_abandoned_runs(self._services.database, self._now, reason)

    def sweep(self) -> int:
        return self._services.store.sweep(self._now - AGE_OF_A_DEAD_UPLOAD)

    def let_go(self) -> int:
        services, kept = self._services, self._settings.retention
        return apply_retention(services.database, services.store, kept).versions

    def index(self) -> int:
        return reindex(self._services.database, max_datasets=self._settings.upkeep_datasets)

    def verify(self) -> PartlyVerified:
        return verify_some(
            self._services.database,
            self._services.store,
            max_blobs=self._settings.upkeep_blobs,
            max_bytes=self._settings.upkeep_bytes,
            now=self._now,
            nights=self._settings.upkeep_days,
        )
