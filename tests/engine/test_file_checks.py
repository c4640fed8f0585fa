"""Known files that are checked: unchanged, a new version, or missing."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from crawler.config.revisit import RevisitConfig
from crawler.engine.conditions import FULL_EVERY
from crawler.engine.events import TargetKept, Visited
from crawler.state.history_records import KnownFile, VisitKind
from crawler.state.records import LinkStatus
from crawler.web.messages import Decision, Failure, Head, Reply, Request
from tests.engine.changing_site import ChangingSite, Nights, tagged
from tests.engine.crawl_run import CrawlRun
from tests.engine.scripted_site import Answer, file, page, redirect, shown, status

FILES = RevisitConfig(name="rr", pages=0, files=1.0)
OLD, NEW, OTHER_LENGTH = "year,births\n2024,17\n", "year,births\n2024,18\n", "year\n2024\n"
DATED = {"Last-Modified": "Mon, 01 Jun 2026 10:00:00 GMT"}


def site_with(answer: Answer, **more: object) -> ChangingSite:
    return ChangingSite({"/": page("/a.csv"), "/a.csv": answer, **more})


def dated(answer: Answer, when: str = DATED["Last-Modified"]) -> Answer:
    return replace(answer, headers=answer.headers | {"Last-Modified": when})


def with_length(answer: Answer) -> Answer:
    return replace(answer, headers=answer.headers | {"Content-Length": str(len(answer.body))})


def known(nights: Nights, path: str = "/a.csv") -> KnownFile:
    for found in nights.state.history.known_files():
        if shown(found.url) == path:
            return found
    raise AssertionError(path)


def of_files(run: CrawlRun) -> list[tuple[str, str]]:
    told = []
    for event in run.events:
        if isinstance(event, TargetKept):
            told.append(("kept", shown(event.file.url)))
        elif isinstance(event, Visited) and event.kind is VisitKind.FILE:
            told.append((event.outcome.value, shown(event.url)))
    return told


def check(nights: Nights) -> tuple[str, str]:
    nights.night()
    return nights.visits(VisitKind.FILE)["/a.csv"]


@pytest.mark.parametrize("mark", [tagged, dated], ids=["etag", "last-modified"])
def test_file_with_validators_is_not_sent_again_until_it_changes(mark):
    nights = Nights(site_with(mark(file(OLD))), FILES)
    run = nights.night()
    assert nights.asked == ["GET /a.csv"]
    assert nights.visits() == {"/a.csv": ("unchanged", "not modified")}
    assert of_files(run) == [("unchanged", "/a.csv")]
    changed = tagged(file(NEW)) if mark is tagged else dated(file(NEW), "Tue, 02 Jun 2026")
    nights.site.change({"/a.csv": changed})
    run = nights.night()
    assert nights.visits() == {"/a.csv": ("changed", "other bytes")}
    assert of_files(run) == [("kept", "/a.csv"), ("changed", "/a.csv")]
    assert known(nights).size == len(NEW)
    assert run.totals.targets == 1
    assert check(nights) == ("unchanged", "not modified")


def test_weak_etag_is_sent_back_as_it_came():
    answer = replace(file(OLD), headers=file(OLD).headers | {"ETag": 'W/"7"'})
    nights = Nights(site_with(answer), FILES)
    assert check(nights) == ("unchanged", "not modified")
    assert nights.site.requests[-1].conditions.etag == 'W/"7"'


def test_date_that_is_always_now_costs_a_download_and_makes_no_version():
    nights = Nights(site_with(dated(file(OLD))), FILES)
    nights.site.change({"/a.csv": dated(file(OLD), "Wed, 03 Jun 2026 10:00:00 GMT")})
    assert check(nights) == ("unchanged", "same bytes")


def test_date_that_never_changes_hides_a_change_only_for_a_while():
    nights = Nights(site_with(dated(file(OLD))), FILES)
    nights.site.change({"/a.csv": dated(file(NEW))})
    found = [check(nights) for _ in range(FULL_EVERY + 2)]
    assert found[:FULL_EVERY] == [("unchanged", "not modified")] * FULL_EVERY
    assert found[FULL_EVERY] == ("changed", "other bytes")
    assert known(nights).refuted
    assert nights.site.requests[-1].conditions.last_modified == ""


def test_file_without_validators_is_asked_for_its_length_and_sometimes_for_its_bytes():
    nights = Nights(site_with(with_length(file(OLD))), FILES)
    assert check(nights) == ("unchanged", "same length")
    assert nights.asked == ["HEAD /a.csv"]
    nights.site.change({"/a.csv": with_length(file(NEW))})
    found = [check(nights) for _ in range(5)]
    assert ("changed", "other bytes") in found, "same length is not same content"
    assert found[0] == ("unchanged", "same length")


def test_other_length_is_downloaded_at_once():
    nights = Nights(site_with(with_length(file(OLD))), FILES)
    nights.site.change({"/a.csv": with_length(file(OTHER_LENGTH))})
    assert check(nights) == ("changed", "other bytes")
    assert nights.asked == ["HEAD /a.csv", "GET /a.csv"]


@pytest.mark.parametrize("code", [403, 404, 405, 500])
def test_head_that_is_refused_is_followed_by_get(code):
    nights = Nights(site_with(file(OLD)), FILES, politeness={"retries": 0})
    nights.site.change({"HEAD /a.csv": status(code)})
    assert check(nights) == ("unchanged", "same bytes")
    assert nights.asked == ["HEAD /a.csv", "GET /a.csv"]


def test_length_of_packed_bytes_says_nothing():
    packed = replace(
        with_length(file(OLD)), headers=with_length(file(OLD)).headers | {"Content-Encoding": "br"}
    )
    nights = Nights(site_with(packed), FILES)
    assert check(nights) == ("unchanged", "same bytes")


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        (status(404), "not found"),
        (status(410), "not found"),
        (page("/"), "page instead of file"),
        (redirect("/"), "redirect to known page"),
        (redirect("https://elsewhere.example/a.csv"), "redirect off site"),
        (Answer(200, {"Content-Type": "image/png"}, b"\x89PNG"), "other type"),
    ],
)
def test_file_that_is_not_there_is_missing_and_comes_back(answer, evidence):
    nights = Nights(site_with(tagged(file(OLD))), FILES)
    nights.site.change({"/a.csv": answer})
    run = nights.night()
    assert nights.visits(VisitKind.FILE) == {"/a.csv": ("gone", evidence)}
    assert of_files(run) == [("gone", "/a.csv")]
    assert run.links["/a.csv"].status is LinkStatus.TARGET
    assert known(nights).sha256
    nights.site.change({"/a.csv": tagged(file(OLD))})
    assert check(nights) == ("unchanged", "not modified")
    history = known(nights).history
    assert history is not None
    assert (history.missing, history.gone) == (0, False)


def test_file_that_is_missing_on_two_nights_is_gone():
    nights = Nights(site_with(tagged(file(OLD))), FILES)
    nights.site.change({"/a.csv": status(404)})
    nights.night()
    nights.night()
    history = known(nights).history
    assert history is not None
    assert history.gone


@pytest.mark.parametrize("answer", [status(403), status(503), Failure.TIMEOUT, file("")])
def test_answer_that_says_nothing_is_no_miss_and_no_version(answer):
    nights = Nights(site_with(tagged(file(OLD))), FILES, politeness={"retries": 0})
    nights.site.change({"/a.csv": answer})
    run = nights.night()
    assert nights.visits(VisitKind.FILE)["/a.csv"][0] == "failed"
    assert of_files(run) == [("failed", "/a.csv")]
    history = known(nights).history
    assert history is not None
    assert (history.failures, history.missing) == (1, 0)


class NotModifiedWithoutAsking(ChangingSite):
    """Says 304 to everything from some moment on."""

    broken = False

    def reply(self, request: Request, decide: Callable[[Head, bytes], Decision]) -> Reply:
        reply = super().reply(request, decide)
        return Reply(head=Head(request.url, 304)) if self.broken else reply


def test_304_that_nobody_asked_for_says_nothing():
    site = NotModifiedWithoutAsking({"/": page("/a.csv"), "/a.csv": file(OLD)})
    nights = Nights(site, RevisitConfig(name="rr", pages=1.0, files=1.0))
    site.broken = True
    nights.night()
    assert set(nights.visits().values()) == {("failed", "refused")}


def test_redirect_to_a_new_file_keeps_that_file():
    nights = Nights(site_with(tagged(file(OLD))), FILES)
    nights.site.change({"/a.csv": redirect("/2027/a.csv"), "/2027/a.csv": file(NEW)})
    run = nights.night()
    assert nights.visits(VisitKind.FILE) == {"/a.csv": ("gone", "redirect to new address")}
    assert run.targets == ["/2027/a.csv", "/a.csv"]
    assert known(nights).size == len(OLD)


def test_address_that_leads_to_the_latest_file_is_asked_where_it_leads_now():
    site = ChangingSite(
        {"/": page("/latest"), "/latest": redirect("/may.csv"), "/may.csv": tagged(file(OLD))}
    )
    nights = Nights(site, FILES)
    nights.night()
    assert nights.asked == ["GET /latest", "GET /may.csv"]
    site.change({"/latest": redirect("/june.csv"), "/june.csv": file(NEW)})
    run = nights.night()
    assert run.targets == ["/june.csv", "/may.csv"]
    assert nights.visits()["/may.csv"] == ("unchanged", "not modified")


def test_files_that_were_taken_down_are_not_fetched_again():
    site = ChangingSite({"/": page("/a.csv", "/b.csv"), "/a.csv": file("a"), "/b.csv": file("b")})
    removed: set[str] = {"/a.csv"}
    config = RevisitConfig(name="rr", pages=1.0, files=1.0)
    nights = Nights(site, config, taken_down=lambda url: shown(url) in removed)
    run = nights.start()
    while "GET /" not in nights.asked:
        run.step()
    removed.add("/b.csv")
    run.to_end()
    assert [one for one in nights.asked if one.endswith(".csv")] == []
    assert nights.visits(VisitKind.FILE) == {"/b.csv": ("skipped", "taken down")}


def test_counts_of_the_crawl_are_of_targets_not_of_checks():
    nights = Nights(site_with(tagged(file(OLD))), FILES)
    assert nights.first.totals.targets == 1
    nights.site.change({"/a.csv": tagged(file(NEW))})
    assert nights.night().totals.targets == 1
