"""`tallyho sites new`: a site file from one look at the site, which can be crawled as it is."""

from typing import Any

import pytest

from crawler.config.load import load_site
from crawler.errors import ExitCode
from crawler.lab.server import running_site
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.pipeline.report.new_site import name_for

pytestmark = pytest.mark.slow


class Office:
    """A page with two files, one of them elsewhere, and a title that tries to write YAML."""

    def at(self, base: str) -> "Office":
        return self

    def respond(self, path_and_query: str) -> Answer:
        if path_and_query == "/robots.txt":
            return answer(b"User-agent: *\nCrawl-delay: 12\nDisallow: /no/\n", "text/plain")
        page = (
            b"<html><head><title>Office\nenabled: true</title></head><body>"
            b"<a href='/births.csv'>Births</a><a href='https://files.example/x.xlsx'>X</a>"
            b"</body></html>"
        )
        return answer(page, HTML)


def test_file_says_what_the_look_has_shown_and_is_valid(desk: Any) -> None:
    (desk.folder / "sites").mkdir()
    with running_site(Office()) as base:
        result = desk.run("sites", "new", f"{base}/", "--name", "office")
    assert result.exit_code == 0, result.stderr
    path = desk.folder / "sites" / "office.yaml"
    assert result.stdout == f"{path} is written; look at it, then: tallyho crawl office\n"
    site = load_site(path)
    assert (site.start_url, site.enabled, site.allow_private_hosts) == (f"{base}/", False, True)
    assert (site.politeness.delay, site.scope.file_hosts) == (12, ("files.example",))
    text = path.read_text()
    assert text.startswith("# Office enabled: true\n")
    assert "# robots.txt asks for 12 s" in text
    assert "# Data files that the start page links to: 1 csv." in text

    again = desk.run("sites", "new", f"{base}/", "--name", "office")
    assert again.exit_code == ExitCode.CONFIG
    assert path.read_text() == text


def test_file_of_a_site_that_forbids_says_so(desk: Any) -> None:
    class Forbids(Office):
        def respond(self, path_and_query: str) -> Answer:
            return answer(b"User-agent: *\nDisallow: /\n", "text/plain")

    with running_site(Forbids()) as base:
        result = desk.run("sites", "new", f"{base}/", "--name", "closed", "--print")
    assert result.exit_code == ExitCode.SITE
    assert "# It could not be looked at: robots.txt forbids" in result.stdout


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.insee.fr/en/", "insee-fr"),
        ("https://data.stats.example.org:8443/x", "data-stats-example-org"),
        ("https://\u4e2d.example/", "example"),
    ],
)
def test_name_is_made_of_the_host(url: str, name: str) -> None:
    assert name_for(url) == name


@pytest.mark.parametrize("wrong", [["ftp://x.example/"], ["https://x.example/", "--name", "No!"]])
def test_wrong_address_or_name_exits_3(desk: Any, wrong: list[str]) -> None:
    (desk.folder / "sites").mkdir()
    assert desk.run("sites", "new", *wrong).exit_code == ExitCode.CONFIG
