"""`tallyho fleet`: how many requests each site may make tonight, and who decided it."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, print_json_list, print_records
from crawler.config.load import find_site, load_sites
from crawler.config.settings import Settings, load_settings
from crawler.config.site import SiteConfig
from crawler.errors import ConfigError
from crawler.pipeline.night.fleet import forget as take_away
from crawler.pipeline.night.fleet import set_by_hand, share_out, shares
from crawler.pipeline.night.plan import has_own_budget

EPILOG = """\b
Examples:
  tallyho fleet
  tallyho fleet share
  tallyho fleet set insee 5000
  tallyho fleet forget insee
  tallyho fleet --json | jq '.items[] | {site, requests}'

\b
TALLYHO_FLEET_REQUESTS is the night's budget of all sites that have none; `share`
divides it (the fleet DAG does so every evening): a floor for each, what revisits take,
sites never crawled, and the rest by what they yielded. A second night of the same
evening gets what is left. What a site file or `set` says overrides it. See docs/nights.md.
"""

app = typer.Typer(
    help="How many requests each site may make tonight, and why.",
    epilog=EPILOG,
    invoke_without_command=True,
    rich_markup_mode=None,
)


@app.callback()
def _show(context: typer.Context, as_json: Json = False) -> None:
    if context.invoked_subcommand is None:
        settings, sites = _sites()
        _print([asdict(each) for each in shares(sites, settings, _now())], as_json=as_json)


@app.command(epilog=EPILOG)
def share(as_json: Json = False) -> None:
    """Share the night's requests out now, and print the result."""
    settings, sites = _sites()
    _print([asdict(each) for each in share_out(sites, settings, _now())], as_json=as_json)


@app.command("set", epilog=EPILOG)
def set_requests(
    site: Annotated[str, typer.Argument(metavar="NAME")],
    requests: Annotated[int, typer.Argument(min=0, help="A night; 0 lets the site rest.")],
) -> None:
    """Decide by hand how many requests a site may make in a night."""
    settings, _ = _sites()
    chosen = find_site(site, settings.sites_dir)
    if has_own_budget(chosen):
        raise ConfigError(
            f"its site file says budget.requests: {chosen.budget.requests}, which overrides this",
            site=chosen.name,
        )
    set_by_hand(settings, chosen.name, requests, _now())
    typer.echo(clean(f"{chosen.name}: {requests:,} requests a night"))


@app.command(epilog=EPILOG)
def forget(site: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Take an allotment away; the fleet decides again."""
    settings, _ = _sites()
    done = take_away(settings, site)
    typer.echo(clean(f"{site}: {'the allotment is gone' if done else 'it had no allotment'}"))


def _sites() -> tuple[Settings, list[SiteConfig]]:
    settings = load_settings()
    return settings, load_sites(settings.sites_dir)[0]


def _print(items: list[dict[str, object]], *, as_json: bool) -> None:
    if as_json:
        print_json_list(items)
        return
    print_records(
        items,
        {
            "site": lambda item: item["site"],
            "requests": lambda item: f"{item['requests']:,}",
            "used": lambda item: f"{item['used']:,}" if item["used"] else "",
            "from": lambda item: item["budget_from"],
            "why": lambda item: item["reason"],
        },
    )


def _now() -> datetime:
    return datetime.now(UTC)
