"""The difference of a table and its edited copy is what was edited, no more and no less."""

import pytest
from hypothesis import HealthCheck, given, settings

from crawler.differences.compare import compare_frames
from tests.differences.edited_tables import Edits, Row, edited_tables


def _sorted(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (str(row["region"]), str(row["year"])))


def _renamed(edits: Edits) -> list[Row]:
    names = edits.renamed
    return [{names.get(name, name): value for name, value in row.items()} for row in edits.gone]


@pytest.mark.slow
@settings(
    max_examples=2_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(edited_tables())
def test_difference_is_exactly_what_was_edited(edits: Edits):
    found = compare_frames(edits.old, edits.new, listed=None)
    assert set(found.columns_added) == edits.columns_added
    assert set(found.columns_gone) == edits.columns_gone
    assert {one.old: one.new for one in found.columns_renamed} == edits.renamed
    assert (found.rows_added, found.rows_gone) == (len(edits.added), len(edits.gone))
    assert _sorted(list(found.added)) == _sorted(edits.added)
    assert _sorted(list(found.gone)) == _sorted(_renamed(edits))
    row_of = {
        tuple(getattr(row, name) for name in found.key): (row.region, row.year)
        for row in edits.new[[*{"region", "year", *found.key}]].itertuples()
    }
    cells = {
        (row_of[tuple(one.key.values())], one.column): (one.old, one.new) for one in found.revised
    }
    assert cells == edits.revised
    assert found.cells_revised == len(edits.revised)
    assert found.rows_changed == len({key for key, _ in edits.revised})
