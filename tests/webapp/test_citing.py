"""Citations, lookup and the catalog as of a day, in the API and on the pages."""

import pytest

from tests.webapp.stock import BASE, SCRIPT_TITLE


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("text", "text/plain"),
        ("bibtex", "application/x-bibtex"),
        ("ris", "application/x-research-info-systems"),
    ],
)
def test_citations_have_their_media_type(client, catalog, stock, form, media_type):
    answer = client.get(f"/api/v2/files/{stock['births']}/citation?format={form}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media_type)
    assert answer.text == catalog.cite(stock["births"], form)
    assert ("attachment" in answer.headers.get("content-disposition", "")) is (form != "text")


def test_the_page_shows_every_citation_escaped(client, stock):
    page = client.get(f"/files/{stock['script']}").text
    assert "<summary>BibTeX</summary>" in page
    assert "<summary>RIS</summary>" in page
    assert f"/api/v2/files/{stock['script']}/citation?format=bibtex" in page
    assert SCRIPT_TITLE not in page


def test_a_version_is_cited_and_an_unknown_one_is_not_found(client, stock):
    address = f"/api/v2/files/{stock['births']}/citation"
    assert "Version 1, " in client.get(f"{address}?version=1").text
    assert client.get(f"{address}?version=9").status_code == 404
    assert client.get(f"{address}?format=word").status_code == 422


def test_lookup_by_address_and_hash(client, catalog, stock):
    file = catalog.show(stock["births"])
    for address in (file.url, file.sha256, file.sha256[:12]):
        found = client.get("/api/v2/lookup", params={"address": address}).json()
        assert [item["id"] for item in found["items"]] == [file.id]
    assert client.get("/api/v2/lookup", params={"address": f"{BASE}/no.csv"}).json()["total"] == 0
    wrong = client.get("/api/v2/lookup?address=banana")
    assert wrong.status_code == 422
    assert "neither an address" in wrong.json()["details"][0]["what"]


def test_the_api_answers_as_of_a_day(client, stock):
    address = f"/api/v2/files/{stock['births']}"
    assert client.get(f"{address}?as_of=2026-03-03").json()["version"] == 1
    assert client.get(address).json()["version"] == 2
    assert client.get(f"{address}/versions?as_of=2026-03-03").json()["total"] == 1
    assert client.get(f"{address}?as_of=2026-03-01").status_code == 404
    assert client.get("/api/v2/search?as_of=2026-03-01").json()["total"] == 0
    assert client.get("/api/v2/search?as_of=2026-03-20").json()["total"] > 30
    wrong = client.get(f"{address}?as_of=banana")
    assert wrong.status_code == 422
    assert "'banana' is no time" in wrong.json()["details"][0]["what"]
