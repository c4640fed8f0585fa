"""A commented site file, written from one look at the site."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import yaml

from crawler.config.politeness import Politeness
from crawler.config.section import is_site_name
from crawler.config.site import SiteConfig
from crawler.config.web_address import is_private
from crawler.pipeline.report.probe import Probe

_LONG_DELAY = 10.0
"""Seconds: at a longer delay the default budget does not fit into a night."""


def name_for(url: str) -> str:
    """A name made of the host, such as insee-fr of https://www.insee.fr/; empty without letters."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    name = re.sub(r"[^a-z0-9]+", "-", host.lower()).strip("-")[:63]
    return name if is_site_name(name) else ""


def draft(url: str, name: str) -> SiteConfig:
    """The site that a look is taken with."""
    return SiteConfig(start_url=url, name=name, allow_private_hosts=is_private(url))


def site_file(probe: Probe) -> str:
    """The YAML of a site, with what the look has shown as comments."""
    return "".join(f"{line}\n" for line in _lines(probe))


def _lines(probe: Probe) -> Iterator[str]:
    yield f"# {_comment(probe.title) or probe.site}"
    yield "# Written by `tallyho sites new`; every key is described in docs/site-yaml.md."
    if probe.refusal:
        yield f"# It could not be looked at: {_comment(probe.refusal)}"
    yield f"start_url: {_scalar(probe.start_url)}"
    for url in probe.redirects[-1:]:
        yield f"# It leads to {_comment(url)}"
    yield ""
    yield "enabled: false # true once `tallyho sites probe` and a small crawl look right"
    yield 'schedule: "@daily" # or five fields of cron, in UTC'
    if is_private(probe.start_url):
        yield "allow_private_hosts: true # it is on this machine or in a private network"
    yield ""
    yield "politeness:"
    yield from _delay(probe)
    yield "  # contact: you@example.org # so that the site's administrators can reach you"
    yield ""
    yield from _targets(probe)
    yield from _scope(probe)
    yield from _remarks(probe)


def _delay(probe: Probe) -> Iterator[str]:
    default = Politeness().delay
    if probe.crawl_delay is not None:
        yield f"  # robots.txt asks for {probe.crawl_delay:g} s, which is kept in any case"
    yield f"  delay: {max(default, probe.crawl_delay or 0.0):g} # seconds between two requests"
    if probe.delay > _LONG_DELAY:
        hours = probe.least_seconds / 3600
        yield f"  # {probe.budget_requests:,} requests take at least {hours:,.0f} hours then"


def _targets(probe: Probe) -> Iterator[str]:
    found = ", ".join(f"{number:,} {group}" for group, number in probe.data_links.items())
    yield f"# Data files that the start page links to: {found or 'none, they may be deeper'}."
    yield "# targets: [csv, excel] # by default every kind of data file"


def _scope(probe: Probe) -> Iterator[str]:
    if not probe.off_site_data:
        return
    yield ""
    yield "# Data files on other hosts; a host in file_hosts is let in, for files only:"
    yield "scope:"
    yield "  file_hosts:"
    for host, number in probe.off_site_data.items():
        yield f"    - {_scalar(host)} # {number:,} linked from the start page"


def _remarks(probe: Probe) -> Iterator[str]:
    if probe.sitemaps or probe.feeds:
        yield ""
    for url in probe.sitemaps:
        yield f"# sitemap, read by revisits: {_comment(url)}"
    for url in probe.feeds:
        yield f"# feed, read by revisits: {_comment(url)}"
    if probe.empty_without_javascript:
        yield "# The start page is empty without JavaScript: try another start_url, or start_also."


def _scalar(text: str) -> str:
    """The text as one value of YAML, whatever is in it."""
    return yaml.safe_dump(text, width=10**6, allow_unicode=False).splitlines()[0]


def _comment(text: str) -> str:
    """The text on one line: what comes from the web must not write keys."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:300]
