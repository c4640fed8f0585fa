"""The validator: from versions in the catalog to verdicts, batch after batch.

One pool of reading processes and one import of Great Expectations serve all batches. Verdicts of a
batch are written in one transaction, so that a validator can be killed anywhere and run again, or
run twice at once: each version has one verdict in the end, and the same.
"""

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from crawler.catalog.read.latest_verdicts import sites_with_verdicts
from crawler.catalog.write.differences import pairs_to_compare, record_difference
from crawler.catalog.write.verdicts import (
    VerdictRecord,
    VersionToCheck,
    record_verdicts,
    versions_to_check,
)
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.errors import ConfigError, FileRemoved
from crawler.metrics.meter import count
from crawler.metrics.working import VERDICTS
from crawler.pipeline.crawl.outage import MAX_OUTAGE, OutageRetry
from crawler.pipeline.services import Services, open_services
from crawler.pipeline.validate.comparing import Comparer
from crawler.pipeline.validate.data_docs import publish_data_docs
from crawler.pipeline.validate.local_copy import local_copy
from crawler.pipeline.validate.site_rules import SiteRules
from crawler.pipeline.validate.summary import Unchecked, ValidationSummary, ValidationWatch
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.validation.data_docs import results_page
from crawler.validation.expectations import Judge
from crawler.validation.inspection import Inspection
from crawler.validation.inspector import FileToInspect, Inspector
from crawler.validation.running import RUNNER
from crawler.validation.suites import load_suites

MAX_JOBS = 8
"""Max files read at once by default, on any number of cores; each may take gigabytes."""


_LOOK_AROUND = 0.2


@dataclass(frozen=True, slots=True)
class _Judged:
    version: VersionToCheck
    inspection: Inspection


@contextmanager
def open_validator(
    settings: Settings,
    *,
    jobs: int | None = None,
    watch: ValidationWatch | None = None,
    sites: Iterable[SiteConfig] = (),
    bounds: Bounds = DEFAULT_BOUNDS,
    max_outage: float = MAX_OUTAGE,
) -> Iterator["Validator"]:
    """A validator for any number of batches; `sites` take precedence over the site files."""
    watch = watch or ValidationWatch()
    retry = OutageRetry(max_outage, watch.on_tick, watch.stop_requested)
    rules = SiteRules(settings, sites)
    with (
        open_services(settings) as services,
        Inspector(jobs or default_jobs(), bounds, readable_places(settings)) as inspector,
    ):
        validator = Validator(settings, services, inspector, rules, watch, retry, bounds)
        try:
            yield validator
        finally:
            validator.close()


def readable_places(settings: Settings) -> tuple[Path, ...]:
    """Where the files are that readers look into: the store's folder, and copies from S3."""
    places = [settings.spool_dir]
    if settings.object_store_url.startswith("file:"):
        places.append(Path(settings.store_place))
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
    return tuple(places)


def warm_up_judge() -> threading.Thread:
    """Imports Great Expectations while files are read, as it takes seconds; to be joined."""
    thread = threading.Thread(target=RUNNER.warm_up, name="judge", daemon=True)
    thread.start()
    return thread


def default_jobs() -> int:
    """One file per core that this process may use."""
    return min(len(os.sched_getaffinity(0)), MAX_JOBS)


class Validator:
    """Checks versions of the catalog."""

    def __init__(
        self,
        settings: Settings,
        services: Services,
        inspector: Inspector,
        rules: SiteRules,
        watch: ValidationWatch,
        retry: OutageRetry,
        bounds: Bounds,
    ) -> None:
        self._services = services
        self._database = services.database
        self._store = services.store
        self._spool_dir = settings.spool_dir
        self._suites = load_suites(settings.expectations_dir)
        self._inspector = inspector
        self._rules = rules
        self._watch = watch
        self._retry = retry
        self._bounds = bounds
        self._judges: dict[str, Judge] = {}
        self._comparer: Comparer | None = None
        self._warming: threading.Thread | None = None

    def validate(self, version_ids: Sequence[int], *, again: bool = False) -> ValidationSummary:
        """Judges these versions; those that have a verdict only `again`.

        Of several versions of one file the older ones come first: the next is compared with them.
        """
        summary = ValidationSummary()
        left = list(version_ids)
        while left and not self._watch.stop_requested():
            waiting = self._look_up(left, again=again)
            first: dict[int, VersionToCheck] = {}
            for version in waiting:
                first.setdefault(version.resource_id, version)
            summary += self._validate_wave(list(first.values()))
            ahead = {version.version_id for version in first.values()}
            left = [one.version_id for one in waiting if one.version_id not in ahead]
        return summary + ValidationSummary(interrupted=self._watch.stop_requested())

    def close(self) -> None:
        """Waits for the import in the background, unless somebody wants it to stop."""
        if self._comparer is not None:
            self._comparer.close()
        self._is_ready_to_judge()

    def sites(self) -> list[str]:
        """The sites that have verdicts."""
        return self._retry.attempt(lambda: sites_with_verdicts(self._database))

    def publish_data_docs(self, site: str) -> None:
        """Writes the pages of a site if its verdicts have changed since the last time."""
        try:
            config = self._rules.of(site)
        except ConfigError:  # reported with the files of the site
            return
        if config.enabled:
            self._retry.attempt(
                lambda: publish_data_docs(self._services, site, self._suites, config)
            )

    def _look_up(self, version_ids: Sequence[int], *, again: bool) -> list[VersionToCheck]:
        return self._retry.attempt(
            lambda: versions_to_check(self._database, version_ids, again=again)
        )

    def _validate_wave(self, versions: Sequence[VersionToCheck]) -> ValidationSummary:
        """Versions of different files, judged together."""
        summary, sites = ValidationSummary(), sorted({version.site for version in versions})
        for site in sites:
            mine = [version for version in versions if version.site == site]
            try:
                judge = self._judge_of(site)
            except ConfigError as error:
                summary += _unchecked((version, str(error)) for version in mine)
                continue
            if judge is None:
                summary += ValidationSummary(switched_off=(site,))
            else:
                summary += self._validate_site(judge, mine)
        return summary

    def _judge_of(self, site: str) -> Judge | None:
        """The judge of a site; None when its files are not to be checked."""
        config = self._rules.of(site)
        if not config.enabled:
            return None
        if site not in self._judges:
            self._judges[site] = Judge(self._suites, config, site=site)
        return self._judges[site]

    def _validate_site(self, judge: Judge, versions: Sequence[VersionToCheck]) -> ValidationSummary:
        if self._warming is None:
            self._warming = warm_up_judge()
        inspected, missing = self._inspect(judge, versions)
        summary = _unchecked(missing)
        self._compare([one.version.version_id for one in inspected])
        if inspected and self._is_ready_to_judge():
            outcomes = judge.judge([one.inspection for one in inspected])
            records = [
                VerdictRecord(
                    one.version.version_id, outcome, results_page(outcome.kind, self._suites)
                )
                for one, outcome in zip(inspected, outcomes, strict=True)
            ]
            self._retry.attempt(lambda: record_verdicts(self._database, records))
            verdicts = Counter(outcome.verdict for outcome in outcomes)
            for verdict, number in verdicts.items():
                count(VERDICTS, number, site=versions[0].site, verdict=verdict.value)
            summary += ValidationSummary(
                checked=len(outcomes), verdicts=verdicts, sites=(versions[0].site,)
            )
        self._watch.on_judged(summary)
        return summary

    def _compare(self, version_ids: Sequence[int]) -> None:
        """Records what versions changed; before their verdicts, so that none is passed over."""
        pairs = self._retry.attempt(lambda: pairs_to_compare(self._database, version_ids))
        for pair in pairs:
            if self._watch.stop_requested():
                return
            self._comparer = self._comparer or Comparer(self._store, bounds=self._bounds)
            compare = partial(self._comparer.compare, pair.old, pair.new, pair.url)
            summary = self._retry.attempt(compare).summary
            self._retry.attempt(partial(record_difference, self._database, pair, summary))

    def _is_ready_to_judge(self) -> bool:
        """Waits for the import that judging needs; False when it is asked to stop before."""
        while self._warming is not None and self._warming.is_alive():
            if self._watch.stop_requested():
                return False
            self._warming.join(_LOOK_AROUND)
        return True

    def _inspect(
        self, judge: Judge, versions: Sequence[VersionToCheck]
    ) -> tuple[list[_Judged], list[tuple[VersionToCheck, str]]]:
        """The inspection of each version, and why the others could not be read."""
        by_id = {version.version_id: version for version in versions}
        inspected: list[_Judged] = []
        missing: list[tuple[VersionToCheck, str]] = []
        copies: dict[int, ExitStack] = {}

        def files() -> Iterator[FileToInspect]:
            for version in versions:
                if self._watch.stop_requested():
                    return
                request = judge.request(
                    version.url,
                    version.mime_declared,
                    previous=version.previous,
                    bounds=self._bounds,
                )
                if self._is_too_large(version):
                    detail = f"{version.size:,} bytes"
                    nothing = Inspection(Kind.BINARY, request.name, Trouble.TOO_LARGE, detail)
                    inspected.append(_Judged(version, nothing))
                    continue
                stack = ExitStack()
                try:
                    path = stack.enter_context(
                        local_copy(
                            self._store,
                            version.sha256,
                            version.size,
                            self._spool_dir,
                            self._retry,
                        )
                    )
                except FileRemoved as error:
                    missing.append((version, error.message))
                    continue
                copies[version.version_id] = stack
                yield FileToInspect(version.version_id, path, request)

        try:
            for file, inspection in self._inspector.inspect(files(), self._watch.stop_requested):
                copies.pop(file.key).close()
                inspected.append(_Judged(by_id[file.key], inspection))
                self._watch.on_read(file.request.name)
        finally:
            for stack in copies.values():
                stack.close()
        inspected.sort(key=lambda one: one.version.version_id)
        return inspected, self._still_missing(missing)

    def _is_too_large(self, version: VersionToCheck) -> bool:
        """Whether a copy would be made in vain; a file of this machine is looked at anyway."""
        too_large = version.size > self._bounds.file_bytes
        return too_large and self._store.local_path(version.sha256) is None

    def _still_missing(
        self, missing: list[tuple[VersionToCheck, str]]
    ) -> list[tuple[VersionToCheck, str]]:
        """Without those that were taken down in the meantime, as nothing is wrong with that."""
        if not missing:
            return []
        ids = [version.version_id for version, _ in missing]
        known = {version.version_id for version in self._look_up(ids, again=True)}
        return [one for one in missing if one[0].version_id in known]


def _unchecked(pairs: Iterable[tuple[VersionToCheck, str]]) -> ValidationSummary:
    return ValidationSummary(
        failures=tuple(
            Unchecked(version.version_id, version.resource_id, version.url, sentence)
            for version, sentence in pairs
        )
    )
