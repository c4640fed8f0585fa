"""`tallyho lab serve`: a synthetic site on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from crawler.lab.server import serve as serve_site
from crawler.lab.sites.demo import demo_site

SITES = ("demo",)
"""What `lab serve` can serve."""

EPILOG = (
    "Examples:  tallyho lab serve demo  |  "
    "tallyho lab serve demo --pages 100000 --seed 7 --port 8400 --access-log access.jsonl"
)


def _known_site(name: str) -> str:
    if name not in SITES:
        raise typer.BadParameter(f"there is no site '{name}'; there is: {', '.join(SITES)}")
    return name


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
        bool, typer.Option("--unique-ids", help="Give every tag around links a different id.")
    ] = False,
) -> None:
    """Serve a synthetic site on this machine until Ctrl-C.

    The demo site is the statistics office of a country that does not exist: topics, archives,
    news, dead links and a few hundred data files, all written on demand.
    """

    def ready(base: str) -> None:
        typer.echo(
            f"Serving {site} (about {pages} pages, seed {seed}) at {base}/  Ctrl-C stops it."
        )

    office = demo_site(pages, seed, unique_ids=unique_ids)
    serve_site(office, port, access_log=access_log, on_ready=ready)
