"""A site whose nights pass while it is served, by a file or by the clock."""

import http.client
from datetime import date, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from crawler.cli.lab import app
from crawler.lab.moving_site import MovingSite, night_by_clock, night_in_file
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.graph import SiteGraph
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from tests.lab.sites.night_truth import truth_of


def ask(base, path, **headers):
    connection = http.client.HTTPConnection(urlsplit(base).netloc, timeout=10)
    try:
        connection.request(
            "GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


def test_one_running_server_serves_five_nights_by_a_file(tmp_path):
    site, file = demo_site(150), tmp_path / "night"
    graph = SiteGraph(site)
    with running_site(MovingSite(site, night_in_file(file))) as base:
        served = {path: ask(base, path)[1] for path in site.target_paths()}
        for night in range(1, 6):
            file.write_text(f"{night}\n")
            truth = truth_of(graph, night)
            tonight = site.on(night)
            assert {url.removeprefix(site.base) for url in truth.new}.isdisjoint(served)
            for url in (*truth.new, *truth.changed):
                path = url.removeprefix(site.base)
                status, body, _ = ask(base, path)
                assert (status, body) == (200, tonight.respond(path).body)
                assert served.get(path) != body
                served[path] = body
            for url in truth.gone:
                assert ask(base, url.removeprefix(site.base))[0] in (404, 410)


@pytest.mark.parametrize(("text", "night"), [("7", 7), ("", 0), ("-3", 0), ("seven", 0), ("²", 0)])
def test_a_file_without_a_number_is_night_0(tmp_path, text, night):
    file = tmp_path / "night"
    assert night_in_file(file)() == 0
    file.write_text(text)
    assert night_in_file(file)() == night


def test_the_clock_says_which_night_it_is():
    for day, night in ((1, 0), (2, 1), (30, 29)):
        assert night_by_clock(date(2026, 6, 1), lambda day=day: date(2026, 6, day))() == night
    assert night_by_clock(date(2026, 6, 1), lambda: date(2026, 5, 1))() == 0


def test_conditions_by_date_and_by_weak_tag_are_answered():
    site = demo_site(60)
    path = next(site.target_paths())
    with running_site(site) as base:
        _, _, headers = ask(base, path)
        changed = parsedate_to_datetime(headers["Last-Modified"])
        earlier = format_datetime(changed - timedelta(days=1), usegmt=True)
        assert ask(base, path, If_Modified_Since=headers["Last-Modified"])[0] == 304
        assert ask(base, path, If_Modified_Since=earlier)[0] == 200
        assert ask(base, path, If_Modified_Since="nonsense")[0] == 200
        assert ask(base, path, If_None_Match=f'"x", W/{headers["ETag"]}')[0] == 304
        # A tag counts more than a date.
        stale = {"If_None_Match": '"x"', "If_Modified_Since": headers["Last-Modified"]}
        assert ask(base, path, **stale)[0] == 200


def test_large_files_of_kinds_are_served_as_their_beginning():
    site = SyntheticSite(KINDS["be"], 200, 1)
    with running_site(site) as base:
        path = next(site.target_paths())
        status, body, headers = ask(base, path)
    assert status == 200
    assert headers["Content-Length"] == str(len(body)) == "2048"


@pytest.mark.parametrize(
    "wrong",
    [
        ["--night", "1", "--epoch", "2026-01-01"],
        ["--night", "-1"],
        ["--habits", "x"],
        ["--epoch", "x"],
    ],
)
def test_options_that_make_no_sense_are_usage_errors(wrong):
    assert CliRunner().invoke(app, ["serve", "demo", *wrong]).exit_code == 2
