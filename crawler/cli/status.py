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
    found = site_status(settings, name)
    planned = _next_night(settings, name)
    if as_json:
        print_json(found.as_dict() | {"next_night": planned.as_dict() if planned else None})
        return
    print_pairs(_facts(found))
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
        print_json_list(found.as_dict() for found in statuses)
    else:
        columns = ("site", "state", "requests", "pages", "targets", "bytes", "frontier", "actions")
        print_table((*columns, "last stop"), map(_row, statuses))
    unreadable = [found for found in statuses if found.state is SiteState.UNREADABLE]
    for found in unreadable:
        warn(f"{found.site}: {found.stop_detail}")
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


def _row(found: SiteStatus) -> tuple[object, ...]:
    if found.state in (SiteState.NEVER_CRAWLED, SiteState.UNREADABLE):
        return (found.site, found.state, *[""] * 7)
    return (
        found.site,
        found.state,
        f"{found.requests:,}",
        f"{found.pages:,}",
        f"{found.targets:,}",
        size_text(found.bytes),
        f"{found.frontier:,}",
        f"{found.actions:,}",
        _last_stop(found),
    )


def _last_stop(found: SiteStatus) -> str:
    when = f" ({_minute(found.stopped_at)})" if found.stopped_at else ""
    return f"{found.sentence}{when}"


def _facts(found: SiteStatus) -> Iterator[tuple[str, str]]:
    yield "site", f"{found.site} {found.start_url}".rstrip()
    yield "state", found.state
    if found.state is SiteState.NEVER_CRAWLED:
        yield "next", f"tallyho crawl {clean(found.site)}"
        return
    if found.begun_at:
        yield "begun", f"{_minute(found.begun_at)}, strategy {found.strategy}"
    if found.sentence:
        yield "last stop", _last_stop(found)
    heads = f", {found.heads:,} of them HEAD" if found.heads else ""
    retries = f", {found.retries:,} repeated" if found.retries else ""
    yield "requests", f"{found.requests:,}{heads}{retries}"
    yield "pages", f"{found.pages:,}"
    yield "targets", by_format(found.targets, found.formats)
    kept = size_text(found.target_bytes)
    yield "bytes", f"{size_text(found.bytes)} received, {kept} of them targets"
    deferred = f", {found.deferred:,} to be tried once more" if found.deferred else ""
    yield "URLs", f"{found.known_urls:,} known, {found.frontier:,} in the frontier{deferred}"
    yield "actions", f"{found.actions:,}"
    yield from action_facts(found.top_actions)
    yield from skipped_facts(found.skipped)
    yield "files", found.files
    yield "manifest", found.manifest


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"
