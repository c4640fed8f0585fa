"""The features of paper 003, computed by hand."""

import numpy as np
import pytest

from crawler.revisit.features import FIRST_CRAWL_DAYS, examples, features_tonight, weekday
from crawler.revisit.page_columns import PageColumns
from tests.revisit.histories import day, page


def test_averages_age_and_their_product() -> None:
    columns = PageColumns.of([page([(1, 4), (3, 0), (4, 2)])], day(6))
    mean, deviation, age, product = features_tonight(columns, window=10)[0, :4]
    assert mean == pytest.approx(2.0)
    assert deviation == pytest.approx(np.sqrt(8 / 3))
    assert (age, product) == (2.0, 4.0)


def test_window_leaves_older_visits_out() -> None:
    columns = PageColumns.of([page([(1, 40), (3, 0), (4, 2)])], day(6))
    assert features_tonight(columns, window=2)[0, 0] == 1.0


def test_page_never_revisited_has_a_share_of_what_stood_there_first() -> None:
    columns = PageColumns.of([page(listed=73), page()], day(6))
    assert features_tonight(columns, window=5)[:, 0].tolist() == [73 / FIRST_CRAWL_DAYS, 0.0]


def test_day_of_week_and_hour_are_one_hot() -> None:
    columns = PageColumns.of([page()], day(9 + 13.5 / 24))  # a Wednesday, 13:30
    features = features_tonight(columns, window=5)[0]
    assert features[4:11].tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert np.flatnonzero(features[11:]).tolist() == [13]


def test_weekday_counts_from_monday() -> None:
    assert weekday(np.array([day(0), day(6.9), day(7)])).tolist() == [0, 6, 0]
    assert weekday(np.array([-1e30, 1e30])).shape == (2,)


def test_examples_are_the_revisits_with_what_was_known_before() -> None:
    past = examples(PageColumns.of([page([(1, 4), (3, 1)], listed=73)], day(4)), 10, days=28)
    assert past.yields.tolist() == [4, 1]
    assert past.features[:, 0].tolist() == [0.2, 4.0]
    assert past.features[:, 2].tolist() == [1.0, 2.0]
    assert (past.night - past.night[0]).tolist() == [0, 2]


def test_old_examples_and_those_of_the_future_are_left_out() -> None:
    columns = PageColumns.of([page([(1, 4), (40, 1), (90, 2)])], day(50))
    assert examples(columns, 10, days=28).yields.tolist() == [1]
