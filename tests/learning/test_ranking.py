"""The modified Kendall's tau against cases computed by hand."""

import pytest

from crawler.learning.apprentice import MAX_LINKS, modified_tau


@pytest.mark.parametrize(
    ("predicted", "true", "expected"),
    [
        # Pairs and their distances: 1-2: 0.1, 1-3: 0.5, 2-3: 0.4; together 1.0.
        ([3, 2, 1], [0.9, 0.8, 0.4], 1.0),
        ([1, 2, 3], [0.9, 0.8, 0.4], 0.0),
        ([2, 3, 1], [0.9, 0.8, 0.4], 0.9),  # the two that hardly differ are inverted: costs 0.1
        ([3, 1, 2], [0.9, 0.8, 0.4], 0.6),  # 2-3 is inverted: costs 0.4
        ([2, 1, 3], [0.9, 0.8, 0.4], 0.1),  # 1-3 and 2-3: costs 0.9
        ([5, 5, 5], [0.9, 0.8, 0.4], 0.5),  # alike: every pair costs half
        ([2, 2, 1], [0.9, 0.8, 0.4], 0.95),
        ([2, 1], [0.3, 0.3], 0.5),  # nothing to tell apart
        ([], [], 0.5),
        # 1-2: 1, 1-3: 0, 1-4: 1, 2-3: 1, 2-4: 0, 3-4: 1; inverted are 1-4 and 3-4 of 4.
        ([2, 1, 2, 3], [1, 0, 1, 0], 0.5),
    ],
)
def test_inversions_cost_the_distance_of_the_true_scores(predicted, true, expected) -> None:
    assert modified_tau(predicted, true) == pytest.approx(expected)


def test_only_the_last_links_are_compared() -> None:
    many = list(range(MAX_LINKS))
    assert modified_tau([9, 8, *many], [1, 2, *many]) == 1.0
