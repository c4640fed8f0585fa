"""`tallyho lab serve`: a synthetic site on this machine."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.options import one_of
from crawler.lab.moving_site import MovingSite, NightOf, night_by_clock, night_in_file
from crawler.lab.server import serve as serve_site
from crawler.lab.sites.calendar import FIRST_DAY
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.habits import HABITS
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite

SITES = ("demo", *KINDS)
"""What `lab serve` can serve."""

EPILOG = (
    "Examples:  tallyho lab serve demo  |  "
    "tallyho lab serve demo --pages 100000 --seed 7 --port 8400 --access-log access.jsonl  |  "
    "tallyho lab serve demo --night-file night.txt --habits honest"
)


def serve(
    site: Annotated[
        str, typer.Argument(callback=one_of("site", SITES), help=f"Which site: {', '.join(SITES)}.")
    ],
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")] = 8350,
    pages: Annotated[
        int,
        typer.Option(
            min=1, max=1_000_000, help="About how many HTML pages; for kinds, pages and files."
        ),
    ] = 600,
    seed: Annotated[int, typer.Option(help="The same seed gives the same site.")] = 1,
    access_log: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Append one JSON line per request to this file."),
    ] = None,
    unique_ids: Annotated[
        bool, typer.Option("--unique-ids", help="Give every tag around links a different id.")
    ] = False,
    habits: Annotated[
        str | None,
        typer.Option(
            callback=one_of("habit", HABITS),
            help=f"What the server says of its content: {', '.join(HABITS)}.",
        ),
    ] = None,
    night: Annotated[
        int | None, typer.Option(min=0, help="Serve the site as it stands on this night.")
    ] = None,
    night_file: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Read the night from this file at every request."),
    ] = None,
    epoch: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"], help="The day of night 0; the clock says which night it is."
        ),
    ] = None,
) -> None:
    """Serve a synthetic site on this machine until Ctrl-C.

    The demo site is the statistics office of a country that does not exist: topics, archives,
    news, dead links and a few hundred data files, all written on demand. It stands on night 0
    unless an option says which night it is.
    """
    if sum(option is not None for option in (night, night_file, epoch)) > 1:
        raise typer.BadParameter("--night, --night-file and --epoch exclude each other")

    def ready(base: str) -> None:
        typer.echo(
            f"Serving {site} (about {pages} pages, seed {seed}) at {base}/  Ctrl-C stops it."
        )

    first_day = epoch.replace(tzinfo=UTC).date() if epoch else FIRST_DAY
    described = HABITS[habits] if habits else None
    if site == "demo":
        office = demo_site(
            pages, seed, unique_ids=unique_ids, habits=described, first_day=first_day
        )
    else:
        kind = replace(KINDS[site], unique_ids=unique_ids or KINDS[site].unique_ids)
        if described:
            kind = replace(kind, habits=described)
        office = SyntheticSite(kind, pages, seed, first_day=first_day)
    night_of: NightOf = lambda: night or 0  # noqa: E731
    if night_file is not None:
        night_of = night_in_file(night_file)
    elif epoch is not None:
        night_of = night_by_clock(first_day)
    serve_site(MovingSite(office, night_of), port, access_log=access_log, on_ready=ready)
