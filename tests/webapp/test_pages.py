"""The pages: what they tell, and that nothing from the web runs in them."""

import re

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.webapp.stock import LATER_RUN, RUN, RUNNING, Stock

PAGES = ["/", "/sites", "/sites/demo", f"/runs/{RUN}", f"/runs/{LATER_RUN}", "/api"]


def page(client: TestClient, address: str) -> html.HtmlElement:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return html.fromstring(answer.text)


def text(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def titles(found: html.HtmlElement) -> list[str]:
    return [text(heading) for heading in found.xpath("//article//h3")]


def every_page(stock: Stock) -> list[str]:
    return [*PAGES, "/datasets/1", *(f"/files/{number}" for number in stock.ids.values())]


def test_search_without_words_lists_everything_in_pages(client, stock):
    first = page(client, "/")
    assert len(titles(first)) == 20
    assert text(first.xpath("//h2[@id='results']")[0]) == "36 datasets"
    following = first.xpath("//a[@rel='next']")[0].get("href")
    second = page(client, following)
    assert len(titles(second)) == 16
    assert not set(titles(first)) & set(titles(second))
    assert second.xpath("//a[@rel='next']") == []
    assert second.xpath("//a[@rel='prev']")


def test_search_finds_words_and_shows_one_result_with_its_files(client):
    found = page(client, "/?q=BIRTH+region")
    assert titles(found) == ["Live births by region"]
    files = [text(file) for file in found.xpath("//article//ul/li")]
    assert len(files) == 3
    assert any(line.startswith("Parquet table") for line in files)
    assert found.xpath("//input[@name='q']")[0].get("value") == "BIRTH region"


def test_filters_are_a_form_that_needs_no_script(client):
    found = page(client, "/")
    form = found.xpath("//form[@role='search']")[0]
    assert form.get("method") == "get"
    for name in ("q", "site", "format", "verdict", "since"):
        field = form.xpath(f".//*[@name='{name}']")[0]
        assert form.xpath(f".//label[@for='{field.get('id')}']")
    formats = [option.get("value") for option in form.xpath(".//select[@name='format']/option")]
    assert formats[0] == ""
    assert set(formats[1:]) == {"csv", "parquet", "pdf"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("format=pdf", ["Yearly report"]),
        ("verdict=valid", ["Live births by region"]),
        ("verdict=not_a_dataset", ["Rents by city"]),
        ("q=&site=demo&format=parquet&verdict=&since=", ["Live births by region"]),
        ("site=nowhere", []),
        ("q=%22%27%28%29*%00%EF%BF%BF", []),
    ],
)
def test_filters_narrow_the_search(client, query, expected):
    assert titles(page(client, f"/?{query}")) == expected


def test_chosen_filters_stay_chosen(client):
    found = page(client, "/?verdict=not_a_dataset&site=nowhere&what=gone&since=2026-03-01")
    chosen = {
        select.get("name"): [option.get("value") for option in select if option.get("selected")]
        for select in found.xpath("//select")
    }
    assert chosen == {
        "site": ["nowhere"],
        "verdict": ["not_a_dataset"],
        "what": ["gone"],
        "since": ["2026-03-01"],
    }


def test_dataset_tells_what_it_is_and_where_it_came_from(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    facts = {
        text(pair.xpath("./dt")[0]): text(pair.xpath("./dd")[0])
        for pair in shown.xpath("//dl[@class='pairs']/div")
    }
    assert facts["Kind"] == "CSV table, 3 rows, 3 columns"
    assert facts["Verdict"] == "valid"
    assert facts["Publisher"] == "Statistics Office of Nowhere"
    assert facts["Licence"] == "https://creativecommons.org/licenses/by/4.0/"
    assert facts["First seen"] == "2 March 2026, 01:00 UTC"
    assert facts["Last seen"] == "9 March 2026, 01:00 UTC"
    assert "Live births by region" in text(shown.xpath("//p[@class='citation']")[0])


def test_dataset_lists_versions_with_sizes_and_differences(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    rows = shown.xpath("//section[h2[@id='versions']]//tbody/tr")
    cells = [[text(cell) for cell in row] for row in rows]
    assert [(row[0], row[2], row[3]) for row in cells] == [
        ("2", "70 B", "+22 bytes"),
        ("1", "48 B", "first version"),
    ]


def test_dataset_lists_every_page_it_was_seen_on(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    rows = shown.xpath("//section[h2[@id='sightings']]//tbody/tr")
    assert [text(row[1]) for row in rows] == ["Live births by region", "Births <i>here</i>"]


def test_file_leads_to_its_dataset_which_lists_all_its_files(client, stock):
    file = page(client, f"/files/{stock['births']}")
    [address] = file.xpath("//p[@class='trail']/a[starts-with(@href, '/datasets/')]/@href")
    shown = page(client, address)
    assert text(shown.xpath("//h1")[0]) == "Live births by region"
    files = shown.xpath("//section[h2[@id='files']]//tbody//a/@href")
    assert files == [f"/files/{stock['births']}", f"/files/{stock['births parquet']}"]
    assert client.get("/datasets/999999").status_code == 404


def test_result_of_several_files_leads_to_the_dataset(client, stock):
    found = page(client, "/?q=births+region")
    assert found.xpath("//article//h3/a/@href") == [f"/files/{stock['births']}"]
    [link] = found.xpath("//article//ul//a[starts-with(@href, '/datasets/')]")
    assert text(link) == "Dataset of 2 files"


def test_small_table_is_shown_at_once(client, stock):
    shown = page(client, f"/files/{stock['births']}")
    table = shown.xpath("//table[@class='data']")[0]
    assert [text(cell) for cell in table.xpath(".//th")] == ["region", "year", "births"]
    assert [text(cell) for cell in table.xpath(".//tbody/tr")[2]] == ["<b>Süd</b>", "2025", "1204"]


def test_parquet_table_is_shown_with_empty_cells(client, stock):
    table = page(client, f"/files/{stock['births parquet']}").xpath("//table[@class='data']")[0]
    rows = [[text(cell) for cell in row] for row in table.xpath(".//tbody/tr")]
    assert [row[0] for row in rows] == ["Nord", "Süd"]
    assert rows[1][1] == ""


def test_file_that_is_no_table_gets_a_sentence(client, stock):
    shown = page(client, f"/files/{stock['pdf']}")
    assert shown.xpath("//table[@class='data']") == []
    assert text(shown.xpath("//section[h2[@id='preview']]/p")[0])


def test_gone_file_says_so_and_can_still_be_had(client, stock):
    shown = page(client, f"/files/{stock['gone']}")
    assert "does not have this file any more" in text(
        shown.xpath("//p[contains(@class, 'notice')]")[0]
    )
    assert shown.xpath("//a[@class='button' and @download]")


def test_removed_file_tells_the_reason_and_gives_nothing(client, stock):
    shown = page(client, f"/files/{stock['removed']}")
    assert "names of persons" in text(shown.xpath("//p[contains(@class, 'notice')]")[0])
    assert shown.xpath("//a[contains(@href, '/download')]") == []
    assert client.get(f"/files/{stock['removed']}/download").status_code == 404


def test_site_has_runs_formats_and_newest_datasets(client):
    shown = page(client, "/sites/demo")
    assert text(shown.xpath("//h2[@id='runs']")[0]) == "3 runs"
    formats = {
        text(row[0]): text(row[1]) for row in shown.xpath("//section[h2[@id='formats']]//tbody/tr")
    }
    assert formats == {"CSV table": "35", "PDF document": "1", "Parquet table": "1"}
    assert len(titles(shown)) == 10


def test_run_draws_its_curve_and_tells_it_as_numbers(client):
    shown = page(client, f"/runs/{RUN}")
    drawing = shown.xpath("//svg[@role='img']")[0]
    assert drawing.get("aria-labelledby") == "plot-title plot-text"
    assert "140 targets after 900 requests" in text(drawing.xpath("./desc")[0])
    assert len(drawing.xpath("./polyline")[0].get("points").split()) == 6
    rows = shown.xpath("//details//tbody/tr")
    assert [text(cell) for cell in rows[-1]] == ["900", "140"]


def test_run_tells_actions_skips_and_why_it_stopped(client):
    shown = page(client, f"/runs/{RUN}")
    actions = shown.xpath("//section[h2[@id='actions']]//tbody/tr")
    assert [text(cell) for cell in actions[0]] == ["html body main ul.files li a", "41", "2.61"]
    skipped = shown.xpath("//section[h2[@id='skipped']]//tbody/tr")
    assert [text(row[1]) for row in skipped] == ["412", "37", "4"]
    assert "robots.txt forbids it" in text(skipped[2][0])
    assert "every link was followed" in text(shown.xpath("//dl[@class='pairs']")[0])


def test_run_that_has_not_ended_says_so(client):
    shown = page(client, f"/runs/{RUNNING}")
    assert "it is running, or its process died" in text(shown.xpath("//dl[@class='pairs']")[0])
    assert "There is no curve" in text(shown.xpath("//main")[0])


def test_nothing_from_the_web_becomes_markup(client, stock):
    for address in every_page(stock):
        shown = page(client, address)
        elements = "//style | //iframe | //object | //embed | //img | //b | //i"
        # Descriptions for search engines are data, which no browser runs.
        scripts = "//script[not(@type = 'application/ld+json')]"
        assert shown.xpath(f"{scripts} | {elements}") == []
        assert shown.xpath("//@style | //@onerror | //@onclick | //@onload") == []


def test_hostile_title_is_shown_as_text(client, stock):
    heading = page(client, f"/files/{stock['script']}").xpath("//h1")[0]
    assert "<script>document.title='owned'</script> & \"more\"" in text(heading)


def test_characters_that_turn_or_hide_text_are_left_out(client, stock):
    for address in every_page(stock):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x07]", client.get(address).text)


def test_links_lead_to_web_addresses_or_into_the_application(client, stock):
    for address in every_page(stock):
        for link in page(client, address).xpath("//a[@href]"):
            target = link.get("href")
            assert target.startswith(("/", "#", "https://"))
            if target.startswith("https://"):
                assert set(link.get("rel").split()) == {"noopener", "noreferrer", "nofollow"}


def test_every_page_has_landmarks_a_skip_link_and_labelled_tables(client, stock):
    for address in every_page(stock):
        shown = page(client, address)
        assert shown.get("lang") == "en"
        assert len(shown.xpath("//h1")) == len(shown.xpath("//main")) == 1
        assert shown.xpath("//header//nav[@aria-label]")
        assert shown.xpath("//body/a[@class='skip']")[0].get("href") == "#content"
        for header in shown.xpath(".//th"):
            assert header.get("scope") in ("col", "row")
        ids = shown.xpath("//@id")
        assert len(ids) == len(set(ids))
        for label in shown.xpath("//@aria-labelledby"):
            assert set(label.split()) <= set(ids)
