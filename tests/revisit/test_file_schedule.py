"""Which files are due: the optimum of Kolobov et al., suspects, methods, odd clocks."""

from dataclasses import replace

import numpy as np
import pytest

from crawler.revisit.file_schedule import FULL_CHECK_EVERY, crawl_rates, due_files
from crawler.revisit.night_plan import CheckMethod, FileReason
from crawler.revisit.observe import FileSeen, observe_file, observe_file_failure
from crawler.revisit.page_history import Validators
from crawler.revisit.visit_log import Outcome
from tests.revisit.histories import day, file

CHANGED, UNCHANGED, GONE = Outcome.CHANGED, Outcome.UNCHANGED, Outcome.GONE


def test_budget_is_shared_out_completely() -> None:
    rates = np.array([0.001, 0.01, 0.1, 1.0, 5.0])
    shares = crawl_rates(rates, 2.0)
    assert shares.sum() == pytest.approx(2.0)
    assert (np.diff(shares) > 0).all()


def test_slope_of_the_objective_is_the_same_for_all_files() -> None:
    # d/dp ln(1 + r / p) = -r / (p (p + r)).
    rates = np.array([0.01, 0.1, 1.0])
    shares = crawl_rates(rates, 0.5)
    slopes = rates / (shares * (shares + rates))
    assert slopes == pytest.approx(np.full(3, slopes[0]))


def test_fast_file_is_not_starved() -> None:
    shares = crawl_rates(np.array([24.0, 0.1, 0.1, 0.1]), 0.4)
    assert shares[0] == max(shares)


def test_no_file_is_checked_twice_a_night() -> None:
    assert crawl_rates(np.array([5.0, 5.0]), 10.0).tolist() == [1.0, 1.0]
    assert crawl_rates(np.array([]), 10.0).tolist() == []


def test_file_that_changes_is_due_before_one_that_does_not() -> None:
    busy = file([(at, CHANGED) for at in range(1, 9)], file_id=1)
    quiet = file([(at, UNCHANGED) for at in range(1, 9)], file_id=2)
    due = due_files([quiet, busy], 1, day(9))
    assert [(one.id, one.reason) for one in due] == [(1, FileReason.CHANGE_RATE)]


def test_missing_file_is_looked_at_again_the_next_night() -> None:
    files = [file(file_id=at) for at in range(20)]
    files[7] = file([(5, GONE)], file_id=7)
    files[9] = replace(files[9], unlinked=True)
    due = due_files(files, 4, day(6))
    assert [(one.id, one.reason) for one in due[:2]] == [
        (7, FileReason.MISSING),
        (9, FileReason.UNLINKED),
    ]
    assert len(due) == 4


def test_file_that_is_gone_is_asked_for_rarely() -> None:
    gone = file([(1, GONE), (2, GONE)], file_id=1)
    there = [file([(1, UNCHANGED), (2, UNCHANGED)], file_id=at) for at in range(2, 6)]
    assert 1 not in [one.id for one in due_files([gone, *there], 2, day(4))]
    assert due_files([gone], 1, day(60))[0].id == 1


def test_method_follows_the_validators() -> None:
    with_tag = replace(file(), validators=Validators.ETAG)
    weak = FileSeen(day(1), UNCHANGED, is_proven=False)
    without = file()
    methods = []
    for _ in range(FULL_CHECK_EVERY):
        methods.append(due_files([without], 1, day(3))[0].method)
        without = observe_file(without, weak)
    assert due_files([with_tag], 1, day(3))[0].method is CheckMethod.CONDITIONAL
    assert methods == [CheckMethod.LENGTH] * (FULL_CHECK_EVERY - 1) + [CheckMethod.FULL]


def test_file_that_does_not_answer_is_left_alone_for_a_while() -> None:
    failed = observe_file_failure(observe_file_failure(file(), day(5)), day(6))
    assert due_files([failed], 1, day(7)) == []
    assert len(due_files([failed], 1, day(9))) == 1


def test_clock_that_jumps_leaves_a_plan() -> None:
    files = [file([(at, UNCHANGED) for at in (1, 2, 9000)], file_id=1), file(file_id=2)]
    for now in (day(-400), day(3), day(9001), day(90_000)):
        assert len(due_files(files, 2, now)) == 2


def test_no_budget_no_checks() -> None:
    assert due_files([file()], 0, day(3)) == []
    assert due_files([], 5, day(3)) == []
