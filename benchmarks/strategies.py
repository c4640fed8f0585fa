"""Tables II and III of paper 000 for all strategies, on synthetic kinds and recorded sites.

    python -m benchmarks.strategies [--sites FOLDER] [--before OLD.csv] [--csv RUNS.csv]
                                    [--write docs/strategies.md] [--plot FOLDER]

`--sites` adds the recorded sites of a folder: replicas, and those of the reference implementation,
also compressed. `--before` compares with runs of an earlier version on the same sites. `--csv` is
written anew after every kind and every recorded site: what is measured is there if the rest is
interrupted, and `benchmarks.standing` makes the tables of several such files.
"""

import argparse
import math
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.markdown import markdown, write_between_markers
from benchmarks.recorded_sites import recorded_sites
from benchmarks.saved_runs import read_runs, rows_of
from benchmarks.standing import tables
from crawler.errors import ConfigError
from crawler.lab.compare import Compared, compare
from crawler.lab.entrant import Entrant, read_entrants
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


def together(some: Compared, more: Compared) -> Compared:
    """Two comparisons as one, whether they differ in sites or in strategies."""
    sites = tuple(dict.fromkeys(some.sites + more.sites))
    cells = [cell for site in sites for part in (some, more) for cell in part.of_site(site)]
    return Compared(sites, tuple(cells), some.failures + more.failures)


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sites", type=Path, help="folder of recorded sites")
    kinds = ",".join((*KINDS, *VARIANTS))
    parser.add_argument("--kinds", default=kinds, help="synthetic kinds; empty for none")
    parser.add_argument("--pages", type=int, default=600, help="pages of a synthetic site")
    parser.add_argument("--site-seeds", type=int, default=3, help="sites of each kind")
    parser.add_argument("--first-site-seed", type=int, default=1)
    parser.add_argument("--strategies", default=",".join(MEASURED_OFTEN))
    parser.add_argument("--runs", type=int, default=15, help="of those that draw numbers")
    others = [name for name in LAB_STRATEGIES if name not in MEASURED_OFTEN]
    parser.add_argument("--others", default=",".join(others), help="with fewer runs; or empty")
    parser.add_argument("--other-runs", type=int, default=2)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", type=Path, help="document with the markers")
    parser.add_argument("--csv", type=Path, help="file for one line per run")
    parser.add_argument("--before", action="append", default=[], type=Path, help="an earlier --csv")
    parser.add_argument("--plot", type=Path, help="folder for the figures")
    options = parser.parse_args()
    unknown = [kind for kind in options.kinds.split(",") if kind and kind not in kinds.split(",")]
    if unknown:  # said now, not after an hour
        parser.error(f"there is no kind {', '.join(unknown)}; there are: {kinds}")
    try:
        for names in filter(None, (options.strategies, options.others)):
            read_entrants(names)
    except ConfigError as error:
        parser.error(str(error))
    return options


def main() -> None:
    """Compare, print, and write where asked."""
    options = arguments()
    before = read_runs(options.before)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as room:
        compared = measured(options, recorded_sites(options.sites, Path(room), say))
    minutes = math.ceil((time.monotonic() - begin) / 60)
    told = (
        f"`python -m benchmarks.strategies --pages {options.pages} --site-seeds"
        f" {options.site_seeds} --first-site-seed {options.first_site_seed} --runs {options.runs}"
        f" --other-runs {options.other_runs}"
        f"{' --sites FOLDER' if options.sites else ''}{' --before OLD.csv' if before else ''}`,"
        f" {minutes} min in {options.jobs} processes:"
    )
    found = [
        site_table(compared),
        *tables(rows_of(as_csv(compared)), before),
        *tables_of_confusion(compared),
    ]
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


def measured(options: argparse.Namespace, recorded: list[str]) -> Compared:
    """All strategies on all sites, kind by kind."""
    first = options.first_site_seed
    seeds = range(first, first + options.site_seeds)
    kinds = [kind for kind in options.kinds.split(",") if kind]
    parts = [[f"synth:{kind}:{options.pages}:{seed}" for seed in seeds] for kind in kinds]
    parts += [[spec] for spec in recorded]
    teams = [
        (read_entrants(names), runs)
        for names, runs in (
            (options.strategies, options.runs),
            (options.others, options.other_runs),
        )
        if names
    ]
    compared = Compared((), (), ())
    for at, specs in enumerate(parts, 1):
        for entrants, runs in teams:
            compared = together(compared, one_part(options, specs, entrants, runs))
        if options.csv:
            options.csv.write_text(as_csv(compared), encoding="utf-8")
        sys.stderr.write(f"{at} of {len(parts)} kinds and recorded sites\n")
    return compared


def one_part(
    options: argparse.Namespace, specs: list[str], entrants: list[Entrant], runs: int
) -> Compared:
    """Some strategies on the sites of a kind, or on a recorded site."""
    begin = time.monotonic()

    def tell(done: int, planned: int, what: str) -> None:
        if done % 10 == 0 or done == planned:
            minutes = (time.monotonic() - begin) / 60
            sys.stderr.write(f"{done} of {planned} runs, {minutes:.1f} min, last {what}\n")

    return compare(
        specs,
        entrants,
        runs=runs,
        first_seed=options.first_seed,
        jobs=options.jobs,
        on_run=tell,
        to_the_end=False,
    )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the file of --csv has what was measured\n")
        raise SystemExit(130) from None
