"""When a site gives much less than it used to."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.read.runs import PastRun
from crawler.pipeline.night.yield_alarm import Collapse, judge_yield
from crawler.state.stop import StopReason

NOW = datetime(2026, 11, 16, tzinfo=UTC)


def past_run(**changes: object) -> PastRun:
    values: dict[str, object] = {
        "id": "run",
        "site": "office",
        "kind": "acquire",
        "strategy": "sb",
        "started_at": NOW - timedelta(hours=1),
        "ended_at": NOW,
        "stop_reason": "",
        "stop_detail": "",
        "requests": 1000,
        "heads": 0,
        "pages": 0,
        "targets": 0,
        "bytes": 0,
        "new_versions": 0,
        "night": "",
        "actions": (),
    }
    return PastRun.model_validate(values | changes)


def run(
    targets: int, requests: int = 1000, reason: StopReason = StopReason.FRONTIER_EMPTY
) -> PastRun:
    return past_run(stop_reason=reason.value, requests=requests, targets=targets)


def resumed(targets: int, requests: int = 1000) -> PastRun:
    return run(targets, requests, StopReason.BUDGET_REQUESTS)


@pytest.mark.parametrize(
    ("tonight", "past", "collapse"),
    [
        (100, [100, 90, 110], None),
        (30, [100, 90, 110], None),
        (19, [100, 90, 110], Collapse.FELL),
        (19, [100, 90], None),
        (0, [100], Collapse.ZERO),
        (0, [100, 0, 100], Collapse.FELL),
        (0, [0, 0, 0], None),
        (0, [2, 2, 2], None),
        (0, [], None),
        (5, [10, 10, 10, 100, 100, 100, 100], None),
    ],
)
def test_complete_crawls_are_compared_by_their_files(
    tonight: int, past: list[int], collapse: Collapse | None
) -> None:
    found = judge_yield([run(tonight), *map(run, past)])
    assert (found.collapse if found else None) is collapse


def test_crawl_of_several_nights_is_one_crawl() -> None:
    before = [run(10), resumed(40), resumed(50)]
    tonight = [run(0), resumed(60), resumed(40)]
    assert judge_yield([*tonight, *before, *before, *before]) is None


def test_nights_that_go_on_are_compared_by_their_rate() -> None:
    past = [resumed(300, 3000), resumed(100), resumed(90)]
    fell = judge_yield([resumed(10), *past])
    assert fell is not None
    assert fell.sentence == "10 files per 1,000 requests, where 100 were usual"
    assert judge_yield([resumed(30), *past]) is None
    zero = judge_yield([resumed(0), *past])
    assert zero is not None
    assert zero.collapse is Collapse.ZERO
    assert zero.sentence == "0 files per 1,000 requests, where 100 were usual"


def test_night_of_few_requests_says_nothing() -> None:
    assert judge_yield([resumed(0, 99), resumed(100), resumed(100), resumed(100)]) is None


def test_last_night_of_a_crawl_is_not_compared_by_its_rate() -> None:
    assert judge_yield([run(1), resumed(500), resumed(500), resumed(500), resumed(500)]) is None


def test_run_without_an_end_is_not_judged() -> None:
    open_run = past_run(started_at=NOW, ended_at=None)
    assert judge_yield([open_run, run(100)]) is None
    assert judge_yield([]) is None
