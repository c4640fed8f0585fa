"""`tallyho status`: where every site stands."""

import time
from collections.abc import Collection, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import (
    clean,
    count,
    print_json,
    print_json_list,
    print_pairs,
    print_table,
    size_text,
)
from crawler.cli.output import print_warning as warn
from crawler.cli.summary import action_facts, skipped_facts, traffic_facts
from crawler.config.load import find_site, load_sites
from crawler.config.settings import Settings, load_settings
from crawler.errors import ConfigError, ExitCode
from crawler.pipeline.report.look import look_into_catalog
from crawler.pipeline.report.next_night import NextNight, next_night
from crawler.pipeline.report.site_view import SiteFile, SiteState, SiteView, site_views
from crawler.pipeline.report.status import (
    SiteStatus,
    all_statuses,
    crawled_sites,
    site_status,
)

EPILOG = """\b
Examples:
  tallyho status
  tallyho status demo
  tallyho status --json | jq -r '.items[] | select(.state == "stopped") | .site'

\b
The catalog and the snapshots in the store are asked, so the answer is the same on every
machine that shares them. A running crawl is not disturbed. Exit code 7 when a state cannot
be read.
"""

_FILE_WORDS = {
    SiteFile.ENABLED: "enabled",
    SiteFile.DISABLED: "disabled",
    SiteFile.INVALID: "invalid",
    SiteFile.MISSING: "without a site file",
}


def status(
    site: Annotated[str | None, typer.Argument(metavar="[NAME|FILE]")] = None,
    as_json: Json = False,
) -> None:
    """Show where every site stands; with a name, one in detail."""
    settings = load_settings()
    if site is not None:
        _show_one(settings, site, as_json=as_json)
    else:
        _show_all(settings, as_json=as_json)


def _show_one(settings: Settings, site: str, *, as_json: bool) -> None:
    standings = look_into_catalog(settings, warn)
    known = site in standings or site in crawled_sites(settings)
    name = site if known else find_site(site, settings.sites_dir).name
    (view,) = [
        view
        for view in site_views(standings, settings.sites_dir, datetime.now(UTC), also=[name])
        if view.name == name
    ]
    shown = site_status(settings, name)
    planned = _next_night(settings, name)
    if as_json:
        both = _as_dict(shown, view)
        print_json(both | {"next_night": asdict(planned) if planned else None})
        return
    print_pairs([*_facts(shown), *_view_facts(view)])
    if planned is not None:
        typer.echo()
        print_pairs(next_facts(planned))


def _next_night(settings: Settings, name: str) -> NextNight | None:
    """What the next revisit looks at; None for a site whose file is missing or wrong."""
    try:
        site = find_site(name, settings.sites_dir)
    except ConfigError:
        return None
    return next_night(site, settings, time.time())


def next_facts(planned: NextNight) -> Iterator[tuple[str, str]]:
    """What the next revisit would look at, and why."""
    plural = {"address": "addresses"}
    counts = planned.counts.items()
    listed = ", ".join(count(number, kind, plural.get(kind, "")) for kind, number in counts)
    yield "next night", f"would look at {listed or 'nothing'}"
    for reason, number in planned.reasons.items():
        yield "because", f"{number:,}  {reason}"
    for visit in planned.first:
        yield visit.kind.value, f"{visit.url}  ({visit.reason})"


def _show_all(settings: Settings, *, as_json: bool) -> None:
    standings = look_into_catalog(settings, warn)
    names = {*_configured(settings, standings), *crawled_sites(settings)}
    views = {
        view.name: view
        for view in site_views(standings, settings.sites_dir, datetime.now(UTC), also=names)
    }
    statuses = all_statuses(settings, views, standings)
    if as_json:
        print_json_list(_as_dict(shown, views[shown.site]) for shown in statuses)
    else:
        figures = ("requests", "pages", "targets", "bytes", "frontier")
        columns = ("site", "state", "last run", "next run", "news", *figures, "last stop")
        print_table(columns, (_row(shown, views[shown.site]) for shown in statuses))
    unreadable = [shown for shown in statuses if shown.state is SiteState.UNREADABLE]
    for shown in unreadable:
        warn(f"{shown.site}: {shown.stop_detail}")
    if unreadable:
        raise typer.Exit(int(ExitCode.FAILURES))


def _as_dict(shown: SiteStatus, view: SiteView) -> dict[str, object]:
    """Both in one record; of what both know, the newest state says it best."""
    told = view.model_dump(mode="json", exclude={"name"})
    return told | shown.as_dict() | {"state": _state(shown, view).value}


def _state(shown: SiteStatus, view: SiteView) -> SiteState:
    """Another machine may be at work on it just now."""
    return SiteState.RUNNING if view.state is SiteState.RUNNING else shown.state


def _configured(settings: Settings, known: Collection[str]) -> list[str]:
    try:
        sites, problems = load_sites(settings.sites_dir)
    except ConfigError as error:
        if not crawled_sites(settings) and not known:
            raise
        warn(error.message)
        return []
    if problems:
        warn("some site files are wrong; see `tallyho sites check`")
    return [site.name for site in sites]


def _row(shown: SiteStatus, view: SiteView) -> tuple[object, ...]:
    state = _state(shown, view)
    if view.site_file is not SiteFile.ENABLED:
        state_words = f"{state}, {_FILE_WORDS[view.site_file]}"
    else:
        state_words = str(state)
    when = (_moment(view.last_run), _moment(view.next_run) or view.schedule)
    if state in (SiteState.NEVER_CRAWLED, SiteState.UNREADABLE):
        return (shown.site, state_words, *when, *[""] * 6, view.problem)
    return (
        shown.site,
        state_words,
        *when,
        view.trend,
        f"{shown.requests:,}",
        f"{shown.pages:,}",
        f"{shown.targets:,}",
        size_text(shown.bytes),
        "" if shown.frontier is None else f"{shown.frontier:,}",
        _last_stop(shown),
    )


def _view_facts(view: SiteView) -> Iterator[tuple[str, str]]:
    yield "site file", _FILE_WORDS[view.site_file]
    if view.problem:
        yield "site file", view.problem
    if view.schedule:
        yield "schedule", f"{view.schedule}, next {_moment(view.next_run) or 'when it is due'}"
    if view.last_run is not None:
        yield "last run", f"{_moment(view.last_run)}, {view.last_kind} {view.last_run_id}"
    if view.running_on:
        yield "running on", view.running_on
    if view.last_error:
        yield "last error", f"{view.last_error} ({count(view.failed_runs, 'run')} failed in a row)"
    if view.yields:
        yield "news", f"{view.trend} new or changed files in the last runs, the newest first"
    if view.budget is not None:
        left = f", {view.budget_left:,} left of this one" if view.budget_left != view.budget else ""
        yield "budget", f"{view.budget:,} requests a night{left}"


def _last_stop(shown: SiteStatus) -> str:
    when = f" ({_minute(shown.stopped_at)})" if shown.stopped_at else ""
    return f"{shown.sentence}{when}"


def _facts(shown: SiteStatus) -> Iterator[tuple[str, str]]:
    yield "site", f"{shown.site} {shown.start_url}".rstrip()
    yield "state", shown.state
    if shown.state is SiteState.NEVER_CRAWLED:
        yield "next", f"tallyho crawl {clean(shown.site)}"
        return
    if shown.begun_at:
        yield "started", f"{_minute(shown.begun_at)}, strategy {shown.strategy}"
    if shown.sentence:
        yield "last stop", _last_stop(shown)
    yield from traffic_facts(shown)
    deferred = f", {shown.deferred:,} to be tried once more" if shown.deferred else ""
    yield (
        "URLs",
        f"{shown.known_urls or 0:,} known, {shown.frontier or 0:,} in the frontier{deferred}",
    )
    yield "actions", f"{shown.actions or 0:,}"
    yield from action_facts(shown.top_actions)
    yield from skipped_facts(shown.skipped)
    yield "files", shown.files
    yield "manifest", shown.manifest


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""
