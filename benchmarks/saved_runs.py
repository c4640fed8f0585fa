"""The tables of comparisons that were run in parts, from their files of `--csv`.

    python -m benchmarks.saved_runs RUNS.csv MORE.csv [--before OLD.csv] [--write DOCUMENT]

All strategies on all sites take hours. Some of them at a time, or some of the sites, they are put
together here; `--before` has runs of `tallyho` by an earlier version.
"""

import argparse
import csv
import math
import re
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.markdown import markdown, write_between_markers
from benchmarks.paired import Runs, paired
from benchmarks.standing import LOOKED_AT, OURS
from benchmarks.strategies import say
from crawler.lab.measured_run import MILESTONES
from crawler.lab.paper_tables import NEVER, Table

Row = dict[str, str]
_MADE = re.compile(r"(.+)-\d+-\d+")
GROUPS: dict[str, Callable[[str], bool]] = {
    "recorded, plain names": lambda site: not _MADE.fullmatch(site),
    "kinds that were looked at": lambda site: bool(_MADE.fullmatch(site)) and _looked_at(site),
    "other kinds": lambda site: bool(_MADE.fullmatch(site)) and not _looked_at(site),
}


def family(site: str) -> str:
    """A kind, whatever its size and seed, or a recorded site."""
    made = _MADE.fullmatch(site)
    return made[1] if made else site.partition(".")[0]


def _looked_at(site: str) -> bool:
    return family(site) in LOOKED_AT


def read(paths: Sequence[Path]) -> list[Row]:
    """The runs of all files."""
    rows = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file))
    return rows


def figures(rows: Sequence[Row], strategy: str, column: str) -> dict[str, list[float]]:
    """One figure of every run of a strategy, by site; infinite where it was never reached."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["strategy"] == strategy:
            found.setdefault(row["site"], []).append(float(row[column] or math.inf))
    return found


def table_by_kind(rows: Sequence[Row], title: str, column: str) -> Table:
    """The mean over the sites of a kind and their runs, a column for each strategy."""
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    lines = []
    for name in dict.fromkeys(family(row["site"]) for row in rows):
        line = [name]
        for strategy in strategies:
            by_site = figures(rows, strategy, column)
            means = [statistics.fmean(by_site[site]) for site in by_site if family(site) == name]
            line.append(_shown(statistics.fmean(means)) if means else "")
        lines.append(tuple(line))
    return Table(title, ("site", *strategies), tuple(lines))


def _shown(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else NEVER


def table_of_pairs(rows: Sequence[Row], before: Sequence[Row]) -> Table:
    """`tallyho` against the others and its past: geometric means with intervals."""
    column = "requests_to_90_percent"
    ours = figures(rows, OURS, column)
    others = {
        name: figures(rows, name, column)
        for name in dict.fromkeys(row["strategy"] for row in rows)
        if name != OURS
    }
    if before:
        others["tallyho before"] = figures(before, OURS, column)
    lines = []
    for name, theirs in others.items():
        for group, chosen in GROUPS.items():
            some = {site: runs for site, runs in ours.items() if chosen(site) and site in theirs}
            found = paired(some, theirs)
            if found is not None:
                lines.append((name, group, str(len(some)), str(found)))
    title = f"{OURS} against each: requests until 90%, geometric mean and 95% interval (bootstrap)"
    return Table(title, ("against", "sites", "number", "ratio"), tuple(lines))


def table_of_shares(rows: Sequence[Row], before: Sequence[Row]) -> Table:
    """`tallyho` by kind: against `sb` until each share of the targets, and against its past."""
    shares = [f"{share * 100:.0f}" for share in MILESTONES]
    lines = []
    for name in dict.fromkeys(family(row["site"]) for row in rows):
        line = [name]
        for share in shares:
            column = f"requests_to_{share}_percent"
            line.append(_ratio(name, figures(rows, OURS, column), figures(rows, "sb", column)))
        column = "requests_to_90_percent"
        line.append(_ratio(name, figures(rows, OURS, column), figures(before, OURS, column)))
        lines.append(tuple(line))
    columns = ("site", *(f"sb, {share}%" for share in shares), "before, 90%")
    return Table(
        f"{OURS} by kind: its requests by those of sb and of before", columns, tuple(lines)
    )


def _ratio(name: str, ours: Runs, theirs: Runs) -> str:
    found = paired({site: ours[site] for site in ours if family(site) == name}, theirs)
    return f"{found.ratio:.2f}" if found else ""


def main() -> None:
    """Read, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--before", action="append", default=[], type=Path)
    parser.add_argument("--write", type=Path, help="document with the markers")
    options = parser.parse_args()
    rows, before = read(options.runs), read(options.before)
    found = [
        table_by_kind(
            rows,
            "Requests until 90% of the targets, in % of what is available (Table II)",
            "percent_of_site",
        ),
        table_by_kind(
            rows,
            "Non-target volume until 90% of the target volume, in % of all of it (Table III)",
            "volume_percent",
        ),
        table_of_shares(rows, before),
        table_of_pairs(rows, before),
        table_by_kind(rows, "Processor time per request in ms", "cpu_ms_per_request"),
    ]
    text = "\n\n".join(map(markdown, found))
    say(text)
    if options.write:
        write_between_markers(options.write, "figures", text)


if __name__ == "__main__":
    main()
