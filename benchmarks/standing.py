"""What the comparison was made for: `tallyho` against the others, by kind and with intervals."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence

from benchmarks.paired import Runs, paired
from crawler.lab.compare import Compared, Comparison, mean
from crawler.lab.measured_run import MILESTONES, Measured, SiteTruth
from crawler.lab.paper_tables import NEVER, Table

OURS = "tallyho"
LOOKED_AT = ("be", "cl", "ju", "ed", "qa", "ce", "endless", "demo", "cde", "fema")
"""Kinds and sites that were looked at while `tallyho` was made; the others were measured after."""

Figure = Callable[[Measured], float]


def family(site: SiteTruth) -> str:
    """A kind, whatever its seed, or the name of a recorded site."""
    return site.name.rsplit("-", 2)[0] if site.spec.startswith("synth:") else site.name


def families(compared: Compared) -> list[str]:
    """Every kind and recorded site, in the order of the comparison."""
    return list(dict.fromkeys(map(family, compared.sites)))


def requests_to(at: int) -> Figure:
    """Requests until one of `MILESTONES`."""

    def figure(run: Measured) -> float:
        value = run.milestones[at]
        return math.inf if value is None else float(value)

    return figure


def other_bytes(run: Measured) -> float:
    """Bytes of pages until 90% of the target volume."""
    return math.inf if run.other_bytes_to_share is None else float(run.other_bytes_to_share)


def runs_of(
    compared: Compared, strategy: str, figure: Figure, chosen: Callable[[SiteTruth], bool]
) -> Runs:
    """One figure for every run of a strategy, site by site."""
    return {
        cell.site.name: [figure(run) for run in cell.runs]
        for cell in compared.comparisons
        if cell.strategy == strategy and chosen(cell.site)
    }


def table_by_kind(compared: Compared, title: str, figure: Callable[[Comparison], float]) -> Table:
    """One row for every kind: the mean over its sites and their runs."""
    rows = []
    for name in families(compared):
        row = [name]
        for strategy in compared.strategies:
            cells = [
                figure(cell)
                for cell in compared.comparisons
                if cell.strategy == strategy and family(cell.site) == name
            ]
            row.append(f"{mean(cells):.1f}" if cells and math.isfinite(mean(cells)) else NEVER)
        rows.append(tuple(row))
    return Table(title, ("site", *compared.strategies), tuple(rows))


def table_of_milestones(compared: Compared) -> Table:
    """`tallyho` against `sb` by kind, until each share of the targets, and by other measures."""
    shares = [f"{share:.0%}" for share in MILESTONES]
    rows = []
    for name in families(compared):
        row = [name]
        for figure in [*map(requests_to, range(len(MILESTONES))), other_bytes]:
            found = _ratio(compared, "sb", figure, lambda site, name=name: family(site) == name)
            row.append(found)
        areas = [
            f"{statistics.fmean(run.area for cell in cells for run in cell.runs):.2f}"
            if (cells := [c for c in _cells(compared, one) if family(c.site) == name])
            else "-"
            for one in (OURS, "sb")
        ]
        rows.append((*row, *areas))
    columns = ("site", *shares, "page bytes", "area", "area of sb")
    title = f"{OURS} against sb: requests until so many of the targets, bytes of pages until 90%"
    return Table(title, columns, tuple(rows))


def _cells(compared: Compared, strategy: str) -> list[Comparison]:
    return [cell for cell in compared.comparisons if cell.strategy == strategy]


def _ratio(
    compared: Compared, other: str, figure: Figure, chosen: Callable[[SiteTruth], bool]
) -> str:
    found = paired(
        runs_of(compared, OURS, figure, chosen), runs_of(compared, other, figure, chosen)
    )
    return f"{found.ratio:.2f}" if found else "-"


def groups_of_sites() -> Mapping[str, Callable[[SiteTruth], bool]]:
    """Which sites are told apart in comparisons."""
    return {
        "recorded, plain names": lambda site: not site.spec.startswith("synth:"),
        "kinds that were looked at": lambda site: _is_made(site) and family(site) in LOOKED_AT,
        "other kinds": lambda site: _is_made(site) and family(site) not in LOOKED_AT,
    }


def _is_made(site: SiteTruth) -> bool:
    return site.spec.startswith("synth:")


def table_of_pairs(compared: Compared) -> Table:
    """`tallyho` against every other strategy: geometric means with 95% intervals."""
    rows = []
    for strategy in compared.strategies:
        if strategy == OURS:
            continue
        for name, chosen in groups_of_sites().items():
            ours = runs_of(compared, OURS, requests_to(2), chosen)
            theirs = runs_of(compared, strategy, requests_to(2), chosen)
            found = paired(ours, theirs)
            if found is not None:
                rows.append((strategy, name, str(len(theirs)), str(found)))
    title = f"{OURS} against each: requests until 90%, geometric mean and 95% interval (bootstrap)"
    return Table(title, ("against", "sites", "number", "ratio"), tuple(rows))


def table_against(compared: Compared, before: Mapping[str, Mapping[str, Sequence[float]]]) -> Table:
    """`tallyho` against runs of an earlier version: figures by their column, then by site."""
    rows = []
    for name, chosen in groups_of_sites().items():
        cells = [name]
        for at, share in enumerate(MILESTONES):
            theirs = before.get(f"requests_to_{share * 100:.0f}_percent", {})
            found = paired(runs_of(compared, OURS, requests_to(at), chosen), theirs)
            cells.append(str(found) if found else "-")
        rows.append(tuple(cells))
    columns = ("sites", *(f"{share:.0%}" for share in MILESTONES))
    return Table(f"{OURS} against the runs of --against", columns, tuple(rows))
