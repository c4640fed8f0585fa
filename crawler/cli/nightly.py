"""`tallyho nightly`: the whole night of every site, as Airflow would run it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, count, print_error, print_json_list, write_at_once
from crawler.cli.output import print_warning as warn
from crawler.cli.progress import STOPPING, progress_for
from crawler.cli.sites_progress import SitesProgress
from crawler.cli.stop_signals import stop_signals
from crawler.config.load import find_site, load_sites
from crawler.config.settings import Settings, load_settings
from crawler.config.site import SiteConfig
from crawler.errors import ConfigError, ExitCode, TallyhoError
from crawler.log_lines import FIELDS
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.night.alerts import AlertOutcome, Told, send_all_alerts
from crawler.pipeline.night.night import ByHand, Night
from crawler.pipeline.night.nightly import NightReport
from crawler.pipeline.night.nightly import nightly as run_night
from crawler.pipeline.report.night_lines import (
    crawl_lines,
    plan_lines,
    publish_lines,
    validate_lines,
)

log = logging.getLogger(__name__)

EPILOG = """\b
Examples:
  tallyho nightly
  tallyho nightly demo insee --requests 500
  tallyho nightly --at-once 100
  tallyho nightly --json | jq -r '.items[] | select(.failures != []) | .site'

\b
For each site: plan (a first acquisition, one to resume, a revisit, or nothing), crawl,
validate, publish. Without names, every enabled site. What failed is listed, sent as an
alarm where one is configured (see docs/nights.md), and stops no other site. At the end, the
alerts of include/alerts are sent (docs/alerts.md); one that fails is sent the next time.

\b
Sites are crawled one after the other, or --at-once in one process: each still waits its own
delay, so that many cost hardly more than one. Ctrl-C saves all of them within seconds.

\b
Exit codes: 0 done; 3 a named site has no valid file; 7 some sites failed; 130 interrupted.
"""


STOPPING_ALL = "stopping; press Ctrl-C again to stop at once"


def nightly(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME|FILE]...")] = None,
    requests: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of requests of each site's night.")
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Start again what is complete; files stay."),
    ] = False,
    at_once: Annotated[
        int, typer.Option(min=1, max=1000, help="How many sites are crawled at the same time.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Plan, crawl, validate and publish: every site, or those named."""
    settings = load_settings()
    sites, configured, problems = _chosen(settings, names or [])
    with ExitStack() as displays:
        many = at_once > 1 and len(sites) > 1
        watches = _ManyWatches(displays, len(sites)) if many else _Watches(displays)

        def on_report(report: NightReport) -> None:
            watches.end(report.site)
            if not as_json:
                _print_report(report)
            _log_report(report)

        reports = run_night(
            sites,
            settings,
            by_hand=ByHand(requests=requests, fresh=fresh),
            configured=configured,
            at_once=at_once,
            watch_for=watches.watch,
            stop_requested=watches.stop_requested,
            on_report=on_report,
        )
    failed = [report.site for report in reports if report.failed]
    interrupted = any(report.interrupted for report in reports)
    told = [] if interrupted else _send_alerts(settings, quiet=as_json)
    if as_json:
        listed = [report.as_dict() for report in reports]
        alerts = [asdict(outcome) for outcome in told]
        print_json_list(listed, failed=failed, invalid_files=problems, alerts=alerts)
    for problem in problems:
        print_error(problem)
    if interrupted:
        raise typer.Exit(int(ExitCode.INTERRUPTED))
    if failed or problems:
        if failed:
            print_error(f"{count(len(failed), 'site')} failed: {', '.join(failed)}")
        raise typer.Exit(int(ExitCode.FAILURES))


def _send_alerts(settings: Settings, *, quiet: bool) -> list[AlertOutcome]:
    """What is not sent is sent the next time, so it is no failure of the night."""
    try:
        told, problems = send_all_alerts(settings)
    except TallyhoError as error:
        warn(f"alerts: {error.message}")
        return []
    for problem in problems:
        warn(problem)
    for outcome in told:
        if outcome.told in (Told.FAILED, Told.BUSY):
            warn(str(outcome))
        elif outcome.told is Told.SENT and not quiet:
            typer.echo(clean(str(outcome)))
    return told


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
        self._say: Callable[[str], None] = lambda _: None
        self.stop_requested = displays.enter_context(stop_signals(lambda: self._say(STOPPING)))
        self._open = displays.enter_context(ExitStack())

    def watch(self, site: SiteConfig, night: Night) -> Watch:
        self._open.close()
        progress = self._open.enter_context(progress_for(night.applied_to(site)))
        self._say = progress.say_at_once
        return progress.watch(self.stop_requested)

    def end(self, site: str) -> None:
        """Its display stays until the next one."""


class _ManyWatches(SitesProgress):
    """One line for all sites; Ctrl-C is listened to all the time."""

    def __init__(self, displays: ExitStack, sites: int) -> None:
        say = partial(write_at_once, f"{STOPPING_ALL}\n")
        self.stop_requested = displays.enter_context(stop_signals(say))
        super().__init__(sites, self.stop_requested)


def _print_report(report: NightReport) -> None:
    for line in _lines(report):
        typer.echo(clean(f"{report.site}: {line}"))


def _log_report(report: NightReport) -> None:
    """The same for programs that read logs: one message with all figures."""
    how = "failed" if report.failed else "is over"
    log.info("the night of %s %s", report.site, how, extra={FIELDS: report.as_dict()})


def _lines(report: NightReport) -> Iterator[str]:
    if report.night is not None:
        yield from plan_lines(report.night)
    if report.crawled is not None:
        yield from crawl_lines(report.crawled, report.revisited)
    if report.cut_off:
        yield "interrupted in a request; it is resumed after its last step"
    if report.validated is not None:
        yield from validate_lines(report.validated)
    if report.published is not None:
        yield from publish_lines(report.published)
    for failure in report.failures:
        yield f"failed: {failure}"
