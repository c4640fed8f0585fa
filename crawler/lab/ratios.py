"""Strategies against one of them: requests until 90% of the targets, over all sites."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from crawler.lab.compare import Compared, mean
from crawler.lab.paper_tables import NEVER, Table


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
