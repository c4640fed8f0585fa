"""Known pages that are visited again."""

from collections.abc import Callable

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.engine.conditions import FULL_EVERY
from crawler.engine.events import FileLinked, TargetKept, Visited
from crawler.revisit.visit_log import Outcome
from crawler.state.history_records import VisitKind
from crawler.state.records import LinkStatus
from crawler.state.stop import StopReason
from crawler.web.messages import Conditions, Decision, Failure, Head, Reply, Request
from tests.engine.changing_site import ChangingSite, Nights, tagged
from tests.engine.scripted_site import (
    HOME,
    Answer,
    file,
    marked_up,
    page,
    redirect,
    robots,
    shown,
    status,
)

PAGES = RevisitConfig(name="rr", pages=1.0, files=0)


def small_site(**more: object) -> ChangingSite:
    return ChangingSite(
        {
            "/": tagged(page("/list", "/about")),
            "/list": tagged(page("/a.csv", "/b.csv")),
            "/about": page("/"),
            "/a.csv": file("a"),
            "/b.csv": file("b"),
            **more,
        }
    )


def test_unchanged_pages_are_asked_for_conditionally_and_nothing_else_is():
    nights = Nights(small_site(), PAGES)
    run = nights.night()
    assert nights.asked == ["GET /", "GET /list", "GET /about"]
    assert nights.visits() == {
        "/": ("unchanged", "not modified"),
        "/list": ("unchanged", "not modified"),
        "/about": ("unchanged", "same bytes"),
    }
    assert run.stop_reason is StopReason.FRONTIER_EMPTY
    assert nights.site.requests[-1].conditions == Conditions()


def test_new_files_and_pages_are_found_the_night_they_appear():
    nights = Nights(small_site(), PAGES)
    nights.site.change(
        {
            "/list": tagged(page("/a.csv", "/b.csv", "/c.csv", "/more")),
            "/c.csv": file("c"),
            "/more": page("/d.csv"),
            "/d.csv": file("d"),
        }
    )
    run = nights.night()
    assert nights.asked == [
        "GET /",
        "GET /list",
        "GET /about",
        "GET /c.csv",
        "GET /more",
        "GET /d.csv",
    ]
    assert run.targets == ["/a.csv", "/b.csv", "/c.csv", "/d.csv"]
    assert nights.visits()["/list"] == ("changed", "other links")
    listed = nights.visit("/list")
    assert (listed.new_links, listed.new_targets) == (2, 2)
    history = nights.state.history.page(run.links["/list"].id)
    assert history is not None
    assert [visit.outcome for visit in history.log] == [Outcome.NEW, Outcome.CHANGED]
    assert [visit.new_targets for visit in history.log] == [2, 2]
    assert (history.new_targets, history.targets_listed) == (2, 2)
    more = nights.state.history.page(run.links["/more"].id)
    assert more is not None
    assert more.targets_listed == 1


def test_known_page_rewards_no_action_but_what_it_leads_to_does():
    nights = Nights(small_site(), PAGES, strategy="sb")
    before = {row.id: (row.selections, row.reward) for row in nights.state.actions()}
    nights.site.change({"/list": tagged(page("/a.csv", "/new")), "/new": page("/d.csv")})
    nights.site.change({"/d.csv": file("d")})
    run = nights.night()
    after = {row.id: (row.selections, row.reward) for row in nights.state.actions()}
    assert "/d.csv" in run.targets
    selections = sum(row[0] for row in after.values()) - sum(row[0] for row in before.values())
    assert selections == len([one for one in nights.asked if one in ("GET /new", "GET /d.csv")])


def test_other_bytes_with_the_same_links_are_unchanged():
    nights = Nights(small_site(), PAGES)
    about = page("/")
    stamped = about.body.replace(b"<body>", b"<body><p>It is 12:31 o'clock.</p>")
    nights.site.change({"/about": Answer(200, about.headers, stamped)})
    nights.night()
    assert nights.visits()["/about"] == ("unchanged", "same links")


@pytest.mark.parametrize("code", [404, 410])
def test_page_that_is_not_found_is_gone_and_keeps_its_place(code):
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/about": status(code)})
    run = nights.night()
    assert nights.visits()["/about"] == ("gone", "not found")
    history = nights.state.history.page(run.links["/about"].id)
    assert history is not None
    assert history.missing == 1
    assert run.links["/about"].status is LinkStatus.PAGE
    nights.site.change({"/about": page("/")})
    nights.night()
    again = nights.state.history.page(run.links["/about"].id)
    assert again is not None
    assert again.missing == 0


def test_page_that_redirects_to_the_start_page_is_gone():
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/about": redirect("/")})
    nights.night()
    assert nights.visits()["/about"] == ("gone", "redirect to known page")
    assert nights.asked == ["GET /", "GET /list", "GET /about"]


def test_page_that_moved_is_followed_to_its_new_address():
    nights = Nights(small_site(), PAGES)
    nights.site.change(
        {"/about": redirect("/contact", 301), "/contact": page("/e.csv"), "/e.csv": file("e")}
    )
    run = nights.night()
    assert nights.visits()["/about"] == ("gone", "redirect to new address")
    assert run.targets == ["/a.csv", "/b.csv", "/e.csv"]
    assert nights.visit("/about").new_targets == 1


@pytest.mark.parametrize("location", ["https://elsewhere.example/", "/about", ""])
def test_page_that_redirects_nowhere_is_gone(location):
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/about": redirect(location)})
    nights.night()
    assert nights.visits()["/about"] == ("gone", "redirect off site")


def test_page_that_is_a_file_now_is_kept():
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/about": file("x,y\n1,2\n")})
    run = nights.night()
    assert nights.visits()["/about"] == ("gone", "file instead of page")
    assert "/about" in run.targets
    kept = [event.file.url for event in run.events if isinstance(event, TargetKept)]
    assert kept == [f"{HOME}/about"]


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [(status(403), "refused"), (status(503), "no answer"), (Failure.TIMEOUT, "no answer")],
)
def test_answer_that_says_nothing_changes_nothing(answer, evidence):
    nights = Nights(small_site(), PAGES, politeness={"retries": 0})
    nights.site.change({"/about": answer})
    run = nights.night()
    assert nights.visits()["/about"] == ("failed", evidence)
    history = nights.state.history.page(run.links["/about"].id)
    assert history is not None
    assert (history.failures, history.missing, history.visit_count) == (1, 0, 1)


def test_site_that_is_down_ends_the_night_and_the_plan_is_resumed():
    names = [f"/p{number}" for number in range(20)]
    site = ChangingSite({"/": page(*names)} | {name: page("/") for name in names})
    nights = Nights(site, PAGES, politeness={"retries": 0})
    up = dict(site.answers)
    site.answers = dict.fromkeys(up, Failure.TIMEOUT) | {"/robots.txt": status(404)}
    run = nights.start()
    run.to_end()
    assert run.stop_reason is StopReason.UNREACHABLE
    assert len(nights.asked) == 10


def test_url_that_robots_forbids_now_is_not_visited():
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/robots.txt": robots("Disallow: /about")})
    nights.night(days=2)
    assert "GET /about" not in nights.asked
    assert nights.visits()["/about"] == ("failed", "robots.txt")


def test_page_that_newly_links_to_a_known_file_is_a_sighting():
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/about": page("/", "/b.csv"), "/": tagged(page("/list", "/about", "/n"))})
    nights.site.change({"/n": page("/a.csv")})
    run = nights.night()
    seen = [event for event in run.events if isinstance(event, FileLinked)]
    assert [(shown(one.url), shown(one.link.page_url), one.link.anchor) for one in seen] == [
        ("/b.csv", "/about", "/b.csv"),
        ("/a.csv", "/n", "/a.csv"),
    ]
    assert not [one for one in nights.night().events if isinstance(one, FileLinked)]


def test_files_that_a_page_no_longer_links_to_are_doubtful():
    nights = Nights(small_site(), PAGES)
    nights.site.change({"/list": tagged(page("/b.csv"))})
    run = nights.night()
    unlinked = {
        shown(known.url): known.history is not None and known.history.unlinked
        for known in nights.state.history.known_files()
    }
    assert unlinked == {"/a.csv": True, "/b.csv": False}
    nights.site.change({"/": tagged(page("/about"))})
    nights.night()
    assert run.state.history.known_file(run.links["/b.csv"].id).history.unlinked


class AlwaysNotModified(ChangingSite):
    """Says 304 to every conditional request, whatever has changed."""

    def reply(self, request: Request, decide: Callable[[Head, bytes], Decision]) -> Reply:
        reply = super().reply(request, decide)
        return Reply(head=Head(request.url, 304)) if request.conditions else reply


def test_server_that_always_says_304_is_asked_for_the_bytes_now_and_then():
    site = AlwaysNotModified({"/": tagged(page("/a.csv")), "/a.csv": file("a")})
    nights = Nights(site, PAGES)
    new = marked_up('<a href="/a.csv">a</a><a href="/b.csv">b</a>')
    tag = site.answers["/"].headers["ETag"]
    site.change({"/": Answer(200, new.headers | {"ETag": tag}, new.body), "/b.csv": file("b")})
    found = []
    for _ in range(FULL_EVERY + 3):
        nights.night()
        found.append(nights.visits()["/"])
    assert found[:FULL_EVERY] == [("unchanged", "not modified")] * FULL_EVERY
    assert found[FULL_EVERY] == ("changed", "other links")
    known = nights.state.history.validators(1)
    assert known is not None
    assert known.refuted
    assert found[FULL_EVERY + 1 :] == [("unchanged", "same bytes")] * 2


def test_visits_are_events():
    nights = Nights(small_site(), PAGES)
    run = nights.night()
    visited = [event for event in run.events if isinstance(event, Visited)]
    assert [
        (shown(event.url), event.kind) for event in visited if event.kind is VisitKind.PAGE
    ] == [
        ("/", VisitKind.PAGE),
        ("/list", VisitKind.PAGE),
        ("/about", VisitKind.PAGE),
    ]
