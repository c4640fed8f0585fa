"""`tallyho revisit`: look at what may have changed on a known site."""

import logging
from collections.abc import Iterator
from typing import Annotated

import typer

from crawler.cli.crawl import exit_by
from crawler.cli.options import Json, Site
from crawler.cli.output import clean, count, print_json, print_pairs
from crawler.cli.progress import watched
from crawler.cli.summary import request_facts
from crawler.config.load import find_site
from crawler.config.settings import load_settings
from crawler.log_lines import FIELDS
from crawler.pipeline.crawl.revisit import RevisitSummary
from crawler.pipeline.crawl.revisit import revisit as revisit_site
from crawler.pipeline.report.wording import stop_sentence

log = logging.getLogger(__name__)

EPILOG = """\b
Examples:
  tallyho revisit demo
  tallyho revisit demo --pages 100
  tallyho revisit demo --json | jq '.new, .changed, .gone'

\b
A revisit asks for the few known pages and files that may have changed, and follows
what is new. One that was stopped in whatever way is resumed by the same command.
`tallyho status NAME` shows what the next one will look at, and why.

\b
Exit codes: 0 done, also when a budget ended it; 3 the site was never crawled; 4 the site
cannot be reached or forbids crawling; 5 another run holds the site; 130 interrupted.
"""


def revisit(
    site: Site,
    pages: Annotated[
        int | None,
        typer.Option(min=0, help="Known pages to visit, instead of what the site file says."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look at what may have changed, and follow what is new."""
    settings = load_settings()
    chosen = find_site(site, settings.sites_dir)
    with watched(chosen) as (progress, watch):
        summary = revisit_site(chosen, settings, pages=pages, watch=watch)
    crawl = summary.crawl
    sentence = stop_sentence(crawl.stop_reason, crawl.stop_detail, chosen.budget)
    progress.end(sentence)
    log.info("the revisit of %s is over", crawl.site, extra={FIELDS: summary.as_dict()})
    if as_json:
        print_json(summary.as_dict())
    else:
        typer.echo(clean(f"{crawl.site}: {sentence}"))
        typer.echo()
        print_pairs((*request_facts(crawl), *revisit_facts(summary)))
    exit_by(crawl.stop_reason, sentence, crawl.site)


def revisit_facts(summary: RevisitSummary) -> Iterator[tuple[str, str]]:
    """What a night looked at, and what came of it."""
    looked = count(summary.visited, "known page")
    yield "visited", f"{looked}, {summary.checked_files:,} known files checked"
    yield "unchanged", f"{summary.not_modified:,} answers said so without a body (304)"
    changes = summary.changes
    for name, ids in (("new", changes.new), ("changed", changes.changed), ("gone", changes.gone)):
        shown = ", ".join(map(str, ids[:_SHOWN_IDS])) + (", ..." if len(ids) > _SHOWN_IDS else "")
        yield name, f"{count(len(ids), 'file')}: {shown}" if ids else "none"
    if summary.gone_pages:
        yield "gone pages", f"{summary.gone_pages:,}"


_SHOWN_IDS = 10
