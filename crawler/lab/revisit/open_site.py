"""Sites that change by night, by their names on the command line."""

from dataclasses import replace

from crawler.errors import ConfigError
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.graph import SiteGraph
from crawler.lab.sites.habits import HABITS
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite

DEFAULT_PAGES = 5000
_UNEVEN = frozenset({"il", "ok", "qa"})
"""Kinds of which only some sections date their files; of the others all do."""
MAX_PAGES = 100_000


def open_changing_site(spec: str, seed: int) -> SiteGraph:
    """The site of a name and seed; `PAGES` counts its HTML pages."""
    kind, pages = parse_site(spec)
    if kind == "demo":
        return SiteGraph(demo_site(pages, seed))
    # Synthetic sites count pages and files together.
    in_all = round(pages / (1 - KINDS[kind].profile.density))
    habits = HABITS["uneven" if kind in _UNEVEN else "dated"]
    return SiteGraph(SyntheticSite(replace(KINDS[kind], habits=habits), in_all, seed))


def parse_site(spec: str) -> tuple[str, int]:
    """The kind, or demo, and the pages of demo[:PAGES] or synth:KIND[:PAGES]; else ConfigError."""
    family, *rest = spec.split(":")
    kind = family
    if family == "synth":
        kind, *rest = rest or [""]
        if kind not in KINDS:
            raise ConfigError(f"{spec}: there is no kind '{kind}'; there are: {', '.join(KINDS)}")
    elif family != "demo":
        raise ConfigError(f"{spec}: sites are demo[:PAGES] and synth:KIND[:PAGES]")
    if len(rest) > 1 or not all(number.isascii() and number.isdigit() for number in rest):
        raise ConfigError(f"{spec}: after the name comes the number of pages; seeds by --runs")
    pages = int(rest[0]) if rest else DEFAULT_PAGES
    if not 1 <= pages <= MAX_PAGES:
        raise ConfigError(f"{spec}: a changing site has 1 to {MAX_PAGES:,} pages")
    return kind, pages
