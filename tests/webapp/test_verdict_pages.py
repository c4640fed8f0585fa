"""What validation found out, on the pages, in the API and in the Data Docs."""

import json

import pytest
from lxml import html

from crawler.webapp.headers import DOCS_POLICY
from tests.webapp.stock import DOCS, HOSTILE_COLUMN


def page(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return html.fromstring(answer.text)


def text(element) -> str:
    return " ".join(element.text_content().split())


def rows(shown, section: str) -> list[list[str]]:
    found = shown.xpath(f"//section[h2[@id='{section}']]//tbody/tr")
    return [[text(cell) for cell in row] for row in found]


def pairs(shown) -> dict[str, str]:
    found = shown.xpath("//section[h2[@id='profile']]//dl/div")
    return {text(one[0]): text(one[1]) for one in found}


def test_profile_lists_the_columns_with_their_figures(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    assert rows(shown, "profile") == [
        ["region", "text", "place", "0%", "", ""],
        ["year", "integer", "time", "0%", "2024", "2025"],
        ["births", "integer", "measure", "<1%", "77", "1204"],
    ]
    said = text(shown.xpath("//section[h2[@id='profile']]")[0])
    assert "The table 3 rows, 3 columns, 1 footnote" in said
    assert "utf-8, separated by semicolons" in said
    assert pairs(shown)["Language"] == "fr"


def test_lines_that_are_no_rows_are_counted_and_listed(client, stock):
    profile = page(client, f"/files/{stock['births']}").xpath("//section[h2[@id='profile']]")[0]
    assert "Of 8 lines: 1 title, 1 header line, 3 rows, 1 note, 2 blank." in text(profile)
    assert "The layout leaves no doubt" in text(profile)
    assert [text(line) for line in profile.xpath(".//ul[@class='dropped']/li")] == [
        "line 1, title Live births <b>by region</b>",
        "line 8, footnote Source: Statistics Office of Nowhere",
    ]


def test_checks_are_listed_with_what_was_observed(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    verdict = "//section[h2[@id='verdict']]"
    assert "2 checks, 2 of them met" in text(shown.xpath(f"{verdict}//details/summary")[0])
    assert rows(shown, "verdict")[1] == ["years-in-range", "", "warning", "yes", "2024 to 2025"]
    assert "Every check was met." in text(shown.xpath(verdict)[0])


def test_reasons_come_with_their_severity(client, stock):
    shown = page(client, f"/files/{stock['page']}")
    reasons = shown.xpath("//section[h2[@id='verdict']]//li")
    assert [text(one) for one in reasons] == ["error <b>a web page</b>, not a CSV file web-page"]
    assert "it is: CSV table. By its bytes it is: a web page." in text(
        shown.xpath("//section[h2[@id='verdict']]/p[@class='notice']")[0]
    )


def test_document_tells_its_pages(client, stock):
    shown = page(client, f"/files/{stock['pdf']}")
    assert pairs(shown) == {
        "Content": "a PDF document",
        "Pages": "12, pictures of pages without text",
        "Language": "en",
    }


def test_long_profile_is_cut_and_says_so(client, stock):
    shown = page(client, f"/files/{stock['script']}")
    profile = shown.xpath("//section[h2[@id='profile']]")[0]
    assert len(profile.xpath(".//h3")) == 10
    assert len(profile.xpath(".//tbody/tr")) == 10 * 50
    assert "and 350 more columns" in text(profile)
    assert "and 60 more tables" in text(profile)
    verdict = shown.xpath("//section[h2[@id='verdict']]")[0]
    assert len(verdict.xpath(".//li")) == 20
    assert "and 5 more reasons" in text(verdict)


def test_hostile_names_are_shown_as_isolated_text(client, stock):
    shown = page(client, f"/files/{stock['script']}")
    names = shown.xpath("//section[h2[@id='profile']]//tbody//th/bdi/text()")
    assert names[0].split() == f"{HOSTILE_COLUMN} 0".replace("\u202e", "").split()
    assert shown.xpath("//section[h2[@id='profile']]//h3/bdi/text()")[0] == "sheet <b>0</b>"
    assert shown.xpath("//script[not(@type='application/ld+json')] | //b | //i | //img") == []
    (described,) = shown.xpath("//script/text()")
    assert json.loads(described)["@type"] == "Dataset"


def test_file_without_a_verdict_has_neither_section(client, stock):
    shown = page(client, f"/files/{stock['gone']}")
    assert shown.xpath("//h2[@id='verdict' or @id='profile']") == []


def test_site_counts_its_files_by_verdict(client):
    shown = page(client, "/sites/demo")
    assert rows(shown, "verdicts")[0] == ["not checked yet", "33"]
    [link] = shown.xpath("//section[h2[@id='verdicts']]//a[text()='suspect']/@href")
    assert len(page(client, link).xpath("//article")) == 1
    assert client.get("/api/v2/sites/demo").json()["verdicts"]["valid"] == 1


def test_api_gives_verdict_reasons_checks_and_profile(client, stock):
    check = client.get(f"/api/v2/files/{stock['births']}").json()["check"]
    assert (check["verdict"], check["kind"], check["rows"]) == ("valid", "delimited", 3)
    assert check["profile"]["tables"][0]["columns"][1] == {
        "name": "year",
        "type": "integer",
        "nulls": 0.0,
        "least": "2024",
        "most": "2025",
        "role": "time",
    }
    assert [one["name"] for one in check["checks"]] == ["not-empty", "years-in-range"]
    assert check["data_docs"] == "data-docs/demo/results/delimited.html"
    assert client.get("/" + check["data_docs"]).status_code == 200
    odd = client.get(f"/api/v2/files/{stock['script']}").json()["check"]
    assert odd["reasons"][0]["severity"] == "warning"
    assert len(odd["profile"]["tables"]) == 12


def test_search_finds_a_dataset_by_a_column_on_page_and_api(client, stock):
    found = client.get("/api/v2/search", params={"q": "kennziff"}).json()
    assert [item["id"] for item in found["items"]] == [stock["script"]]
    shown = page(client, "/?q=Kennziffer&verdict=suspect")
    assert shown.xpath("//article//h3/a/@href") == [f"/files/{stock['script']}"]


def test_data_docs_are_served_without_rights(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    [link] = shown.xpath("//a[text()='Data Docs of these checks']/@href")
    answer = client.get(link)
    assert answer.content == DOCS["results/delimited.html"]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy == DOCS_POLICY
    assert "script-src" not in policy
    assert "sandbox" in policy
    assert "allow-" not in policy
    assert client.get("/data-docs/demo/style.css").headers["content-type"].startswith("text/css")


def test_data_docs_of_a_site_begin_at_its_index(client):
    assert client.get("/data-docs/demo").content == DOCS["index.html"]
    assert client.get("/data-docs/demo/index.html").content == DOCS["index.html"]


@pytest.mark.parametrize(
    "path",
    [
        "none.html",
        "notes.txt",
        "",
        "results",
        "../../state/demo/x.html",
        "%2e%2e/%2e%2e/state/demo/x.html",
        "..%2f..%2fblobs/x.html",
        "results//delimited.html",
        "Results/delimited.html",
        "%00.html",
        ".html",
        "a" * 600 + ".html",
    ],
)
def test_anything_else_is_not_there(client, path):
    assert client.get(f"/data-docs/demo/{path}").status_code in (404, 422)


@pytest.mark.parametrize("site", ["DEMO", "..", "de%2fmo", "unknown"])
def test_data_docs_of_no_site_are_not_there(client, site):
    assert client.get(f"/data-docs/{site}/index.html").status_code in (404, 422)
