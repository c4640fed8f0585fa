"""The figures of all sites for Prometheus, from catalog, site files and store in a few queries."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from crawler.catalog.facade import Catalog
from crawler.catalog.read.coverage import seen_since
from crawler.catalog.read.sites import Site
from crawler.catalog.read.standings import Standing, standings
from crawler.config.schedule import last_moment
from crawler.errors import StorageError
from crawler.metrics import served as metric
from crawler.metrics.instrument import Instrument
from crawler.pipeline.crawl.snapshots import snapshot_times
from crawler.pipeline.report.site_view import SiteFile, SiteState, SiteView, site_views

LATELY = timedelta(days=30)

Figure = tuple[Instrument, tuple[str, ...], float]
"""A metric, the values of its labels in their order, and its value."""


def site_figures(catalog: Catalog, sites_dir: Path | None, now: datetime) -> list[Figure]:
    """How every site stands; StorageError when the catalog cannot be asked."""
    known = standings(catalog.database)
    with catalog.database.reading() as session:
        seen = seen_since(session, now - LATELY)
    counts = {site.name: site for site in catalog.sites()}
    snapshots: dict[str, datetime] = {}
    with suppress(StorageError):  # without the store all else is still known
        snapshots = snapshot_times(catalog.store)
    figures: list[Figure] = []
    for view in site_views(known, sites_dir, now):
        name = view.name
        figures += _of_view(view)
        due = last_moment(view.schedule, now) if view.schedule else None
        figures += _known({metric.DUE: _moment(due)}, name)
        figures += _of_standing(known.get(name))
        figures += _of_counts(counts.get(name))
        figures += _known({metric.COVERAGE: seen.get(name)}, name)
        figures += _known({metric.SNAPSHOT: _moment(snapshots.get(name))}, name)
    return figures


def _of_view(view: SiteView) -> Iterator[Figure]:
    name = view.name
    for state in SiteState:
        if state is not SiteState.UNREADABLE:  # only who opens a state file can tell
            yield metric.STATE, (name, state.value), float(state is view.state)
    for status in SiteFile:
        yield metric.SITE_FILE, (name, status.value), float(status is view.site_file)
    yield from _known(
        {
            metric.LAST_RUN: _moment(view.last_run),
            metric.NEXT_RUN: _moment(view.next_run),
            metric.FAILED: view.failed_runs,
            metric.BUDGET: view.budget,
            metric.BUDGET_LEFT: view.budget_left,
        },
        name,
    )


def _of_standing(standing: Standing | None) -> Iterator[Figure]:
    if standing is None:
        return
    totals, until = standing.totals, standing.held_until
    left = (until - standing.asked_at).total_seconds() if until else 0.0
    # One that runs has no counts before the end of its first slice.
    last = next((run for run in standing.runs if run.ended_at), None)
    yield from _known(
        {
            metric.REQUESTS: totals.get("requests", 0),
            metric.PAGES: totals.get("pages", 0),
            metric.TARGETS: totals.get("targets", 0),
            metric.VERSIONS: totals.get("new_versions", 0),
            metric.RECEIVED: totals.get("bytes", 0),
            metric.LAST_REQUESTS: last.requests if last else None,
            metric.LAST_VERSIONS: last.new_versions if last else None,
            metric.YIELD: last.new_versions / max(last.requests, 1) if last else None,
            metric.PUBLISHED: _moment(standing.published_at),
            metric.LEASE: left,
        },
        standing.site,
    )


def _of_counts(site: Site | None) -> Iterator[Figure]:
    if site is None:
        return
    for verdict, files in site.verdicts.items():
        yield metric.FILES, (site.name, verdict), files
    yield metric.GONE, (site.name,), site.gone
    yield metric.BYTES, (site.name,), site.bytes


def _known(values: Mapping[Instrument, float | None], site: str) -> Iterator[Figure]:
    """What has no value is left out: a 0 would be a lie."""
    for instrument, value in values.items():
        if value is not None:
            yield instrument, (site,), float(value)


def _moment(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None
