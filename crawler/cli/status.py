"""`tallyho status`: where every site stands."""

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import typer

from crawler.cli.output import (
    clean,
    print_json,
    print_json_list,
    print_pairs,
    print_table,
    size_text,
)
from crawler.cli.output import print_warning as warn
from crawler.cli.summary import action_facts, by_format, skipped_facts
from crawler.config.load import find_site, load_sites
from crawler.config.settings import Settings, load_settings
from crawler.errors import ConfigError, ExitCode
from crawler.pipeline.report.next_night import NextNight, next_night
from crawler.pipeline.report.status import (
    SiteState,
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
A running crawl is not disturbed. Exit code 7 when a state cannot be read.
"""


def status(
    site: Annotated[str | None, typer.Argument(metavar="[NAME|FILE]")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Show where every site stands; with a name, one in detail."""
    settings = load_settings()
    if site is not None:
        _show_one(settings, site, as_json=as_json)
    else:
        _show_all(settings, as_json=as_json)


def _show_one(settings: Settings, site: str, *, as_json: bool) -> None:
    known = site in crawled_sites(settings)
    name = site if known else find_site(site, settings.sites_dir).name
    shown = site_status(settings, name)
    planned = _next_night(settings, name)
    if as_json:
        print_json(shown.as_dict() | {"next_night": planned.as_dict() if planned else None})
        return
    print_pairs(_facts(shown))
    if planned is not None:
        typer.echo()
        print_pairs(_next_facts(planned))


def _next_night(settings: Settings, name: str) -> NextNight | None:
    """What the next revisit looks at; None for a site whose file is missing or wrong."""
    try:
        site = find_site(name, settings.sites_dir)
    except ConfigError:
        return None
    return next_night(site, settings, time.time())


def _next_facts(planned: NextNight) -> Iterator[tuple[str, str]]:
    listed = ", ".join(f"{number:,} {kind}s" for kind, number in planned.counts.items())
    yield "next night", f"would look at {listed or 'nothing'}"
    for reason, number in planned.reasons.items():
        yield "because", f"{number:,}  {reason}"
    for visit in planned.first:
        yield visit.kind.value, f"{visit.url}  ({visit.reason})"


def _show_all(settings: Settings, *, as_json: bool) -> None:
    statuses = all_statuses(settings, _configured(settings))
    if as_json:
        print_json_list(shown.as_dict() for shown in statuses)
    else:
        columns = ("site", "state", "requests", "pages", "targets", "bytes", "frontier", "actions")
        print_table((*columns, "last stop"), map(_row, statuses))
    unreadable = [shown for shown in statuses if shown.state is SiteState.UNREADABLE]
    for shown in unreadable:
        warn(f"{shown.site}: {shown.stop_detail}")
    if unreadable:
        raise typer.Exit(int(ExitCode.FAILURES))


def _configured(settings: Settings) -> list[str]:
    try:
        sites, problems = load_sites(settings.sites_dir)
    except ConfigError as error:
        if not crawled_sites(settings):
            raise
        warn(error.message)
        return []
    if problems:
        warn("some site files are left out; see `tallyho sites check`")
    return [site.name for site in sites]


def _row(shown: SiteStatus) -> tuple[object, ...]:
    if shown.state in (SiteState.NEVER_CRAWLED, SiteState.UNREADABLE):
        return (shown.site, shown.state, *[""] * 7)
    return (
        shown.site,
        shown.state,
        f"{shown.requests:,}",
        f"{shown.pages:,}",
        f"{shown.targets:,}",
        size_text(shown.bytes),
        f"{shown.frontier:,}",
        f"{shown.actions:,}",
        _last_stop(shown),
    )


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
    heads = f", {shown.heads:,} of them HEAD" if shown.heads else ""
    retries = f", {shown.retries:,} repeated" if shown.retries else ""
    yield "requests", f"{shown.requests:,}{heads}{retries}"
    yield "pages", f"{shown.pages:,}"
    yield "targets", by_format(shown.targets, shown.formats)
    kept = size_text(shown.target_bytes)
    yield "bytes", f"{size_text(shown.bytes)} received, {kept} of them targets"
    deferred = f", {shown.deferred:,} to be tried once more" if shown.deferred else ""
    yield "URLs", f"{shown.known_urls:,} known, {shown.frontier:,} in the frontier{deferred}"
    yield "actions", f"{shown.actions:,}"
    yield from action_facts(shown.top_actions)
    yield from skipped_facts(shown.skipped)
    yield "files", shown.files
    yield "manifest", shown.manifest


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"
