"""`tallyho nightly`: the whole night of every site, as Airflow would run it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Annotated

import typer

from crawler.cli.crawl import STOPPING
from crawler.cli.output import clean, count, print_error, print_json_list
from crawler.cli.output import print_warning as warn
from crawler.cli.progress import progress_for
from crawler.cli.stop_signals import stop_signals
from crawler.config.load import find_site, load_sites
from crawler.config.settings import Settings, load_settings
from crawler.config.site import SiteConfig
from crawler.errors import ConfigError, ExitCode
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.night.night import ByHand, Night
from crawler.pipeline.night.nightly import NightReport
from crawler.pipeline.night.nightly import nightly as run_night
from crawler.pipeline.report.wording import stop_sentence

EPILOG = """\b
Examples:
  tallyho nightly
  tallyho nightly demo insee --requests 500
  tallyho nightly --json | jq -r '.items[] | select(.failures != []) | .site'

\b
For each site: plan (a first acquisition, one to resume, a revisit, or nothing), crawl,
validate, publish. Without names, every enabled site. What failed is listed, sent as an
alarm where one is configured (see docs/nights.md), and stops no other site.

\b
Exit codes: 0 done; 3 a named site has no valid file; 7 some sites failed; 130 interrupted.
"""


def nightly(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME|FILE]...")] = None,
    requests: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of requests of each site's night.")
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Start again what is complete; files stay."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Plan, crawl, validate and publish: every site, or those named."""
    settings = load_settings()
    sites, configured, problems = _chosen(settings, names or [])
    with ExitStack() as displays:
        watches = _Watches(displays)
        reports = run_night(
            sites,
            settings,
            by_hand=ByHand(requests=requests, fresh=fresh),
            configured=configured,
            watch_for=watches.watch,
            on_report=_print_report if not as_json else lambda _: None,
        )
    failed = [report.site for report in reports if report.failed]
    if as_json:
        listed = [report.as_dict() for report in reports]
        print_json_list(listed, failed=failed, invalid_files=problems)
    for problem in problems:
        print_error(problem)
    if any(report.interrupted for report in reports):
        raise typer.Exit(int(ExitCode.INTERRUPTED))
    if failed or problems:
        if failed:
            print_error(f"{count(len(failed), 'site')} failed: {', '.join(failed)}")
        raise typer.Exit(int(ExitCode.FAILURES))


def _chosen(settings: Settings, names: list[str]) -> tuple[list[SiteConfig], list[str], list[str]]:
    """The sites of this night, the names of all that have a file, and the files that are wrong."""
    try:
        sites, problems = load_sites(settings.sites_dir)
    except ConfigError:
        if not names:
            raise
        sites, problems = [], []
    configured = [site.name for site in sites]
    if names:
        chosen = [find_site(name, settings.sites_dir) for name in dict.fromkeys(names)]
        return chosen, configured, []
    enabled = [site for site in sites if site.enabled]
    if not enabled and not problems:
        warn(f"no site in {settings.sites_dir} is enabled")
    return enabled, configured, [str(problem) for problem in problems]


class _Watches:
    """One display after the other; Ctrl-C is listened to all the time."""

    def __init__(self, displays: ExitStack) -> None:
        self._displays = displays
        self._say: Callable[[str], None] = lambda _: None
        self._asked = displays.enter_context(stop_signals(lambda: self._say(STOPPING)))
        self._open = displays.enter_context(ExitStack())

    def watch(self, site: SiteConfig, night: Night) -> Watch:
        self._open.close()
        progress = self._open.enter_context(progress_for(night.applied_to(site)))
        self._say = progress.say_at_once
        return progress.watch(self._asked)


def _print_report(report: NightReport) -> None:
    for line in _lines(report):
        typer.echo(clean(f"{report.site}: {line}"))


def _lines(report: NightReport) -> Iterator[str]:
    night, crawled, published = report.night, report.crawled, report.published
    if night is not None:
        yield f"{night.kind.value}: {night.reason}"
        yield from night.notes
    if crawled is not None:
        why = stop_sentence(crawled.stop_reason, crawled.stop_detail)
        spent = f"{count(crawled.targets, 'file')} in {count(crawled.requests, 'request')}"
        yield f"crawled: {spent}; {why}"
    if report.revisited is not None:
        visited, files = report.revisited.visited, report.revisited.checked_files
        yield f"revisited: {count(visited, 'known page')}, {count(files, 'known file')}"
    if report.validated is not None and report.validated.checked:
        verdicts = report.validated.verdicts.items()
        counts = ", ".join(f"{number:,} {verdict.value}" for verdict, number in verdicts)
        yield f"validated: {count(report.validated.checked, 'file')}: {counts}"
    if published is not None:
        new, changed = published.announced.new_files, published.announced.changed_files
        gone = f", {len(published.gone_ids):,} gone" if published.gone_ids else ""
        yield f"published: {count(new, 'new file')}, {changed:,} changed{gone}"
        yield from (f"alarm: {alarm.sentence}" for alarm in published.alarms)
    for failure in report.failures:
        yield f"failed: {failure}"
