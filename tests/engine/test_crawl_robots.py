"""robots.txt by RFC 9309, from the side of the crawl."""

import pytest

from crawler.state.records import LinkStatus
from crawler.state.stop import StopReason
from crawler.web.messages import Failure
from tests.engine.crawl_run import Clock, CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import HOME, ScriptedSite, file, page, redirect, robots, status

DAY = 24 * 3600.0
FILES = "https://files.example"
SITE = {"/": page("/open", "/private/x"), "/open": page(), "/private/x": page()}


def asked_for_robots(site: ScriptedSite) -> int:
    return sum(entry.endswith("robots.txt") for entry in site.log)


def test_robots_are_asked_for_before_anything_else_and_once():
    site = ScriptedSite(SITE | {"/robots.txt": robots()})
    run = crawl_all(site)
    assert site.log[0] == "GET /robots.txt"
    assert asked_for_robots(site) == 1
    assert run.totals.gets == len(site.asked)
    assert run.totals.requests == len(site.log)


def test_rules_are_obeyed_and_what_they_forbid_is_never_requested():
    site = ScriptedSite(SITE | {"/robots.txt": robots("Disallow: /private")})
    run = crawl_all(site)
    assert site.asked == ["GET /", "GET /open"]
    assert run.skipped == {"robots": 1}
    link = run.links["/private/x"]
    assert (link.status, link.reason) == (LinkStatus.SKIPPED, "robots")


@pytest.mark.parametrize("code", [400, 401, 403, 404, 410, 451])
def test_missing_robots_mean_no_rules(code):
    site = ScriptedSite(SITE | {"/robots.txt": status(code)})
    assert crawl_all(site).totals.pages == 3


@pytest.mark.parametrize("silence", [status(503), status(429), Failure.CONNECT, Failure.DNS])
def test_robots_without_an_answer_forbid_everything_after_the_retries(silence):
    site = ScriptedSite(SITE | {"/robots.txt": silence})
    run = crawl_all(site)
    assert site.log == ["GET /robots.txt"] * 4
    assert [request.wait for request in site.requests] == [0.0, 2.0, 4.0, 8.0]
    assert run.stop_reason is StopReason.UNREACHABLE
    assert "robots.txt" in run.crawl.stopped.detail
    assert run.totals.retries == 3


@pytest.mark.parametrize("silence", [status(501), Failure.TLS, Failure.PRIVATE_ADDRESS])
def test_robots_with_a_final_failure_forbid_everything_at_once(silence):
    site = ScriptedSite(SITE | {"/robots.txt": silence})
    assert crawl_all(site).stop_reason is StopReason.UNREACHABLE
    assert site.log == ["GET /robots.txt"]


def test_robots_that_answer_on_the_last_try_are_obeyed():
    answers = [status(503), Failure.TIMEOUT, status(429), robots("Disallow: /private")]
    site = ScriptedSite(SITE | {"/robots.txt": answers})
    assert crawl_all(site).skipped == {"robots": 1}


def test_retry_after_of_robots_is_waited_for():
    site = ScriptedSite(SITE | {"/robots.txt": [status(503, retry_after="90"), robots()]})
    crawl_all(site)
    assert site.requests[1].wait == 90.0


def test_new_run_asks_again_where_robots_gave_no_answer():
    first = crawl_all(ScriptedSite(SITE | {"/robots.txt": status(503)}))
    up = ScriptedSite(SITE)
    second = CrawlRun(up, state=first.state).to_end()
    assert up.log[0] == "GET /robots.txt"
    assert second.totals.pages == 3
    assert second.stop_reason is StopReason.FRONTIER_EMPTY


def test_five_redirects_of_robots_are_followed_also_to_other_hosts():
    hops = {
        f"https://h{number}.example/r": redirect(f"https://h{number + 1}.example/r")
        for number in range(1, 5)
    }
    site = ScriptedSite(
        SITE
        | {"/robots.txt": redirect("https://h1.example/r")}
        | hops
        | {"https://h5.example/r": robots("Disallow: /private")}
    )
    run = crawl_all(site)
    assert site.log[5] == "GET https://h5.example/r"
    assert run.skipped == {"robots": 1}
    assert run.totals.requests == len(site.log)


def test_sixth_redirect_of_robots_means_no_rules():
    hops = {f"/r{number}": redirect(f"/r{number + 1}") for number in range(1, 6)}
    site = ScriptedSite(
        SITE | {"/robots.txt": redirect("/r1")} | hops | {"/r6": robots("Disallow: /")}
    )
    run = crawl_all(site)
    assert "GET /r5" in site.log
    assert "GET /r6" not in site.log
    assert run.totals.pages == 3


def test_redirect_of_robots_without_a_location_means_no_rules():
    site = ScriptedSite(SITE | {"/robots.txt": redirect("")})
    assert crawl_all(site).totals.pages == 3


def test_hop_of_robots_that_fails_for_now_is_retried_where_it_is():
    site = ScriptedSite(
        SITE | {"/robots.txt": redirect("/r"), "/r": [status(503), robots("Disallow: /private")]}
    )
    run = crawl_all(site)
    assert site.log[:3] == ["GET /robots.txt", "GET /r", "GET /r"]
    assert run.skipped == {"robots": 1}


def test_each_origin_has_its_own_robots():
    data = "https://data.stat.example"
    site = ScriptedSite(
        {
            "/": page(f"{data}/a", f"{data}/private/b", f"{data}:8443/private/c"),
            "/robots.txt": robots("Disallow: /nothing"),
            f"{data}/robots.txt": robots("Disallow: /private"),
            f"{data}/a": page(),
            f"{data}/private/b": page(),
            f"{data}:8443/private/c": page(),
        }
    )
    run = crawl_all(site, scope={"hosts": ["data.stat.example:8443"]})
    assert asked_for_robots(site) == 3
    assert f"GET {data}:8443/robots.txt" in site.log
    assert f"GET {data}:8443/private/c" in site.log
    assert f"GET {data}/private/b" not in site.log
    assert run.links[f"{data}/private/b"].reason == "robots"


def test_other_origin_without_an_answer_costs_only_its_own_links():
    site = ScriptedSite(
        {
            "/": page(f"{FILES}/1.csv", "/2.csv"),
            "/2.csv": file(),
            f"{FILES}/robots.txt": status(500),
            f"{FILES}/1.csv": file(),
        }
    )
    run = crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert run.targets == ["/2.csv"]
    assert run.skips == [(f"{FILES}/1.csv", "robots_unavailable")]


def test_links_to_an_origin_known_to_be_silent_are_skipped_with_that_reason():
    site = ScriptedSite(
        {
            "/": page(f"{FILES}/1.csv", "/p"),
            "/p": page(f"{FILES}/2.csv"),
            f"{FILES}/robots.txt": status(500),
        }
    )
    run = crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert run.skipped == {"robots_unavailable": 2}
    assert asked_for_robots(site) == 5


def test_death_of_the_process_does_not_ask_a_silent_origin_again():
    site = ScriptedSite(
        {
            "/": page(f"{FILES}/1.csv", "/p", f"{FILES}/2.csv"),
            "/p": page(),
            f"{FILES}/robots.txt": status(500),
        }
    )
    config = site_config(scope={"file_hosts": ["files.example"]})
    first = CrawlRun(site, config=config)
    while "GET /p" not in site.log:
        first.step()
    second = CrawlRun(site, config=config, state=first.state).to_end()
    assert asked_for_robots(site) == 5
    assert second.skipped == {"robots_unavailable": 2}


def test_rules_are_kept_for_a_day_by_the_wall_clock_and_then_asked_for_again():
    clock = Clock()
    site = ScriptedSite(
        {
            "/": page("/a", "/b", "/c"),
            "/a": page(),
            "/b": page(),
            "/c": page(),
            "/robots.txt": [robots(), robots("Disallow: /c")],
        }
    )
    run = CrawlRun(site, clock=clock)
    run.steps(2)
    clock.wall += DAY - 1
    run.steps(1)
    assert site.log[-1] == "GET /a"
    clock.wall += 1
    run.to_end()
    assert site.log == ["GET /robots.txt", "GET /", "GET /a", "GET /robots.txt", "GET /b"]
    assert run.skipped == {"robots": 1}


def test_rules_of_the_last_run_are_used_for_the_rest_of_their_day():
    site = ScriptedSite(SITE | {"/robots.txt": robots("Disallow: /private")})
    first = CrawlRun(site)
    first.steps(2)
    CrawlRun(site, state=first.state, clock=Clock(wall=first.clock.wall + DAY - 1)).to_end()
    assert site.log == ["GET /robots.txt", "GET /", "GET /open"]


def test_forbidden_start_page_ends_the_run_and_keeps_the_site_for_another_day():
    site = ScriptedSite(SITE | {"/robots.txt": [robots("Disallow: /"), robots()]})
    first = CrawlRun(site).to_end()
    assert site.log == ["GET /robots.txt"]
    assert first.stop_reason is StopReason.FORBIDDEN
    assert first.crawl.stopped.detail
    same_day = CrawlRun(site, state=first.state).to_end()
    assert same_day.stop_reason is StopReason.FORBIDDEN
    assert len(site.log) == 1
    next_day = CrawlRun(site, state=first.state, clock=Clock(first.clock.wall + DAY)).to_end()
    assert next_day.stop_reason is StopReason.FRONTIER_EMPTY
    assert next_day.totals.pages == 3


def test_rules_that_come_to_forbid_the_start_page_stop_the_run_and_keep_the_frontier():
    site = ScriptedSite(SITE | {"/robots.txt": [robots(), robots("Disallow: /"), robots()]})
    first = CrawlRun(site)
    first.steps(2)
    first.clock.wall += DAY
    first.to_end()
    assert first.stop_reason is StopReason.FORBIDDEN
    later = CrawlRun(site, state=first.state, clock=Clock(first.clock.wall + DAY)).to_end()
    assert later.totals.pages == 3


def test_one_forbidden_start_page_does_not_forbid_the_others():
    site = ScriptedSite(SITE | {"/robots.txt": robots("Disallow: /$")})
    run = crawl_all(site, start_also=[f"{HOME}/open"])
    assert site.asked == ["GET /open"]
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert run.skipped == {"robots": 1}


def test_start_page_that_leads_to_a_forbidden_one_is_forbidden():
    site = ScriptedSite({"/": redirect("/home"), "/robots.txt": robots("Disallow: /home")})
    run = crawl_all(site)
    assert site.asked == ["GET /"]
    assert run.stop_reason is StopReason.FORBIDDEN


def test_longer_of_crawl_delay_and_delay_is_asked_for():
    site = ScriptedSite(SITE | {"/robots.txt": robots("Crawl-delay: 5")})
    crawl_all(site)
    assert [request.delay for request in site.requests] == [1.0, 5.0, 5.0, 5.0]
    site = ScriptedSite(SITE | {"/robots.txt": robots("Crawl-delay: 5")})
    crawl_all(site, politeness={"delay": 8.0})
    assert {request.delay for request in site.requests} == {8.0}


def test_crawl_delay_survives_a_restart():
    site = ScriptedSite(SITE | {"/robots.txt": robots("Crawl-delay: 5")})
    first = CrawlRun(site)
    first.steps(2)
    CrawlRun(site, state=first.state).to_end()
    assert site.requests[-1].delay == 5.0


def test_rules_for_our_name_win_over_those_for_everybody():
    body = "User-agent: *\nDisallow: /\n\nUser-agent: Tallyho\nDisallow: /private\n"
    site = ScriptedSite(SITE | {"/robots.txt": file(body, "text/plain")})
    assert crawl_all(site).skipped == {"robots": 1}


def test_switched_off_robots_are_not_asked_for():
    site = ScriptedSite(SITE | {"/robots.txt": robots("Disallow: /", "Crawl-delay: 9")})
    run = crawl_all(site, politeness={"robots": False})
    assert asked_for_robots(site) == 0
    assert run.totals.pages == 3
    assert {request.delay for request in site.requests} == {1.0}


def test_robots_in_work_survive_a_restart():
    site = ScriptedSite(SITE | {"/robots.txt": redirect("/r"), "/r": [status(503), robots()]})
    first = CrawlRun(site)
    first.steps(2)
    second = CrawlRun(site, state=first.state).to_end()
    assert site.log[:4] == ["GET /robots.txt", "GET /r", "GET /r", "GET /"]
    assert site.requests[2].wait == 2.0
    assert second.totals.pages == 3


def test_robots_that_are_no_text_at_all_break_nothing():
    hostile = file("\x00\ufffd" * 1000 + "\nUser-agent: *\nDisallow: /private\n", "image/png")
    site = ScriptedSite(SITE | {"/robots.txt": hostile})
    assert crawl_all(site).totals.pages >= 2


def test_robots_redirected_to_a_port_of_some_other_service_is_not_asked_for():
    for target in ("https://stat.example:6379/r", "http://other.example:22/r"):
        site = ScriptedSite(SITE | {"/robots.txt": redirect(target), target: robots()})
        run = crawl_all(site)
        assert site.log == ["GET /robots.txt"]
        assert run.stop_reason is StopReason.UNREACHABLE


def test_robots_redirected_to_a_port_that_the_site_file_names_is_followed():
    target = "https://stat.example:8443/r"
    site = ScriptedSite(SITE | {"/robots.txt": redirect(target), target: robots("Disallow: /")})
    run = crawl_all(site, scope={"hosts": ["stat.example:8443"]})
    assert run.stop_reason is StopReason.FORBIDDEN


def test_robots_read_under_a_clock_that_was_ahead_is_asked_for_again():
    site = ScriptedSite(SITE | {"/robots.txt": robots()})
    clock = Clock()
    clock.wall += 10 * 365 * 24 * 3600
    run = CrawlRun(site, clock=clock)
    run.steps(2)
    clock.wall -= 10 * 365 * 24 * 3600
    CrawlRun(site, state=run.state, clock=clock).step()
    assert asked_for_robots(site) == 2
