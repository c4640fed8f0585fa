"""The figures of paper 000 from a comparison, as PNG and SVG: Figure 3 and Figure 4."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from crawler.lab.compare import Compared, Comparison
from crawler.lab.measured_run import TOP_GROUPS, Measured, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")
_GRID = 400
_BYTES_PER_MEGABYTE = 1e6

Line = npt.NDArray[np.float64]
Coordinate = Callable[[Point], float]


def write_plots(compared: Compared, where: Path) -> list[Path]:
    """Write both figures of every site; `where` is a folder, or a file's name for one site."""
    # Without pyplot: no display, no state beside the figure.
    from matplotlib import rc_context

    written = []
    # The salt makes the ids in an SVG, and so its bytes, the same every time.
    with rc_context(
        {"svg.hashsalt": "tallyho", "font.size": 9, "axes.grid": True, "axes.axisbelow": True}
    ):
        for site in compared.sites:
            cells = compared.of_site(site)
            if not cells:
                continue
            stem = _stem(where, site.name)
            stem.parent.mkdir(parents=True, exist_ok=True)
            written += save_figure(crawl_figure(cells), stem)
            if any(run.groups for cell in cells for run in cell.runs):
                written += save_figure(groups_figure(cells), stem.with_name(f"{stem.name}-groups"))
    return written


def is_file_name(where: Path) -> bool:
    """Whether a path names a picture rather than a folder."""
    return where.suffix.lower().removeprefix(".") in FORMATS


def _stem(where: Path, site: str) -> Path:
    if is_file_name(where):
        return where.with_suffix("")
    return where / (re.sub(r"[^A-Za-z0-9._-]+", "-", site).strip(".-") or "site")


def save_figure(figure: "Figure", stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG, the same bytes every time."""
    written = []
    for kind in FORMATS:
        path = stem.with_name(f"{stem.name}.{kind}")
        figure.savefig(path, metadata={"Date" if kind == "svg" else "Software": None})
        written.append(path)
    return written


def crawl_figure(cells: Sequence[Comparison]) -> "Figure":
    """Figure 3: targets over requests, and volume of targets over volume of everything else."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for color, cell in enumerate(cells):
        _draw(left, cell, color, lambda point: point.requests, lambda point: point.targets)
        _draw(
            right,
            cell,
            color,
            lambda point: point.other_bytes / _BYTES_PER_MEGABYTE,
            lambda point: point.target_bytes / _BYTES_PER_MEGABYTE,
        )
    figure.suptitle(cells[0].site.name)
    left.set(xlabel="requests (GET and HEAD)", ylabel="targets", xlim=0, ylim=0)
    right.set(xlabel="non-target volume (MB)", ylabel="target volume (MB)", xlim=0, ylim=0)
    left.legend(loc="lower right")
    return figure


def _draw(
    axes: "Axes",
    cell: Comparison,
    color: int,
    x_of: Coordinate,
    y_of: Coordinate,
) -> None:
    x, middle, spread = mean_curve(cell.runs, x_of, y_of)
    axes.plot(x, middle, label=cell.strategy, color=f"C{color}", linewidth=1.2)
    if len(cell.runs) > 1:
        low, high = middle - spread, middle + spread
        axes.fill_between(x, low, high, color=f"C{color}", alpha=0.2, linewidth=0)


def mean_curve(
    runs: Sequence[Measured], x_of: Coordinate, y_of: Coordinate
) -> tuple[Line, Line, Line]:
    """Mean and deviation over runs on one grid; a run that is over stays where it ended."""
    end = max(max((x_of(point) for point in run.curve), default=0.0) for run in runs)
    grid = np.linspace(0.0, end, _GRID)
    lines = np.array(
        [
            np.interp(
                grid,
                [0.0, *(x_of(point) for point in run.curve)],
                [0.0, *(y_of(point) for point in run.curve)],
            )
            for run in runs
        ]
    )
    return grid, lines.mean(axis=0), lines.std(axis=0)


def groups_figure(cells: Sequence[Comparison]) -> "Figure":
    """Figure 4: mean reward of the best groups of tag paths, on a logarithmic scale."""
    from matplotlib.figure import Figure

    grouped = [cell for cell in cells if any(run.groups for run in cell.runs)]
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(grouped)
    for at, cell in enumerate(grouped):
        rewards = mean_rewards(cell.runs)
        ranks = np.arange(1, len(rewards) + 1) + (at - (len(grouped) - 1) / 2) * width
        axes.bar(ranks, rewards, width, label=cell.strategy, color=f"C{list(cells).index(cell)}")
    axes.set_yscale("log")
    axes.set_xticks(range(1, TOP_GROUPS + 1))
    axes.set(xlabel="group of tag paths, by rank", ylabel="mean reward", title=cells[0].site.name)
    axes.legend()
    return figure


def mean_rewards(runs: Sequence[Measured]) -> list[float]:
    """The mean over runs of the reward of the best group, of the second, and so on."""
    ranks = range(max(len(run.groups) for run in runs))
    by_rank = [[run.groups[rank].mean for run in runs if rank < len(run.groups)] for rank in ranks]
    return [sum(means) / len(means) for means in by_rank]
