"""`tallyho crawl` against the demo site on loopback."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from crawler.cli import app
from crawler.cli.output import shortened, size_text
from crawler.cli.progress import LiveDisplay, PlainLines, figures
from crawler.config.load import find_site
from crawler.config.settings import Settings
from crawler.errors import ExitCode
from crawler.lab.server import running_site
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.watch import View, Watch
from crawler.state.lock import site_lock


def test_every_line_beside_the_result_is_json_where_that_is_set(desk: Any, office: Any) -> None:
    told = desk.environment | {"TALLYHO_LOG_FORMAT": "json", "TALLYHO_LOG_LEVEL": "info"}
    crawled = CliRunner().invoke(app, ["crawl", "demo", "--requests", "15"], env=told)
    lines = [json.loads(line) for line in crawled.stderr.splitlines()]
    assert lines[0]["message"].startswith(f"demo: crawling: {office.base}/")
    (end,) = [line for line in lines if line["message"] == "the crawl of demo is over"]
    assert (end["site"], end["requests"], end["level"]) == ("demo", 15, "INFO")
    revisited = CliRunner().invoke(app, ["revisit", "demo"], env=told)
    end = json.loads(revisited.stderr.splitlines()[-1])
    assert (end["message"], end["new"] != []) == ("the revisit of demo is over", True)
    wrong = CliRunner().invoke(app, ["crawl", "nobody"], env=told)
    (line,) = [json.loads(line) for line in wrong.stderr.splitlines()]
    assert (line["level"], line["message"][:7]) == ("ERROR", "error: ")


def test_a_crawl_ends_with_every_file_and_a_summary(desk: Any, office: Any) -> None:
    result = desk.run("crawl", "demo")

    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("demo: every link was followed\n")
    assert f"targets       {office.targets}: " in result.stdout
    assert "robots: robots.txt forbids it" in result.stdout
    assert re.search(r"best actions  \d+\.\d\d targets a link \(\d+ links?\)", result.stdout)
    manifest = desk.home / "manifests" / "demo.jsonl"
    assert f"manifest      {manifest}" in result.stdout
    entries = [json.loads(line) for line in manifest.read_text().splitlines()]
    assert len(entries) == office.targets
    assert all((desk.home / "store" / entry["file"]).is_file() for entry in entries)
    assert "tallyho explain demo URL" in result.stdout
    start, stop = result.stderr.splitlines()
    assert start.startswith(f"demo: crawling: {office.base}/ with strategy tallyho, up to 20,")
    assert stop == "demo: stopped: every link was followed"


def test_json_is_alone_on_standard_output(desk: Any, office: Any) -> None:
    summary = desk.json("crawl", "demo", "--strategy", "bfs")

    assert summary["site"] == "demo"
    assert summary["strategy"] == "bfs"
    assert (summary["stop_reason"], summary["complete"]) == ("frontier_empty", True)
    assert summary["requests"] == len(office.asked()) + len(office.asked("HEAD"))
    assert summary["targets"] == sum(summary["formats"].values()) == office.targets
    assert summary["skipped"]["robots"] > 0
    assert summary["in_all"]["groups"] == summary["formats"]
    assert {"run_id", "heads", "pages", "bytes"} < summary.keys()


def test_a_budget_ends_a_run_and_the_next_one_goes_on(desk: Any, office: Any) -> None:
    first = desk.run("crawl", "demo", "--requests", "20", "--strategy", "dfs")
    second = desk.run("crawl", "demo", "--strategy", "dfs")

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "demo: the budget of 20 requests is spent; run it again to continue\n" in first.stdout
    assert "tallyho crawl demo    resumes where this run stopped" in first.stdout
    assert "demo: resuming after 20 requests" in second.stderr
    assert f"in all runs  {office.targets} targets from" in second.stdout
    assert Counter(office.asked()).most_common(1)[0][1] == 1


def test_a_budget_of_minutes_is_named(desk: Any, office: Any) -> None:
    result = desk.run("crawl", "demo", "--minutes", "0.000001", "--strategy", "bfs")

    assert result.exit_code == 0
    assert result.stdout.startswith("demo: the budget of 1e-06 minutes is spent")


def test_a_complete_site_says_so_and_is_left_alone(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--strategy", "bfs")
    before = office.log.read_text()

    again = desk.run("crawl", "demo")
    summary = desk.json("crawl", "demo")

    assert again.exit_code == 0
    assert again.stdout.startswith("demo is complete: every link was followed.\n")
    assert "tallyho crawl demo --fresh" in again.stdout
    assert "tallyho revisit demo" in again.stdout
    assert (summary["complete"], summary["requests"]) == (True, 0)
    assert summary["stop_reason"] == "frontier_empty"
    assert summary["in_all"]["targets"] == office.targets
    assert office.log.read_text() == before


def test_fresh_begins_again(desk: Any, office: Any) -> None:
    options = ("--strategy", "bfs", "--requests", "20")
    desk.run("crawl", "demo", *options)

    summary = desk.json("crawl", "demo", *options, "--fresh")

    assert (summary["in_all"]["requests"], summary["resumed"]) == (20, False)
    assert office.asked().count("/") == 2


@pytest.mark.parametrize(
    "options",
    [
        ["--requests", "0"],
        ["--minutes", "0"],
        ["--minutes", "nan"],
        ["--minutes", "inf"],
        ["--strategy", "best"],
        ["--seed", "-1"],
        [],
    ],
)
def test_wrong_options_exit_2(desk: Any, options: list[str]) -> None:
    desk.add_site("demo", "http://127.0.0.1:9")
    site = ["demo"] if options else []

    assert desk.run("crawl", *site, *options).exit_code == ExitCode.USAGE


def test_another_strategy_drops_the_parameters_of_sb(desk: Any, office: Any) -> None:
    strategy = {"name": "sb", "theta": 0.5}
    desk.add_site("demo", office.base, strategy=strategy, enabled=False)

    assert desk.json("crawl", "demo", "--strategy", "random")["strategy"] == "random"


def test_an_unknown_site_exits_3(desk: Any) -> None:
    desk.add_site("demo", "http://127.0.0.1:9")

    assert desk.run("crawl", "dmo").exit_code == ExitCode.CONFIG


def test_a_site_that_another_run_holds_exits_5(desk: Any, office: Any) -> None:
    with site_lock(desk.home / "state" / "demo.lock", "demo"):
        result = desk.run("crawl", "demo")

    assert result.exit_code == ExitCode.BUSY
    assert "another run holds this site" in result.stderr


def test_a_site_that_is_not_there_exits_4(desk: Any) -> None:
    desk.add_site("demo", "http://127.0.0.1:9")

    result = desk.run("crawl", "demo", "--strategy", "bfs")

    assert result.exit_code == ExitCode.SITE
    assert result.stderr.splitlines()[-1].startswith("error: demo: robots.txt gives no answer")


def test_a_full_disk_exits_6(desk: Any, office: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.storage.local_folder.LocalFolder.free_bytes", lambda _: 0)

    result = desk.run("crawl", "demo", "--strategy", "bfs")

    assert result.exit_code == ExitCode.STORAGE
    assert "the disk is nearly full" in result.stderr


class MadeSite:
    """A few pages, the same under every address."""

    def __init__(self, respond: Callable[[str], Answer]) -> None:
        self.respond = respond

    def at(self, base: str) -> "MadeSite":
        return self


def test_a_site_that_forbids_crawling_exits_4(desk: Any) -> None:
    site = MadeSite(lambda _: answer(b"User-agent: *\nDisallow: /\n", "text/plain"))
    with running_site(site) as base:
        desk.add_site("demo", base)
        result = desk.run("crawl", "demo", "--strategy", "bfs")

    assert result.exit_code == ExitCode.SITE
    assert result.stderr.splitlines()[-1] == "error: demo: robots.txt forbids the start page"
    assert "tallyho sites probe demo" in result.stdout


def test_what_a_page_says_cannot_write_on_the_terminal(desk: Any) -> None:
    page = b"<title>\x1b]0;owned\x07</title><p class='\x1b[2J'><a href='/a.csv'>\x1b[31m</a></p>"
    files = {"/": answer(page, HTML), "/a.csv": answer(b"a,b\n1,2\n", "text/csv")}
    site = MadeSite(lambda path: files.get(path, answer(b"", "text/plain", status=404)))
    with running_site(site) as base:
        desk.add_site("demo", base)
        crawled = desk.run("crawl", "demo")
    told = desk.run("explain", "demo", f"{base}/a.csv")

    assert "targets   1: 1 csv" in crawled.stdout
    assert "owned" in told.stdout
    assert "\x1b" not in crawled.stdout + told.stdout


def start_crawl(desk: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "crawler", "crawl", "demo", "--strategy", "bfs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **desk.environment},
    )


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_stops_after_the_request_and_the_next_run_goes_on(
    desk: Any, office: Any, number: int
) -> None:
    desk.add_site("demo", office.base, politeness={"delay": 0.05})
    process = start_crawl(desk)
    wait_for(lambda: office.log.exists() and len(office.asked()) >= 5)

    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=30)

    assert process.returncode == ExitCode.INTERRUPTED
    assert "stopping after this request; press Ctrl-C again to stop at once" in stderr
    assert stdout.startswith("demo: it was interrupted; its state is saved")
    desk.add_site("demo", office.base)
    assert desk.json("crawl", "demo", "--strategy", "bfs")["in_all"]["targets"] == office.targets
    assert Counter(office.asked()).most_common(1)[0][1] == 1


@pytest.mark.slow
def test_a_second_ctrl_c_stops_at_once(desk: Any) -> None:
    reached, released = threading.Event(), threading.Event()

    def respond(path: str) -> Answer:
        if path == "/robots.txt":
            return answer(b"", "text/plain", status=404)
        reached.set()
        released.wait(60)
        return answer(b"", HTML)

    with running_site(MadeSite(respond)) as base:
        desk.add_site("demo", base)
        process = start_crawl(desk)
        try:
            assert reached.wait(30)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            lines = iter(process.stderr.readline, "")
            assert any("stopping after this request" in line for line in lines)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        finally:
            released.set()

    assert process.returncode == ExitCode.INTERRUPTED
    assert desk.json("status", "demo")["state"] == "interrupted"


def crawl_with(display: Any, desk: Any) -> None:
    settings = Settings(home=desk.home)
    site = find_site("demo", desk.folder / "sites")
    with display(site) as progress:
        acquire(site, settings, watch=progress.watch(lambda: False))


def test_the_live_display_shows_the_figures_and_the_best_actions(desk: Any, office: Any) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    clock = iter(range(10**9)).__next__

    crawl_with(lambda site: LiveDisplay(site, console, clock), desk)

    shown = screen.getvalue()
    for label in ("requests", "targets", "yield", "pages", "bytes", "time", "wait", "last"):
        assert label in shown
    assert "1.00 targets a link  html body" in shown
    assert "0 s between two requests to a host" in shown


def test_the_yield_shown_is_that_of_the_run(desk: Any, office: Any) -> None:
    """The average of early stopping starts at one, when nothing was found yet."""
    told: dict[str, str] = {}

    def look(view: View) -> None:
        told.update(figures(view))

    site = find_site("demo", desk.folder / "sites")
    acquire(site, Settings(home=desk.home), watch=Watch(on_start=look))

    assert told["targets"].startswith("0")
    assert told["yield"] == "0.000 new targets a request"


def test_the_live_display_is_not_drawn_at_every_step(desk: Any, office: Any) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)

    crawl_with(lambda site: LiveDisplay(site, console, lambda: 1.0), desk)

    # Once at the start of the crawl, and once more when the display ends.
    assert screen.getvalue().count("new targets a request") == 2


def test_plain_lines_come_every_ten_seconds(
    desk: Any, office: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter(range(10**9)).__next__

    crawl_with(lambda site: PlainLines(site, seconds), desk)

    start, *lines = capsys.readouterr().err.splitlines()
    assert start.startswith("demo: crawling")
    assert 5 < len(lines) < office.log.read_text().count("\n") / 5
    assert lines[0].startswith("demo: requests ")


def test_long_tag_paths_are_cut_in_the_middle() -> None:
    assert shortened("html body a", 20) == "html body a"
    cut = shortened("html body div#main section.x ul.downloads li a.file", 30)
    assert (cut.startswith("html body"), cut.endswith("li a.file"), len(cut) <= 30) == (True,) * 3


def test_sizes_are_written_for_people() -> None:
    written = [size_text(size) for size in (0, 999, 1000, 12_345, 999_999, 2_500_000_000)]
    assert written == ["0 bytes", "999 bytes", "1.0 kB", "12 kB", "1.0 MB", "2.5 GB"]


def test_help_has_examples(desk: Any) -> None:
    for command in ("crawl", "status", "explain"):
        result = desk.run(command, "--help")
        assert result.exit_code == 0
        assert f"Examples:\n    tallyho {command}" in result.stdout
