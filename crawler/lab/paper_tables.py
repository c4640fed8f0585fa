"""The tables of paper 000 from a comparison: II, III and VI, ratios, and what requests cost."""

import csv
import io
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from crawler.lab.compare import Compared, Comparison, deviation, mean
from crawler.lab.confusion import PREDICTED, Confusion
from crawler.pages.mime import UrlClass

NEVER = "+inf"
"""For a strategy that never finds that many targets, as the paper writes it."""

_FAILED = "-"
_NAMES = {UrlClass.HTML: "HTML", UrlClass.TARGET: "Target", UrlClass.NEITHER: "Neither"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def number(values: Sequence[float], digits: int = 1) -> str:
    """'12.3', '12.3 ± 0.4' over several runs, '+inf' where one never got there."""
    if not math.isfinite(mean(values)):
        return NEVER
    spread = f" ± {deviation(values):,.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):,.{digits}f}{spread}"


def table_of_requests(compared: Compared) -> Table:
    """Table II."""
    title = "Requests until 90% of the targets, in % of the pages and targets available (Table II)"
    return _by_site(compared, title, lambda cell: number(cell.percent))


def table_of_volumes(compared: Compared) -> Table:
    """Table III."""
    title = "Non-target volume until 90% of the target volume, in % of all of it (Table III)"
    return _by_site(compared, title, lambda cell: number(cell.volume_percent))


def table_of_costs(compared: Compared) -> Table:
    """Processor time per request, and memory at its peak."""
    title = "Processor time per request in ms, and peak memory of the process in MB"
    return _by_site(compared, title, cost)


def cost(cell: Comparison) -> str:
    """'1.7 / 74': milliseconds of processor time per request, megabytes at the peak."""
    return f"{1e3 * cell.cpu_per_request:.1f} / {cell.peak_bytes / 1e6:.0f}"


def _by_site(compared: Compared, title: str, cell_of: Callable[[Comparison], str]) -> Table:
    rows = []
    for strategy in compared.strategies:
        cells = [compared.of(site, strategy) for site in compared.sites]
        rows.append((strategy, *(cell_of(cell) if cell else _FAILED for cell in cells)))
    return Table(title, ("strategy", *(site.name for site in compared.sites)), tuple(rows))


@dataclass(frozen=True, slots=True)
class Standing:
    """How a strategy stands to the one it is measured by."""

    strategy: str
    ratios: tuple[float, ...]
    """Its mean requests by the other's, site by site; infinite where it never gets there."""

    @property
    def geometric_mean(self) -> float:
        """The usual ratio; infinite when one of them is."""
        return geometric_mean(self.ratios)

    @property
    def fewer(self) -> int:
        """Sites where it needs fewer requests."""
        return sum(ratio < 1 for ratio in self.ratios)


def geometric_mean(ratios: Sequence[float]) -> float:
    """The usual ratio of several; infinite when one of them is."""
    return statistics.geometric_mean(ratios) if all(map(math.isfinite, ratios)) else math.inf


def standings(compared: Compared, reference: str) -> list[Standing]:
    """Every other strategy; a site counts when both have results and the reference gets there."""
    ranked = []
    for strategy in compared.strategies:
        if strategy == reference:
            continue
        ratios = []
        for site in compared.sites:
            ours, theirs = compared.of(site, strategy), compared.of(site, reference)
            if ours and theirs and math.isfinite(mean(theirs.requests)):
                ratios.append(mean(ours.requests) / mean(theirs.requests))
        if ratios:
            ranked.append(Standing(strategy, tuple(ratios)))
    return ranked


def table_of_ratios(compared: Compared, reference: str) -> Table:
    """How all others stand to the reference."""
    columns = ("strategy", "geometric mean", "best", "worst", "needs fewer requests on")
    rows = [
        (
            standing.strategy,
            written(standing.geometric_mean),
            written(min(standing.ratios)),
            written(max(standing.ratios)),
            f"{standing.fewer} of {len(standing.ratios)} sites",
        )
        for standing in standings(compared, reference)
    ]
    title = f"Requests until 90% of the targets, divided by those of {reference}"
    return Table(title, columns, tuple(rows))


def written(ratio: float) -> str:
    """A ratio for a table."""
    return f"{ratio:.2f}" if math.isfinite(ratio) else NEVER


def tables_of_confusion(compared: Compared) -> list[Table]:
    """Table VI for every strategy that guesses classes, averaged over its runs on all sites."""
    tables = []
    for strategy in compared.strategies:
        confusions = list(_confusions(compared, strategy))
        if not confusions:
            continue
        rows = [
            (_NAMES[true], *(f"{_average(confusions, true, guess):.2f}" for guess in PREDICTED))
            for true in UrlClass
        ]
        title = f"{strategy}: guessed class of new URLs in % of all guesses (Table VI)"
        columns = ("true class", *(f"taken for {_NAMES[guess]}" for guess in PREDICTED))
        tables.append(Table(title, columns, tuple(rows)))
    return tables


def _confusions(compared: Compared, strategy: str) -> Iterator[Confusion]:
    for comparison in compared.comparisons:
        if comparison.strategy == strategy:
            for run in comparison.runs:
                if run.confusion is not None and run.confusion.total:
                    yield run.confusion


def _average(confusions: Sequence[Confusion], true: UrlClass, predicted: UrlClass) -> float:
    return mean([confusion.percent(true, predicted) for confusion in confusions])


def as_items(compared: Compared) -> list[dict[str, object]]:
    """One item per site and strategy, for `--json`; what never came is null."""
    return [_item(comparison) for comparison in compared.comparisons]


def _item(cell: Comparison) -> dict[str, object]:
    return {
        "site": cell.site.name,
        "strategy": cell.strategy,
        "seeds": list(cell.seeds),
        "runs": [run.requests_to_share for run in cell.runs],
        "requests_to_90_percent": _finite(mean(cell.requests)),
        "deviation": _finite(deviation(cell.requests)),
        "percent_of_site": _finite(mean(cell.percent)),
        "percent_deviation": _finite(deviation(cell.percent)),
        "volume_percent": _finite(mean(cell.volume_percent)),
        "volume_deviation": _finite(deviation(cell.volume_percent)),
        "requests_in_all": max(run.requests for run in cell.runs),
        "targets": min(run.targets for run in cell.runs),
        "targets_of_site": cell.site.targets,
        "available": cell.site.available,
        "cpu_ms_per_request": 1e3 * cell.cpu_per_request,
        "peak_bytes": cell.peak_bytes,
        "confusion": _matrix(cell),
        "groups": [
            {"path": group.path, "selections": group.selections, "mean_reward": group.mean}
            for group in cell.runs[0].groups
        ],
    }


def _matrix(cell: Comparison) -> dict[str, dict[str, float]] | None:
    confusions = [run.confusion for run in cell.runs if run.confusion is not None]
    if not confusions:
        return None
    return {
        true.value: {guess.value: _average(confusions, true, guess) for guess in PREDICTED}
        for true in UrlClass
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


Cell = TypeVar("Cell")
Columns = Mapping[str, Callable[[Cell, int], object]]
"""The columns of a CSV file, and what each says of a run, given by its cell and its number."""


def csv_text(columns: Columns[Cell], runs: Iterable[tuple[Cell, int]]) -> str:
    """One line per run below the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for cell, at in runs:
        writer.writerow([value(cell, at) for value in columns.values()])
    return text.getvalue()


_CSV: Columns[Comparison] = {
    "site": lambda cell, _: cell.site.name,
    "strategy": lambda cell, _: cell.strategy,
    "seed": lambda cell, at: cell.seeds[at],
    "available": lambda cell, _: cell.site.available,
    "targets_of_site": lambda cell, _: cell.site.targets,
    "requests": lambda cell, at: cell.runs[at].requests,
    "heads": lambda cell, at: cell.runs[at].heads,
    "targets": lambda cell, at: cell.runs[at].targets,
    "requests_to_90_percent": lambda cell, at: cell.runs[at].requests_to_share,
    "percent_of_site": lambda cell, at: _rounded(cell.percent[at]),
    "volume_percent": lambda cell, at: _rounded(cell.volume_percent[at]),
    "cpu_ms_per_request": lambda cell, at: _rounded(1e3 * cell.runs[at].cpu_per_request),
    "peak_bytes": lambda cell, at: cell.runs[at].peak_bytes,
    "requests_to_50_percent": lambda cell, at: cell.runs[at].milestones[0],
    "requests_to_80_percent": lambda cell, at: cell.runs[at].milestones[1],
    "requests_to_99_percent": lambda cell, at: cell.runs[at].milestones[3],
    "area": lambda cell, at: f"{cell.runs[at].area:.4f}",
}


def as_csv(compared: Compared) -> str:
    """One line per run; a figure that a run never reached is empty."""
    runs = ((cell, at) for cell in compared.comparisons for at in range(len(cell.runs)))
    return csv_text(_CSV, runs)


def _rounded(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else ""
