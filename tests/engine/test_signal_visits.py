"""Sitemaps and feeds, in the first acquisition and in the nights after it."""

import gzip
from datetime import UTC, datetime

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.engine.signal_files import LINKS_PER_FRAME
from crawler.engine.signal_plan import MAX_SIGNALS, due_sources
from crawler.revisit.observe import PageSeen, observe_page, observe_page_failure
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome
from crawler.state.history_records import SourceKind, SourceRow, VisitKind
from crawler.state.records import LinkStatus
from tests.engine.changing_site import ChangingSite, Nights, tagged
from tests.engine.crawl_run import FIRST_OF_JUNE, crawl_all
from tests.engine.scripted_site import (
    HOME,
    Answer,
    ScriptedSite,
    file,
    marked_up,
    page,
    redirect,
    robots,
    shown,
    status,
)

PAGES = RevisitConfig(name="rr", pages=1.0, files=0)
NO_PAGES = RevisitConfig(name="rr", pages=0, files=0)
FEED_LINK = '<link rel="alternate" type="application/rss+xml" href="/feed">'


def day(number: int) -> str:
    return datetime.fromtimestamp(FIRST_OF_JUNE + number * SECONDS_PER_DAY, UTC).date().isoformat()


def sitemap(*paths: str, lastmod: str = "") -> Answer:
    dated = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    urls = "".join(f"<url><loc>{HOME}{path}</loc>{dated}</url>" for path in paths)
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    return tagged(Answer(200, {"Content-Type": "application/xml"}, body.encode()))


def index(*paths: str, lastmod: str = "") -> Answer:
    dated = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    urls = "".join(f"<sitemap><loc>{HOME}{path}</loc>{dated}</sitemap>" for path in paths)
    return tagged(
        Answer(
            200,
            {"Content-Type": "application/xml"},
            f"<sitemapindex>{urls}</sitemapindex>".encode(),
        )
    )


def feed(*paths: str) -> Answer:
    items = "".join(f"<item><link>{HOME}{path}</link></item>" for path in paths)
    body = f"<rss><channel>{items}</channel></rss>".encode()
    return tagged(Answer(200, {"Content-Type": "application/rss+xml"}, body))


def named(*paths: str) -> Answer:
    return robots(*[f"Sitemap: {HOME}{path}" for path in paths])


def signals(nights: Nights) -> list[str]:
    return [
        shown(nights.state.link(visit.link).url)
        for visit in nights.state.history.visits()
        if visit.kind is VisitKind.SIGNAL
    ]


@pytest.mark.parametrize("strategy", ["tallyho", "sb", "bfs"])
def test_sitemap_of_robots_txt_and_announced_feed_are_links_of_the_first_crawl(strategy):
    site = ScriptedSite(
        {
            "/robots.txt": named("/sitemap.xml"),
            "/": marked_up(f'{FEED_LINK}<a href="/about">about</a>'),
            "/about": page("/"),
            "/sitemap.xml": sitemap("/hidden", "/"),
            "/hidden": page("/h.csv"),
            "/h.csv": file("h"),
            "/feed": feed("/news", "/about"),
            "/news": page("/n.csv"),
            "/n.csv": file("n"),
        }
    )
    run = crawl_all(site, strategy=strategy)
    assert run.targets == ["/h.csv", "/n.csv"]
    assert run.links["/sitemap.xml"].status is LinkStatus.PAGE
    kinds = {source.link: source.kind for source, _ in run.state.history.sources()}
    assert kinds == {
        run.links["/sitemap.xml"].id: SourceKind.SITEMAP,
        run.links["/feed"].id: SourceKind.FEED,
    }
    assert run.links["/hidden"].parent == run.links["/sitemap.xml"].id
    assert run.state.tag_path(run.links["/hidden"].tag_path) == "urlset url loc"
    assert site.asked[0] == "GET /", "the start page comes first"


def test_sites_without_sitemaps_are_asked_for_none_in_the_first_crawl():
    site = ScriptedSite({"/": page("/a.csv"), "/a.csv": file()})
    crawl_all(site)
    assert site.log == ["GET /robots.txt", "GET /", "GET /a.csv"]


def test_feeds_stay_targets_where_the_site_file_says_so():
    site = ScriptedSite({"/": marked_up(FEED_LINK), "/feed": feed("/news")})
    run = crawl_all(site, targets=["feed"])
    assert run.targets == ["/feed"]


def test_sitemaps_of_other_sites_are_not_asked_for():
    site = ScriptedSite(
        {"/robots.txt": robots("Sitemap: https://other.example/s.xml"), "/": page()}
    )
    run = crawl_all(site)
    assert site.log == ["GET /robots.txt", "GET /"]
    assert run.skipped == {"off_site": 1}


def test_large_sitemap_is_placed_in_pieces_and_loses_nothing():
    names = [f"/p{number}" for number in range(2 * LINKS_PER_FRAME + 10)]
    site = ScriptedSite({"/robots.txt": named("/s.xml"), "/": page(), "/s.xml": sitemap(*names)})
    run = crawl_all(site)
    assert len([one for one in site.asked if one.startswith("GET /p")]) == len(names)
    assert run.links["/p0"].reason == "dead"


def test_usual_place_is_asked_for_once():
    nights = Nights(ChangingSite({"/": page()}), NO_PAGES)
    nights.night()
    assert nights.site.log[-1] == "GET /sitemap.xml"
    before = len(nights.site.requests)
    nights.night()
    assert [shown(one.url) for one in nights.site.requests[before:]] == ["/robots.txt"]
    assert len(list(nights.state.history.pages())) == 1, "what is no sitemap is no page either"


def test_sitemap_in_the_usual_place_is_read_before_the_pages_are_planned():
    site = ChangingSite({"/": page("/a"), "/a": page(), "/b": page("/b.csv"), "/b.csv": file()})
    nights = Nights(site, PAGES)
    site.change({"/sitemap.xml": sitemap("/", "/a", "/b", lastmod=day(0))})
    run = nights.night()
    wanted = ["/robots.txt", "/sitemap.xml", "/", "/a", "/b", "/b.csv"]
    assert [one.removeprefix("GET ") for one in site.log[-6:]] == wanted
    assert run.targets == ["/b.csv"]
    visit = nights.visit("/sitemap.xml")
    assert (visit.outcome.value, visit.new_links, visit.new_targets) == ("new", 1, 1)
    assert visit.reason == "usual place"
    signalled = [nights.state.link(row.link).url for row, _ in run.state.history.signals()]
    assert {shown(url) for url in signalled} == {"/", "/a", "/b"}


def test_known_sitemap_is_asked_for_conditionally_and_less_often_when_it_is_quiet():
    site = ChangingSite({"/robots.txt": named("/s.xml"), "/": page(), "/s.xml": sitemap("/")})
    nights = Nights(site, NO_PAGES)
    asked = []
    for _ in range(12):
        nights.night()
        asked.append("/s.xml" in signals(nights))
    yes, no = True, False
    assert asked == [yes, yes, yes, yes, no, yes, no, no, yes, no, no, yes]
    site.change({"/s.xml": sitemap("/", "/new.csv"), "/new.csv": file()})
    assert [bool(nights.night().targets) for _ in range(3)] == [no, no, yes]
    nights.night()
    assert signals(nights) == ["/s.xml"], "it is read every night again"


def test_index_leads_to_the_sitemaps_that_changed_tonight():
    site = ChangingSite(
        {
            "/robots.txt": named("/index.xml"),
            "/": page(),
            "/index.xml": index("/s1.xml", "/s2.xml.gz"),
            "/s1.xml": sitemap("/"),
            "/s2.xml.gz": Answer(
                200, {"Content-Type": "application/gzip"}, gzip.compress(sitemap("/").body)
            ),
        }
    )
    nights = Nights(site, NO_PAGES)
    assert len(list(nights.state.history.sources())) == 3
    nights.night()
    site.change(
        {
            "/index.xml": index("/s1.xml", "/s3.xml", lastmod=day(2)),
            "/s3.xml": sitemap("/c.csv"),
            "/c.csv": file(),
        }
    )
    run = nights.night()
    assert run.targets == ["/c.csv"]
    assert set(signals(nights)) >= {"/index.xml", "/s3.xml", "/s1.xml"}
    assert nights.visit("/s3.xml").reason == "named by an index"


def test_sitemap_that_moved_is_read_at_its_new_address():
    site = ChangingSite({"/": page()})
    nights = Nights(site, NO_PAGES)
    site.change(
        {
            "/sitemap.xml": redirect("/sitemap_index.xml"),
            "/sitemap_index.xml": index("/s1.xml"),
            "/s1.xml": sitemap("/x.csv"),
            "/x.csv": file(),
        }
    )
    run = nights.night()
    assert signals(nights) == ["/sitemap.xml", "/sitemap_index.xml", "/s1.xml"]
    assert run.targets == ["/x.csv"]


def test_night_reads_a_bounded_number_of_sitemaps():
    names = [f"/s{number}.xml" for number in range(100)]
    answers = {name: sitemap("/") for name in names}
    site = ChangingSite({"/": page()})
    nights = Nights(site, NO_PAGES)
    site.change({"/sitemap.xml": index(*names)} | answers)
    nights.night()
    assert len(signals(nights)) == MAX_SIGNALS
    read = set(signals(nights))
    nights.night()
    assert set(signals(nights)) - read, "the others have their turn later"


@pytest.mark.parametrize("answer", [status(404), page("/"), status(500)])
def test_sitemap_that_is_none_disturbs_nothing(answer):
    site = ChangingSite({"/robots.txt": named("/s.xml"), "/": page(), "/s.xml": sitemap("/")})
    nights = Nights(site, PAGES, politeness={"retries": 0})
    site.change({"/s.xml": answer})
    nights.night()
    assert nights.visits(VisitKind.SIGNAL)["/s.xml"][0] in ("gone", "failed")
    assert nights.visits(VisitKind.PAGE) == {"/": ("unchanged", "same bytes")}


def test_sitemap_that_led_to_files_is_not_planned_as_a_page():
    site = ChangingSite(
        {
            "/robots.txt": named("/s.xml"),
            "/": page(),
            "/s.xml": sitemap("/a.csv"),
            "/a.csv": file(),
        }
    )
    nights = Nights(site, PAGES)
    nights.night(days=0.1)
    assert signals(nights) == []
    assert list(nights.visits(VisitKind.PAGE)) == ["/"]


def test_sitemaps_do_not_make_a_crawl_know_urls_without_end(monkeypatch):
    monkeypatch.setattr("crawler.engine.signal_files.MAX_KNOWN_URLS", 4)
    names = [f"/p{number}" for number in range(5)]
    site = ScriptedSite(
        {
            "/robots.txt": named("/s1.xml", "/s2.xml"),
            "/": page(),
            "/s1.xml": sitemap(*names),
            "/s2.xml": sitemap("/", "/q1", "/q2"),
        }
    )
    crawl_all(site)
    assert {one for one in site.asked if "/q" in one} == set()
    assert {one for one in site.asked if "/p" in one} == {f"GET {name}" for name in names}


def test_dates_in_the_future_are_no_signals():
    site = ChangingSite(
        {"/robots.txt": named("/s.xml"), "/": page(), "/s.xml": sitemap("/", lastmod=day(400))}
    )
    run = crawl_all(site)
    assert list(run.state.history.signals()) == []


NOW = FIRST_OF_JUNE


def source(
    number: int, days_ago: float, *outcomes: Outcome, changed_at: float = 0.0
) -> tuple[SourceRow, PageHistory]:
    history = PageHistory(number, "signal", NOW)
    for back, outcome in enumerate(reversed(outcomes)):
        at = NOW - (days_ago + len(outcomes) - 1 - back) * SECONDS_PER_DAY
        history = observe_page(history, PageSeen(at, outcome))
    return SourceRow(number, SourceKind.FEED, changed_at), history


def test_sources_are_due_by_what_they_showed():
    quiet = [Outcome.UNCHANGED] * 5
    rows = [
        source(1, 1, Outcome.NEW),
        source(2, 1, *quiet, Outcome.NEW),
        source(3, 4, *quiet, Outcome.NEW),
        source(4, 1, *quiet, Outcome.NEW, changed_at=NOW - 60),
        source(5, 40, Outcome.GONE),
        source(6, 5, Outcome.GONE, Outcome.GONE, Outcome.NEW),
        source(7, 31, Outcome.GONE, Outcome.GONE, Outcome.NEW),
        (SourceRow(8, SourceKind.SITEMAP), None),
    ]
    assert [one.link for one in due_sources(rows, NOW)] == [4, 8, 1, 3, 7]


def test_source_that_does_not_answer_is_left_alone_for_a_while():
    row, history = source(1, 1, Outcome.NEW)
    for _ in range(4):
        history = observe_page_failure(history, NOW)
    assert due_sources([(row, history)], NOW + SECONDS_PER_DAY) == []
    assert due_sources([(row, history)], NOW + 8 * SECONDS_PER_DAY) == [row]


def test_clock_that_was_set_back_hides_no_source():
    row, history = source(1, -400, Outcome.NEW)
    assert due_sources([(row, history)], NOW) == [row]
