"""The first epoch of Algorithm 2: HEAD requests, and servers that do not answer them."""

import pytest

from crawler.pages.mime import UrlClass
from crawler.state.records import LinkStatus
from crawler.web.messages import Failure
from tests.engine.crawl_run import CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import Answer, ScriptedSite, file, page, redirect, robots, status
from tests.engine.scripted_strategy import ASK, ScriptedStrategy

NO_TYPE = Answer(200)


def sb(b: int) -> dict[str, object]:
    return {"strategy": {"name": "sb", "b": b}}


def heads(site: ScriptedSite) -> list[str]:
    return [entry for entry in site.log if entry.startswith("HEAD")]


def test_links_are_asked_for_one_at_a_time_until_b_examples_are_there():
    names = [f"/{number}" for number in range(8)]
    site = ScriptedSite({"/": page(*names)} | {name: page() for name in names})
    crawl_all(site, **sb(5))
    # The GET of the start page is the first example.
    assert site.asked[:5] == ["GET /", "HEAD /0", "HEAD /1", "HEAD /2", "HEAD /3"]
    assert len(heads(site)) == 4


def test_head_that_tells_a_target_is_followed_by_its_get_before_the_next_head():
    site = ScriptedSite(
        {"/": page("/a", "/t.csv", "/b"), "/a": page(), "/b": page(), "/t.csv": file()}
    )
    strategy = ScriptedStrategy(dict.fromkeys(["/a", "/t.csv", "/b"], ASK), {"/a": 1, "/b": 1})
    run = crawl_all(site, strategy)
    assert site.asked == [
        "GET /",
        "HEAD /a",
        "HEAD /t.csv",
        "GET /t.csv",
        "HEAD /b",
        "GET /a",
        "GET /b",
    ]
    assert run.targets == ["/t.csv"]


def test_target_told_by_head_counts_for_the_page_that_links_to_it():
    site = ScriptedSite({"/": page("/p"), "/p": page("/t.csv", "/gone.csv"), "/t.csv": file()})
    strategy = ScriptedStrategy({"/t.csv": ASK, "/gone.csv": ASK}, {"/p": 3})
    crawl_all(site, strategy)
    assert strategy.rewards == [(3, 1)]


def test_target_told_by_head_that_get_refuses_counts_for_nothing():
    site = ScriptedSite(
        {"/": page("/p"), "/p": page("/t.csv"), "HEAD /t.csv": file(), "/t.csv": status(404)}
    )
    strategy = ScriptedStrategy({"/t.csv": ASK}, {"/p": 3})
    run = crawl_all(site, strategy)
    assert strategy.rewards == [(3, 0)]
    assert run.skipped == {"dead": 1}


def test_known_links_are_not_asked_for_again():
    site = ScriptedSite({"/": page("/a"), "/a": page("/", "/a", "/a#x", "/b"), "/b": page("/a")})
    crawl_all(site, **sb(50))
    assert heads(site) == ["HEAD /a", "HEAD /b"]


def test_head_answers_teach_the_classifier_both_classes():
    site = ScriptedSite({"/": page("/a", "/t.csv"), "/a": page(), "/t.csv": file()})
    run = CrawlRun(site, config=site_config(**sb(50)))
    run.steps(4)
    batch = run.progress["strategy"]["batch"]
    assert [(url.rpartition("/")[2], label) for url, label in batch] == [
        ("", 0),
        ("a", 0),
        ("t.csv", 1),
    ]


@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_neither_never_teaches_the_classifier(method):
    picture = Answer(headers={"Content-Type": "image/png"}, body=b"\x89PNG")
    answers = {"/": page("/map"), "/map": picture}
    if method == "GET":
        answers["HEAD /map"] = status(405)
    site = ScriptedSite(answers)
    run = crawl_all(site, **sb(50))
    assert site.log[-1] == f"{method} /map"
    assert [url.rpartition("/")[2] for url, _ in run.progress["strategy"]["batch"]] == [""]
    assert run.skipped == {"other_type": 1}


@pytest.mark.parametrize("refusal", [status(405), status(403), status(501), NO_TYPE])
def test_refused_head_leaves_the_url_in_the_frontier(refusal):
    site = ScriptedSite({"/": page("/a"), "HEAD /a": refusal, "/a": page()})
    strategy = ScriptedStrategy({"/a": ASK})
    run = crawl_all(site, strategy)
    assert site.asked == ["GET /", "HEAD /a", "GET /a"]
    assert strategy.refusals == 1
    assert strategy.lessons == [("/", UrlClass.HTML), ("/a", UrlClass.HTML)]
    assert run.links["/a"].status is LinkStatus.PAGE
    assert run.skipped == {}


def test_after_b_refusals_no_more_head_is_sent():
    names = [f"/{number}" for number in range(6)]
    refusing = {f"HEAD {name}": status(405) for name in names}
    site = ScriptedSite({"/": page(*names)} | {name: page() for name in names} | refusing)
    run = crawl_all(site, **sb(4))
    assert heads(site) == ["HEAD /0", "HEAD /1", "HEAD /2", "HEAD /3"]
    assert run.totals.pages == 7


@pytest.mark.parametrize("code", [404, 410])
def test_head_of_a_dead_link_saves_its_get(code):
    site = ScriptedSite({"/": page("/gone"), "HEAD /gone": status(code), "/gone": page()})
    run = crawl_all(site, ScriptedStrategy({"/gone": ASK}))
    assert site.asked == ["GET /", "HEAD /gone"]
    assert run.skips == [("/gone", "dead")]


@pytest.mark.parametrize("told", [redirect("/b"), status(401)])
def test_head_that_tells_nothing_leaves_the_url_in_the_frontier(told):
    site = ScriptedSite({"/": page("/a"), "HEAD /a": told, "/a": page()})
    strategy = ScriptedStrategy({"/a": ASK})
    run = crawl_all(site, strategy)
    assert site.asked == ["GET /", "HEAD /a", "GET /a"]
    assert strategy.refusals == 0
    assert run.totals.pages == 2


@pytest.mark.parametrize("told", [status(503), status(429), Failure.TIMEOUT])
def test_head_that_fails_for_now_is_retried_and_then_left_in_the_frontier(told):
    site = ScriptedSite({"/": page("/a"), "HEAD /a": told, "/a": page()})
    strategy = ScriptedStrategy({"/a": ASK})
    run = crawl_all(site, strategy)
    assert site.asked == ["GET /", *["HEAD /a"] * 4, "GET /a"]
    assert strategy.refusals == 1
    assert run.totals.pages == 2


@pytest.mark.parametrize("told", [status(505), Failure.TLS])
def test_head_that_never_works_counts_as_a_refusal(told):
    site = ScriptedSite({"/": page("/a"), "HEAD /a": told, "/a": page()})
    strategy = ScriptedStrategy({"/a": ASK})
    crawl_all(site, strategy)
    assert site.asked == ["GET /", "HEAD /a", "GET /a"]
    assert strategy.refusals == 1


def test_forbidden_link_is_not_even_asked_for_by_head():
    site = ScriptedSite(
        {"/": page("/private/a", "/b"), "/b": page(), "/robots.txt": robots("Disallow: /private")}
    )
    run = crawl_all(site, **sb(50))
    assert site.asked == ["GET /", "HEAD /b", "GET /b"]
    assert run.skipped == {"robots": 1}


def test_learned_refusals_survive_a_restart():
    names = [f"/{number}" for number in range(6)]
    refusing = {f"HEAD {name}": status(405) for name in names}
    site = ScriptedSite({"/": page(*names)} | {name: page() for name in names} | refusing)
    first = CrawlRun(site, config=site_config(**sb(3)))
    first.steps(4)
    CrawlRun(site, config=site_config(**sb(3)), state=first.state).to_end()
    assert len(heads(site)) == 3
