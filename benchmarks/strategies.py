"""Tables II and III of paper 000 for all strategies, on synthetic kinds and recorded sites.

    python -m benchmarks.strategies [--sites FOLDER] [--write docs/strategies.md] [--plot FOLDER]

`--write` puts the tables between the markers of a document; `--sites` adds the recorded sites of a
folder: replicas, and those of the reference implementation, also compressed.
"""

import argparse
import csv
import math
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.markdown import markdown, write_between_markers
from benchmarks.recorded_sites import recorded_sites
from benchmarks.standing import (
    table_against,
    table_by_kind,
    table_of_milestones,
    table_of_pairs,
)
from crawler.lab.compare import Compared, compare, mean
from crawler.lab.entrant import read_entrants
from crawler.lab.oracles.config import LAB_STRATEGIES
from crawler.lab.paper_tables import Table, as_csv, tables_of_confusion
from crawler.lab.plots import write_plots
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.variants import VARIANTS

MEASURED_OFTEN = ("tallyho", "sb", "bfs")
"""What is compared with intervals; the others are measured with fewer runs, as they take longer."""


def say(line: str = "") -> None:
    """A line on standard output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def site_table(compared: Compared) -> Table:
    """What there is to be found."""
    rows = [
        (
            site.name,
            f"{site.available:,}",
            f"{site.targets:,}",
            f"{site.volumes.target / 1e6:,.1f}",
            f"{site.volumes.other / 1e6:,.1f}",
        )
        for site in compared.sites
    ]
    columns = ("site", "available", "targets", "target volume (MB)", "other volume (MB)")
    return Table("Sites", columns, tuple(rows))


def tables(compared: Compared) -> list[Table]:
    """Everything that is printed and written."""
    return [
        site_table(compared),
        table_by_kind(
            compared,
            "Requests until 90% of the targets, in % of what is available (Table II)",
            lambda cell: mean(cell.percent),
        ),
        table_by_kind(
            compared,
            "Non-target volume until 90% of the target volume, in % of all of it (Table III)",
            lambda cell: mean(cell.volume_percent),
        ),
        table_of_milestones(compared),
        table_of_pairs(compared),
        *tables_of_confusion(compared),
        table_by_kind(
            compared,
            "Processor time per request in ms",
            lambda cell: 1e3 * cell.cpu_per_request,
        ),
    ]


def read_runs(path: Path) -> dict[str, dict[str, list[float]]]:
    """The runs of `tallyho` in a file of `--csv`: by column, then by site."""
    figures: dict[str, dict[str, list[float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["strategy"] == "tallyho":
                for column, value in row.items():
                    if column.startswith("requests_to_"):
                        by_site = figures.setdefault(column, {})
                        by_site.setdefault(row["site"], []).append(float(value or math.inf))
    return figures


def together(some: Compared, more: Compared) -> Compared:
    """Two comparisons of the same sites with different strategies."""
    sites = tuple(dict.fromkeys(some.sites + more.sites))
    cells = [cell for site in sites for part in (some, more) for cell in part.of_site(site)]
    return Compared(sites, tuple(cells), some.failures + more.failures)


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", type=Path, help="folder of recorded sites")
    kinds = ",".join((*KINDS, *VARIANTS))
    parser.add_argument("--kinds", default=kinds, help="synthetic kinds; empty for none")
    parser.add_argument("--pages", type=int, default=4000, help="pages of a synthetic site")
    parser.add_argument("--site-seeds", type=int, default=3, help="sites of each kind")
    parser.add_argument("--first-site-seed", type=int, default=1)
    parser.add_argument("--strategies", default=",".join(MEASURED_OFTEN))
    parser.add_argument("--runs", type=int, default=15, help="of those that draw numbers")
    others = [name for name in LAB_STRATEGIES if name not in MEASURED_OFTEN]
    parser.add_argument("--others", default=",".join(others), help="with fewer runs; or empty")
    parser.add_argument("--other-runs", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", type=Path, help="document with the markers")
    parser.add_argument("--csv", type=Path, help="file for one line per run")
    parser.add_argument("--against", type=Path, help="a file of --csv by an earlier version")
    parser.add_argument("--plot", type=Path, help="folder for the figures")
    return parser.parse_args()


def main() -> None:
    """Compare, print, and write where asked."""
    options = arguments()
    with tempfile.TemporaryDirectory() as room:
        run(options, recorded_sites(options.sites, Path(room), say))


def run(options: argparse.Namespace, recorded: list[str]) -> None:
    """All strategies on all sites."""
    kinds = [kind for kind in options.kinds.split(",") if kind]
    first = options.first_site_seed
    seeds = range(first, first + options.site_seeds)
    specs = [f"synth:{kind}:{options.pages}:{seed}" for kind in kinds for seed in seeds]
    specs += recorded
    begin = time.monotonic()

    def tell(done: int, planned: int, what: str) -> None:
        if done % 10 == 0 or done == planned:
            minutes = (time.monotonic() - begin) / 60
            sys.stderr.write(f"{done} of {planned} runs, {minutes:.1f} min, last {what}\n")

    compared = Compared((), (), ())
    for strategies, runs in (
        (options.strategies, options.runs),
        (options.others, options.other_runs),
    ):
        if strategies:
            more = compare(
                specs,
                read_entrants(strategies),
                runs=runs,
                first_seed=options.first_seed,
                jobs=options.jobs,
                on_run=tell,
            )
            compared = together(compared, more)
    minutes = math.ceil((time.monotonic() - begin) / 60)
    told = (
        f"`python -m benchmarks.strategies --pages {options.pages} --site-seeds"
        f" {options.site_seeds} --first-site-seed {first} --runs {options.runs}"
        f" --other-runs {options.other_runs}"
        f"{' --sites FOLDER' if options.sites else ''}`, {minutes} min in {options.jobs} processes:"
    )
    found = tables(compared)
    if options.against:
        found.append(table_against(compared, read_runs(options.against)))
    if options.csv:
        options.csv.write_text(as_csv(compared), encoding="utf-8")
    text = "\n\n".join([told, *(markdown(table) for table in found)])
    say(text)
    if options.write:
        write_between_markers(options.write, "figures", text)
    if options.plot:
        write_plots(compared, options.plot)
    for failed in compared.failures:
        say(f"failed: {failed.what}: {failed.reason}")
    if compared.failures:
        raise SystemExit(7)


if __name__ == "__main__":
    main()
