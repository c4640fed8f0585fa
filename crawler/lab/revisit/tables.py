"""A comparison of revisit strategies as tables, CSV and JSON items."""

from collections.abc import Callable, Sequence

from crawler.lab.paper_tables import Columns, Table, csv_text
from crawler.lab.revisit.compare import Cell, Compared
from crawler.lab.revisit.simulate import Simulated

DELAYS = (0, 3, 7)


def _of_greedy(cell: Cell) -> str:
    spread = f" ± {100 * cell.deviation(0):.1f}" if len(cell.runs) > 1 else ""
    return f"{100 * cell.relative(0):.1f}{spread}"


_COLUMNS: dict[str, Callable[[Cell], str]] = {
    "site": lambda cell: cell.site,
    "strategy": lambda cell: cell.strategy,
    "same night": lambda cell: f"{100 * cell.coverage(0):.1f}",
    "of GREEDY": _of_greedy,
    "within 3": lambda cell: f"{100 * cell.coverage(3):.1f}",
    "within 7": lambda cell: f"{100 * cell.coverage(7):.1f}",
    "mean delay": lambda cell: f"{cell.mean_delay:.2f}",
    "requests/night": lambda cell: f"{cell.requests:.0f}",
    "page visits": lambda cell: f"{cell.page_visits:.0f}",
    "staleness": lambda cell: "-" if cell.staleness is None else f"{cell.staleness:.2f}",
    "gone marked": lambda cell: "-" if cell.gone is None else f"{100 * cell.gone:.0f}%",
}


def table_of(compared: Compared) -> Table:
    """One row per site and strategy."""
    title = "New files found, in % of those that appeared; delays in nights"
    rows = (tuple(text_of(cell) for text_of in _COLUMNS.values()) for cell in compared.cells)
    return Table(title, tuple(_COLUMNS), tuple(rows))


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


_CSV: Columns[Cell] = {
    "site": lambda cell, _: cell.site,
    "strategy": lambda cell, _: cell.strategy,
    "seed": lambda cell, at: cell.seeds[at],
    "nights": lambda cell, at: cell.runs[at].nights,
    "new_files": lambda cell, at: len(cell.runs[at].appeared),
    "same_night": lambda cell, at: cell.runs[at].count(0),
    "within_3": lambda cell, at: cell.runs[at].count(3),
    "within_7": lambda cell, at: cell.runs[at].count(7),
    "greedy_same_night": lambda cell, at: cell.greedy[at].count(0),
    "mean_delay": lambda cell, at: f"{cell.runs[at].mean_delay:.3f}",
    "requests_per_night": lambda cell, at: _a_night(cell.runs[at], cell.runs[at].requests),
    "page_visits_per_night": lambda cell, at: _a_night(cell.runs[at], cell.runs[at].page_visits),
    "staleness": lambda cell, at: f"{cell.runs[at].staleness:.4f}",
    "staleness_in_turn": lambda cell, at: f"{cell.runs[at].staleness_in_turn:.4f}",
    "removed": lambda cell, at: cell.runs[at].removed,
    "marked_gone": lambda cell, at: cell.runs[at].marked_gone,
}


def as_csv(compared: Compared) -> str:
    """One line per run; files found are counted, not shared."""
    return csv_text(_CSV, ((cell, at) for cell in compared.cells for at in range(len(cell.runs))))


def _a_night(run: Simulated, each: Sequence[int]) -> str:
    return f"{sum(each) / max(run.nights, 1):.1f}"
