"""`tallyho lab compare`: strategies side by side on recorded and synthetic sites."""

import math
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.options import CsvOfRuns, Jobs, Json, MeasuredSites
from crawler.cli.output import print_error, print_json_list, print_records, print_table
from crawler.errors import ExitCode
from crawler.lab.compare import Compared, mean
from crawler.lab.compare import compare as compare_strategies
from crawler.lab.entrant import read_entrants
from crawler.lab.measured_site import DEFAULT_PAGES
from crawler.lab.paper_tables import (
    Table,
    as_items,
    number,
    table_of_costs,
    table_of_ratios,
    table_of_requests,
    table_of_volumes,
    tables_of_confusion,
)
from crawler.lab.paper_tables import as_csv as csv_of
from crawler.lab.plots import is_file_name, write_plots
from crawler.lab.processes import Failure

EPILOG = (
    "Examples:  tallyho lab compare demo  |  "
    "tallyho lab compare demo --pages 5000 --strategies sb,bfs --runs 3  |  "
    "tallyho lab compare synth:ju synth:ok site.replica.db --plot figures  |  "
    "tallyho lab compare site.replica.db --strategies sb,sb:alpha=0.5:theta=0.9"
)


def compare(
    sites: MeasuredSites,
    strategies: Annotated[
        str,
        typer.Option(help="Names, with commas between them; parameters as in sb:alpha=0.5."),
    ] = "tallyho,sb,bfs,dfs,random",
    runs: Annotated[
        int, typer.Option(min=1, help="Runs of each strategy that draws random numbers.")
    ] = 5,
    first_seed: Annotated[
        int, typer.Option(min=0, help="Seed of the first run; the others follow it.")
    ] = 0,
    pages: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, help="Size of synthetic sites that name none."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of synthetic sites that name none.")
    ] = None,
    unique_ids: Annotated[
        bool, typer.Option("--unique-ids", help="The demo with an id on every tag around links.")
    ] = False,
    jobs: Jobs = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER|FILE",
            help="Draw the figures as PNG and SVG: into a folder, or one site under this name.",
        ),
    ] = None,
    as_json: Json = False,
    as_csv: CsvOfRuns = False,
) -> None:
    """Count what strategies need for 90% of a site's targets.

    Nothing is served or fetched: the engine is given the answers directly. Printed are the requests
    and the non-target volume until 90%, as in Tables II and III of the paper on the sleeping
    bandit, how often the guesses about URLs were right, and what a request costs this machine.
    """
    if as_json and as_csv:
        raise typer.BadParameter("--json and --csv exclude each other")
    specs = [_spelled_out(site, pages, seed, unique_ids=unique_ids) for site in sites]
    if plot is not None and is_file_name(plot) and len(specs) > 1:
        raise typer.BadParameter("several sites need a folder", param_hint="--plot")
    compared = compare_strategies(
        specs,
        read_entrants(strategies),
        runs=runs,
        first_seed=first_seed,
        jobs=jobs or os.cpu_count() or 1,
        on_run=show_run if sys.stderr.isatty() else None,
    )
    if as_json:
        print_json_list(as_items(compared), failures=list(map(asdict, compared.failures)))
    elif as_csv:
        typer.echo(csv_of(compared), nl=False)
    elif compared.comparisons:
        _print(compared)
    end_comparison(write_plots(compared, plot) if plot else (), compared.failures)


def _spelled_out(site: str, pages: int | None, seed: int | None, *, unique_ids: bool) -> str:
    """The site with the size and seed that the options give, where it names none itself."""
    family, *rest = site.split(":")
    if family not in DEFAULT_PAGES:
        return site
    if unique_ids and family == "demo":
        family = "demo-ids"
    kind = [rest.pop(0)] if family == "synth" and rest else []
    if not rest and (pages is not None or seed is not None):
        rest = [str(pages or DEFAULT_PAGES[family])]
    if len(rest) == 1 and seed is not None:
        rest.append(str(seed))
    return ":".join([family, *kind, *rest])


def show_run(done: int, planned: int, what: str) -> None:
    """Says on a terminal which of many runs is under way."""
    end = done == planned
    typer.echo(f"\r\033[K{done} of {planned} runs{'' if end else f': {what}'}", nl=end, err=True)


def end_comparison(plots: Iterable[Path], failures: Sequence[Failure]) -> None:
    """Says which plots were drawn and which runs failed; exit code 7 when some did."""
    for path in plots:
        typer.echo(f"wrote {path}", err=True)
    for failed in failures:
        print_error(f"{failed.what}: {failed.reason}")
    if failures:
        raise typer.Exit(int(ExitCode.FAILURES))


def _print(compared: Compared) -> None:
    for site in compared.sites:
        typer.echo(
            f"{site.name}: {site.available:,} pages and targets, {site.targets:,} of them targets"
        )
    if len(compared.sites) == 1:
        _print_site(compared)
    else:
        _print_text(table_of_requests(compared))
        _print_text(table_of_volumes(compared))
        if len(compared.strategies) > 1:
            _print_text(table_of_ratios(compared, compared.strategies[0]))
    for table in tables_of_confusion(compared):
        _print_text(table)
    if len(compared.sites) > 1:
        _print_text(table_of_costs(compared))


def _print_site(compared: Compared) -> None:
    """All about one site in one table; the ratio is to the requests of the first strategy."""
    first = compared.comparisons[0]
    print_records(
        compared.comparisons,
        {
            "strategy": lambda cell: cell.strategy,
            "runs": lambda cell: len(cell.runs),
            "requests to 90%": lambda cell: number(cell.requests, digits=0),
            "% of site": lambda cell: number(cell.percent),
            f"{first.strategy} / this": lambda cell: _ratio(first.requests, cell.requests),
            "other volume %": lambda cell: number(cell.volume_percent),
            "ms/request": lambda cell: f"{1e3 * cell.cpu_per_request:.1f}",
            "peak MB": lambda cell: f"{cell.peak_bytes / 1e6:.0f}",
        },
    )


def _ratio(first: Sequence[float], this: Sequence[float]) -> str:
    return f"{mean(first) / mean(this):.2f}" if math.isfinite(mean(first)) else ""


def _print_text(table: Table) -> None:
    typer.echo(f"\n{table.title}")
    print_table(table.columns, table.rows)
