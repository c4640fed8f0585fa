"""Strategies side by side on measured sites: every strategy on every site, with several seeds."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from crawler.lab.entrant import Entrant
from crawler.lab.measured_run import Measured, Run, SiteTruth, measure, truth_of
from crawler.lab.processes import Failure, Progress, results_of


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one strategy needed on one site, over its runs."""

    site: SiteTruth
    strategy: str
    seeds: tuple[int, ...]
    runs: tuple[Measured, ...]

    @property
    def requests(self) -> list[float]:
        """Until 90% of the targets, for each run; infinite for one that never got there."""
        return [_or_never(run.requests_to_share) for run in self.runs]

    @property
    def percent(self) -> list[float]:
        """The same as percentages of what the site has: Table II."""
        return [100 * requests / max(self.site.available, 1) for requests in self.requests]

    @property
    def volume_percent(self) -> list[float]:
        """Non-target volume until 90% of the target volume, of all there is: Table III."""
        there = max(self.site.volumes.other, 1)
        return [100 * _or_never(run.other_bytes_to_share) / there for run in self.runs]

    @property
    def cpu_per_request(self) -> float:
        """Seconds of processor time per request."""
        spent = sum(run.cpu_seconds for run in self.runs)
        return spent / max(sum(run.requests for run in self.runs), 1)

    @property
    def peak_bytes(self) -> int:
        """The most memory that any of the runs took."""
        return max(run.peak_bytes for run in self.runs)


@dataclass(frozen=True, slots=True)
class Compared:
    """All results, site by site and in the order of the strategies, and what failed."""

    sites: tuple[SiteTruth, ...]
    comparisons: tuple[Comparison, ...]
    failures: tuple[Failure, ...]

    def of(self, site: SiteTruth, strategy: str) -> Comparison | None:
        """One cell of a table; None when all its runs failed."""
        return next(
            (c for c in self.comparisons if c.site == site and c.strategy == strategy), None
        )

    def of_site(self, site: SiteTruth) -> list[Comparison]:
        """Everything about one site."""
        return [c for c in self.comparisons if c.site == site]

    @property
    def strategies(self) -> list[str]:
        """Every strategy that has results."""
        return list(dict.fromkeys(c.strategy for c in self.comparisons))


def mean(values: Sequence[float]) -> float:
    """The mean over runs: infinite when one of them never got there."""
    return statistics.fmean(values)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation that runs let expect; of values that are infinite there is none."""
    if not all(map(math.isfinite, values)):
        return math.nan
    return statistics.stdev(values) if len(values) > 1 else 0.0


def compare(
    specs: Sequence[str],
    entrants: Sequence[Entrant],
    *,
    runs: int,
    first_seed: int = 0,
    jobs: int,
    on_run: Progress | None = None,
    to_the_end: bool = True,
) -> Compared:
    """Replay every strategy on every site; those that draw random numbers with several seeds."""
    truths, failures = results_of(truth_of, list(dict.fromkeys(specs)), jobs)
    sites = [truths[spec] for spec in dict.fromkeys(specs) if spec in truths]
    planned = [
        Run(site, entrant, seed, to_the_end)
        for site in sites
        for entrant in entrants
        for seed in range(first_seed, first_seed + (runs if entrant.config.is_random else 1))
    ]
    measured, failed = results_of(measure, planned, jobs, on_run)
    cells = [_cell(site, entrant, planned, measured) for site in sites for entrant in entrants]
    return Compared(tuple(sites), tuple(cell for cell in cells if cell), (*failures, *failed))


def _cell(
    site: SiteTruth, entrant: Entrant, planned: Sequence[Run], measured: dict[Run, Measured]
) -> Comparison | None:
    runs = [
        run for run in planned if run.site == site and run.entrant == entrant and run in measured
    ]
    if not runs:
        return None
    return Comparison(
        site,
        entrant.label,
        tuple(run.seed for run in runs),
        tuple(measured[run] for run in runs),
    )


def _or_never(value: int | None) -> float:
    return math.inf if value is None else float(value)
