"""Runs of a comparison as files of `--csv` have them: one row per run, whatever version made it."""

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks.paired import Runs

Row = dict[str, str]

LOOKED_AT = ("be", "cl", "ju", "ed", "qa", "ce", "endless", "demo", "cde", "fema")
"""Kinds and sites that were looked at while `tallyho` was made; the others were measured after."""

_MADE = re.compile(r"(.+)-\d+-\d+")
GROUPS: dict[str, Callable[[str], bool]] = {
    "recorded, plain names": lambda site: not _MADE.fullmatch(site),
    "kinds that were looked at": lambda site: bool(_MADE.fullmatch(site)) and _looked_at(site),
    "other kinds": lambda site: bool(_MADE.fullmatch(site)) and not _looked_at(site),
}


def rows_of(text: str) -> list[Row]:
    """The runs in the text of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def read_runs(paths: Iterable[Path]) -> list[Row]:
    """The runs of all files; ends the process where one has none."""
    rows = []
    for path in paths:
        try:
            found = rows_of(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise SystemExit(f"{path} cannot be read: {error}") from None
        if not found or not {"site", "strategy"} <= found[0].keys():
            raise SystemExit(f"{path} has no runs as --csv writes them")
        rows += found
    return rows


def figures(rows: Sequence[Row], strategy: str, column: str) -> dict[str, list[float]]:
    """One figure of every run of a strategy, by site; infinite where it was never reached."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["strategy"] == strategy and column in row:
            found.setdefault(row["site"], []).append(float(row[column] or math.inf))
    return found


def family(site: str) -> str:
    """A kind, whatever its size and seed, or a recorded site."""
    made = _MADE.fullmatch(site)
    return made[1] if made else site.partition(".")[0]


def families(rows: Sequence[Row]) -> list[str]:
    """Every kind and recorded site, in the order of the rows."""
    return list(dict.fromkeys(family(row["site"]) for row in rows))


def of_family(runs: Runs, name: str) -> Runs:
    """The runs on sites of one kind, or on one recorded site."""
    return {site: runs[site] for site in runs if family(site) == name}


def of_group(runs: Runs, name: str) -> Runs:
    """The runs on sites of one of `GROUPS`."""
    return {site: runs[site] for site in runs if GROUPS[name](site)}


def _looked_at(site: str) -> bool:
    return family(site) in LOOKED_AT
