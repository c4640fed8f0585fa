"""From a page to the links that are followed; every other URL has one reason, counted once."""

import pytest

from crawler.state.records import LinkStatus
from tests.engine.crawl_run import CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import HOME, ScriptedSite, file, marked_up, page
from tests.engine.scripted_strategy import FETCH, QUEUE, ScriptedStrategy

FILES = "https://files.example"


def followed(site: ScriptedSite) -> list[str]:
    return site.asked[1:]


def test_links_of_other_websites_are_not_followed():
    site = ScriptedSite(
        {
            "/": page(
                "https://elsewhere.example/", "https://notstat.example/", "mailto:x@stat.example"
            )
        }
    )
    run = crawl_all(site)
    assert followed(site) == []
    assert run.skipped == {"off_site": 2}


def test_subdomains_and_www_belong_to_the_site():
    site = ScriptedSite({"/": page("https://data.stat.example/", "https://www.stat.example/x")})
    crawl_all(site)
    assert followed(site) == ["GET https://data.stat.example/", "GET https://www.stat.example/x"]


def test_each_url_is_counted_once_under_one_reason_however_often_it_is_linked():
    out = "https://elsewhere.example/x"
    site = ScriptedSite({"/": page(out, out, f"{out}#part", "/a"), "/a": page(out, "/")})
    run = crawl_all(site)
    assert run.skipped == {"off_site": 1}
    assert (run.links[out].status, run.links[out].reason) == (LinkStatus.SKIPPED, "off_site")


@pytest.mark.parametrize(
    ("href", "fields", "reason"),
    [
        ("https://elsewhere.example/", {}, "off_site"),
        ("/logo.png", {}, "media"),
        ("/style.css", {}, "media"),
        ("/film.MP4", {}, "media"),
        ("/old/x", {"scope": {"exclude": ["/old/"]}}, "excluded"),
        ("/news/x", {"scope": {"include": ["/data/"]}}, "excluded"),
        ("/" + "x" * 2000, {}, "url_too_long"),
        ("/a/b/a/b/a/b", {}, "repeating_path"),
        ("/calendar/2040/05/01", {}, "calendar_trap"),
    ],
)
def test_link_that_is_not_followed_has_its_reason(href, fields, reason):
    site = ScriptedSite({"/": page(href)})
    run = crawl_all(site, **fields)
    assert followed(site) == []
    assert run.skipped == {reason: 1}


def test_media_that_the_site_file_wants_is_followed():
    site = ScriptedSite({"/": page("/map.tiff"), "/map.tiff": file("II*", "image/tiff")})
    run = crawl_all(site, targets=["image/tiff"])
    assert run.targets == ["/map.tiff"]


def test_links_deeper_than_the_limit_are_not_followed():
    site = ScriptedSite({"/": page("/1"), "/1": page("/2"), "/2": page("/3")})
    run = crawl_all(site, limits={"depth": 2})
    assert followed(site) == ["GET /1", "GET /2"]
    assert run.skipped == {"too_deep": 1}


def test_too_many_queries_on_one_path_are_a_trap():
    hrefs = [f"/list?a={number}&b=1" for number in range(8)]
    site = ScriptedSite({"/": page(*hrefs)} | {href: page() for href in hrefs})
    run = crawl_all(site, limits={"traps": {"parameter_combinations": 5}})
    assert len(followed(site)) == 5
    assert run.skipped == {"parameter_trap": 3}


@pytest.mark.parametrize("placement", [QUEUE, FETCH])
def test_queries_that_give_targets_are_no_trap(placement):
    hrefs = [f"/list?a={number}&b=1" for number in range(8)]
    lists = {
        href: page(f"/{number}.csv", *hrefs[: number + 2]) for number, href in enumerate(hrefs)
    }
    files = {f"/{number}.csv": file(str(number)) for number in range(8)}
    site = ScriptedSite({"/": page(hrefs[0])} | lists | files)
    strategy = ScriptedStrategy(dict.fromkeys(files, placement))
    run = crawl_all(site, strategy, limits={"traps": {"parameter_combinations": 2}})
    assert len(run.targets) == 8
    assert run.skipped == {}


def test_counters_of_traps_survive_a_restart():
    hrefs = [f"/list?a={number}&b=1" for number in range(8)]
    site = ScriptedSite({"/": page(*hrefs[:4], "/more"), "/more": page(*hrefs)})
    config = site_config(limits={"traps": {"parameter_combinations": 5}})
    first = CrawlRun(site, config=config)
    first.steps(3)
    second = CrawlRun(site, config=config, state=first.state).to_end()
    assert second.skipped == {"parameter_trap": 3, "dead": 5}


def test_files_of_a_named_file_host_are_followed_with_any_extension():
    site = ScriptedSite({"/": page(f"{FILES}/1.csv", f"{FILES}/download/2")})
    run = crawl_all(site, scope={"file_hosts": ["files.example"]})
    assert followed(site) == [f"GET {FILES}/1.csv", f"GET {FILES}/download/2"]
    assert run.skipped == {"dead": 2}


def test_any_file_host_is_followed_for_data_extensions_only():
    site = ScriptedSite(
        {
            "/": page(f"{FILES}/1.csv", f"{FILES}/about", "https://o.example/x.html"),
            f"{FILES}/1.csv": file(),
        }
    )
    run = crawl_all(site, scope={"file_hosts": "any"})
    assert run.targets == [f"{FILES}/1.csv"]
    assert run.skipped == {"off_site": 2}


def test_two_spellings_with_sessions_and_campaigns_are_one_url():
    site = ScriptedSite(
        {
            "/": page(
                "/p?utm_source=mail",
                "/p",
                "/p?utm_source=web&fbclid=1",
                "/p;jsessionid=ABCDEF0123456789",
                "/p?PHPSESSID=abc",
                "/q/../p",
                "HTTPS://STAT.EXAMPLE:443/p#top",
            )
        }
    )
    crawl_all(site)
    assert followed(site) == ["GET /p?utm_source=mail"]


def test_url_is_requested_as_it_was_found():
    site = ScriptedSite({"/": page("/Data/Caf%c3%a9?b=2&a=1")})
    crawl_all(site)
    assert followed(site) == ["GET /Data/Caf%c3%a9?b=2&a=1"]


def test_links_are_found_relative_to_the_page_that_answered():
    site = ScriptedSite(
        {"/": page("/en/"), "/en/": marked_up('<base href="/fr/"><a href="x">x</a>')}
    )
    crawl_all(site)
    assert followed(site) == ["GET /en/", "GET /fr/x"]


def test_link_remembers_where_it_was_first_found():
    site = ScriptedSite(
        {"/": page("/a"), "/a": marked_up('<p class="data"><a href="/t.csv">Births 2024</a></p>')}
    )
    run = crawl_all(site)
    link = run.links["/t.csv"]
    assert (link.parent, link.depth, link.anchor) == (run.links["/a"].id, 2, "Births 2024")
    assert run.state.tag_path(link.tag_path) == "html body p.data a"


def test_page_of_hostile_text_is_committed_like_any_other():
    body = (
        '<title>&#0;&#xD800;\udcff</title><a href="/\x00%00?&#xDFFF;" title="\x7f">&#xDC00;\x01</a>'
        '<a class="é\u2028" href="//stat.example:99999/">x</a><a href="/ok">ok</a>'
    )
    answer = marked_up("")
    hostile = type(answer)(200, answer.headers, body.encode("utf-8", "surrogatepass"))
    run = crawl_all(ScriptedSite({"/": hostile}))
    assert f"{HOME}/ok" in {row.url for row in run.links.values()}


def test_page_with_thousands_of_links_is_placed_whole():
    hrefs = [f"/{number}" for number in range(3000)]
    run = CrawlRun(ScriptedSite({"/": page(*hrefs)}))
    run.steps(3)
    statuses = [row.status for row in run.links.values()]
    assert statuses.count(LinkStatus.FRONTIER) == 2999


def test_links_beyond_the_known_urls_are_counted_and_not_noted():
    hrefs = [f"/p{n}" for n in range(1200)]
    site = ScriptedSite({"/": page(*hrefs)})
    run = CrawlRun(site, config=site_config(limits={"known_urls": 1000}))
    run.steps(2)
    assert len(run.links) == 1000
    assert run.skipped == {"too_many_urls": 201}
    resumed = CrawlRun(site, config=site_config(limits={"known_urls": 1000}), state=run.state)
    resumed.to_end()
    assert len(resumed.links) == 1000
