"""The models of `tallyho` in the crawl's state: a row for every feature they have met."""

from collections.abc import Iterator

from crawler.learning.yield_model import FeatureWeight
from crawler.state.records import WeightRow
from crawler.state.saved import SavedState


def row_of(known: FeatureWeight) -> WeightRow:
    """A feature as it is saved."""
    return WeightRow(
        known.id,
        known.target,
        known.target_squares,
        known.yielded,
        known.yielded_squares,
        known.published_target,
        known.published_yield,
    )


def weights_of(state: SavedState) -> Iterator[FeatureWeight]:
    """Every saved feature."""
    for row in state.weights():
        yield FeatureWeight(
            row.id,
            row.target,
            row.target_squares,
            row.yielded,
            row.yielded_squares,
            row.published_target,
            row.published_yield,
        )
