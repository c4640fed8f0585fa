"""Atom feeds: valid, stable, and about what was asked for."""

from datetime import datetime

from fastapi.testclient import TestClient
from lxml import etree

from crawler.webapp.app import create_app

NAMES = {"a": "http://www.w3.org/2005/Atom"}


def feed(client: TestClient, query: str = "") -> etree._Element:
    answer = client.get(f"/feed.atom{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    return etree.fromstring(answer.content)


def titles(found: etree._Element) -> list[str]:
    return found.xpath("a:entry/a:title/text()", namespaces=NAMES)


def test_feed_has_what_atom_demands(client):
    found = feed(client)
    assert found.tag == "{http://www.w3.org/2005/Atom}feed"
    for element in [found, *found.xpath("a:entry", namespaces=NAMES)]:
        for name in ("id", "title", "updated"):
            assert len(element.xpath(f"a:{name}", namespaces=NAMES)) == 1
        updated = element.xpath("string(a:updated)", namespaces=NAMES)
        assert datetime.fromisoformat(updated).tzinfo is not None
        assert element.xpath("string(a:id)", namespaces=NAMES).startswith("urn:uuid:")
        assert len(element.xpath("a:link[@rel='alternate']", namespaces=NAMES)) == 1
    assert found.xpath("string(a:author/a:name)", namespaces=NAMES)
    ids = found.xpath("a:entry/a:id/text()", namespaces=NAMES)
    assert len(ids) == len(set(ids)) == 36
    assert found.xpath("string(a:link[@rel='self']/@href)", namespaces=NAMES) == (
        "http://testserver/feed.atom"
    )


def test_entries_lead_to_the_pages(client):
    for link in feed(client, "?q=births").xpath(
        "a:entry/a:link[@rel='alternate']/@href", namespaces=NAMES
    ):
        assert client.get(link).status_code == 200


def test_saved_search_has_a_feed_of_its_own(client):
    assert titles(feed(client, "?q=births&site=demo")) == ["Live births by region"]
    assert titles(feed(client, "?site=elsewhere")) == []
    ids = {
        feed(client, query).xpath("string(a:id)", namespaces=NAMES)
        for query in ("", "?site=demo", "?q=demo", "?format=demo")
    }
    assert len(ids) == 4


def test_same_entry_has_the_same_identity_on_every_host(catalog):
    ids = [
        feed(TestClient(create_app(catalog), base_url=base), "?q=births").xpath(
            "//a:id/text()", namespaces=NAMES
        )
        for base in ("http://testserver", "https://data.example")
    ]
    assert ids[0] == ids[1]


def test_hostile_titles_are_text_without_control_characters(client):
    found = titles(feed(client, "?q=population")) + titles(feed(client, "?q=wages"))
    assert any("<script>document.title" in title for title in found)
    assert not any(mark in title for title in found for mark in "\u202e\u2066\x07")


def test_empty_catalog_has_a_valid_feed(client):
    found = feed(client, "?site=elsewhere")
    updated = found.xpath("string(a:updated)", namespaces=NAMES)
    assert datetime.fromisoformat(updated).year == 2000
