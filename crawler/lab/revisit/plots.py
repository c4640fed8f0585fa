"""Figures of a comparison: what share of all new files was found, night after night."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.lab.plots import is_file_name, save_figure
from crawler.lab.revisit.compare import Cell, Compared
from crawler.lab.revisit.simulate import Simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_plot(compared: Compared, where: Path) -> list[Path]:
    """Draw all sites beside each other, as PNG and SVG; `where` is a folder or a file's name."""
    from matplotlib import rc_context

    if not compared.cells:
        return []
    stem = where.with_suffix("") if is_file_name(where) else where / "revisit"
    stem.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.hashsalt": "tallyho", "font.size": 9, "axes.grid": True}):
        return save_figure(coverage_figure(compared), stem)


def coverage_figure(compared: Compared) -> "Figure":
    """One panel per site: the share of what appeared so far that was found the same night."""
    from matplotlib.figure import Figure

    sites = list(dict.fromkeys(cell.site for cell in compared.cells))
    figure = Figure(figsize=(4.2 * min(len(sites), 3), 3.2 * -(-len(sites) // 3)))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(-(-len(sites) // 3), min(len(sites), 3), squeeze=False).flat
    for panel, site in zip(panels, sites, strict=False):
        for color, cell in enumerate(cell for cell in compared.cells if cell.site == site):
            nights, shares = same_night_curve(cell)
            panel.plot(nights, shares, label=cell.strategy, color=f"C{color % 10}", linewidth=1.2)
        panel.set(title=site, xlabel="night", ylabel="found the same night, %", ylim=(0, 102))
    for panel in list(figure.axes)[len(sites) :]:
        panel.set_visible(False)
    figure.axes[0].legend(fontsize=7)
    return figure


def same_night_curve(cell: Cell) -> tuple[list[int], list[float]]:
    """Nights, and the percentage of all files up to each night found the night they appeared."""
    shares = np.mean([_shares(run) for run in cell.runs], axis=0)
    return list(range(1, len(shares) + 1)), [100 * float(share) for share in shares]


def _shares(run: Simulated) -> list[float]:
    appeared = np.zeros(run.nights + 1)
    caught = np.zeros(run.nights + 1)
    for file, night in run.appeared.items():
        appeared[night] += 1
        caught[night] += run.found.get(file) == night
    seen = np.maximum(np.cumsum(appeared[1:]), 1)
    shares: list[float] = (np.cumsum(caught[1:]) / seen).tolist()
    return shares
