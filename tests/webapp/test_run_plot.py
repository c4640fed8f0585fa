"""The curve of a run: numbers that a drawing can trust."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.webapp.plot import HEIGHT, WIDTH, draw_curve

PAIRS = st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**6)), max_size=60)


def points(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


@pytest.mark.parametrize("pairs", [[], [(0, 0)], [(7, 3)], [(0, 0), (0, 5)]])
def test_too_few_points_give_no_drawing(pairs):
    assert draw_curve(pairs) is None


@given(PAIRS)
def test_every_point_is_inside_the_axes(pairs):
    curve = draw_curve(pairs)
    if curve is None:
        return
    for x, y in points(curve.line):
        assert curve.left <= x <= curve.right
        assert curve.top <= y <= curve.bottom
    for tick in curve.across:
        assert curve.left <= tick.at <= curve.right
    for tick in curve.up:
        assert curve.top <= tick.at <= curve.bottom
    assert 2 <= len(curve.across) <= 6
    assert 2 <= len(curve.up) <= 6


def test_more_requests_are_further_right_and_more_targets_further_up():
    curve = draw_curve([(0, 0), (50, 10), (100, 40)])
    (x0, y0), (x1, y1), (x2, y2) = points(curve.line)
    assert x0 < x1 < x2
    assert y0 > y1 > y2
    assert (curve.requests, curve.targets) == (100, 40)
    assert (curve.width, curve.height) == (WIDTH, HEIGHT)


def test_axes_are_marked_with_round_numbers_from_zero():
    curve = draw_curve([(0, 0), (900, 140)])
    assert [tick.label for tick in curve.across] == ["0", "200", "400", "600", "800"]
    assert [tick.label for tick in curve.up] == ["0", "50", "100"]


def test_table_has_a_dozen_rows_with_the_first_and_the_last_point():
    pairs = [(number, number // 2) for number in range(500)]
    rows = draw_curve(pairs).rows
    assert len(rows) == 12
    assert (rows[0], rows[-1]) == (pairs[0], pairs[-1])
