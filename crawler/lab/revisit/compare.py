"""Revisit strategies side by side: every strategy on every site, with several seeds."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crawler.config.revisit import RevisitConfig, RevisitStrategyName
from crawler.errors import ConfigError
from crawler.lab.processes import Failure, Progress, results_of
from crawler.lab.revisit.recorded_nights import RecordedNights
from crawler.lab.revisit.simulate import GREEDY, Simulated, simulate
from crawler.lab.sites.graph import SiteGraph

Opener = Callable[[str, int], SiteGraph]
"""Opens a site by its name and a seed; must be picklable."""


@dataclass(frozen=True, slots=True)
class Nights:
    """How the nights are: the same for all strategies."""

    count: int
    pages: int | float
    files: int | float
    dated: bool = True
    """Whether the dates of items are read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """All strategies on a site with a seed: its nights are recorded once."""

    opener: Opener
    site: str
    seed: int
    strategies: tuple[str, ...]
    nights: Nights

    def __str__(self) -> str:
        return f"{self.site} (seed {self.seed})"


@dataclass(frozen=True, slots=True)
class Cell:
    """One strategy on one site, over all seeds, beside GREEDY on the same sites."""

    site: str
    strategy: str
    seeds: tuple[int, ...]
    runs: tuple[Simulated, ...]
    greedy: tuple[Simulated, ...]

    def coverage(self, delay: int) -> float:
        """Mean share of the new files found within this many nights."""
        return statistics.fmean(run.coverage(delay) for run in self.runs)

    def relative(self, delay: int) -> float:
        """The same as a share of what GREEDY finds the night it appears (within the delay)."""
        return statistics.fmean(self._shares(delay))

    def deviation(self, delay: int) -> float:
        """Standard deviation of `relative` over the seeds."""
        return statistics.stdev(self._shares(delay)) if len(self.runs) > 1 else 0.0

    def _shares(self, delay: int) -> list[float]:
        return [
            run.count(delay) / max(best.count(delay), 1)
            for run, best in zip(self.runs, self.greedy, strict=True)
        ]

    @property
    def mean_delay(self) -> float:
        """Mean nights until a new file is found."""
        return statistics.fmean(run.mean_delay for run in self.runs)

    @property
    def requests(self) -> float:
        """Mean requests a night."""
        return statistics.fmean(statistics.fmean(run.requests) for run in self.runs)

    @property
    def page_visits(self) -> float:
        """Mean visits to known pages a night."""
        return statistics.fmean(statistics.fmean(run.page_visits) for run in self.runs)

    @property
    def staleness(self) -> float | None:
        """Staleness of known files as a share of that of checking all in turn."""
        in_turn = sum(run.staleness_in_turn for run in self.runs)
        return sum(run.staleness for run in self.runs) / in_turn if in_turn else None

    @property
    def gone(self) -> float | None:
        """Share of the removed files that were marked gone within 7 nights."""
        removed = sum(run.removed for run in self.runs)
        return sum(run.marked_gone for run in self.runs) / removed if removed else None


@dataclass(frozen=True, slots=True)
class Compared:
    """All cells, GREEDY's first on each site, and what failed."""

    cells: tuple[Cell, ...]
    failures: tuple[Failure, ...]


def read_strategies(text: str) -> list[str]:
    """Names with commas between them, each once; GREEDY need not be named."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [*RevisitStrategyName, GREEDY]
    for name in names:
        if name not in known:
            raise ConfigError(f"there is no strategy '{name[:40]}'; there are: {', '.join(known)}")
        if names.count(name) > 1:
            raise ConfigError(f"{name}: named twice")
    if not names:
        raise ConfigError(f"no strategy is named; there are: {', '.join(known)}")
    return [name for name in names if name != GREEDY]


def compare_revisits(
    opener: Opener,
    sites: Sequence[str],
    strategies: Sequence[str],
    seeds: Sequence[int],
    nights: Nights,
    *,
    jobs: int = 1,
    on_run: Progress | None = None,
) -> Compared:
    """Run every strategy, and GREEDY, on every site with every seed."""
    names = (GREEDY, *strategies)
    pieces = [Piece(opener, site, seed, names, nights) for site in sites for seed in seeds]
    done, failures = results_of(run_piece, pieces, jobs, on_run)
    runs = {
        (piece.site, name, piece.seed): run
        for piece, by_name in done.items()
        for name, run in by_name.items()
    }
    cells = [_cell(runs, site, strategy, seeds) for site in sites for strategy in names]
    return Compared(tuple(cell for cell in cells if cell is not None), tuple(failures))


def run_piece(piece: Piece) -> dict[str, Simulated]:
    """All strategies on one site, in whatever process."""
    nights = piece.nights
    site = RecordedNights(piece.opener(piece.site, piece.seed), nights.count, dated=nights.dated)
    runs = {}
    for strategy in piece.strategies:
        name = RevisitStrategyName.RR if strategy == GREEDY else RevisitStrategyName(strategy)
        # The visits of a sweep come on top of the budget, which is the same for all strategies.
        config = RevisitConfig(name=name, pages=nights.pages, files=nights.files, sweep_days=0)
        runs[strategy] = simulate(site, strategy, config, nights.count, piece.seed)
    return runs


def _cell(
    runs: dict[tuple[str, str, int], Simulated], site: str, strategy: str, seeds: Sequence[int]
) -> Cell | None:
    """What came of a strategy on a site, over the seeds that both it and GREEDY finished."""
    both = [seed for seed in seeds if {(site, strategy, seed), (site, GREEDY, seed)} <= set(runs)]
    if not both:
        return None
    return Cell(
        site,
        strategy,
        tuple(both),
        tuple(runs[site, strategy, seed] for seed in both),
        tuple(runs[site, GREEDY, seed] for seed in both),
    )
