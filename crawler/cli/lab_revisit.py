"""`tallyho lab revisit`: revisit strategies over the nights of sites that change."""

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.lab_compare import end_comparison, show_run
from crawler.cli.options import CsvOfRuns, Jobs, Json, reported_as_usage
from crawler.cli.output import print_json_list, print_table
from crawler.config.revisit import parse_amount
from crawler.lab.revisit.compare import Nights, compare_revisits, read_strategies
from crawler.lab.revisit.open_site import open_changing_site, parse_site
from crawler.lab.revisit.plots import write_plot
from crawler.lab.revisit.tables import as_csv as csv_of
from crawler.lab.revisit.tables import as_items, table_of

EPILOG = """\b
Examples:
  tallyho lab revisit demo --nights 30
  tallyho lab revisit synth:be:5000 synth:ju:5000 --strategies tallyho,bandit,rr --runs 5
  tallyho lab revisit synth:ce:5000 --visits 2% --checks 50 --plot figures --csv
"""

PAPER_STRATEGIES = "tallyho,bandit,reg,reg-rr,ltr,cliq-win,od-win,cov,rr"


def _amount(text: str) -> int | float:
    """50, or 1% as the share 0.01."""
    if text.isascii() and text.isdigit():
        return int(text)
    with reported_as_usage():
        share = parse_amount(text)
    if not isinstance(share, float):
        raise typer.BadParameter(f"'{text[:40]}' is neither a number nor a share")
    return share


def revisit(
    sites: Annotated[
        list[str],
        typer.Argument(metavar="SITE...", help="demo[:PAGES] or synth:KIND[:PAGES]."),
    ],
    nights: Annotated[
        int, typer.Option(min=1, max=3650, help="Nights after the first crawl.")
    ] = 60,
    strategies: Annotated[
        str, typer.Option(help="Names, with commas between them; greedy always runs.")
    ] = PAPER_STRATEGIES,
    runs: Annotated[int, typer.Option(min=1, help="Seeds: each makes another site.")] = 1,
    first_seed: Annotated[int, typer.Option(min=0, help="Seed of the first run.")] = 1,
    visits: Annotated[
        str, typer.Option(help="Known pages visited a night: a number or a share.")
    ] = "1%",
    checks: Annotated[
        str, typer.Option(help="Known files checked a night: a number or a share.")
    ] = "20%",
    dated: Annotated[
        bool,
        typer.Option("--dated/--undated", help="Whether dates stand beside the items of pages."),
    ] = True,
    jobs: Jobs = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER|FILE", help="Draw the coverage by night as PNG and SVG."),
    ] = None,
    as_json: Json = False,
    as_csv: CsvOfRuns = False,
) -> None:
    """Count how much of what is new each revisit strategy finds, and how soon.

    The crawl knows each site as of night 0. Every night it visits a few known pages, follows what
    is new behind them, and checks some known files. Nothing is served or fetched: the site is a
    graph that changes by night. greedy knows beforehand which pages lead to new files; shares are
    also given of what it finds.
    """
    if as_json and as_csv:
        raise typer.BadParameter("--json and --csv exclude each other")
    for site in sites:
        parse_site(site)
    compared = compare_revisits(
        open_changing_site,
        sites,
        read_strategies(strategies),
        range(first_seed, first_seed + runs),
        Nights(nights, _amount(visits), _amount(checks), dated=dated),
        jobs=jobs or os.cpu_count() or 1,
        on_run=show_run if sys.stderr.isatty() else None,
    )
    if as_json:
        print_json_list(as_items(compared), failures=list(map(asdict, compared.failures)))
    elif as_csv:
        typer.echo(csv_of(compared), nl=False)
    elif compared.cells:
        table = table_of(compared)
        typer.echo(table.title)
        print_table(table.columns, table.rows)
    end_comparison(write_plot(compared, plot) if plot else (), compared.failures)
