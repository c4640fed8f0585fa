"""Work in processes of its own."""

import os

import pytest

from crawler.lab.processes import each_in_a_process
from tests.lab.pieces_of_work import own_process, square

pytestmark = pytest.mark.slow


def test_every_piece_is_done_whatever_happens_to_others():
    done = list(each_in_a_process(square, range(2, 8), jobs=2))
    assert {one.work: one.result for one in done} == {
        2: 4, 3: None, 4: None, 5: None, 6: None, 7: 49,
    }  # fmt: skip
    assert {one.work: one.failure for one in done if one.failure} == {
        3: "here: three is too many",
        4: "ZeroDivisionError: four",
        5: "its process died (exit code -9)",
        6: "not enough memory",
    }


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_piece_has_a_process_of_its_own(jobs):
    done = [one.result for one in each_in_a_process(own_process, range(3), jobs=jobs)]
    assert len({*done, os.getpid()}) == 4


def test_one_at_a_time_keeps_their_order():
    assert [one.work for one in each_in_a_process(own_process, range(3), jobs=1)] == [0, 1, 2]


def test_nothing_to_do_is_done_at_once():
    assert list(each_in_a_process(square, [], jobs=2)) == []
