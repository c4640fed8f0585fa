"""What a night through Airflow cost and gave, printed for people."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from complaint import from_here

from crawler.catalog.db.database import open_database
from crawler.catalog.read import runs, sites
from crawler.catalog.read.runs import Run
from crawler.cli.output import clean, duration, print_pairs
from crawler.cli.summary import action_facts, skipped_facts, traffic_facts
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
            ("verdicts", ", ".join(f"{n:,} {name}" for name, n in verdicts.items()) or "none"),
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
    took = ""
    if run and run.ended_at:
        took = f", in {duration((run.ended_at - run.started_at).total_seconds())}"
    yield from traffic_facts(standing, took)
    yield from skipped_facts(standing.skipped)
    yield from action_facts(standing.top_actions)


def _published(published: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    if published is None or not (published["new_files"] or published["changed_files"]):
        yield "published", "nothing is new since the last night"
        return
    yield (
        "published",
        f"{published['new_files']:,} new files in {published['new_datasets']:,} datasets, "
        f"{published['changed_files']:,} changed",
    )
