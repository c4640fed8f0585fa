"""What the comparison was made for: `tallyho` against the others and its past, with intervals.

    python -m benchmarks.standing RUNS.csv MORE.csv [--before OLD.csv] [--write DOCUMENT]

prints the tables of runs that `benchmarks.strategies --csv` wrote, in one go or in parts.
"""

import argparse
import math
import statistics
from collections.abc import Sequence
from pathlib import Path

from benchmarks.markdown import markdown, write_between_markers
from benchmarks.paired import Runs, paired, ratios
from benchmarks.saved_runs import (
    GROUPS,
    Row,
    families,
    figures,
    of_family,
    of_group,
    read_runs,
)
from crawler.lab.measured_run import MILESTONES, SHARE
from crawler.lab.paper_tables import NEVER, Table

OURS, YARDSTICK = "tallyho", "sb"
_SHARES = [f"{share:.0%}" for share in MILESTONES]
_COLUMNS = [f"requests_to_{share * 100:.0f}_percent" for share in MILESTONES]
_TO_SHARE = f"requests_to_{SHARE * 100:.0f}_percent"


def tables(rows: Sequence[Row], before: Sequence[Row]) -> list[Table]:
    """Everything that is told of runs; `before` are those of an earlier version."""
    found = [
        table_by_kind(
            rows,
            f"Requests until {SHARE:.0%} of the targets, in % of what is available (Table II)",
            "percent_of_site",
        ),
        table_by_kind(
            rows,
            f"Non-target volume until {SHARE:.0%} of the target volume, in % of all (Table III)",
            "volume_percent",
        ),
        table_by_kind(rows, "Processor time per request in ms", "cpu_ms_per_request"),
        table_against_yardstick(rows),
        table_of_pairs(rows),
    ]
    return [*found, table_against_before(rows, before)] if before else found


def table_by_kind(rows: Sequence[Row], title: str, column: str) -> Table:
    """The mean over the sites of a kind and their runs, a column for each strategy."""
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    by_strategy = [figures(rows, strategy, column) for strategy in strategies]
    lines = []
    for name in families(rows):
        means = [_mean(of_family(runs, name)) for runs in by_strategy]
        lines.append((name, *(_shown(value) for value in means)))
    return Table(title, ("site", *strategies), tuple(lines))


def table_against_yardstick(rows: Sequence[Row]) -> Table:
    """`tallyho` against `sb` by kind: requests until each share, bytes of pages, and the area."""
    lines = []
    for name in families(rows):
        found = [_against_yardstick(rows, name, column) for column in (*_COLUMNS, "volume_percent")]
        areas = [
            _mean(of_family(figures(rows, strategy, "area"), name))
            for strategy in (OURS, YARDSTICK)
        ]
        lines.append((name, *found, *(_shown(area, 2) for area in areas)))
    columns = ("site", *_SHARES, "page bytes", "area", f"area of {YARDSTICK}")
    title = (
        f"{OURS} against {YARDSTICK}: requests until so many of the targets,"
        f" bytes of pages until {SHARE:.0%}"
    )
    return Table(title, columns, tuple(lines))


def _against_yardstick(rows: Sequence[Row], name: str, column: str) -> str:
    ours = of_family(figures(rows, OURS, column), name)
    found = paired(ours, figures(rows, YARDSTICK, column))
    return f"{found.ratio:.2f}" if found else ""


def table_of_pairs(rows: Sequence[Row]) -> Table:
    """`tallyho` against every other strategy: geometric means with 95% intervals."""
    ours = figures(rows, OURS, _TO_SHARE)
    lines = []
    for strategy in dict.fromkeys(row["strategy"] for row in rows):
        if strategy == OURS:
            continue
        theirs = figures(rows, strategy, _TO_SHARE)
        for group in GROUPS:
            some = of_group(ours, group)
            found = paired(some, theirs)
            if found is not None:
                lines.append((strategy, group, _counted(some, theirs), str(found)))
    title = (
        f"{OURS} against each: requests until {SHARE:.0%}, geometric mean"
        " and 95% interval (bootstrap)"
    )
    return Table(title, ("against", "sites", "number", "ratio"), tuple(lines))


def table_against_before(rows: Sequence[Row], before: Sequence[Row]) -> Table:
    """`tallyho` against runs of an earlier version, by kind and by group of sites.

    The first versions measured fewer shares; those that only one version has are left out.
    """
    ours = [figures(rows, OURS, column) for column in _COLUMNS]
    theirs = [figures(before, OURS, column) for column in _COLUMNS]
    at_share = MILESTONES.index(SHARE)
    in_both = [at for at, runs in enumerate(theirs) if runs]
    lines = []
    for name in (*families(rows), *GROUPS):
        choose = of_group if name in GROUPS else of_family
        chosen = [choose(runs, name) for runs in ours]
        known = ratios(chosen[at_share], theirs[at_share]).values()
        if known:
            found = [paired(chosen[at], theirs[at]) for at in in_both]
            counted = _counted(chosen[at_share], theirs[at_share])
            highest = f"{max(known):.2f}"
            lines.append((name, counted, *(str(each) if each else "" for each in found), highest))
    shares = [_SHARES[at] for at in in_both]
    columns = ("sites", "number", *shares, f"highest site, {SHARE:.0%}")
    title = f"{OURS} against its earlier version: requests until so many of the targets"
    nothing = ("no site in common", *[""] * (len(columns) - 1))
    return Table(title, columns, tuple(lines) or (nothing,))


def _counted(ours: Runs, theirs: Runs) -> str:
    """The sites that are compared, and of how many, where one of both never got there."""
    both, compared = sum(site in theirs for site in ours), len(ratios(ours, theirs))
    return str(both) if compared == both else f"{compared} of {both}"


def _mean(runs: Runs) -> float:
    """Over sites, each with the mean of its runs; none for no sites."""
    means = [statistics.fmean(some) for some in runs.values()]
    return statistics.fmean(means) if means else math.nan


def _shown(value: float, digits: int = 1) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.{digits}f}" if math.isfinite(value) else NEVER


def main() -> None:
    """Read, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--before", action="append", default=[], type=Path)
    parser.add_argument("--write", type=Path, help="document with the markers")
    options = parser.parse_args()
    found = tables(read_runs(options.runs), read_runs(options.before))
    text = "\n\n".join(map(markdown, found))
    print(text)
    if options.write:
        write_between_markers(options.write, "figures", text)


if __name__ == "__main__":
    main()
