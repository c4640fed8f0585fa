"""`tallyho patterns`: the navigation patterns that the strategy acebot has learned of a site."""

from contextlib import closing
from typing import Annotated

import typer

from crawler.cli.options import Site
from crawler.cli.output import clean, count, print_json
from crawler.config.load import find_site
from crawler.config.settings import Settings, load_settings
from crawler.config.site import SiteConfig
from crawler.config.strategy import AcebotConfig, PageItems
from crawler.errors import ConfigError
from crawler.learning.navigation_patterns import NavigationPattern
from crawler.pipeline.crawl.site_patterns import (
    forget_patterns,
    patterns_of_crawl,
    patterns_to_follow,
    saved_patterns,
)
from crawler.pipeline.services import store_of
from crawler.state.reports import open_for_reading
from crawler.storage.interface import ObjectStore
from crawler.strategies.pattern_set import PatternSet

EPILOG = """\b
Examples:
  tallyho crawl demo --strategy acebot
  tallyho patterns demo
  tallyho patterns demo --json > demo-patterns.json
  tallyho patterns demo --forget

\b
What --json prints is a pattern file. Another site of the same CMS follows it without a
sample when its site file says
  strategy: {name: acebot, patterns: demo-patterns.json}
or names the site itself (patterns: demo). Exit code 3 when there are no patterns.
"""


def patterns(
    site: Site,
    forget: Annotated[
        bool, typer.Option("--forget", help="Let the next crawl with --fresh take a new sample.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a pattern file.")] = False,
) -> None:
    """Show the navigation patterns of a site, the best first.

    They are what a crawl with the strategy acebot follows, learned by it or named in the site file.
    """
    settings = load_settings()
    chosen = find_site(site, settings.sites_dir)
    store = store_of(settings)
    if forget:
        done = forget_patterns(store, chosen.name)
        typer.echo(f"{chosen.name}: {'the patterns are gone' if done else 'it had no patterns'}")
        return
    found = _known(chosen, store, settings)
    if found is None:
        raise ConfigError(
            "no patterns are known yet: a crawl with --strategy acebot learns them from a sample",
            site=chosen.name,
        )
    if as_json:
        print_json(found.as_dict())
    else:
        _print(found)


def _known(site: SiteConfig, store: ObjectStore, settings: Settings) -> PatternSet | None:
    """What the site's crawls follow: what its file names, what is saved, or what is in use now."""
    named = isinstance(site.strategy, AcebotConfig) and site.strategy.patterns is not None
    found = patterns_to_follow(site, store) if named else saved_patterns(store, site.name)
    if found is not None:
        return found
    state = open_for_reading(settings.state_path(site.name))
    if state is None:
        return None
    with closing(state):
        return patterns_of_crawl(state)


def _print(found: PatternSet) -> None:
    unit = "files" if found.scored_by is PageItems.TARGETS else "pairs of words"
    for each in found.patterns:
        per_page = f"{each.score:,.1f} new {unit} per page on {count(each.pages, 'sampled page')}"
        typer.echo(clean(per_page))
        pattern = NavigationPattern.parse(each.pattern)
        typer.echo(clean(each.pattern.partition("/(")[0]))
        for step in pattern.steps:
            typer.echo(clean(str(step)))
        typer.echo()
    share = f"{100 * found.coverage:.0f}% of the {unit} of {count(found.sampled_pages, 'page')}"
    typer.echo(clean(f"{count(len(found.patterns), 'pattern')} with {share} in the sample"))
