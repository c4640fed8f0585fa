"""The small parts of a crawl's state go to JSON and come back the same."""

import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from crawler.engine.frame import Frame
from crawler.engine.retries import RetryPolicy
from crawler.engine.robots_gate import RobotsGate, RobotsTask
from crawler.engine.task import Purpose, Task
from crawler.state.records import RobotsRow
from crawler.state.totals import Totals
from crawler.strategies.interface import Candidate, Placement
from crawler.web.messages import Head, Reply

COUNTS = st.integers(0, 2**53)
NAMED = st.dictionaries(st.sampled_from(["csv", "pdf", "dead", "robots"]), COUNTS).map(Counter)
CANDIDATES = st.builds(Candidate, COUNTS, st.text(), COUNTS, st.text(), st.text())
TASKS = st.builds(
    Task,
    CANDIDATES,
    st.sampled_from(Purpose),
    action=st.integers(-1, 5000),
    attempts=COUNTS,
    wait=st.floats(0, 3600),
    hops=COUNTS,
    chain=st.lists(COUNTS),
    second_chance=st.booleans(),
)
NUMBERS = ["requests", "gets", "heads", "retries", "pages", "targets", "received", "kept"]
TOTALS = st.builds(Totals, **dict.fromkeys(NUMBERS, COUNTS), groups=NAMED, skipped=NAMED)


@given(TASKS)
def test_task_comes_back_from_json(task):
    assert Task.load(json.loads(json.dumps(task.save()))) == task


@given(TOTALS)
def test_totals_come_back_from_json(totals):
    loaded = Totals.load(json.loads(json.dumps(totals.save())))
    assert loaded == totals
    assert isinstance(loaded.skipped, Counter)


@given(TOTALS)
def test_copy_of_totals_does_not_change_with_them(totals):
    copy, before = totals.copy(), totals.save()["requests"]
    totals.requests += 1
    totals.skipped["dead"] += 1
    assert copy.requests == before
    assert copy.skipped["dead"] == totals.skipped["dead"] - 1


def test_difference_of_totals_is_what_lies_between_them():
    start = Totals(requests=5, pages=2, skipped=Counter(dead=1, robots=2))
    end = Totals(requests=9, pages=3, targets=1, skipped=Counter(dead=3, robots=2))
    assert end.since(start) == Totals(requests=4, pages=1, targets=1, skipped=Counter(dead=2))


def links(count: int) -> list[Candidate]:
    return [Candidate(10 + number, f"/{number}", 1, "a") for number in range(count)]


def test_frame_is_saved_by_the_ids_of_the_links_that_are_left():
    frame = Frame(7, "https://stat.example/p", 3, 14, links(4), reward=2, position=1)
    saved = json.loads(json.dumps(frame.save()))
    assert saved == {
        "page": 7,
        "url": "https://stat.example/p",
        "action": 3,
        "reward": 2,
        "first": 11,
        "end": 14,
        "is_visit": False,
    }
    frame.position = 4
    assert frame.done
    assert frame.save()["first"] == frame.save()["end"] == 14


def test_frame_knows_the_placement_of_the_next_link_only_if_it_was_told():
    frame = Frame(7, "https://stat.example/p", 3, 14, links(4))
    assert frame.placement() is None
    frame.position = frame.placed_from = 1
    frame.placements = [Placement.QUEUE, Placement.FETCH]
    assert frame.placement() is Placement.QUEUE
    frame.position = 2
    assert frame.placement() is Placement.FETCH
    frame.position = 3
    assert frame.placement() is None


def gate() -> RobotsGate:
    retries = RetryPolicy(1, 2.0)
    return RobotsGate(obey=True, agent="tallyho", retries=retries, wall_clock=lambda: 1000.0)


def test_gate_comes_back_with_its_rules_and_the_robots_in_work():
    asked = gate()
    asked.ask("https://stat.example/x")
    body = b"User-agent: *\nDisallow: /private\nCrawl-delay: 4\n"
    asked.receive(Reply(head=Head("https://stat.example/robots.txt", 200), body=body))
    asked.ask("http://stat.example:8080/")
    asked.receive(Reply(head=Head("http://stat.example:8080/robots.txt", 503)))
    rows = asked.take_new()
    assert rows == [RobotsRow("https://stat.example:443", 1000.0, "rules", body)]
    assert asked.take_new() == []
    again = gate()
    task = json.loads(json.dumps(asked.task.save()))
    again.load(rows, task)
    assert (
        again.task
        == asked.task
        == RobotsTask(
            "http://stat.example:8080", "http://stat.example:8080/robots.txt", attempts=1, wait=2.0
        )
    )
    assert again.known("https://stat.example/other")
    assert not again.known("http://stat.example/other")
    assert not again.allows("https://stat.example/private/x")
    assert again.crawl_delay("https://stat.example/") == 4.0


def test_gate_tells_a_silent_origin_from_a_forbidding_one():
    asked = gate()
    asked.ask("https://stat.example/")
    for _ in range(2):
        asked.receive(Reply(head=Head("https://stat.example/robots.txt", 500)))
    assert not asked.allows("https://stat.example/x")
    assert asked.unavailable("https://stat.example/x")
    asked.forget_unavailable()
    assert not asked.known("https://stat.example/x")
