"""Tables II and III of paper 000 for all strategies, on synthetic kinds and recorded sites.

    python -m benchmarks.strategies [--sites FOLDER] [--write docs/strategies.md] [--plot FOLDER]

`--write` puts the tables between the markers of a document; `--sites` adds the recorded sites of a
folder: replicas, and those of the reference implementation, also compressed.
"""

import argparse
import math
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.recorded_sites import recorded_sites
from benchmarks.standing import table_of_baselines, table_of_ours
from crawler.lab.compare import Compared, compare
from crawler.lab.entrant import read_entrants
from crawler.lab.oracles.config import LAB_STRATEGIES
from crawler.lab.paper_tables import (
    Table,
    table_of_costs,
    table_of_requests,
    table_of_volumes,
    tables_of_confusion,
)
from crawler.lab.plots import write_plots
from crawler.lab.ratios import table_of_ratios
from crawler.lab.sites.kinds import KINDS

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
REFERENCE = "sb"


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
    found = [site_table(compared), table_of_requests(compared), table_of_volumes(compared)]
    if REFERENCE in compared.strategies:
        found.append(table_of_ratios(compared, REFERENCE))
    found += [table_of_baselines(compared), table_of_ours(compared)]
    return [*found, *tables_of_confusion(compared), table_of_costs(compared)]


def write_between_markers(document: Path, text: str) -> None:
    """Replace what stands between the markers of a document."""
    before, begin, rest = document.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{document} lacks the markers {BEGIN} and {END}")
    document.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", type=Path, help="folder of recorded sites")
    parser.add_argument("--kinds", default=",".join(KINDS), help="synthetic kinds; empty for none")
    parser.add_argument("--pages", type=int, default=4000, help="pages of a synthetic site")
    parser.add_argument("--site-seed", type=int, default=1)
    parser.add_argument("--strategies", default=",".join(LAB_STRATEGIES))
    parser.add_argument("--runs", type=int, default=5, help="of strategies that draw numbers")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", type=Path, help="document with the markers")
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
    specs = [f"synth:{kind}:{options.pages}:{options.site_seed}" for kind in kinds]
    specs += recorded
    begin = time.monotonic()

    def tell(done: int, planned: int, what: str) -> None:
        if done % 10 == 0 or done == planned:
            minutes = (time.monotonic() - begin) / 60
            sys.stderr.write(f"{done} of {planned} runs, {minutes:.1f} min, last {what}\n")

    compared = compare(
        specs,
        read_entrants(options.strategies),
        runs=options.runs,
        first_seed=options.first_seed,
        jobs=options.jobs,
        on_run=tell,
    )
    minutes = math.ceil((time.monotonic() - begin) / 60)
    told = (
        f"`python -m benchmarks.strategies --pages {options.pages} --runs {options.runs}"
        f"{' --sites FOLDER' if options.sites else ''}`, {minutes} min in {options.jobs} processes:"
    )
    text = "\n\n".join([told, *(table.markdown() for table in tables(compared))])
    say(text)
    if options.write:
        write_between_markers(options.write, text)
    if options.plot:
        write_plots(compared, options.plot)
    for failed in compared.failures:
        say(f"failed: {failed.what}: {failed.reason}")
    if compared.failures:
        raise SystemExit(7)


if __name__ == "__main__":
    main()
