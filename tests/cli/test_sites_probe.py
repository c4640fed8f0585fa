"""`tallyho sites probe`: one polite look at a real local server."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from crawler.cli import app
from crawler.config.site import SiteConfig
from crawler.errors import ExitCode
from crawler.pipeline.report.probe import RobotsOutcome, probe_site
from crawler.web.pacer import Pacer

HOME = b"""<html><head><title>Statistics of Norvenia</title>
<link rel="alternate" type="application/rss+xml" href="/news.rss">
</head><body><p>Figures about Norvenia, its people and its economy, since 1990.</p>
<a href="/topics/">Topics</a> <a href="/internal/">Internal</a>
<a href="/data/births.csv">Births</a>
<a href="/data/prices.csv">Prices</a> <a href="/data/trade.xlsx">Trade</a>
<a href="https://files.example.org/a.csv">Elsewhere</a> <a href="/logo.png">Logo</a>
</body></html>"""

SHELL = b"<html><body><div id=app></div><script src=/app.js></script></body></html>"


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Server:
    url: str
    answers: dict[str, Answer]
    asked: list[str]

    def page(self, path: str, body: bytes) -> None:
        self.answers[path] = Answer(200, body, {"Content-Type": "text/html; charset=utf-8"})

    def robots(self, text: str) -> None:
        self.answers["/robots.txt"] = Answer(200, text.encode(), {"Content-Type": "text/plain"})

    def redirect(self, path: str, target: str) -> None:
        self.answers[path] = Answer(302, b"", {"Location": target})

    def site(self, **values: object) -> SiteConfig:
        return SiteConfig.model_validate(
            {
                "name": "norvenia",
                "start_url": f"{self.url}/",
                "allow_private_hosts": True,
                "politeness": {"delay": 0},
                **values,
            }
        )


@pytest.fixture
def server() -> Iterator[Server]:
    answers: dict[str, Answer] = {}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            answer = answers.get(self.path, Answer(404))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        yield Server(f"http://127.0.0.1:{http.server_address[1]}", answers, asked)
        http.shutdown()


def test_a_look_tells_what_the_site_shows_with_two_requests(server: Server) -> None:
    server.robots(
        "User-agent: *\nDisallow: /internal/\nCrawl-delay: 2\nSitemap: https://a.org/s.xml"
    )
    server.page("/", HOME)

    probe = probe_site(server.site(), Pacer(sleep=lambda _: None, clock=iter(range(999)).__next__))

    assert server.asked == ["/robots.txt", "/"]
    assert probe.refusal == ""
    assert (probe.robots, probe.start_allowed) == (RobotsOutcome.RULES, True)
    assert (probe.crawl_delay, probe.delay, probe.least_seconds) == (2.0, 2.0, 40_000)
    assert probe.sitemaps == ("https://a.org/s.xml",)
    assert (probe.status, probe.title, probe.requests) == (200, "Statistics of Norvenia", 2)
    assert probe.data_links == {"csv": 2, "excel": 1}
    assert probe.off_site_data == {"files.example.org": 1}
    assert probe.feeds == (f"{server.url}/news.rss",)
    assert probe.forbidden_links == 1
    assert not probe.empty_without_javascript


def test_a_look_waits_between_its_requests(server: Server) -> None:
    server.robots("User-agent: *\nCrawl-delay: 7")
    server.page("/", HOME)
    now = [0.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    probe_site(server.site(), Pacer(clock=lambda: now[0], sleep=sleep))

    assert sum(slept) == 7


def test_file_hosts_make_links_elsewhere_part_of_the_crawl(server: Server) -> None:
    server.page("/", HOME)

    probe = probe_site(server.site(scope={"file_hosts": ["example.org"]}))

    assert probe.robots is RobotsOutcome.NO_RULES
    assert probe.data_links == {"csv": 3, "excel": 1}
    assert probe.off_site_data == {}


def test_redirects_on_the_site_are_followed(server: Server) -> None:
    server.redirect("/", "/en/")
    server.redirect("/en/", "/en/home")
    server.page("/en/home", HOME)

    probe = probe_site(server.site())

    assert probe.redirects == (f"{server.url}/en/", f"{server.url}/en/home")
    assert (probe.status, probe.requests) == (200, 4)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("https://elsewhere.example.org/", "scope.hosts"),
        ("/", "in a circle"),
        ("mailto:me@example.org", "to nowhere"),
    ],
)
def test_redirects_that_lead_nowhere_are_told(server: Server, target: str, reason: str) -> None:
    server.redirect("/", target)

    probe = probe_site(server.site())

    assert reason in probe.refusal
    assert server.asked == ["/robots.txt", "/"]


def test_a_long_chain_of_redirects_is_given_up(server: Server) -> None:
    server.redirect("/", "/0")
    for number in range(20):
        server.redirect(f"/{number}", f"/{number + 1}")

    probe = probe_site(server.site())

    assert "more than 5 times" in probe.refusal
    assert len(server.asked) == 1 + 1 + 5


def test_a_start_page_that_robots_forbid_is_not_fetched(server: Server) -> None:
    server.robots("User-agent: tallyho\nDisallow: /")
    server.page("/", HOME)

    probe = probe_site(server.site())

    assert server.asked == ["/robots.txt"]
    assert (probe.refusal, probe.start_allowed) == (f"robots.txt forbids {server.url}/", False)


def test_robots_can_be_ignored_on_a_site_of_ones_own(server: Server) -> None:
    server.robots("User-agent: *\nDisallow: /\nCrawl-delay: 3")
    server.page("/", HOME)

    probe = probe_site(server.site(politeness={"delay": 0, "robots": False}))

    assert (probe.refusal, probe.start_allowed, probe.delay) == ("", False, 0)
    assert probe.links > 0


@pytest.mark.parametrize("status", [429, 500, 503])
def test_without_an_answer_about_robots_nothing_is_fetched(server: Server, status: int) -> None:
    server.answers["/robots.txt"] = Answer(status)
    server.page("/", HOME)

    probe = probe_site(server.site())

    assert server.asked == ["/robots.txt"]
    assert probe.robots is RobotsOutcome.UNAVAILABLE
    assert "nothing may be fetched" in probe.refusal


def test_robots_may_be_behind_a_redirect(server: Server) -> None:
    server.redirect("/robots.txt", "/real-robots.txt")
    server.answers["/real-robots.txt"] = Answer(200, b"User-agent: *\nDisallow: /")

    assert probe_site(server.site()).refusal == f"robots.txt forbids {server.url}/"


def test_a_server_error_is_told(server: Server) -> None:
    server.answers["/"] = Answer(503)

    assert probe_site(server.site()).refusal == f"{server.url}/ answers with status 503"


def test_a_page_that_needs_javascript_is_recognised(server: Server) -> None:
    server.page("/", SHELL)

    assert probe_site(server.site()).empty_without_javascript


def test_a_start_url_that_is_a_file_gives_no_links(server: Server) -> None:
    server.answers["/"] = Answer(200, b"a,b\n1,2\n", {"Content-Type": "text/csv"})

    probe = probe_site(server.site())

    assert (probe.is_page, probe.content_type, probe.refusal) == (False, "text/csv", "")


@pytest.fixture
def sites(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TALLYHO_SITES_DIR", str(tmp_path))
    text = "allow_private_hosts: true\npoliteness: {delay: 0}\n"
    (tmp_path / "norvenia.yaml").write_text(f"start_url: {server.url}/\n{text}")
    (tmp_path / "nobody.yaml").write_text(f"start_url: http://127.0.0.1:1/\n{text}")
    return tmp_path


def test_the_command_tells_it_in_words(sites: Path, server: Server) -> None:
    server.page("/", HOME.replace(b"Statistics of", b"Statistics\x1b[31m of"))

    result = CliRunner().invoke(app, ["sites", "probe", "norvenia"])

    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "2 csv, 1 excel" in result.stdout
    assert "1 data file on files.example.org (hint: scope.file_hosts)" in result.stdout
    assert "with a delay of 0 s, 20,000 requests take at least 0 s" in result.stdout


def test_the_command_as_json(sites: Path, server: Server) -> None:
    server.page("/", HOME)

    answer = json.loads(CliRunner().invoke(app, ["sites", "probe", "norvenia", "--json"]).stdout)

    assert (answer["site"], answer["robots"], answer["links"]) == ("norvenia", "no_rules", 8)
    assert answer["least_seconds"] == 0


def test_a_site_that_cannot_be_reached_exits_4_with_the_reason(sites: Path) -> None:
    result = CliRunner().invoke(app, ["sites", "probe", "nobody", "--json"])

    assert result.exit_code == ExitCode.SITE
    assert result.stderr.startswith("error: nobody: robots.txt of http://127.0.0.1:1 gives no")
    assert json.loads(result.stdout)["failure"] == "connect"
