"""`tallyho explain`: where one URL stands."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawler.config.strategy import TallyhoConfig
from crawler.errors import ExitCode
from crawler.state.crawl_state import CrawlState
from crawler.state.records import LinkStatus
from crawler.strategies.make import make_strategy


def base_of(desk: Any) -> str:
    return str(desk.link("parent", 0)).rstrip("/")


def test_a_kept_file_is_told_with_its_provenance(finished: Any) -> None:
    url = finished.link("status", LinkStatus.TARGET)

    result = finished.run("explain", "demo", f"{url}#fragment")
    told = finished.json("explain", "demo", url)

    assert result.exit_code == 0
    assert "why         It was fetched and kept" in result.stdout
    assert f"sha256 {told['file']['sha256']}" in result.stdout
    assert Path(told["file_path"]).stat().st_size == told["file"]["size"]
    assert (told["known"], told["status"], told["canonical"]) == (True, "target", url)
    assert told["found"]["by"] == "link"
    assert told["found"]["tag_path"].startswith("html body")
    assert told["requests"][-1]["outcome"] == "target"
    assert told["predicted"] in ("html", "target")


def test_a_page_has_its_action_and_its_links(finished: Any) -> None:
    home = finished.json("explain", "demo", base_of(finished))
    page = finished.json("explain", "demo", finished.link("depth = 2 AND status", LinkStatus.PAGE))

    assert home["found"]["by"] == "start"
    assert home["why"] == "It was fetched and read as a page; 2 of its 2 links were new."
    assert page["action"]["selections"] > 0
    shown = finished.run("explain", "demo", page["url"]).stdout
    assert f"such as {page['action']['path']}" in shown


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("robots", "It was not fetched: robots.txt forbids it."),
        ("off_site", "It was not fetched: it belongs to another website."),
        ("dead", "It was requested without success: the server says that it is not there"),
        ("redirect_loop", "It was requested without success: it redirects in a circle"),
    ],
)
def test_a_skipped_url_has_its_reason(finished: Any, reason: str, why: str) -> None:
    told = finished.json("explain", "demo", finished.link("reason", reason))

    assert (told["status"], told["reason"]) == ("skipped", reason)
    assert told["why"].startswith(why)


def test_a_redirection_tells_where_it_led(finished: Any) -> None:
    url = finished.link("status", LinkStatus.REDIRECT)

    told = finished.json("explain", "demo", url)
    hop = told["why"].partition("its redirection to ")[2].removesuffix(" followed.")

    assert finished.json("explain", "demo", hop)["found"]["by"] == "redirect"
    assert f"redirected from {url}" in finished.run("explain", "demo", hop).stdout


@pytest.mark.parametrize(
    ("path", "refusal", "words"),
    [
        ("/internal/secret.html", "robots", "it would be skipped: robots.txt forbids it"),
        ("/a/b/a/b/a/b/", "repeating_path", "its path repeats itself"),
        ("/new/logo.png", "media", "its extension is that of an image"),
        ("/new/page", None, "No page that was read links to it; found on a page, it would"),
    ],
)
def test_an_unknown_url_is_judged_by_the_rules(
    finished: Any, path: str, refusal: str | None, words: str
) -> None:
    told = finished.json("explain", "demo", base_of(finished) + path)

    assert (told["known"], told["crawled"]) == (False, True)
    assert told["rules"]["refusal"] == refusal
    assert words in told["why"]


def test_another_website_is_outside(finished: Any) -> None:
    told = finished.json("explain", "demo", "https://other.example.org/data.csv")

    assert told["rules"]["place"] == "outside"
    assert told["rules"]["robots"] == "unknown"


def test_a_waiting_link_is_in_the_frontier(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--requests", "30")

    told = desk.json("explain", "demo", desk.link("status", LinkStatus.FRONTIER))

    assert told["why"].startswith("It was not fetched yet: it waits in the frontier")
    assert told["action"]["waiting"] > 0


@pytest.mark.parametrize("strategy", ["tallyho", "sb"])
def test_what_was_learned_is_told_of_files_and_pages(desk: Any, office: Any, strategy: str) -> None:
    desk.run("crawl", "demo", "--strategy", strategy, "--requests", "60")
    kept, page = (desk.link("status", status) for status in (LinkStatus.TARGET, LinkStatus.PAGE))

    told = desk.json("explain", "demo", kept)
    other = desk.json("explain", "demo", page)

    assert (told["predicted"], other["predicted"]) == ("target", "html")
    assert "it looks like a target" in desk.run("explain", "demo", kept).stdout
    scored = [answer["target_chance"] is not None for answer in (told, other)]
    assert scored == [strategy == "tallyho"] * 2


def test_a_waiting_link_of_tallyho_has_the_score_that_it_waits_with(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--strategy", "tallyho", "--requests", "60")
    url = desk.link("status", LinkStatus.FRONTIER)
    config = TallyhoConfig()
    with closing(CrawlState(desk.home / "state" / "demo.db")) as state:
        strategy = make_strategy(config, seed=0)
        strategy.load(state, json.loads(state.progress())["strategy"])
        waiting = next(link for link, _ in state.frontier() if state.link(link).url == url)
    scores = strategy._frontier  # type: ignore[attr-defined]
    score = float(scores._scores[list(scores._links[: len(scores)]).index(waiting)])

    told = desk.json("explain", "demo", url)

    assert told["score"] == pytest.approx(score)
    assert 0 < told["target_chance"] < 0.3
    assert " likely to be a target), score " in desk.run("explain", "demo", url).stdout


def test_a_crawl_of_another_version_is_still_explained(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--strategy", "tallyho", "--requests", "60")
    with closing(CrawlState(desk.home / "state" / "demo.db")) as state:
        identity = state.identity()
        assert identity is not None
        unknown = '{"name": "tallyho", "certainty": "high", "dropped": 1}'
        state.set_identity(replace(identity, strategy=unknown))

    told = desk.json("explain", "demo", desk.link("status", LinkStatus.TARGET))

    assert told["predicted"] == "target"


def test_a_site_that_was_never_crawled_says_so(desk: Any) -> None:
    desk.add_site("demo", "http://127.0.0.1:9")

    result = desk.run("explain", "demo", "http://127.0.0.1:9/a")

    assert result.exit_code == 0
    assert "The site was never crawled; found on a page, it would be followed" in result.stdout


@pytest.mark.parametrize("url", ["nonsense", "/en/", "ftp://a.org/x", "http://a@b/", "http://"])
def test_a_malformed_url_exits_2(finished: Any, url: str) -> None:
    assert finished.run("explain", "demo", url).exit_code == ExitCode.USAGE


def test_an_unknown_site_exits_3(finished: Any) -> None:
    assert finished.run("explain", "dmo", "http://a.org/").exit_code == ExitCode.CONFIG
