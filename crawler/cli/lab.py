"""`tallyho lab`: sites to practise on, without touching anyone's server."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from crawler.config.strategy import StrategyName

SITES = ("demo",)
"""What `lab serve` can serve."""

app = typer.Typer(
    name="lab", help="Practise on made sites, served on this machine only.", no_args_is_help=True
)


@app.callback()
def _group() -> None:
    """Practise on made sites, served on this machine only."""


def _known_site(name: str) -> str:
    if name not in SITES:
        raise typer.BadParameter(f"there is no site '{name}'; there is: {', '.join(SITES)}")
    return name


@app.command(
    epilog="Examples:  tallyho lab serve demo  |  "
    "tallyho lab serve demo --pages 100000 --seed 7 --port 8400 --access-log access.jsonl"
)
def serve(
    site: Annotated[
        str, typer.Argument(callback=_known_site, help=f"Which site: {', '.join(SITES)}.")
    ],
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")] = 8350,
    pages: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="About how many HTML pages the site has.")
    ] = 600,
    seed: Annotated[int, typer.Option(help="The same seed gives the same site.")] = 1,
    access_log: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Append one JSON line per request to this file."),
    ] = None,
    unique_ids: Annotated[
        bool, typer.Option("--unique-ids", help="Give every tag around links an id of its own.")
    ] = False,
) -> None:
    """Serve a made site on this machine until Ctrl-C.

    The demo site is the statistics office of a country that does not exist: topics, archives,
    news, dead links and a few hundred data files, all made on demand.
    """
    from crawler.lab.demo import DemoSite
    from crawler.lab.server import serve as serve_site

    def ready(base: str) -> None:
        typer.echo(
            f"Serving {site} (about {pages} pages, seed {seed}) at {base}/  Ctrl-C stops it."
        )

    made = DemoSite(pages, seed, unique_ids=unique_ids)
    serve_site(made, port, access_log=access_log, on_ready=ready)


@app.command(
    epilog="Examples:  tallyho lab compare demo  |  "
    "tallyho lab compare demo --pages 5000 --strategies sb,bfs --runs 3"
)
def compare(
    site: Annotated[
        str, typer.Argument(callback=_known_site, help=f"Which site: {', '.join(SITES)}.")
    ],
    strategies: Annotated[
        str, typer.Option(help="Names, with commas between them.")
    ] = "sb,bfs,dfs,random",
    runs: Annotated[
        int, typer.Option(min=1, help="Runs of each strategy that draws random numbers.")
    ] = 5,
    pages: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="About how many HTML pages the site has.")
    ] = 600,
    seed: Annotated[int, typer.Option(help="Seed of the site.")] = 1,
    unique_ids: Annotated[
        bool, typer.Option("--unique-ids", help="Give every tag around links an id of its own.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Count the requests that strategies need for 90% of a made site's targets.

    Nothing is served or fetched: the engine is given the site's answers directly. The last column
    is the first strategy's requests divided by those of the row's.
    """
    from crawler.cli.output import print_json_list, print_table
    from crawler.lab.compare import compare as compare_strategies

    names = [_strategy(name) for name in strategies.split(",")]
    shown = not as_json and sys.stderr.isatty()

    def progress(done: int, planned: int) -> None:
        if shown:
            typer.echo(f"\r{done} of {planned} runs", nl=done == planned, err=True)

    results = compare_strategies(
        names, runs=runs, pages=pages, site_seed=seed, unique_ids=unique_ids, on_run=progress
    )
    if as_json:
        print_json_list((result.as_dict() for result in results), site=site, pages=pages)
        return
    first = results[0]
    typer.echo(
        f"{site}, about {pages:,} pages, seed {seed}: {first.available:,} pages and targets, "
        f"{first.targets:,} of them targets"
    )
    print_table(
        ["strategy", "runs", "requests to 90%", "+/-", "% of site", f"{first.strategy} / this"],
        [
            (
                result.strategy,
                len(result.requests),
                f"{result.mean:,.0f}",
                f"{result.deviation:,.0f}",
                f"{result.percent:.1f}",
                f"{first.mean / result.mean:.2f}",
            )
            for result in results
        ],
    )


def _strategy(name: str) -> "StrategyName":
    from crawler.config.strategy import StrategyName

    try:
        return StrategyName(name.strip())
    except ValueError:
        known = ", ".join(StrategyName)
        raise typer.BadParameter(f"there is no strategy '{name}'; there are: {known}") from None
