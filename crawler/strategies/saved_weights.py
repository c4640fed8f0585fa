"""The models of `tallyho` in the crawl's state: a row for every feature they have met."""

from collections.abc import Iterator
from dataclasses import astuple

from crawler.learning.yield_model import FeatureWeight
from crawler.state.records import WeightRow
from crawler.state.saved import SavedState


def row_of(known: FeatureWeight) -> WeightRow:
    """A feature as it is saved."""
    return WeightRow(*known)


def weights_of(state: SavedState) -> Iterator[FeatureWeight]:
    """Every saved feature."""
    for row in state.weights():
        yield FeatureWeight(*astuple(row))
