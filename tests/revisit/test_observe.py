"""How histories change after visits."""

from dataclasses import replace

from crawler.revisit.fingerprints import unpack
from crawler.revisit.observe import (
    TURNED_OVER_DAYS,
    FileSeen,
    PageSeen,
    credit_targets,
    observe_file,
    observe_file_failure,
    observe_page,
    observe_page_failure,
)
from crawler.revisit.page_history import MAX_DATES, MAX_RECENT_LINKS, FileHistory, PageHistory
from crawler.revisit.visit_log import Outcome, Visit
from tests.revisit.histories import day, file, page


def test_first_visit_counts_what_stands_there_not_what_is_new() -> None:
    seen = PageSeen(
        day(0), Outcome.NEW, outlinks=[7, 8, 9], new_targets=[8], known_targets=[9], items=3
    )
    history = observe_page(PageHistory(1, "list", day(0)), seen)
    assert history.targets_listed == 2
    assert history.new_targets == 0
    assert history.observed_days == 0
    assert unpack(history.target_links).tolist() == [8, 9]
    assert history.recent_links == b""


def test_changed_visit_adds_its_gap_and_targets() -> None:
    history = page([(3, 2)], listed=4)
    assert history.log[-1] == Visit(day(3), 3.0, Outcome.CHANGED, 0, 2)
    assert (history.new_targets, history.observed_days, history.visit_count) == (2, 3.0, 2)


def test_targets_behind_new_pages_count_for_the_page_that_showed_them() -> None:
    history = credit_targets(page([(1, 1)]), [100, 101])
    assert history.log[-1].new_targets == 3
    assert history.new_targets == 3
    assert {100, 101} <= set(unpack(history.target_links).tolist())
    assert credit_targets(history, []) == history


def test_targets_behind_the_first_visit_are_listed_ones() -> None:
    history = credit_targets(page(listed=1), [100, 101])
    assert (history.targets_listed, history.new_targets) == (3, 0)


def test_links_that_appeared_are_remembered_newest_last() -> None:
    history = page(links=[10, 20, 1000])
    history = observe_page(history, PageSeen(day(1), Outcome.CHANGED, [10, 30, 1000]))
    history = observe_page(history, PageSeen(day(2), Outcome.CHANGED, [40, 10, 30, 1000]))
    assert unpack(history.recent_links).tolist() == [30, 40]
    many = PageSeen(day(3), Outcome.CHANGED, [*range(100, 300), 1000])
    assert len(unpack(observe_page(history, many).recent_links)) == MAX_RECENT_LINKS


def test_304_leaves_the_links_as_they_were() -> None:
    before = page(links=[10, 20])
    after = observe_page(before, PageSeen(day(1), Outcome.UNCHANGED))
    assert after.outlinks == before.outlinks
    assert after.log[-1].outcome is Outcome.UNCHANGED


def test_dates_of_the_first_reading_stay() -> None:
    first = observe_page(
        PageHistory(1, "list", day(0)), PageSeen(day(0), Outcome.NEW, [1], dates=[9])
    )
    later = observe_page(first, PageSeen(day(5), Outcome.CHANGED, [2], dates=[3, 12]))
    assert later.dates == first.dates


def test_list_whose_newest_item_dropped_out_was_seen_for_one_night_only() -> None:
    history = page(links=[1, 2, 900])
    history = observe_page(history, PageSeen(day(4), Outcome.CHANGED, [1, 2, 3, 900]))
    still_there = observe_page(history, PageSeen(day(10), Outcome.CHANGED, [2, 3, 4, 900]))
    dropped = observe_page(history, PageSeen(day(10), Outcome.CHANGED, [1, 4, 5, 900]))
    assert still_there.log[-1].gap == 6.0
    assert dropped.log[-1].gap == TURNED_OVER_DAYS


def test_page_without_answer_teaches_nothing() -> None:
    history = observe_page_failure(page([(1, 1)]), day(2))
    assert (history.failures, history.last_try, history.last_visit) == (1, day(2), day(1))
    assert observe_page(history, PageSeen(day(3), Outcome.UNCHANGED)).failures == 0


def test_dates_are_bounded_and_sorted() -> None:
    seen = PageSeen(day(0), Outcome.NEW, [1], dates=list(range(500, 100, -1)))
    dates = observe_page(PageHistory(1, "list", day(0)), seen).dates
    assert len(dates) == 4 * MAX_DATES


def test_clock_set_back_gives_a_gap_of_zero() -> None:
    history = page([(10, 0), (5, 1)])
    assert [visit.gap for visit in history.log] == [0.0, 10.0, 0.0]
    assert history.last_visit == day(5)


def test_file_is_gone_when_it_is_missing_on_two_nights() -> None:
    once = file([(1, Outcome.GONE)])
    assert (once.missing, once.gone) == (1, False)
    same_night = observe_file(once, FileSeen(day(1.1), Outcome.GONE))
    assert (same_night.missing, same_night.gone) == (1, False)
    twice = observe_file(same_night, FileSeen(day(2), Outcome.GONE))
    assert (twice.missing, twice.gone) == (2, True)


def test_file_that_is_back_is_not_gone() -> None:
    history = file([(1, Outcome.GONE), (2, Outcome.GONE), (30, Outcome.UNCHANGED)])
    assert (history.missing, history.gone) == (0, False)


def test_304_and_silence_never_make_a_file_gone() -> None:
    history = file([(1, Outcome.GONE), (2, Outcome.UNCHANGED), (3, Outcome.GONE)])
    assert not history.gone
    assert not observe_file_failure(history, day(4)).gone
    assert observe_file_failure(history, day(4)).missing == 1


def test_check_by_length_alone_is_counted_until_a_proof() -> None:
    weak = FileSeen(day(1), Outcome.UNCHANGED, is_proven=False)
    history = observe_file(observe_file(FileHistory(1, "csv", day(0)), weak), weak)
    assert history.unproven == 2
    assert observe_file(history, FileSeen(day(2), Outcome.UNCHANGED)).unproven == 0


def test_check_answers_the_suspicion_that_nothing_links_to_a_file() -> None:
    suspected = replace(file(), unlinked=True)
    assert not observe_file(suspected, FileSeen(day(1), Outcome.UNCHANGED)).unlinked
