"""Data Docs are plain pages of our own making that nothing from a file can get into as markup."""

import posixpath
import re
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
from lxml import html

from crawler.readers.content import Content
from crawler.readers.kinds import Kind
from crawler.validation.data_docs import (
    MAX_SHOWN,
    JudgedFile,
    build_data_docs,
    results_page,
)
from crawler.validation.data_docs_page import safe_text
from crawler.validation.expectations import Judge
from crawler.validation.inspection import inspect_content
from crawler.validation.suites import Suites, load_suites
from tests.validation.frames import GOOD, config, file_of, table

pytestmark = pytest.mark.slow  # importing the library takes seconds, once per process

SHIPPED = Path(__file__).parents[2] / "include" / "expectations"
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)> $column ${x} {rows} %s"
WAY_BACK = re.compile(r"(\.\./){2,3}sites/demo")
WHEN = datetime(2026, 11, 16, tzinfo=UTC)
SITE = config(
    checks={"not-empty": {"arguments": {"min_value": 7}}},
    cells=[
        {
            "expectation": "expect_column_values_to_be_between",
            "arguments": {"column": "births", "max_value": 1000},
            "name": "few-births",
        },
        {
            "expectation": "expect_column_values_to_not_be_null",
            "arguments": {"column": EVIL},
            "where": {"country": "FR"},
        },
    ],
)


@pytest.fixture(scope="module")
def suites() -> Suites:
    return load_suites(SHIPPED)


@pytest.fixture(scope="module")
def docs(suites: Suites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Data Docs of a site with good, bad and hostile files."""
    folder = tmp_path_factory.mktemp("docs")
    judge = Judge(suites, SITE)
    hostile = table({**GOOD, EVIL: [None] * 20, "date": ["x"] * 20}, EVIL, has_header=False)
    contents = [
        ("https://a.org/good.csv", file_of(table(GOOD))),
        (f"https://a.org/{EVIL}.xlsx", file_of(hostile, table(GOOD, "b"), kind=Kind.XLSX)),
        ("https://a.org/page.csv", Content(Kind.HTML, detail=EVIL)),
        ("https://a.org/x.csv", file_of(table({"a": ["x"], EVIL: [EVIL]}))),
    ]
    inspections = [inspect_content(content, judge.request(name)) for name, content in contents]
    files = [
        JudgedFile(name, outcome)
        for (name, _), outcome in zip(contents, judge.judge(inspections), strict=True)
    ]
    written = build_data_docs(folder, "demo", suites, SITE, files, WHEN)
    assert all(path.is_relative_to(folder / "demo") for path in written)
    return folder


def text_of(path: Path) -> str:
    page = html.document_fromstring(path.read_text(encoding="utf-8"))
    return " ".join(page.text_content().split())


def test_every_suite_has_a_page_with_the_limits_of_the_site(docs: Path, suites: Suites) -> None:
    pages = {path.stem for path in (docs / "demo" / "suites").iterdir()}

    assert pages == set(suites.by_name)
    assert "not-empty, warning: expect_column_values_to_be_between(min_value 7)" in text_of(
        docs / "demo" / "suites" / "delimited.html"
    )


def test_the_index_counts_verdicts_and_leads_to_pages_that_exist(docs: Path) -> None:
    index = docs / "demo" / "index.html"
    page = html.document_fromstring(index.read_text(encoding="utf-8"))
    links = page.xpath("//a/@href")

    assert "results/delimited.html" in links
    assert "results/pdf.html" not in links
    assert all((index.parent / link).is_file() for link in links if link != "../../sites/demo")
    parts = {part.text_content(): part.getnext().text_content() for part in page.xpath("//h2")}
    assert "How 2 files met it: 2 suspect." in parts["delimited"]
    assert "No file of this site." in parts["pdf"]


def test_results_name_the_files_that_failed(docs: Path) -> None:
    results = text_of(docs / "demo/results/delimited.html")

    assert "https://a.org/x.csv" in results
    assert "few-births, warning: expect_column_values_to_be_between" in results
    assert "not met" in results
    assert "2026-11-16" in results


def test_nothing_from_a_file_or_a_site_becomes_markup(docs: Path) -> None:
    for path in docs.rglob("*.html"):
        page = html.document_fromstring(path.read_text(encoding="utf-8"))
        assert not page.xpath("//script | //img | //iframe | //style | //form | //input"), path
        attributes = {name for element in page.iter() for name in element.attrib}
        assert attributes <= {
            *("id", "class", "hidden", "href", "rel", "lang", "charset", "name", "content"),
        }
    hostile = text_of(docs / "demo/results/excel.html")
    assert " ".join(EVIL.split()) in hostile


def test_a_page_needs_no_other_server(docs: Path) -> None:
    for path in docs.rglob("*.html"):
        page = html.document_fromstring(path.read_text(encoding="utf-8"))
        for address in page.xpath("//@href | //@src"):
            inside = address.startswith("#") or (path.parent / address).is_file()
            assert inside or WAY_BACK.fullmatch(address), (path, address)


def test_every_page_leads_back_to_the_catalog(docs: Path) -> None:
    for path in docs.rglob("*.html"):
        page = html.document_fromstring(path.read_text(encoding="utf-8"))
        (address,) = (one for one in page.xpath("//nav/a/@href") if WAY_BACK.fullmatch(one))
        # The web application has the pages below /data-docs/SITE/ and the site at /sites/SITE.
        served = PurePosixPath("/data-docs", path.relative_to(docs)).parent / address
        assert posixpath.normpath(served) == "/sites/demo"


def test_a_check_that_is_met_does_not_read_like_a_failure(docs: Path) -> None:
    results = text_of(docs / "demo/results/delimited.html")
    assert "met by every file" in results
    assert "Where it is not met: “The file was announced as …, but its content is ….”" in results
    for phrase in ("unexpected", "{kind}", "Succeeded", "Failed", "100% null"):
        assert phrase not in results


def test_a_page_is_found_by_the_kind_of_a_file(docs: Path, suites: Suites) -> None:
    assert results_page(Kind.XLSB, suites) == "results/excel.html"
    assert (docs / "demo" / results_page(Kind.HTML, suites)).is_file()


def test_a_check_names_a_bounded_number_of_files(suites: Suites, tmp_path: Path) -> None:
    judge = Judge(suites)
    content = file_of(table(GOOD, has_header=False))
    (outcome,) = judge.judge([inspect_content(content, judge.request("x.csv"))])
    files = [JudgedFile(f"https://a.org/{n}.csv", outcome) for n in range(300)]

    build_data_docs(tmp_path, "demo", suites, config(), files, WHEN)

    results = text_of(tmp_path / "demo/results/delimited.html")
    assert 0 < results.count("https://a.org/") <= MAX_SHOWN
    assert "300 of 300 files do not meet it" in results


def test_expectations_that_the_site_no_longer_has_are_still_named(
    suites: Suites, tmp_path: Path
) -> None:
    judge = Judge(suites, SITE)
    found = inspect_content(file_of(table(GOOD)), judge.request("x.csv"))
    files = [JudgedFile("x.csv", judge.judge([found])[0])]

    build_data_docs(tmp_path, "demo", suites, config(), files, WHEN)

    assert "few-births" in text_of(tmp_path / "demo/results/delimited.html")


def test_text_is_escaped_for_a_template_and_for_html() -> None:
    assert safe_text("<a> $x & 'y'") == "&lt;a&gt; &#36;x &amp; &#x27;y&#x27;"
