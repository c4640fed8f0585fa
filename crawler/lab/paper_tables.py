"""The tables of paper 000 from a comparison: II, III and VI, and what a request costs us."""

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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


CSV_COLUMNS = (
    "site",
    "strategy",
    "seed",
    "available",
    "targets_of_site",
    "requests",
    "heads",
    "targets",
    "requests_to_90_percent",
    "percent_of_site",
    "volume_percent",
    "cpu_ms_per_request",
    "peak_bytes",
    "requests_to_50_percent",
    "requests_to_80_percent",
    "requests_to_99_percent",
    "area",
)


def as_csv(compared: Compared) -> str:
    """One line per run; a figure that a run never reached is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for cell in compared.comparisons:
        for at, run in enumerate(cell.runs):
            writer.writerow(
                [
                    cell.site.name,
                    cell.strategy,
                    cell.seeds[at],
                    cell.site.available,
                    cell.site.targets,
                    run.requests,
                    run.heads,
                    run.targets,
                    run.requests_to_share,
                    _rounded(cell.percent[at]),
                    _rounded(cell.volume_percent[at]),
                    _rounded(1e3 * run.cpu_seconds / max(run.requests, 1)),
                    run.peak_bytes,
                    *(run.milestones[at] for at in (0, 1, 3)),
                    f"{run.area:.4f}",
                ]
            )
    return text.getvalue()


def _rounded(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else ""
