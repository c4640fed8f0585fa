"""The benchmark of kills counts what it promises to count."""

from collections import Counter
from dataclasses import replace

from benchmarks.kill_stage import Differences, Stage

FILES: Counter[tuple[object, ...]] = Counter({("a.csv", "aa"): 1, ("b.csv", "bb"): 1})
RUN = ("acquire", "frontier_empty", 0, 9, 0, 3, 2, 2)
TWIN = Stage(
    files=FILES,
    state=FILES,
    manifest=FILES,
    blobs=frozenset({"aa", "bb"}),
    sightings=Counter({("a.csv", 1, 1, 0): 1}),
    places=Counter({("a.csv", "/", "a"): 1}),
    runs=(RUN,),
    verdicts=Counter({("a.csv", 1, "valid"): 1}),
)


def compared(killed: Stage) -> Differences:
    found = Differences()
    found.compare("crawl", killed, TWIN)
    return found


def test_a_home_that_is_like_its_twin_has_no_difference() -> None:
    assert not compared(TWIN).any


def test_a_file_that_is_missing_anywhere_is_lost() -> None:
    one: Counter[tuple[object, ...]] = Counter({("a.csv", "aa"): 1})
    for lost in ({"files": one}, {"state": one}, {"manifest": one}, {"blobs": frozenset({"aa"})}):
        assert compared(replace(TWIN, **lost)).lost == 1, lost


def test_a_line_of_the_manifest_that_is_there_again_is_twice() -> None:
    found = compared(replace(TWIN, manifest=FILES + FILES))
    assert (found.lost, found.twice) == (0, 2)


def test_other_counts_are_differences_of_sightings_runs_and_verdicts() -> None:
    left_open = ("acquire", "", 1, 5, 0, 2, 1, 1)
    found = compared(
        replace(
            TWIN,
            sightings=Counter({("a.csv", 1, 2, 0): 1}),
            runs=(RUN, left_open),
            verdicts=Counter(),
        )
    )
    assert (found.sightings, found.runs, found.open_runs, found.verdicts) == (2, 1, 1, 1)


def test_one_repeated_request_for_a_kill_is_counted_and_two_are_a_difference() -> None:
    twin = [("GET", "/"), ("GET", "/a.csv")]
    found = Differences()
    found.requests("crawl", 1, [*twin, ("GET", "/a.csv")], twin)
    assert (found.repeats, found.any) == (1, False)
    found.requests("crawl", 1, [*twin, *twin], twin)
    assert (found.repeats, found.any) == (3, True)


def test_a_request_that_was_never_made_is_a_difference() -> None:
    found = Differences()
    found.requests("crawl", 3, [("GET", "/")], [("GET", "/"), ("GET", "/a.csv")])
    assert (found.missing_requests, found.any) == (1, True)
