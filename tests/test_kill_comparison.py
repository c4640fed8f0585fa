"""The benchmark of kills counts what it promises to count."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.kill_stage import (
    SITE,
    Differences,
    Stage,
    another_run_is_over,
    ended_runs,
    last_run,
)
from crawler.config.settings import Settings
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.revisit import revisit
from crawler.state.crawl_state import CrawlState
from crawler.state.run import RunRecord
from tests.pipeline.crawl.page_server import serving
from tests.pipeline.crawl.test_killed_run import EVERYTHING, PAGES, Died
from tests.pipeline.crawl.test_step_watch import site_of

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


def test_a_revisit_that_died_between_its_two_ends_is_not_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path / "home")
    set_run = CrawlState.set_run

    def dies_at_the_end(state: CrawlState, run: RunRecord) -> None:
        if run.stop_reason is not None:
            raise Died
        set_run(state, run)

    with serving(PAGES) as (address, _):
        site = site_of(address, name=SITE)
        acquire(site, settings, min_free_bytes=0)
        known = last_run(settings.home)
        with monkeypatch.context() as patched:
            patched.setattr(CrawlState, "set_run", dies_at_the_end)
            with pytest.raises(Died):
                revisit(site, settings, config=EVERYTHING)
        assert ended_runs(settings.home) == 2
        assert not another_run_is_over(settings.home, known)
        revisit(site, settings, config=EVERYTHING)
    assert ended_runs(settings.home) == 2
    assert another_run_is_over(settings.home, known)
