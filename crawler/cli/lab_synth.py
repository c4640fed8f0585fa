"""`tallyho lab synth` and `statistics`: synthetic sites beside the ones that they model."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.options import Json, MeasuredSites, one_of
from crawler.cli.output import (
    count,
    print_json,
    print_json_list,
    print_pairs,
    print_table,
    size_text,
    ticking,
)
from crawler.lab.measured_site import open_measured_site
from crawler.lab.replicas.synthetic import write_synthetic
from crawler.lab.site_statistics import SiteStatistics, site_statistics
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.paper import PAPER, SiteProfile
from crawler.lab.sites.site import SyntheticSite

SYNTH_EPILOG = """\b
Examples:
  tallyho lab synth ju --pages 4000 --seed 1
  tallyho lab synth ce --pages 100000 -o ce.replica.db
  tallyho lab compare synth:ju:4000:1 --strategies sb,bfs
"""

STATISTICS_EPILOG = """\b
Examples:
  tallyho lab statistics synth:be synth:ju:4000:2
  tallyho lab statistics office.replica.db demo:600 --json
"""

_COLUMNS = (
    "site", "pages", "targets", "targets %", "pages with targets %", "targets a page",
    "target depth", "target MB", "neither a page", "links a page",
)  # fmt: skip


def synth(
    kind: Annotated[
        str,
        typer.Argument(
            callback=one_of("kind", KINDS), help="be, is, cl, ju, in, ed, il, ok, qa, ce or wo."
        ),
    ],
    pages: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="About how many pages and files in all.")
    ] = 4000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same site.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="Write the site as a replica."),
    ] = None,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Count its statistics; done anyway when not written."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a site after one of paper 000: its statistics beside the paper's, or a replica of it.

    Comparisons need no replica: `synth:KIND:PAGES:SEED` names the site, and its pages are written
    when they are requested.
    """
    site = SyntheticSite(KINDS[kind], pages, seed)
    if output is not None:
        _write(site, output, as_json=as_json)
    if output is None or statistics:
        typer.echo(f"{kind}: {KINDS[kind].models}", err=True)
        _print([f"synth:{kind}:{pages}:{seed}"], as_json=as_json)


def _write(site: SyntheticSite, output: Path, *, as_json: bool) -> None:
    with ticking("answers") as tick:
        answers = write_synthetic(site, output, tick)
    if as_json:
        print_json({"replica": str(output), "answers": answers, "targets": site.targets()})
        return
    size = size_text(output.stat().st_size)
    held = f"{count(site.html_pages(), 'page')}, {count(site.targets(), 'target')}"
    print_pairs([("replica", f"{output}, {size}"), ("answers", f"{answers:,}: {held}")])


def statistics(sites: MeasuredSites, as_json: Json = False) -> None:
    """Count the statistics of Tables I and V of paper 000; synthetic sites beside the paper's."""
    _print(sites, as_json=as_json)


def _print(specs: list[str], *, as_json: bool) -> None:
    counted: list[tuple[str, SiteStatistics, SiteProfile | None]] = []
    for spec in specs:
        with closing(open_measured_site(spec)) as site, ticking(f"pages of {spec}") as tick:
            parts = spec.split(":")
            paper = PAPER.get(parts[1]) if parts[0] == "synth" else None
            counted.append((spec, site_statistics(site, tick), paper))
    if as_json:
        print_json_list(_items(counted))
    else:
        print_table(_COLUMNS, _rows(counted))


def _rows(
    counted: list[tuple[str, SiteStatistics, SiteProfile | None]],
) -> Iterator[tuple[str, ...]]:
    for spec, counts, paper in counted:
        size = f"{counts.target_mean:.2f} +/- {counts.target_deviation:.2f}"
        yield _row(spec, counts, size, f"{counts.links_per_page:.0f}")
        if paper is not None:
            size = f"{paper.size_mean:.2f} +/- {paper.size_deviation:.2f}"
            yield _row("  in the paper", paper, size, "")


def _row(name: str, counts: SiteStatistics | SiteProfile, size: str, links: str) -> tuple[str, ...]:
    return (
        name,
        f"{counts.available - counts.targets:,}",
        f"{counts.targets:,}",
        f"{100 * counts.density:.1f}",
        f"{counts.html_to_target:.2f}",
        f"{counts.reward_mean:.1f} +/- {counts.reward_deviation:.1f}",
        f"{counts.depth_mean:.1f} +/- {counts.depth_deviation:.1f}",
        size,
        f"{counts.neither_per_page:.2f}",
        links,
    )


def _items(
    counted: list[tuple[str, SiteStatistics, SiteProfile | None]],
) -> Iterator[dict[str, object]]:
    for spec, counts, paper in counted:
        derived = ("available", "density", "html_to_target", "neither_per_page")
        item = {"site": spec, **asdict(counts), **{name: getattr(counts, name) for name in derived}}
        yield item | ({"paper": asdict(paper)} if paper is not None else {})
