"""A comparison of revisit strategies as tables, CSV and JSON items."""

import csv
import io
from collections.abc import Callable

from crawler.lab.paper_tables import Table
from crawler.lab.revisit.compare import Cell, Compared

DELAYS = (0, 3, 7)

COLUMNS = (
    "site",
    "strategy",
    "same night",
    "of GREEDY",
    "within 3",
    "within 7",
    "mean delay",
    "requests/night",
    "page visits",
    "staleness",
    "gone marked",
)


def table_of(compared: Compared) -> Table:
    """One row per site and strategy."""
    rows = tuple(_row(cell) for cell in compared.cells)
    return Table("New files found, in % of those that appeared; delays in nights", COLUMNS, rows)


def _row(cell: Cell) -> tuple[str, ...]:
    spread = f" ± {100 * cell.deviation(0):.1f}" if len(cell.runs) > 1 else ""
    return (
        cell.site,
        cell.strategy,
        f"{100 * cell.coverage(0):.1f}",
        f"{100 * cell.relative(0):.1f}{spread}",
        f"{100 * cell.coverage(3):.1f}",
        f"{100 * cell.coverage(7):.1f}",
        f"{cell.mean_delay:.2f}",
        f"{cell.requests:.0f}",
        f"{cell.page_visits:.0f}",
        _optional(cell.staleness, lambda share: f"{share:.2f}"),
        _optional(cell.gone, lambda share: f"{100 * share:.0f}%"),
    )


def _optional(value: float | None, text: Callable[[float], str]) -> str:
    return "-" if value is None else text(value)


def as_items(compared: Compared) -> list[dict[str, object]]:
    """One item per site and strategy, for `--json`."""
    return [
        {
            "site": cell.site,
            "strategy": cell.strategy,
            "seeds": list(cell.seeds),
            "nights": cell.runs[0].nights,
            "new_files": [len(run.appeared) for run in cell.runs],
            "coverage": {str(delay): cell.coverage(delay) for delay in DELAYS},
            "relative_to_greedy": {str(delay): cell.relative(delay) for delay in DELAYS},
            "mean_delay": cell.mean_delay,
            "requests_per_night": cell.requests,
            "page_visits_per_night": cell.page_visits,
            "staleness_of_in_turn": cell.staleness,
            "gone_within_7_nights": cell.gone,
        }
        for cell in compared.cells
    ]


CSV_COLUMNS = (
    "site",
    "strategy",
    "seed",
    "nights",
    "new_files",
    "same_night",
    "within_3",
    "within_7",
    "greedy_same_night",
    "mean_delay",
    "requests_per_night",
    "page_visits_per_night",
    "staleness",
    "staleness_in_turn",
    "removed",
    "marked_gone",
)


def as_csv(compared: Compared) -> str:
    """One line per run; files found are counted, not shared."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for cell in compared.cells:
        for seed, run, best in zip(cell.seeds, cell.runs, cell.greedy, strict=True):
            writer.writerow(
                [
                    cell.site,
                    cell.strategy,
                    seed,
                    run.nights,
                    len(run.appeared),
                    *(run.count(delay) for delay in DELAYS),
                    best.count(0),
                    f"{run.mean_delay:.3f}",
                    f"{sum(run.requests) / max(run.nights, 1):.1f}",
                    f"{sum(run.page_visits) / max(run.nights, 1):.1f}",
                    f"{run.staleness:.4f}",
                    f"{run.staleness_in_turn:.4f}",
                    run.removed,
                    run.marked_gone,
                ]
            )
    return text.getvalue()
