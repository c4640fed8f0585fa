"""Retries, second chances, and the site that is down: nothing is lost for good by a bad hour."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from crawler.engine.events import Retrying
from crawler.state.records import LinkStatus
from crawler.state.stop import StopReason
from crawler.web.messages import Failure
from tests.engine.crawl_run import FIRST_OF_JUNE, CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import HOME, ScriptedSite, file, page, redirect, status
from tests.engine.scripted_strategy import FETCH, ScriptedStrategy


def waits(site: ScriptedSite, path: str) -> list[float]:
    return [request.wait for request in site.requests if request.url == f"{HOME}{path}"]


def names(count: int) -> list[str]:
    return [f"/{number}" for number in range(count)]


def test_503_three_times_and_then_an_answer():
    site = ScriptedSite({"/": page("/t.csv"), "/t.csv": [status(503)] * 3 + [file()]})
    run = crawl_all(site)
    assert run.targets == ["/t.csv"]
    assert waits(site, "/t.csv") == [0.0, 2.0, 4.0, 8.0]
    assert run.totals.retries == 3
    assert run.skipped == {}


def test_backoff_and_retries_are_those_of_the_site_file():
    site = ScriptedSite({"/": page("/x"), "/x": status(500)})
    crawl_all(site, politeness={"retries": 2, "backoff": 0.5})
    assert waits(site, "/x") == [0.0, 0.5, 1.0, 0.0, 0.5, 1.0]


@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504])
def test_answers_for_now_are_retried(code):
    site = ScriptedSite({"/": page("/t.csv"), "/t.csv": [status(code), file()]})
    assert crawl_all(site).targets == ["/t.csv"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (status(404), "dead"),
        (status(403), "dead"),
        (status(501), "server_error"),
        (status(505), "server_error"),
        (status(304), "bad_redirect"),
        (Failure.TOO_LARGE, "too_large"),
        (Failure.TOO_SLOW, "too_slow"),
        (Failure.PRIVATE_ADDRESS, "private_address"),
        (Failure.BAD_URL, "bad_url"),
        (Failure.TLS, "no_answer"),
    ],
)
def test_final_answers_are_not_retried(answer, reason):
    site = ScriptedSite({"/": page("/x"), "/x": answer})
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /x"]
    assert run.skips == [("/x", reason)]
    assert (run.links["/x"].status, run.links["/x"].reason) == (LinkStatus.SKIPPED, reason)


@pytest.mark.parametrize("failure", [Failure.DNS, Failure.CONNECT, Failure.TIMEOUT, Failure.BROKEN])
def test_connection_failures_are_retried_and_then_skipped_with_their_reason(failure):
    site = ScriptedSite({"/": page("/x"), "/x": failure})
    run = crawl_all(site)
    assert len(waits(site, "/x")) == 8
    assert run.skips == [("/x", "no_answer")]


def test_retry_after_in_seconds_is_waited_for_when_it_is_longer_than_the_backoff():
    answers = [status(429, retry_after="120"), status(429, retry_after="1"), file()]
    site = ScriptedSite({"/": page("/t.csv"), "/t.csv": answers})
    run = crawl_all(site)
    assert waits(site, "/t.csv") == [0.0, 120.0, 4.0]
    told = [event.wait for event in run.events if isinstance(event, Retrying)]
    assert told == [120.0, 4.0]


def test_retry_after_as_a_date_is_waited_for():
    when = format_datetime(datetime.fromtimestamp(FIRST_OF_JUNE + 300, UTC), usegmt=True)
    site = ScriptedSite({"/": page("/t.csv"), "/t.csv": [status(503, retry_after=when), file()]})
    crawl_all(site)
    assert waits(site, "/t.csv") == [0.0, 300.0]


def test_retry_after_of_more_than_an_hour_defers_the_url_at_once():
    site = ScriptedSite(
        {
            "/": page("/x", "/y"),
            "/x": [status(503, retry_after="3601"), page()],
            "/y": [status(503, retry_after="3600"), page()],
        }
    )
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /x", "GET /y", "GET /y", "GET /x"]
    assert waits(site, "/y") == [0.0, 3600.0]
    assert run.totals.pages == 3


def test_deferred_url_gets_its_second_chance_when_all_else_is_done():
    site = ScriptedSite(
        {
            "/": page("/x.csv", "/a"),
            "/x.csv": [status(503)] * 4 + [file()],
            "/a": page("/b"),
            "/b": page(),
        }
    )
    run = crawl_all(site)
    assert site.asked == ["GET /", *["GET /x.csv"] * 4, "GET /a", "GET /b", "GET /x.csv"]
    assert run.targets == ["/x.csv"]
    assert run.skipped == {}


def test_second_failure_is_final_and_keeps_its_reason():
    site = ScriptedSite({"/": page("/x", "/a"), "/x": status(503), "/a": page()})
    run = CrawlRun(site)
    run.steps(6)
    assert run.links["/x"].status is LinkStatus.DEFERRED
    run.to_end()
    assert site.asked.count("GET /x") == 8
    assert run.skips == [("/x", "server_error")]
    assert run.stop_reason is StopReason.FRONTIER_EMPTY


def test_deferred_page_still_pays_the_action_it_was_selected_for():
    site = ScriptedSite(
        {"/": page("/x"), "/x": [status(503)] * 4 + [page("/t.csv")], "/t.csv": file()}
    )
    strategy = ScriptedStrategy({"/t.csv": FETCH}, {"/x": 3})
    crawl_all(site, strategy)
    assert strategy.rewards == [(3, 1)]


def test_predicted_target_that_fails_does_not_stop_the_rest_of_its_page():
    site = ScriptedSite(
        {"/": page("/1.csv", "/2.csv"), "/1.csv": [status(503)] * 4 + [file()], "/2.csv": file()}
    )
    strategy = ScriptedStrategy({"/1.csv": FETCH, "/2.csv": FETCH})
    run = crawl_all(site, strategy)
    assert site.asked[5] == "GET /2.csv"
    assert run.targets == ["/1.csv", "/2.csv"]


def test_ten_failures_in_a_row_end_the_run_and_the_next_one_goes_on():
    pages = names(14)
    down = ScriptedSite({"/": page(*pages), **dict.fromkeys(pages, status(503))})
    first = crawl_all(down)
    assert first.stop_reason is StopReason.UNREACHABLE
    assert "503" in first.crawl.stopped.detail
    assert len(down.asked) == 1 + 10 * 4
    up = ScriptedSite(dict.fromkeys(pages, page()))
    second = CrawlRun(up, state=first.state).to_end()
    assert second.stop_reason is StopReason.FRONTIER_EMPTY
    # The rest of the frontier first, then the ten that gave no answer.
    assert up.asked == [f"GET /{number}" for number in [10, 11, 12, 13, *range(10)]]
    assert second.skipped == {}


def test_an_answer_in_between_starts_the_count_again():
    pages = names(30)
    answers = {name: status(503) for name in pages} | {"/8": status(404), "/17": page()}
    site = ScriptedSite({"/": page(*pages), **answers})
    run = crawl_all(site, politeness={"retries": 0})
    # 8 failures, an answer, 8 failures, an answer, 10 failures: the last of them is /27.
    assert run.stop_reason is StopReason.UNREACHABLE
    assert site.asked[-1] == "GET /27"


def test_failures_in_a_row_are_counted_across_the_death_of_the_process():
    pages = names(14)
    site = ScriptedSite({"/": page(*pages), **dict.fromkeys(pages, Failure.CONNECT)})
    config = site_config(politeness={"retries": 0})
    first = CrawlRun(site, config=config)
    first.steps(8)
    second = CrawlRun(site, config=config, state=first.state).to_end()
    assert second.stop_reason is StopReason.UNREACHABLE
    assert site.asked[-1] == "GET /9"


def test_new_run_after_a_stop_counts_failures_from_the_beginning():
    pages = names(30)
    site = ScriptedSite({"/": page(*pages), **dict.fromkeys(pages, Failure.CONNECT)})
    config = site_config(politeness={"retries": 0})
    first = CrawlRun(site, config=config).to_end()
    CrawlRun(site, config=config, state=first.state).to_end()
    assert len(site.asked) == 1 + 10 + 10


def test_start_page_that_is_not_there_makes_the_site_unreachable():
    run = crawl_all(ScriptedSite({"/": status(404)}))
    assert run.stop_reason is StopReason.UNREACHABLE
    assert "404" in run.crawl.stopped.detail
    assert run.skipped == {"dead": 1}


def test_start_page_that_gives_no_answer_makes_the_site_unreachable_after_the_retries():
    site = ScriptedSite({"/": Failure.CONNECT})
    run = crawl_all(site)
    assert run.stop_reason is StopReason.UNREACHABLE
    assert len(site.asked) == 4


@pytest.mark.parametrize("answer", [status(503), status(404), Failure.DNS, redirect("/gone")])
def test_start_page_that_failed_is_asked_for_again_by_the_next_run(answer):
    first = crawl_all(ScriptedSite({"/": answer, "/gone": status(503)}))
    assert first.stop_reason is StopReason.UNREACHABLE
    up = ScriptedSite({"/": page("/t.csv"), "/t.csv": file()})
    second = CrawlRun(up, state=first.state).to_end()
    assert second.stop_reason is StopReason.FRONTIER_EMPTY
    assert second.targets == ["/t.csv"]


def test_page_behind_a_redirected_start_that_failed_is_asked_for_again_by_the_next_run():
    answers = {"/": redirect("/home"), "/home": status(503)}
    first = crawl_all(ScriptedSite(answers))
    assert first.stop_reason is StopReason.UNREACHABLE
    second = CrawlRun(
        ScriptedSite(answers | {"/home": page("/t.csv"), "/t.csv": file()}), state=first.state
    ).to_end()
    assert second.targets == ["/t.csv"]


def test_one_start_page_that_fails_does_not_keep_the_others_from_being_read():
    site = ScriptedSite({"/": status(503), "/also": page("/t.csv"), "/t.csv": file()})
    run = crawl_all(site, start_also=[f"{HOME}/also"])
    assert run.targets == ["/t.csv"]
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert run.skipped == {"server_error": 1}


def test_retry_after_of_the_last_try_holds_the_next_request_back_too():
    site = ScriptedSite({"/": page("/x", "/y"), "/x": status(429, retry_after="30"), "/y": page()})
    crawl_all(site, politeness={"retries": 1})
    assert waits(site, "/x")[:2] == [0.0, 30.0]
    assert waits(site, "/y") == [30.0]
