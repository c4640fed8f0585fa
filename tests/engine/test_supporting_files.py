"""Files that a strategy needs beside pages: asked for politely, once, and never kept."""

from crawler.engine.supporting import MAX_HOPS
from crawler.state.stop import StopReason
from crawler.strategies.interface import SupportingFile
from crawler.web.messages import Failure
from tests.engine.crawl_run import CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import HOME, ScriptedSite, file, page, redirect, robots, status
from tests.engine.scripted_strategy import ScriptedStrategy
from tests.strategies.styled_site import sheet


class Wanting(ScriptedStrategy):
    """Wants these files before the links of the first page are placed."""

    def __init__(self, *urls: str) -> None:
        super().__init__()
        self.ahead = list(urls)
        self.got: list[SupportingFile] = []

    def wanted(self) -> str | None:
        return self.ahead[0] if self.ahead and self.pages else None

    def take_file(self, file: SupportingFile) -> None:
        self.ahead.pop(0)
        self.got.append(file)


def crawled(wanted: list[str], answers: dict, **fields: object) -> tuple[CrawlRun, Wanting]:
    site = ScriptedSite({"/": page("/a"), "/a": page("/b.csv"), "/b.csv": file(), **answers})
    strategy = Wanting(*wanted)
    return crawl_all(site, strategy, **fields), strategy


def test_file_is_fetched_before_the_links_of_the_page_are_placed() -> None:
    css = sheet("a { color: red }")
    run, strategy = crawled([f"{HOME}/s.css"], {"/s.css": css})
    assert run.site.asked == ["GET /", "GET /s.css", "GET /a", "GET /b.csv"]
    assert strategy.got == [SupportingFile(f"{HOME}/s.css", css.body, "text/css")]
    # It counts as a request, and is no page, no target and no known URL.
    assert (run.totals.requests, run.totals.pages, run.totals.targets) == (5, 2, 1)
    assert "/s.css" not in run.links
    assert [row[0] for row in run.state.rows("SELECT outcome FROM step")].count("supporting") == 1


def test_file_that_cannot_be_had_is_handed_over_empty() -> None:
    wanted = [f"{HOME}/404.css", f"{HOME}/data.css", "https://cdn.example/x.css"]
    run, strategy = crawled(wanted, {"/data.css": file()})
    assert [got.body for got in strategy.got] == [b"", b"", b""]
    assert "GET https://cdn.example/x.css" not in run.site.asked
    assert run.targets == ["/b.csv"]
    assert run.skipped == {}
    assert run.stop_reason is StopReason.FRONTIER_EMPTY


def test_host_for_files_may_have_it() -> None:
    url = "https://cdn.example/x.css"
    css = sheet("a { left: 0 }")
    run, strategy = crawled([url], {url: css}, scope={"file_hosts": ["cdn.example"]})
    assert strategy.got[0].body == css.body
    assert "GET https://cdn.example/robots.txt" in run.site.log


def test_robots_txt_is_obeyed() -> None:
    answers = {"/robots.txt": robots("Disallow: /css/"), "/css/s.css": sheet("a { left: 0 }")}
    run, strategy = crawled([f"{HOME}/css/s.css"], answers)
    assert "GET /css/s.css" not in run.site.asked
    assert strategy.got == [SupportingFile(f"{HOME}/css/s.css")]


def test_redirections_are_followed_within_the_site() -> None:
    answers = {
        "/s.css": redirect("/t.css"),
        "/t.css": sheet("a { left: 0 }"),
        "/away.css": redirect("https://elsewhere.example/s.css"),
        "/loop.css": redirect("/loop.css"),
    }
    names = ("s", "away", "loop")
    run, strategy = crawled([f"{HOME}/{name}.css" for name in names], answers)
    assert [got.url for got in strategy.got] == [f"{HOME}/{n}.css" for n in ("t", "away", "loop")]
    assert [bool(got.body) for got in strategy.got] == [True, False, False]
    assert run.site.asked.count("GET /loop.css") == MAX_HOPS + 1


def test_temporary_failures_are_tried_again() -> None:
    answers = {"/s.css": [status(503), sheet("a { left: 0 }")], "/t.css": Failure.TIMEOUT}
    run, strategy = crawled([f"{HOME}/s.css", f"{HOME}/t.css"], answers)
    assert [bool(got.body) for got in strategy.got] == [True, False]
    assert run.totals.retries >= 2
    assert run.targets == ["/b.csv"]


def test_budget_ends_the_run_before_a_file() -> None:
    run, strategy = crawled([f"{HOME}/s.css"], {}, budget={"requests": 2})
    assert run.stop_reason is StopReason.BUDGET_REQUESTS
    assert strategy.got == []


def test_file_in_work_is_asked_for_again_after_a_restart() -> None:
    answers = {"/": page("/a"), "/s.css": [status(503), sheet("a { left: 0 }")]}
    first = CrawlRun(ScriptedSite(answers), Wanting(f"{HOME}/s.css"), config=site_config())
    first.steps(3)
    assert first.progress["task"]["purpose"] == "supporting"
    resumed = Wanting(f"{HOME}/s.css")
    second = CrawlRun(first.site, resumed, state=first.state)
    request = second.step()
    assert request is not None
    assert (request.url, request.wait > 0) == (f"{HOME}/s.css", True)
    assert resumed.got == [] or resumed.got[0].body
