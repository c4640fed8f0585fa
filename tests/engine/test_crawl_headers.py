"""What is done with a body, decided on its headers and first bytes."""

import pytest

from crawler.web.messages import Decision, Head
from tests.engine.crawl_run import CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import HOME, Answer, ScriptedSite, file, page

FILES = "https://files.example"
PAGE = b"<!doctype html><html><body><a href='/x'>x</a></body></html>"


def crawl_at_work(**fields):
    run = CrawlRun(ScriptedSite({"/": page("/a")}), config=site_config(**fields))
    run.steps(1)
    return run.crawl


def decide(url, content_type, first=b"", disposition="", **fields):
    headers = {"content-type": content_type} if content_type else {}
    if disposition:
        headers["content-disposition"] = disposition
    return crawl_at_work(**fields).on_headers(Head(url, 200, headers), first)


@pytest.mark.parametrize(
    ("path", "content_type", "first", "decision"),
    [
        ("/a", "text/html; charset=utf-8", PAGE, Decision.READ),
        ("/a", "application/xhtml+xml", PAGE, Decision.READ),
        ("/a.csv", "text/html", PAGE, Decision.READ),
        ("/a", "text/csv", b"a,b\n", Decision.KEEP),
        ("/a", "application/pdf", b"%PDF-1.7", Decision.KEEP),
        ("/a", "image/png", b"\x89PNG\r\n\x1a\n", Decision.DROP),
        ("/a", "video/mp4", b"", Decision.DROP),
        ("/a", "", PAGE, Decision.READ),
        ("/a", "application/octet-stream", PAGE, Decision.READ),
        ("/a", "", b"%PDF-1.7", Decision.KEEP),
        ("/a.csv", "text/plain", b"a,b\n1,2\n", Decision.KEEP),
        ("/a.png", "application/octet-stream", b"\x89PNG\r\n\x1a\n", Decision.DROP),
    ],
)
def test_pages_are_read_targets_kept_and_the_rest_dropped(path, content_type, first, decision):
    assert decide(f"{HOME}{path}", content_type, first) is decision


def test_what_is_a_target_is_for_the_site_file_to_say():
    url = f"{HOME}/report"
    assert decide(url, "application/pdf", targets=["csv"]) is Decision.DROP
    assert decide(url, "image/tiff", targets=["image/tiff"]) is Decision.KEEP


def test_name_in_the_disposition_tells_a_nameless_type():
    named = decide(
        f"{HOME}/d", "application/octet-stream", b"1;2\n", 'attachment; filename="x.csv"'
    )
    assert named is Decision.KEEP


def test_page_on_a_file_host_is_dropped_and_a_file_kept():
    scope = {"file_hosts": ["files.example"]}
    assert decide(f"{FILES}/x", "text/html", PAGE, scope=scope) is Decision.DROP
    assert decide(f"{FILES}/x", "text/csv", scope=scope) is Decision.KEEP
    assert decide("https://sub.stat.example/x", "text/html", PAGE, scope=scope) is Decision.READ


def test_robots_are_read_whatever_they_are():
    run = CrawlRun(ScriptedSite({}))
    request = run.crawl.next_request()
    head = Head(request.url, 200, {"content-type": "video/mp4"})
    assert run.crawl.on_headers(head, b"\x00") is Decision.READ


def test_neither_page_nor_target_is_skipped_with_that_reason():
    picture = Answer(headers={"Content-Type": "image/png"}, body=b"\x89PNG")
    run = crawl_all(ScriptedSite({"/": page("/map"), "/map": picture}))
    assert run.skips == [("/map", "other_type")]
    assert run.totals.received == len(page("/map").body)


def test_target_is_noted_with_what_its_headers_said():
    answer = file("x;y\n")
    told = {"ETag": '"abc"', "Last-Modified": "Mon, 01 Jun 2026 00:00:00 GMT"}
    site = ScriptedSite({"/": page("/t"), "/t": Answer(200, answer.headers | told, answer.body)})
    run = crawl_all(site)
    query = 'SELECT mime, "group", detected_by, declared, etag, last_modified, size FROM target'
    assert list(run.state.rows(query)) == [
        ("text/csv", "csv", "header", "text/csv", '"abc"', "Mon, 01 Jun 2026 00:00:00 GMT", 4)
    ]


def test_empty_answer_without_a_type_is_of_no_use():
    run = crawl_all(ScriptedSite({"/": page("/none"), "/none": Answer(204)}))
    assert run.skips == [("/none", "other_type")]
