"""Sitemaps and feeds as noisy signals."""

import math
from dataclasses import replace

import numpy as np
import pytest

from crawler.revisit.page_columns import PageColumns
from crawler.revisit.planner_state import PlannerState, SourceCounts
from crawler.revisit.signals import (
    MAX_SOURCES,
    Signal,
    chance_of_change,
    chances_of_change,
    precision,
    recall,
    settle_signals,
)
from tests.revisit.histories import day, page


def test_precision_and_recall_start_at_one_half() -> None:
    assert precision(SourceCounts("a")) == recall(SourceCounts("a")) == 0.5
    known = SourceCounts("a", confirmed=7, refuted=1, missed=3)
    assert precision(known) == 8 / 10
    assert recall(known) == 8 / 12


def test_chance_of_change_by_hand() -> None:
    assert chance_of_change(0.1, 5, []) == pytest.approx(1 - math.exp(-0.5))
    known = SourceCounts("a", confirmed=7, refuted=1, missed=3)
    expected = 1 - (1 - 0.8) * math.exp(-(1 - 8 / 12) * 0.1 * 5)
    assert chance_of_change(0.1, 5, [known]) == pytest.approx(expected)
    assert chance_of_change(0.1, -5, []) == 0.0


def test_source_is_judged_by_the_visits_after_its_signals() -> None:
    pages = [
        page([(3, 0), (6, 2)], page_id=1),  # changed, signalled
        page([(3, 0), (6, 0)], page_id=2),  # unchanged, signalled
        page([(3, 0), (6, 1)], page_id=3),  # changed, last signal before the visit before
        page([(3, 0)], page_id=4),  # not visited since the last plan
    ]
    signals = [
        Signal(1, "map", day(5)),
        Signal(2, "map", day(5)),
        Signal(3, "map", day(1)),
        Signal(4, "map", day(5)),
        Signal(1, "feed", day(6.5)),  # after the visit: still to be settled
    ]
    state = PlannerState(last_night=day(6))
    settled = settle_signals(state, PageColumns.of(pages, day(7)), signals)
    assert settled.sources == (SourceCounts("map", confirmed=1, refuted=1, missed=1),)


def test_source_that_lies_loses_its_weight() -> None:
    liar = SourceCounts("map", confirmed=0, refuted=50)
    assert chance_of_change(0.01, 1, [liar]) < 0.05
    assert chance_of_change(0.01, 1, [SourceCounts("map", confirmed=50)]) > 0.95


def test_only_signals_after_the_last_visit_count() -> None:
    columns = PageColumns.of([page([(5, 0)], page_id=1), page([(5, 0)], page_id=2)], day(8))
    signals = [Signal(1, "map", day(6)), Signal(2, "map", day(4)), Signal(9, "map", day(6))]
    chances = chances_of_change(columns, np.array([0.1, 0.1]), signals, PlannerState())
    assert list(chances) == [0]


def test_number_of_sources_is_bounded() -> None:
    columns = PageColumns.of([page([(3, 0), (6, 2)], page_id=1)], day(7))
    signals = [Signal(1, f"map{number}", day(5)) for number in range(3 * MAX_SOURCES)]
    settled = settle_signals(PlannerState(last_night=day(6)), columns, signals)
    assert len(settled.sources) == MAX_SOURCES
    assert settle_signals(replace(settled, last_night=None), columns, signals).last_night is None
