"""Redirections: each hop is a request, checked anew against scope, robots and what is known."""

import pytest

from crawler.state.records import LinkStatus
from crawler.web.messages import Failure
from tests.engine.crawl_run import CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import ScriptedSite, file, page, redirect, robots, status
from tests.engine.scripted_strategy import FETCH, ScriptedStrategy

FILES = "https://files.example"


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_hop_to_a_new_page_is_followed(code):
    site = ScriptedSite({"/": page("/old"), "/old": redirect("/new", code), "/new": page("/more")})
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /old", "GET /new", "GET /more"]
    assert run.links["/old"].status is LinkStatus.REDIRECT
    assert run.links["/new"].status is LinkStatus.PAGE
    assert run.links["/new"].parent == run.links["/old"].id


def test_start_page_may_lead_elsewhere():
    site = ScriptedSite({"/": redirect("/en/home"), "/en/home": page("/t.csv"), "/t.csv": file()})
    strategy = ScriptedStrategy({"/t.csv": FETCH})
    run = crawl_all(site, strategy)
    assert run.targets == ["/t.csv"]
    assert strategy.rewards == []


def test_each_hop_counts_as_a_request():
    site = ScriptedSite({"/": page("/1"), "/1": redirect("/2"), "/2": redirect("/3"), "/3": page()})
    run = crawl_all(site)
    assert (run.totals.requests, run.totals.gets) == (5, 4)
    assert run.totals.pages == 2


def test_chain_of_ten_hops_is_followed_and_one_of_eleven_is_not():
    hops = {f"/{number}": redirect(f"/{number + 1}") for number in range(1, 11)}
    ten = ScriptedSite({"/": page("/1"), **hops, "/11": page()})
    assert crawl_all(ten).totals.pages == 2
    eleven = ScriptedSite({"/": page("/1"), **hops, "/11": redirect("/12"), "/12": page()})
    run = crawl_all(eleven)
    assert eleven.asked[-1] == "GET /11"
    assert run.skips == [("/11", "redirect_loop")]


def test_loop_ends_where_it_comes_back():
    site = ScriptedSite(
        {"/": page("/1"), "/1": redirect("/2"), "/2": redirect("/3"), "/3": redirect("/1")}
    )
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /1", "GET /2", "GET /3"]
    assert run.skips == [("/3", "redirect_loop")]


def test_hop_to_itself_is_a_loop():
    site = ScriptedSite({"/": page("/self"), "/self": redirect("/self")})
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /self"]
    assert run.skips == [("/self", "redirect_loop")]


def test_hop_to_a_known_url_is_left_to_that_url():
    site = ScriptedSite(
        {
            "/": page("/again", "/later", "/t.csv", "/to-later"),
            "/again": redirect("/t.csv"),
            "/t.csv": file(),
            "/later": page(),
            "/to-later": redirect("/later?utm_source=hop"),
        }
    )
    run = crawl_all(site)
    assert run.skips == [("/again", "redirect_known"), ("/to-later", "redirect_known")]
    assert len(site.asked) == len(set(site.asked)) == 5
    assert run.targets == ["/t.csv"]


def test_hop_that_takes_a_session_id_off_is_followed():
    site = ScriptedSite(
        {
            "/": page("/p;jsessionid=0A1B2C3D4E5F?x=1"),
            "/p;jsessionid=0A1B2C3D4E5F?x=1": redirect("/p?x=1"),
            "/p?x=1": page("/t.csv"),
            "/t.csv": file(),
        }
    )
    run = crawl_all(site)
    assert site.asked[2] == "GET /p?x=1"
    assert run.targets == ["/t.csv"]
    assert run.skipped == {}


def test_two_spellings_that_lead_to_each_other_end_as_a_loop():
    site = ScriptedSite(
        {
            "/": page("/p"),
            "/p": redirect("/p?utm_source=a"),
            "/p?utm_source=a": redirect("/p"),
        }
    )
    run = crawl_all(site)
    assert len(site.asked) == 12
    assert [reason for _, reason in run.skips] == ["redirect_loop"]


def test_hop_off_the_site_is_not_followed():
    site = ScriptedSite({"/": page("/out"), "/out": redirect("https://elsewhere.example/x.csv")})
    run = crawl_all(site)
    assert site.log[-1] == "GET /out"
    assert run.skips == [("/out", "redirect_off_site")]


def test_hop_to_an_excluded_url_is_not_followed():
    site = ScriptedSite({"/": page("/out"), "/out": redirect("/archive/x"), "/archive/x": page()})
    run = crawl_all(site, scope={"exclude": ["/archive/"]})
    assert site.log[-1] == "GET /out"
    assert run.skips == [("/out", "redirect_off_site")]


@pytest.mark.parametrize(
    "location", ["", "javascript:void(0)", "http://[bad", "mailto:a@b.example"]
)
def test_hop_without_a_usable_location_is_a_dead_end(location):
    site = ScriptedSite({"/": page("/bad"), "/bad": redirect(location)})
    run = crawl_all(site)
    assert run.skips == [("/bad", "bad_redirect")]


def test_file_behind_a_hop_to_a_file_host_is_kept():
    site = ScriptedSite(
        {"/": page("/get"), "/get": redirect(f"{FILES}/d/1"), f"{FILES}/d/1": file()}
    )
    run = crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert run.targets == [f"{FILES}/d/1"]


def test_page_behind_a_hop_to_a_file_host_is_dropped():
    site = ScriptedSite(
        {
            "/": page("/get"),
            "/get": redirect(f"{FILES}/login"),
            f"{FILES}/login": page("/t.csv"),
        }
    )
    run = crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert run.skips == [(f"{FILES}/login", "other_type")]
    assert run.totals.pages == 1
    assert f"{FILES}/t.csv" not in run.links


def test_robots_of_another_origin_are_asked_before_the_hop_and_obeyed():
    site = ScriptedSite(
        {
            "/": page("/get", "/get2"),
            "/get": redirect(f"{FILES}/open/1.csv"),
            "/get2": redirect(f"{FILES}/closed/2.csv"),
            f"{FILES}/robots.txt": robots("Disallow: /closed"),
            f"{FILES}/open/1.csv": file(),
            f"{FILES}/closed/2.csv": file("closed"),
        }
    )
    run = crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert site.log == [
        "GET /robots.txt",
        "GET /",
        "GET /get",
        f"GET {FILES}/robots.txt",
        f"GET {FILES}/open/1.csv",
        "GET /get2",
    ]
    assert run.skipped == {"robots": 1}
    assert run.links[f"{FILES}/closed/2.csv"].reason == "robots"


def test_robots_of_the_site_apply_to_hops_too():
    site = ScriptedSite(
        {
            "/": page("/a"),
            "/a": redirect("/private/a"),
            "/private/a": page(),
            "/robots.txt": robots("Disallow: /private"),
        }
    )
    run = crawl_all(site)
    assert site.log[-1] == "GET /a"
    assert run.skipped == {"robots": 1}


def test_crawl_delay_of_each_origin_applies_to_its_hops():
    site = ScriptedSite(
        {
            "/": page("/get"),
            "/get": redirect(f"{FILES}/1.csv"),
            "/robots.txt": robots("Crawl-delay: 3"),
            f"{FILES}/robots.txt": robots("Crawl-delay: 7"),
            f"{FILES}/1.csv": file(),
        }
    )
    crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert [request.delay for request in site.requests] == [1.0, 3.0, 3.0, 1.0, 7.0]


@pytest.mark.parametrize("failure", [status(503), Failure.CONNECT])
def test_hop_that_fails_for_now_has_its_own_retries_and_second_chance(failure):
    site = ScriptedSite(
        {
            "/": page("/get"),
            "/get": [status(503), redirect("/t.csv")],
            "/t.csv": [failure] * 5 + [file()],
        }
    )
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /get", "GET /get", *["GET /t.csv"] * 6]
    assert run.targets == ["/t.csv"]


def test_predicted_target_that_leads_to_a_page_joins_the_action_of_its_own_tag_path():
    site = ScriptedSite({"/": page("/t.csv"), "/t.csv": redirect("/sorry"), "/sorry": page("/x")})
    strategy = ScriptedStrategy({"/t.csv": FETCH}, {"/sorry": 5})
    crawl_all(site, strategy)
    assert strategy.adopted == [("/sorry", "html body ul li a")]
    assert strategy.rewards[0] == (5, 0)


def test_hop_in_work_survives_a_restart():
    site = ScriptedSite({"/": page("/1"), "/1": redirect("/2"), "/2": redirect("/1"), "/3": page()})
    first = CrawlRun(site)
    first.steps(3)
    second = CrawlRun(site, state=first.state, config=site_config()).to_end()
    assert site.asked == ["GET /", "GET /1", "GET /2"]
    assert second.skips == [("/2", "redirect_loop")]
