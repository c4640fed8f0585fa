"""`tallyho crawl`: the acquisition of one site, with its progress, its end and its exit code."""

import logging
from typing import Annotated

import typer

from crawler.cli.options import Json, Requests, Site
from crawler.cli.output import print_json
from crawler.cli.progress import watched
from crawler.cli.summary import print_complete, print_summary
from crawler.config.limits import MAX_MINUTES
from crawler.config.load import find_site
from crawler.config.settings import Settings, load_settings
from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyName, strategy_named
from crawler.errors import ExitCode, SiteUnavailable, StorageError
from crawler.log_lines import FIELDS
from crawler.pipeline.crawl.acquire import acquire, is_complete
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.report.status import site_status
from crawler.pipeline.report.wording import stop_sentence
from crawler.state.stop import StopReason

EPILOG = """\b
Examples:
  tallyho crawl demo
  tallyho crawl demo --requests 500 --minutes 10
  tallyho crawl drafts/new-site.yaml --strategy bfs --seed 7 --fresh
  tallyho crawl demo --json > summary.json

\b
A crawl that was stopped in whatever way is resumed. Ctrl-C stops it after
the request in work, a second Ctrl-C at once; nothing that was acquired is lost.

\b
Exit codes: 0 done, also when a budget ended it; 4 the site cannot be reached or forbids
crawling; 5 another run holds the site; 6 the disk is full; 130 interrupted.
"""

log = logging.getLogger(__name__)


def _minutes(number: float | None) -> float | None:
    if number is not None and not 0 < number <= MAX_MINUTES:
        raise typer.BadParameter(f"must be more than 0, and at most {MAX_MINUTES:,} (a year)")
    return number


def crawl(
    site: Site,
    requests: Requests = None,
    minutes: Annotated[
        float | None, typer.Option(callback=_minutes, help="Maximum minutes of this run.")
    ] = None,
    strategy: Annotated[
        StrategyName | None,
        typer.Option(
            metavar="NAME", help=f"How the next link is chosen: {', '.join(StrategyName)}."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**32 - 1, help="Of the random generator.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start again from nothing; files stay in the store.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Acquire the data files of a site.

    An interrupted crawl is resumed. Options override what the site file says.
    """
    settings = load_settings()
    chosen = with_budget(find_site(site, settings.sites_dir), requests, minutes)
    if seed is not None:
        chosen = chosen.model_copy(update={"seed": seed})
    if strategy is not None:
        # The parameters of the site file are those of its own strategy.
        same = strategy == chosen.strategy.name
        named = chosen.strategy if same else strategy_named(strategy)
        chosen = chosen.model_copy(update={"strategy": named})
    if not fresh and is_complete(settings, chosen):
        status = site_status(settings, chosen.name)
        # Another process may have started it again in between; then the site is busy.
        if status.stop_reason is not None:
            complete = status.as_summary()
            if as_json:
                print_json(complete.as_dict())
            else:
                print_complete(complete, status.sentence, site)
            return
    summary, sentence = _run(settings, chosen, fresh=fresh)
    if as_json:
        print_json(summary.as_dict())
    else:
        print_summary(summary, sentence, site)
    exit_by(summary.stop_reason, sentence, summary.site)


def with_budget(site: SiteConfig, requests: int | None, minutes: float | None) -> SiteConfig:
    """The site with what the command line says of its budget."""
    given = {"requests": requests, "minutes": minutes}
    budget = {name: value for name, value in given.items() if value is not None}
    return site.model_copy(update={"budget": site.budget.model_copy(update=budget)})


def _run(settings: Settings, site: SiteConfig, *, fresh: bool) -> tuple[CrawlSummary, str]:
    with watched(site) as (progress, watch):
        summary = acquire(site, settings, fresh=fresh, watch=watch)
    sentence = stop_sentence(summary.stop_reason, summary.stop_detail, site.budget)
    progress.end(sentence)
    log.info("the crawl of %s is over", site.name, extra={FIELDS: summary.as_dict()})
    return summary, sentence


def exit_by(reason: StopReason, sentence: str, site: str) -> None:
    """Leave the command with the exit code of the run's stop reason; 0 returns."""
    match reason:
        case StopReason.FORBIDDEN | StopReason.UNREACHABLE:
            raise SiteUnavailable(sentence, site=site)
        case StopReason.DISK_FULL:
            raise StorageError(sentence, site=site)
        case StopReason.INTERRUPTED:
            raise typer.Exit(int(ExitCode.INTERRUPTED))
