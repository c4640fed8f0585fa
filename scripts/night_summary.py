"""What a night through Airflow cost and gave, printed for people."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from complaint import from_here

from crawler.catalog.db.database import open_database
from crawler.catalog.read import runs, sites
from crawler.catalog.read.runs import Run
from crawler.cli.output import clean, duration, print_pairs, size_text
from crawler.cli.summary import action_facts, by_format, skipped_facts
from crawler.config.settings import Settings
from crawler.pipeline.report.status import SiteStatus, site_status


def print_night(settings: Settings, site: str, night: Mapping[str, Any]) -> None:
    """The crawl, the verdicts, and what was announced."""
    standing = site_status(settings, site)
    run, verdicts = _recorded(settings, site, standing.run_id)
    print()
    print(clean(f"{site}: {standing.sentence}"))
    print()
    print_pairs(
        [
            ("night", night["run_id"]),
            ("steps", ", ".join(_steps(night["tasks"]))),
            *_facts(standing, run),
            ("verdicts", _counted(verdicts)),
            *_published(night["returned"].get("publish")),
            ("files", _place(standing.files)),
            ("manifest", _place(standing.manifest)),
        ]
    )


def _place(place: str) -> str:
    return place if "://" in place else str(from_here(Path(place)))


def _recorded(settings: Settings, site: str, run_id: str) -> tuple[Run | None, Mapping[str, int]]:
    """The run of the catalog, and the verdicts on the newest version of every file."""
    database = open_database(settings.database_url)
    try:
        with database.reading() as session:
            known = sites.site(session, site)
            return runs.run(session, run_id), known.verdicts if known else {}
    finally:
        database.close()


def _steps(tasks: Mapping[str, str]) -> Iterator[str]:
    for name in ("plan", "crawl", "validate", "publish"):
        if name in tasks:
            yield f"{name}: {tasks[name]}"


def _facts(standing: SiteStatus, run: Run | None) -> Iterator[tuple[str, str]]:
    heads = f", {standing.heads:,} of them HEAD" if standing.heads else ""
    retries = f", {standing.retries:,} repeated" if standing.retries else ""
    took = f", in {_time(run.started_at, run.ended_at)}" if run and run.ended_at else ""
    yield "requests", f"{standing.requests:,}{heads}{retries}{took}"
    yield "pages", f"{standing.pages:,}"
    yield "targets", by_format(standing.targets, standing.formats)
    kept = size_text(standing.target_bytes)
    yield "bytes", f"{size_text(standing.bytes)} received, {kept} of them targets"
    yield from skipped_facts(standing.skipped)
    yield from action_facts(standing.top_actions)


def _counted(verdicts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in verdicts.items()) or "none"


def _time(began: datetime, ended: datetime) -> str:
    return duration((ended - began).total_seconds())


def _published(published: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    if published is None or not (published["new_files"] or published["changed_files"]):
        yield "published", "nothing is new since the last night"
        return
    yield (
        "published",
        f"{published['new_files']:,} new files in {published['new_datasets']:,} datasets, "
        f"{published['changed_files']:,} changed",
    )
