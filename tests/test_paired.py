"""Paired comparisons: the ratio, and an interval that is as wide as sites and seeds differ."""

import math

from benchmarks.paired import paired, ratios


def test_ratio_is_the_geometric_mean_over_sites():
    found = paired({"a": [50.0, 50.0], "b": [200.0]}, {"a": [100.0], "b": [100.0]})
    assert found is not None
    assert found.ratio == 1.0
    assert (found.low, found.high) == (0.5, 2.0)


def test_sites_and_runs_that_agree_give_a_narrow_interval():
    ours = {f"site {n}": [79.0, 80.0, 81.0] for n in range(20)}
    found = paired(ours, {site: [100.0] * 3 for site in ours})
    assert found is not None
    assert 0.79 < found.low < found.ratio < found.high < 0.81
    assert str(found) == "0.80 (0.80 to 0.80)"


def test_seeds_that_disagree_widen_it():
    calm = paired({"a": [100.0] * 9}, {"a": [100.0] * 9})
    wild = paired({"a": [20.0, 100.0, 180.0] * 3}, {"a": [100.0] * 9})
    assert calm is not None
    assert wild is not None
    assert calm.high - calm.low < wild.high - wild.low


def test_sites_that_one_never_finishes_are_left_out():
    ours, theirs = {"a": [1.0, math.inf], "b": [1.0], "c": [1.0]}, {"a": [1.0], "b": [2.0]}
    assert ratios(ours, theirs) == {"b": 0.5}
    assert paired({"a": [math.inf]}, {"a": [1.0]}) is None
