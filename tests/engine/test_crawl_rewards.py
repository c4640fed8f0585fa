"""Algorithm 4 as DESIGN.md section 3 reads it: what is fetched when, and which action is paid."""

from operator import attrgetter

from crawler.engine.events import PageRead, Rewarded, TargetKept
from crawler.pages.mime import UrlClass
from crawler.state.kept_files import kept_files
from crawler.state.records import LinkStatus
from crawler.state.stop import StopReason
from crawler.strategies.interface import NO_ACTION
from tests.engine.crawl_run import CrawlRun, crawl_all
from tests.engine.scripted_site import (
    HOME,
    Answer,
    ScriptedSite,
    file,
    marked_up,
    page,
    redirect,
    status,
)
from tests.engine.scripted_strategy import ASK, FETCH, ScriptedStrategy

PICTURE = Answer(headers={"Content-Type": "image/png"}, body=b"\x89PNG")


def test_start_page_gets_no_reward():
    site = ScriptedSite({"/": page("/a.csv", "/b.csv"), "/a.csv": file(), "/b.csv": file("x")})
    strategy = ScriptedStrategy({"/a.csv": FETCH, "/b.csv": FETCH})
    run = crawl_all(site, strategy)
    assert run.targets == ["/a.csv", "/b.csv"]
    assert strategy.rewards == []


def test_every_start_page_is_read_and_none_gets_a_reward():
    site = ScriptedSite(
        {"/": page("/a.csv"), "/also": page("/b.csv"), "/a.csv": file(), "/b.csv": file("x")}
    )
    strategy = ScriptedStrategy({"/a.csv": FETCH, "/b.csv": FETCH})
    run = crawl_all(site, strategy, start_also=[f"{HOME}/also", f"{HOME}/"])
    assert run.targets == ["/a.csv", "/b.csv"]
    assert site.asked == ["GET /", "GET /a.csv", "GET /also", "GET /b.csv"]
    assert strategy.rewards == []


def test_time_counts_every_get_but_neither_head_nor_robots():
    site = ScriptedSite(
        {
            "/": page("/asked", "/t.csv", "/hop", "/dead", "/picture", "/queued"),
            "/asked": page(),
            "/t.csv": file(),
            "/hop": redirect("/hop2.csv"),
            "/hop2.csv": file("other"),
            "/picture": PICTURE,
            "/queued": page(),
        }
    )
    fetched = dict.fromkeys(["/t.csv", "/hop", "/dead", "/picture"], FETCH)
    strategy = ScriptedStrategy(fetched | {"/asked": ASK})
    run = crawl_all(site, strategy)
    # The start page, the target, two for the redirection, the dead link, the picture.
    assert strategy.times == [6, 7, 8]
    assert (run.totals.gets, run.totals.heads, run.totals.requests) == (8, 1, 10)
    assert site.log[0] == "GET /robots.txt"


def test_time_counts_retries_as_the_gets_they_are():
    site = ScriptedSite({"/": [status(503), page("/a")], "/a": page()})
    strategy = ScriptedStrategy()
    crawl_all(site, strategy)
    assert strategy.times == [2, 3]


def test_predicted_target_is_fetched_before_the_links_after_it_are_placed():
    site = ScriptedSite(
        {"/": page("/a", "/1.csv", "/b", "/c", "/2.csv", "/d"), "/1.csv": file(), "/2.csv": file()}
    )
    strategy = ScriptedStrategy({"/1.csv": FETCH, "/2.csv": FETCH}, journal=site.journal)
    CrawlRun(site, strategy).steps(5)
    assert site.journal == [
        "GET /robots.txt",
        "GET /",
        "queue /a",
        "GET /1.csv",
        "queue /b /c",
        "GET /2.csv",
        "queue /d",
        "GET /a",
    ]


def test_strategy_is_asked_again_when_its_opinion_changed_within_a_page():
    site = ScriptedSite({"/": page("/1.csv", "/2.csv"), "/1.csv": file(), "/2.csv": file("x")})
    strategy = ScriptedStrategy({"/1.csv": FETCH}, journal=site.journal)
    run = CrawlRun(site, strategy)
    run.steps(3)
    strategy.placements, strategy.opinion = {"/2.csv": FETCH}, 1
    run.step()
    assert site.asked == ["GET /", "GET /1.csv", "GET /2.csv"]
    assert not [entry for entry in site.journal if entry.startswith("queue")]


def test_strategy_is_not_asked_again_while_its_opinion_stands():
    site = ScriptedSite({"/": page("/1.csv", "/2.csv"), "/1.csv": file(), "/2.csv": file("x")})
    strategy = ScriptedStrategy({"/1.csv": FETCH}, journal=site.journal)
    run = CrawlRun(site, strategy)
    run.steps(3)
    strategy.placements = {"/2.csv": FETCH}
    run.step()
    assert "queue /2.csv" in site.journal


def test_reward_counts_only_links_that_turned_out_to_be_new_targets():
    links = ["/new.csv", "/dead.csv", "/old.csv", "/to-old.csv", "/to-new.csv", "/picture.csv"]
    site = ScriptedSite(
        {
            "/": page("/old.csv", "/page"),
            "/page": page(*links, "/new.csv"),
            "/old.csv": file("old"),
            "/new.csv": file("new"),
            "/dead.csv": status(404),
            "/to-old.csv": redirect("/old.csv"),
            "/to-new.csv": redirect("/newer.csv"),
            "/newer.csv": file("newer"),
            "/picture.csv": PICTURE,
        }
    )
    strategy = ScriptedStrategy(dict.fromkeys(links, FETCH), {"/page": 4})
    run = crawl_all(site, strategy)
    assert strategy.rewards == [(4, 2)]
    assert run.targets == ["/new.csv", "/newer.csv", "/old.csv"]


def test_page_without_targets_is_rewarded_with_nothing():
    site = ScriptedSite({"/": page("/page"), "/page": page("/more"), "/more": page()})
    strategy = ScriptedStrategy(actions={"/page": 2, "/more": 5})
    crawl_all(site, strategy)
    assert strategy.rewards == [(2, 0), (5, 0)]


def test_reward_goes_to_the_action_selected_for_the_page_also_through_redirects():
    site = ScriptedSite(
        {
            "/": page("/moved"),
            "/moved": redirect("/moved-again", 301),
            "/moved-again": redirect("/here", 308),
            "/here": page("/a.csv", "/b.csv"),
            "/a.csv": file(),
            "/b.csv": file("x"),
        }
    )
    # Were the page's own or its links' action paid, it would be another number than 3.
    strategy = ScriptedStrategy(
        {"/a.csv": FETCH, "/b.csv": FETCH}, {"/moved": 3, "/here": 8, "/a.csv": 9}
    )
    run = crawl_all(site, strategy)
    assert strategy.rewards == [(3, 2)]
    links = run.links
    assert links["/moved"].status is links["/moved-again"].status is LinkStatus.REDIRECT
    assert (links["/here"].status, links["/here"].action) == (LinkStatus.PAGE, 3)


def test_reward_is_not_diverted_by_links_that_join_other_actions():
    """Algorithm 4 reuses the name a_c for the actions of the page's links; we do not."""
    site = ScriptedSite(
        {"/": page("/page"), "/page": page("/t.csv", "/other"), "/t.csv": file(), "/other": page()}
    )
    strategy = ScriptedStrategy({"/t.csv": FETCH}, {"/page": 1, "/other": 2})
    crawl_all(site, strategy)
    assert strategy.rewards == [(1, 1), (2, 0)]


def test_predicted_target_that_is_a_page_is_read_at_once_for_its_own_action():
    site = ScriptedSite(
        {
            "/": page("/outer"),
            "/outer": page("/a.csv", "/inner", "/z.csv"),
            "/inner": page("/i1.csv", "/i2.csv", "/deep"),
            "/a.csv": file("a"),
            "/i1.csv": file("i1"),
            "/i2.csv": file("i2"),
            "/z.csv": file("z"),
        }
    )
    fetched = dict.fromkeys(["/a.csv", "/inner", "/i1.csv", "/i2.csv", "/z.csv"], FETCH)
    strategy = ScriptedStrategy(fetched, {"/outer": 1, "/inner": 2}, journal=site.journal)
    run = CrawlRun(site, strategy)
    run.steps(8)
    run.crawl.next_request()
    assert site.journal[3:] == [
        "GET /outer",
        "GET /a.csv",
        "GET /inner",
        "adopt /inner",
        "GET /i1.csv",
        "GET /i2.csv",
        "queue /deep",
        "reward 2 2",
        "GET /z.csv",
        "reward 1 2",
    ]
    assert strategy.adopted == [("/inner", "html body ul li a")]
    assert run.links["/inner"].action == 2


def test_pages_within_pages_end_in_the_reverse_order():
    site = ScriptedSite(
        {
            "/": page("/0"),
            "/0": page("/1", "/0.csv"),
            "/1": page("/2", "/1.csv"),
            "/2": page("/2.csv"),
            "/0.csv": file("0"),
            "/1.csv": file("1"),
            "/2.csv": file("2"),
        }
    )
    fetched = dict.fromkeys(["/1", "/2", "/0.csv", "/1.csv", "/2.csv"], FETCH)
    strategy = ScriptedStrategy(fetched, {"/0": 10, "/1": 11, "/2": 12})
    crawl_all(site, strategy)
    assert site.asked[1:] == [
        "GET /0",
        "GET /1",
        "GET /2",
        "GET /2.csv",
        "GET /1.csv",
        "GET /0.csv",
    ]
    assert strategy.rewards == [(12, 1), (11, 1), (10, 1)]


def test_queued_link_that_is_a_target_is_kept_and_pays_its_own_action_one():
    site = ScriptedSite({"/": page("/download/17"), "/download/17": file()})
    strategy = ScriptedStrategy(actions={"/download/17": 6})
    run = crawl_all(site, strategy)
    assert run.targets == ["/download/17"]
    assert strategy.rewards == [(6, 1)]
    assert strategy.lessons[-1] == ("/download/17", UrlClass.TARGET)
    assert run.links["/download/17"].status is LinkStatus.TARGET


def test_queued_link_that_leads_to_a_target_pays_the_action_it_was_selected_for():
    site = ScriptedSite({"/": page("/get"), "/get": redirect("/t.csv"), "/t.csv": file()})
    strategy = ScriptedStrategy(actions={"/get": 6})
    crawl_all(site, strategy)
    assert strategy.rewards == [(6, 1)]


def test_error_gives_no_reward_but_its_selection_counts():
    site = ScriptedSite({"/": page("/x1", "/x2", "/x3")})
    run = crawl_all(site, strategy={"name": "sb", "b": 1})
    actions = list(run.state.actions())
    assert [(action.selections, action.reward) for action in actions] == [(3, 0.0)]
    assert run.skipped == {"dead": 3}
    assert run.stop_reason is StopReason.FRONTIER_EMPTY


def test_every_get_teaches_the_class_of_the_url_that_answered():
    site = ScriptedSite(
        {
            "/": page("/moved", "/t.csv"),
            "/moved": redirect("/page"),
            "/page": page(),
            "/t.csv": file(),
        }
    )
    strategy = ScriptedStrategy()
    crawl_all(site, strategy)
    assert strategy.lessons == [
        ("/", UrlClass.HTML),
        ("/page", UrlClass.HTML),
        ("/t.csv", UrlClass.TARGET),
    ]


def test_target_is_kept_once_and_reported_with_its_file():
    site = ScriptedSite(
        {"/": page("/t.csv", "/t.csv#top", "/t.csv?utm_source=x"), "/t.csv": file()}
    )
    run = crawl_all(site)
    kept = [event for event in run.events if isinstance(event, TargetKept)]
    assert [
        (event.file.url, event.file.download.group, event.file.download.size) for event in kept
    ] == [(f"{HOME}/t.csv", "csv", len(file().body))]
    assert (run.totals.targets, run.totals.kept) == (1, len(file().body))
    assert dict(run.totals.groups) == {"csv": 1}


def test_page_is_told_with_the_links_it_gave():
    site = ScriptedSite({"/": page("/a", "/b", "/a", "/"), "/a": page("/b", "/c")})
    run = crawl_all(site)
    read = [event for event in run.events if isinstance(event, PageRead)]
    assert [(event.new_links, event.url) for event in read] == [(2, f"{HOME}/"), (1, f"{HOME}/a")]


def test_baselines_have_no_action_to_pay():
    site = ScriptedSite({"/": page("/p"), "/p": page("/t.csv"), "/t.csv": file()})
    run = crawl_all(site)
    rewarded = [event for event in run.events if isinstance(event, Rewarded)]
    assert {event.action for event in rewarded} == {NO_ACTION}
    assert run.targets == ["/t.csv"]


def test_event_of_a_kept_target_is_what_the_state_gives_back():
    site = ScriptedSite(
        {
            "/": page("/a", "/direct.csv", "/moved", title="Start"),
            "/a": page("/b.csv", "/once"),
            "/moved": redirect("/elsewhere"),
            "/elsewhere": redirect("/there.csv"),
            "/once": redirect("/more.csv"),
            **{path: file() for path in ("/direct.csv", "/b.csv", "/there.csv", "/more.csv")},
        }
    )
    run = crawl_all(site)
    reported = [event.file for event in run.events if isinstance(event, TargetKept)]
    assert len(reported) == 4
    assert sorted(reported, key=attrgetter("id")) == list(kept_files(run.state))
    assert all(kept.link.page_url and kept.link.anchor for kept in reported)
    moved = next(kept for kept in reported if kept.url == f"{HOME}/there.csv")
    assert moved.link.page_url == f"{HOME}/"


def test_kept_file_has_the_headings_above_its_link_also_behind_a_redirect():
    shown = "<h2>Livestock</h2><h3>Sheep</h3><a href=/a.csv>CSV</a><h3>Goats</h3><a href=/go>x</a>"
    site = ScriptedSite(
        {
            "/": marked_up(shown),
            "/go": redirect("/b.csv"),
            **{path: file() for path in ("/a.csv", "/b.csv")},
        }
    )
    run = crawl_all(site)
    kept = {kept.url.removeprefix(HOME): kept.link.headings for kept in kept_files(run.state)}
    assert kept == {"/a.csv": "Livestock › Sheep", "/b.csv": "Livestock › Goats"}
    reported = [event.file for event in run.events if isinstance(event, TargetKept)]
    assert {file.link.headings for file in reported} == set(kept.values())


def test_strategy_sees_a_page_with_all_its_links_before_they_are_placed():
    site = ScriptedSite({"/": page("/a", "/b"), "/a": page("/", "/b", "/c", "mailto:us@x.example")})
    strategy = ScriptedStrategy()
    crawl_all(site, strategy)
    start, first = strategy.pages[:2]
    ids = [first.id_of(link.fingerprint) for link in first.content.links]
    assert (start.link.page, first.link.page) == (0, start.link.id)
    assert ids == [start.link.id, first.link.id + 1, first.link.id + 2]
    assert start.id_of(12345) is None
