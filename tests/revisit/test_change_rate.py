"""Change rates from one bit per check: the equation, and simulated Poisson processes."""

import math

import numpy as np
import pytest

from crawler.revisit.change_rate import (
    FILE_SHAPE,
    MAX_RATE,
    MIN_RATE,
    PRIOR_RATE,
    change_rates,
    pooled_change_rates,
)

ONE = np.zeros(1, np.int64)


def rate_of(gaps: list[float], changed: list[bool]) -> float:
    zeros = np.zeros(len(gaps), np.int64)
    return float(change_rates(np.array(gaps, float), np.array(changed, bool), zeros, 1)[0])


def test_even_gaps_have_a_closed_solution() -> None:
    # Of n checks at gap 1, x saw a change: r = -ln(1 - x / n).
    assert rate_of([1.0] * 10, [True] * 4 + [False] * 6) == pytest.approx(-math.log(0.6))


def test_uneven_gaps_by_hand() -> None:
    # g / (e^(r g) - 1) = 3 with g = 2 has the solution r = ln(5/3) / 2.
    assert rate_of([2.0, 3.0], [True, False]) == pytest.approx(math.log(5 / 3) / 2)


def test_bounds_where_all_or_no_checks_saw_a_change() -> None:
    assert rate_of([1.0, 2.0], [True, True]) == pytest.approx(MAX_RATE, rel=1e-3)
    assert rate_of([1.0, 2.0], [False, False]) == pytest.approx(MIN_RATE, rel=1e-3)


def test_checks_without_any_time_between_say_nothing() -> None:
    assert rate_of([0.0, 2.0, 3.0], [True, True, False]) == rate_of([2.0, 3.0], [True, False])


@pytest.mark.parametrize("rate", [0.03, 0.2, 1.0])
def test_rate_of_a_poisson_process_is_found(rate: float) -> None:
    rng = np.random.default_rng(7)
    gaps = rng.uniform(0.3, 6.0, 20_000)
    changed = rng.random(20_000) < 1 - np.exp(-rate * gaps)
    estimated = change_rates(gaps, changed, np.zeros(20_000, np.int64), 1)[0]
    assert estimated == pytest.approx(rate, rel=0.06)
    # Counting changes by days is far off for a fast file.
    if rate == 1.0:
        assert changed.sum() / gaps.sum() < 0.4


def test_file_without_checks_has_the_rate_of_files_alike() -> None:
    gaps, changed = np.full(400, 2.0), np.arange(400) % 4 == 0
    file = np.arange(400) % 20
    group_of_file = np.array([0] * 20 + [0, 1])
    rates = pooled_change_rates(gaps, changed, file, group_of_file)
    assert rates[20] == pytest.approx(-math.log(0.75) / 2, rel=0.1)
    assert rates[21] == pytest.approx(PRIOR_RATE, rel=0.01)


def test_own_checks_outweigh_the_group() -> None:
    gaps = np.full(60, 1.0)
    changed = np.array([True] * 30 + [False] * 30)
    file = np.repeat([0, 1], 30)
    fast, slow = pooled_change_rates(gaps, changed, file, np.zeros(2, np.int64))
    assert fast > 2.0
    assert slow < 0.01


def test_prior_equation_by_hand() -> None:
    # Nothing but one quiet gap of 10 days in a group of rate p: a / r = 10 + a / p.
    gaps, changed = np.array([10.0]), np.array([False])
    rate = pooled_change_rates(gaps, changed, ONE, np.zeros(1, np.int64))[0]
    pooled = 0.5 / (10 + 0.5 / PRIOR_RATE)
    assert rate == pytest.approx(FILE_SHAPE / (10 + FILE_SHAPE / pooled), rel=1e-3)


def test_no_files_no_rates() -> None:
    nothing = np.array([], np.int64)
    assert len(pooled_change_rates(np.array([]), np.array([], bool), nothing, nothing)) == 0
