"""The history of pages starts with the first crawl."""

from crawler.engine.first_visit import MIN_ITEMS, first_visit, pack_links, unsigned
from crawler.pages.html import PageReader
from crawler.revisit.fingerprints import MAX_LINKS, pack
from crawler.revisit.observe import PageSeen, observe_page
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import Outcome
from crawler.strategies.interface import Candidate
from tests.engine.crawl_run import FIRST_OF_JUNE, CrawlRun, crawl_all
from tests.engine.scripted_site import HOME, Answer, ScriptedSite, file, page, redirect


def history(run: CrawlRun, path: str) -> PageHistory:
    found = run.state.history.page(run.links[path].id)
    assert found is not None
    return found


def test_first_visit_is_what_the_planner_makes_of_a_first_visit():
    hrefs = [f"/news/2024-05-{number:02}-births" for number in range(10, 18)]
    answer = page("/", *hrefs)
    read = PageReader().read(answer.body, f"{HOME}/news", "text/html")
    new = [Candidate(n, HOME + href, 1, "html body ul li a", href) for n, href in enumerate(hrefs)]
    made = first_visit(Candidate(7, f"{HOME}/news", 2, ""), 3, read, answer.body, new, 1234.5)
    seen = PageSeen(
        1234.5,
        Outcome.NEW,
        outlinks=[unsigned(link.fingerprint) for link in read.links],
        new_links=len(new),
        items=8,
        dates=[19853 + number for number in range(8)],
    )
    empty = PageHistory(7, "3 /news", 1234.5, depth=2)
    assert made == observe_page(empty, seen)


def test_links_are_packed_as_the_planner_packs_them():
    numbers = [(-1) ** n * (n * 7919 * 2**40 + n) % 2**63 for n in range(MAX_LINKS + 50)]
    assert pack_links(numbers) == pack([unsigned(one) for one in numbers])
    assert len(pack_links(numbers)) == 8 * MAX_LINKS


def test_every_page_of_a_crawl_gets_a_history():
    names = [f"/{number}" for number in range(MIN_ITEMS)]
    headers = {"ETag": 'W/"7"', "Last-Modified": "Mon, 01 Jun 2026 10:00:00 GMT"}
    start = page("/list", "/other")
    site = ScriptedSite(
        {
            "/": Answer(200, start.headers | headers, start.body),
            "/list": page(*names),
            "/other": page("/list"),
        }
    )
    run = crawl_all(site)
    start_page = history(run, "/")
    assert [visit.outcome for visit in start_page.log] == [Outcome.NEW]
    assert start_page.last_visit == start_page.first_seen == FIRST_OF_JUNE
    assert start_page.log[0].new_links == 2
    assert history(run, "/list").items == MIN_ITEMS
    assert history(run, "/other").items == 0
    assert history(run, "/other").depth == 1
    known = run.state.history.validators(run.links["/"].id)
    assert known is not None
    assert (known.etag, known.last_modified) == (headers["ETag"], headers["Last-Modified"])
    assert len(list(run.state.history.pages())) == 3


def test_validators_that_cannot_be_sent_back_are_not_kept():
    answer = page()
    for etag in ("x" * 501, '"a\x01b"'):
        run = crawl_all(
            ScriptedSite({"/": Answer(200, answer.headers | {"ETag": etag}, answer.body)})
        )
        known = run.state.history.validators(1)
        assert known is not None
        assert known.etag == ""


def test_new_targets_wait_to_be_credited_to_the_page_that_shows_them():
    site = ScriptedSite(
        {
            "/": page("/list", "/a.csv"),
            "/list": page("/b.csv", "/latest"),
            "/latest": redirect("/2026.csv"),
            "/a.csv": file("a"),
            "/b.csv": file("b"),
            "/2026.csv": file("c"),
        }
    )
    run = crawl_all(site)
    pages = {row.target: row.page for row, _ in run.state.history.credits()}
    links = run.links
    assert pages == {
        links["/a.csv"].id: links["/"].id,
        links["/b.csv"].id: links["/list"].id,
        links["/2026.csv"].id: links["/list"].id,
    }
