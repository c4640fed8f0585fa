"""The validation step: which versions are to be checked, and checking them.

A batch is what Airflow maps a task over; all versions of one file are in the same, so that batches
can be worked on in any order and at once.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from crawler.catalog.read import sites
from crawler.catalog.write.verdicts import pending_versions
from crawler.config.load import find_site
from crawler.config.settings import Settings
from crawler.config.validation import ValidationConfig
from crawler.pipeline.crawl.outage import MAX_OUTAGE
from crawler.pipeline.services import open_services
from crawler.pipeline.validate.summary import ValidationSummary, ValidationWatch
from crawler.pipeline.validate.validator import open_validator, warm_up_judge
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.validation.expectations import Judge
from crawler.validation.inspector import FileToInspect, Inspector
from crawler.validation.outcome import Outcome
from crawler.validation.suites import load_suites

BATCH = 100


def pending_batches(
    settings: Settings,
    site: str | None = None,
    *,
    everything: bool = False,
    size: int = BATCH,
    max_batches: int | None = None,
) -> list[list[int]]:
    """The ids of versions without a verdict, or of all; about `size` in a batch.

    Where that would make more than `max_batches`, batches are larger instead.
    """
    with open_services(settings) as services:
        pending = list(pending_versions(services.database, site=site, everything=everything))
    if max_batches is not None:
        size = max(size, math.ceil(len(pending) / max_batches))
    batches: list[list[int]] = []
    last = None
    for version in pending:
        if not batches or (len(batches[-1]) >= size and version.resource_id != last):
            batches.append([])
        batches[-1].append(version.version_id)
        last = version.resource_id
    return batches


def verdicts_in_all(settings: Settings, site: str) -> dict[str, int]:
    """The files of a site by the verdict on their newest version, `unchecked` among them."""
    with open_services(settings) as services, services.database.reading() as session:
        known = sites.site(session, site)
    return known.verdicts if known is not None else {}


def validate_versions(
    settings: Settings,
    version_ids: Sequence[int],
    *,
    jobs: int | None = None,
    watch: ValidationWatch | None = None,
    again: bool = False,
    max_outage: float = MAX_OUTAGE,
) -> ValidationSummary:
    """Judges these versions; those that have a verdict already only `again`.

    StorageError when store or catalog stay away. Safe to be killed, repeated and run twice at once.
    """
    with open_validator(settings, jobs=jobs, watch=watch, max_outage=max_outage) as validator:
        summary = validator.validate(version_ids, again=again)
        for site in () if summary.interrupted else summary.sites:
            validator.publish_data_docs(site)
    return summary


def validate_file(
    settings: Settings,
    path: Path,
    *,
    site: str | None = None,
    declared: str = "",
    bounds: Bounds = DEFAULT_BOUNDS,
) -> Outcome:
    """The verdict on a file of this machine, by the suites and by the rules of a site."""
    config = find_site(site, settings.sites_dir).validation if site else ValidationConfig()
    judge = Judge(load_suites(settings.expectations_dir), config, site=site or "")
    request = judge.request(path.name, declared, bounds=bounds)
    warming = warm_up_judge()
    with Inspector(1, bounds) as inspector:
        [(_, inspection)] = inspector.inspect([FileToInspect(0, path.absolute(), request)])
    warming.join()
    return judge.judge([inspection])[0]
