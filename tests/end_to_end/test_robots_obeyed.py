"""robots.txt by RFC 9309, over real HTTP: what a crawl asks for, and how it ends."""

import itertools
import socket
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from crawler.errors import ExitCode
from crawler.lab.server import running_site
from tests.end_to_end.desk import Desk
from tests.end_to_end.made_site import (
    Answering,
    MadeSite,
    arrivals,
    busy,
    file,
    page,
    redirect,
    robots,
)

pytestmark = pytest.mark.slow

QUICK = {"delay": 0, "backoff": 0, "retries": 2}
DAY = 24 * 3600
PAGES = {
    "/": page("/open/a.csv", "/closed/b.csv"),
    "/open/a.csv": file("a"),
    "/closed/b.csv": file("b"),
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@contextmanager
def served(desk: Desk, answers: Mapping[str, Answering], **values: object) -> Iterator[Path]:
    """Serve some answers; gives the access log."""
    log = desk.folder / "access.jsonl"
    with running_site(MadeSite(answers), log) as base:
        desk.describe(base, **{"politeness": QUICK, "strategy": "bfs", **values})
        yield log


def paths(log: Path) -> list[str]:
    return [seen.path for seen in arrivals(log)]


def test_rules_are_obeyed_and_asked_for_first(desk: Desk) -> None:
    with served(desk, {**PAGES, "/robots.txt": robots("Disallow: /closed/")}) as log:
        summary = desk.acquire()

    assert paths(log) == ["/robots.txt", "/", "/open/a.csv"]
    assert summary.skipped == {"robots": 1}


def test_redirect_into_a_forbidden_area_is_not_followed(desk: Desk) -> None:
    answers = {
        "/robots.txt": robots("Disallow: /closed/"),
        "/": page("/moved"),
        "/moved": redirect("/closed/b.csv"),
        "/closed/b.csv": file("b"),
    }
    with served(desk, answers) as log:
        summary = desk.acquire()

    assert paths(log) == ["/robots.txt", "/", "/moved"]
    assert summary.skipped == {"robots": 1}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_missing_robots_txt_means_no_rules(desk: Desk, status: int) -> None:
    refusal = robots("Disallow: /", status=status)
    with served(desk, {**PAGES, "/robots.txt": refusal}) as log:
        summary = desk.acquire()

    assert summary.targets == 2
    assert Counter(paths(log))["/robots.txt"] == 1


def hops(count: int) -> dict[str, Answering]:
    """A robots.txt that forbids /closed/, after so many redirections."""
    names = ["/robots.txt", *(f"/hop/{number}" for number in range(1, count + 1))]
    moves: dict[str, Answering] = {
        name: redirect(after) for name, after in itertools.pairwise(names)
    }
    return {**moves, names[-1]: robots("Disallow: /closed/")}


def test_five_redirections_of_robots_txt_are_followed(desk: Desk) -> None:
    with served(desk, {**PAGES, **hops(5)}) as log:
        summary = desk.acquire()

    assert paths(log)[:6] == ["/robots.txt", *(f"/hop/{number}" for number in range(1, 6))]
    assert paths(log)[6:] == ["/", "/open/a.csv"]
    assert summary.skipped == {"robots": 1}


def test_sixth_redirection_of_robots_txt_means_no_rules(desk: Desk) -> None:
    with served(desk, {**PAGES, **hops(6)}) as log:
        summary = desk.acquire()

    assert "/hop/6" not in paths(log)
    assert summary.targets == 2


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        (robots(status=500), "HTTP 500"),
        (robots(status=503), "HTTP 503"),
        (busy(429, "0"), "HTTP 429"),
    ],
    ids=["500", "503", "429"],
)
def test_server_that_fails_on_robots_txt_is_left_alone(
    desk: Desk, refusal: Answering, told: str
) -> None:
    with served(desk, {**PAGES, "/robots.txt": refusal}) as log:
        result = desk.command()

    assert result.exit_code == ExitCode.SITE
    sentence = f"robots.txt gives no answer ({told}), so nothing may be fetched"
    assert result.stderr.splitlines()[-1] == f"error: office: {sentence}"
    assert paths(log) == ["/robots.txt"] * (1 + QUICK["retries"])


def test_failure_behind_a_redirection_of_robots_txt_counts_the_same(desk: Desk) -> None:
    moved = {"/robots.txt": redirect("/rules"), "/rules": robots(status=500)}
    with served(desk, {**PAGES, **moved}) as log:
        result = desk.command()

    assert result.exit_code == ExitCode.SITE
    assert set(paths(log)) == {"/robots.txt", "/rules"}


def test_server_that_refuses_connections_ends_with_a_sentence(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    desk.describe(f"http://127.0.0.1:{port}", politeness=QUICK)

    result = desk.command()

    assert result.exit_code == ExitCode.SITE
    last = result.stderr.splitlines()[-1]
    assert last.startswith("error: office: robots.txt gives no answer (no connection to 127.0.0.1:")
    assert last.endswith("so nothing may be fetched")


def test_site_that_forbids_everything_ends_with_a_sentence(desk: Desk) -> None:
    with served(desk, {**PAGES, "/robots.txt": robots("Disallow: /")}) as log:
        result = desk.command()

    assert result.exit_code == ExitCode.SITE
    last = result.stderr.splitlines()[-1]
    assert last == "error: office: robots.txt forbids the start page"
    assert paths(log) == ["/robots.txt"]


def test_rules_hold_for_one_port_and_one_name_each(desk: Desk) -> None:
    """Two servers of one machine, and one of them by two names: three origins."""
    second_log = desk.folder / "second.jsonl"
    second = {
        "/robots.txt": robots("Disallow: /open/"),
        "/open/a.csv": file("second a"),
        "/closed/b.csv": file("second b"),
    }
    linked = ("/open/a.csv", "/closed/b.csv")
    first: dict[str, Answering] = {**PAGES, "/robots.txt": robots("Disallow: /closed/")}
    with running_site(MadeSite(second), second_log) as base:
        hosts = [f"{name}:{base.rpartition(':')[2]}" for name in ("127.0.0.1", "localhost")]
        there = (f"http://{host}{path}" for host in hosts for path in linked)
        first["/"] = page(*linked, *there)
        with served(desk, first, scope={"hosts": hosts}) as log:
            summary = desk.acquire()

    assert paths(log) == ["/robots.txt", "/", "/open/a.csv"]
    assert Counter(paths(second_log)) == {"/robots.txt": 2, "/closed/b.csv": 2}
    assert summary.skipped == {"robots": 3}


def test_silent_second_server_costs_only_its_own_links(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    there = f"http://127.0.0.1:{port}"
    answers = {**PAGES, "/": page("/open/a.csv", f"{there}/x.csv", f"{there}/y.csv")}
    with served(desk, answers, scope={"hosts": [f"127.0.0.1:{port}"]}):
        summary = desk.acquire()

    assert summary.complete
    assert summary.targets == 1
    assert summary.skipped == {"robots_unavailable": 2}


def test_robots_txt_is_kept_for_a_day_over_all_runs(desk: Desk) -> None:
    budget = {"requests": 2}
    with served(desk, {**PAGES, "/robots.txt": robots("Disallow: /closed/")}, budget=budget) as log:
        assert not desk.acquire().complete
        assert desk.acquire().complete
        assert Counter(paths(log))["/robots.txt"] == 1


def test_robots_txt_is_asked_for_again_after_a_day(desk: Desk) -> None:
    answers: dict[str, Answering] = {**PAGES, "/robots.txt": robots("Disallow: /closed/")}
    with served(desk, answers, budget={"requests": 2}) as log:
        assert not desk.acquire().complete
        desk.query("UPDATE robots SET fetched_at = fetched_at - ?", DAY)
        answers["/robots.txt"] = robots("Disallow: /open/")
        summary = desk.acquire()

    assert paths(log) == ["/robots.txt", "/", "/robots.txt"]
    assert summary.skipped["robots"] == 1


def test_robots_txt_that_gave_no_answer_is_asked_for_in_the_next_run(desk: Desk) -> None:
    answers: dict[str, Answering] = {**PAGES, "/robots.txt": robots(status=500)}
    with served(desk, answers):
        assert desk.command().exit_code == ExitCode.SITE
        answers["/robots.txt"] = robots("Disallow: /closed/")
        result = desk.command("--json")

    assert result.exit_code == ExitCode.DONE
    assert len(desk.manifest()) == 1
