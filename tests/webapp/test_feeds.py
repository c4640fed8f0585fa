"""Feeds: valid, stable, about what was asked for, and nothing is lost between their pages."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.app import create_app
from tests.catalog.recorded import NIGHT, START, ingest_of, kept

NAMES = {"a": "http://www.w3.org/2005/Atom"}


def feed(client: TestClient, query: str = "") -> etree._Element:
    answer = client.get(f"/feed.atom{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    return etree.fromstring(answer.content)


def titles(found: etree._Element) -> list[str]:
    return found.xpath("a:entry/a:title/text()", namespaces=NAMES)


def json_feed(client: TestClient, query: str = "") -> dict:
    answer = client.get(f"/feed.json{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/feed+json"
    return answer.json()


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
        assert not element.xpath("a:link[not(@href)] | a:category[not(@term)]", namespaces=NAMES)
    assert found.xpath("string(a:author/a:name)", namespaces=NAMES)
    ids = found.xpath("a:entry/a:id/text()", namespaces=NAMES)
    assert len(ids) == len(set(ids)) == 39
    assert found.xpath("string(a:link[@rel='self']/@href)", namespaces=NAMES) == (
        "http://testserver/feed.atom"
    )


def test_json_feed_has_what_version_1_1_demands(client):
    found = json_feed(client, "?limit=30")
    assert found["version"] == "https://jsonfeed.org/version/1.1"
    assert isinstance(found["title"], str)
    assert found["feed_url"] == "http://testserver/feed.json?limit=30"
    assert client.get(found["home_page_url"]).status_code == 200
    assert found["next_url"].startswith("http://testserver/feed.json?")
    for item in found["items"]:
        assert isinstance(item["id"], str)
        assert isinstance(item["content_text"], str)
        assert datetime.fromisoformat(item["date_published"]).tzinfo is not None
        assert datetime.fromisoformat(item["date_modified"]).tzinfo is not None
        assert all(isinstance(tag, str) for tag in item["tags"])
        assert urlsplit(item["url"]).scheme == "http"
    # Extensions begin with an underscore and a letter.
    others = {key for item in found["items"] for key in item if key.startswith("_")}
    assert others == {"_tallyho"}


def test_both_feeds_say_the_same(client):
    atom, other = feed(client), json_feed(client)
    assert titles(atom) == [item["title"] for item in other["items"]]
    ids = atom.xpath("a:entry/a:id/text()", namespaces=NAMES)
    assert ids == [item["id"] for item in other["items"]]


def test_what_is_new_changed_and_gone_is_named_as_such(client, stock):
    found = json_feed(client)["items"]
    assert [(item["title"], item["tags"][0]) for item in found[:2]] == [
        ("Gone: Harvest by crop", "gone"),
        ("Changed: Live births by region", "changed"),
    ]
    assert {item["tags"][0] for item in found[2:]} == {"new"}
    assert all(item["title"].startswith("New: ") for item in found[2:])
    assert found[1]["_tallyho"]["id"] == stock["births"]
    assert found[1]["_tallyho"]["version"] == 2
    terms = feed(client).xpath("a:entry[2]/a:category/@term", namespaces=NAMES)
    assert terms == ["changed", "csv"]


def test_entries_lead_to_the_pages(client):
    for link in feed(client, "?q=births").xpath(
        "a:entry/a:link[@rel='alternate']/@href", namespaces=NAMES
    ):
        assert client.get(link).status_code == 200


def test_everything_a_site_a_search_a_dataset_and_a_file_have_feeds(client, stock):
    assert titles(feed(client, "?q=births&site=demo&format=parquet")) == [
        "New: Live births by region"
    ]
    assert titles(feed(client, "?site=elsewhere")) == []
    assert len(titles(feed(client, "?site=demo"))) == 39
    assert titles(feed(client, "?what=gone")) == ["Gone: Harvest by crop"]
    assert titles(feed(client, "?since=2026-03-09")) == [
        "Gone: Harvest by crop",
        "Changed: Live births by region",
    ]
    births = client.get(f"/api/v2/files/{stock['births']}").json()
    of_file = titles(feed(client, f"?file={stock['births']}"))
    assert of_file == ["Changed: Live births by region", "New: Live births by region"]
    assert len(titles(feed(client, f"?dataset={births['dataset_id']}"))) == 3
    asked = ("", "?site=demo", "?q=demo", "?format=demo", "?what=new", f"?file={stock['births']}")
    ids = {feed(client, query).xpath("string(a:id)", namespaces=NAMES) for query in asked}
    assert len(ids) == len(asked)


@pytest.mark.parametrize("query", ["?file=999999", "?dataset=999999"])
def test_what_the_catalog_does_not_have_has_no_feed(client, query):
    assert client.get(f"/feed.atom{query}").status_code == 404


@pytest.mark.parametrize("query", ["?what=banana", "?q=what:banana", "?q=period:banana"])
def test_wrong_filter_gets_a_sentence(client, query):
    assert client.get(f"/feed.atom{query}").status_code == 422


def test_filter_among_the_words_that_means_nothing_gets_a_sentence(client):
    answer = client.get("/?q=period:banana")
    assert answer.status_code == 422
    assert "&#39;banana&#39; is no period" in answer.text


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
    told = json.dumps([item["title"] for item in json_feed(client, "?q=wages")["items"]])
    assert "\\u202e" not in told
    assert "\\u0007" not in told


def test_empty_catalog_has_a_valid_feed(client):
    found = feed(client, "?site=elsewhere")
    updated = found.xpath("string(a:updated)", namespaces=NAMES)
    assert datetime.fromisoformat(updated).year == 2000


@pytest.mark.parametrize("address", ["/feed.atom?q=births", "/feed.json", "/feed.json?before=30"])
def test_reader_that_has_the_feed_is_told_so(client, address):
    full = client.get(address)
    tag, modified = full.headers["etag"], full.headers["last-modified"]
    assert parsedate_to_datetime(modified) <= datetime.now(UTC)
    for header in (
        {"If-None-Match": tag},
        {"If-None-Match": f'"other", W/{tag}'},
        {"If-Modified-Since": modified},
    ):
        again = client.get(address, headers=header)
        assert again.status_code == 304, header
        assert again.content == b""
        assert again.headers["etag"] == tag
    for header in (
        {"If-None-Match": '"other"', "If-Modified-Since": modified},
        {"If-Modified-Since": "Mon, 02 Mar 2015 00:00:00 GMT"},
        {"If-Modified-Since": "not a date"},
    ):
        assert client.get(address, headers=header).content == full.content, header


def pages(client: TestClient, address: str, between=lambda: None) -> list[str]:
    """The ids of all items, page by page as a reader follows them."""
    ids: list[str] = []
    while address:
        found = client.get(address).json()
        ids += [item["id"] for item in found["items"]]
        address = found.get("next_url", "")
        between()
    return ids


def test_pages_of_the_atom_feed_follow_each_other(client):
    address, ids = "/feed.atom?limit=10&site=demo", []
    while address:
        found = etree.fromstring(client.get(address).content)
        ids += found.xpath("a:entry/a:id/text()", namespaces=NAMES)
        first = found.xpath("string(a:link[@rel='first']/@href)", namespaces=NAMES)
        assert first == "http://testserver/feed.atom?site=demo&limit=10"
        address = found.xpath("string(a:link[@rel='next']/@href)", namespaces=NAMES)
    assert ids == feed(client).xpath("a:entry/a:id/text()", namespaces=NAMES)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    limit=st.integers(1, 7),
    before=st.integers(0, 12),
    arriving=st.lists(st.integers(0, 4), max_size=12),
    words=st.sampled_from(["", "?q=births", "?site=stats"]),
)
def test_nothing_is_lost_when_files_come_while_a_reader_pages(
    tmp_path_factory, limit, before, arriving, words
):
    folder = tmp_path_factory.mktemp("pages")
    database = open_database(f"sqlite:///{folder / 'catalog.db'}")
    database.ready()
    ingest = ingest_of(database)
    number = iter(range(10_000))

    def bring(count: int) -> None:
        for _ in range(count):
            each = next(number)
            # Every third is another version of the first file.
            name = "0" if each % 3 == 0 else str(each)
            at = NIGHT + timedelta(seconds=each)
            body = f"{each}".encode()
            ingest.keep(
                kept(body, url=f"{START}births-{name}.csv", anchor=f"births {name}", fetched_at=at)
            )

    bring(before)
    client = TestClient(create_app(Catalog(database, LocalFolder(Path(folder) / "store"))))
    separator = "&" if words else "?"
    known = pages(client, f"/feed.json{words}")
    assert len(known) == len(set(known)) == before
    meanwhile = iter(arriving)
    read = pages(
        client,
        f"/feed.json{words}{separator}limit={limit}",
        lambda: bring(next(meanwhile, 0)),
    )
    assert read == known
    # What came while the reader paged is at the top the next time, down to what it knows.
    again = pages(client, f"/feed.json{words}{separator}limit={limit}")
    assert again[len(again) - len(known) :] == known
    assert len(again) == len(set(again)) == next(number)
    database.close()
