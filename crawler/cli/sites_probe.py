"""`tallyho sites probe`: what one look at a site shows."""

from collections.abc import Iterator
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import count, duration, print_json, print_pairs
from crawler.config.load import find_site
from crawler.config.settings import load_settings
from crawler.errors import SiteUnavailable
from crawler.pipeline.report.probe import Probe, probe_site

EPILOG = """\b
Examples:
  tallyho sites probe demo
  tallyho sites probe drafts/new-site.yaml --json

\b
Exit code 4 when the site cannot be reached or forbids crawling.
"""


def probe(site: Annotated[str, typer.Argument(metavar="NAME|FILE")], as_json: Json = False) -> None:
    """Take one polite look at a site, before it is crawled.

    Shows robots.txt, the start page, and what a crawl would cost.
    """
    result = probe_site(find_site(site, load_settings().sites_dir))
    if as_json:
        print_json(result.as_dict())
    else:
        print_pairs(_facts(result))
    if result.refusal:
        raise SiteUnavailable(result.refusal, site=result.site)


def _facts(probe: Probe) -> Iterator[tuple[str, str]]:
    yield "site", f"{probe.site} ({probe.start_url})"
    yield "robots.txt", _robots(probe)
    if probe.crawl_delay is not None:
        yield "robots.txt", f"asks for a delay of {duration(probe.crawl_delay)}"
    yield from (("sitemap", url) for url in probe.sitemaps)
    yield from (("redirect", url) for url in probe.redirects)
    if probe.status is not None:
        yield "start page", f"status {probe.status} {probe.content_type}".rstrip()
    if probe.is_page:
        yield from _page_facts(probe)
    elif not probe.refusal:
        yield "start page", "is not HTML, so there is nothing to follow"
    if probe.refusal:
        return
    least = duration(probe.least_seconds)
    budget = count(probe.budget_requests, "request")
    yield "cost", f"with a delay of {duration(probe.delay)}, {budget} take at least {least}"


def _page_facts(probe: Probe) -> Iterator[tuple[str, str]]:
    if probe.title:
        yield "start page", f"“{probe.title}”"
    forbidden = f", {probe.forbidden_links:,} forbidden" if probe.forbidden_links else ""
    yield "links", f"{probe.links:,}{forbidden}"
    groups = ", ".join(f"{number:,} {group}" for group, number in probe.data_links.items())
    yield "data files", groups or "none by their extension; they may be deeper in the site"
    for host, number in probe.off_site_data.items():
        yield "off the site", f"{count(number, 'data file')} on {host} (hint: scope.file_hosts)"
    yield from (("feed", url) for url in probe.feeds)
    if probe.empty_without_javascript:
        yield "JavaScript", "the page is empty without it; try another start_url or start_also"


def _robots(probe: Probe) -> str:
    verdict = {
        "rules": "allows the start page" if probe.start_allowed else "forbids the start page",
        "no_rules": "there is none, so everything is allowed",
        "unavailable": "gives no usable answer, so nothing may be fetched",
        "unasked": "was not asked for",
    }[probe.robots]
    return verdict if probe.robots_obeyed else f"{verdict} (politeness.robots is off)"
