"""Sitemaps and feeds: what they name, and that hostile ones cost no more than large ones."""

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.pages.signal_kind import SignalKind, signal_kind, unpacked
from crawler.pages.signals import MAX_ENTRIES, MAX_URL_LENGTH, SignalPlace, moment, read_signal

BASE = "https://stat.example/sitemap.xml"
SITEMAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<!-- made by a program -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:xhtml="http://www.w3.org/1999/xhtml">
 <url><loc> https://stat.example/births </loc><lastmod>2024-05-17</lastmod>
  <xhtml:link rel="alternate" hreflang="fr" href="https://stat.example/fr/naissances"/></url>
 <url><loc>/deaths?a=1&amp;b=2</loc></url>
 <url><loc>/deaths?a=1&amp;b=2</loc></url>
 <url><loc>mailto:x@stat.example</loc></url>
</urlset>"""
INDEX = b"""<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
 <sitemap><loc>https://stat.example/s1.xml.gz</loc><lastmod>2024-05-17T10:00:00+02:00</lastmod>
 </sitemap></sitemapindex>"""
RSS = b"""<rss version="2.0"><channel><title>News of
 the office</title><link>https://stat.example/</link>
 <item><title>Births fall</title><link>https://stat.example/news/1</link>
  <pubDate>Fri, 17 May 2024 10:00:00 GMT</pubDate>
  <enclosure url="/files/births.csv" type="text/csv"/></item>
 <item><guid>https://stat.example/news/2</guid></item>
 <item><guid isPermaLink="false">https://stat.example/no</guid></item>
</channel></rss>"""
ATOM = b"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
 <link rel="self" href="https://stat.example/feed"/>
 <entry><title>Births</title><link href="/news/1"/><link rel="self" href="/api/1"/>
  <link rel="enclosure" href="/births.xlsx"/>
  <published>2024-05-16</published><updated>2024-05-17T10:00:00Z</updated></entry></feed>"""
RSS_ONE = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
 <item rdf:about="x"><title>B</title><link>https://stat.example/b</link>
 <dc:date>2024-05-17</dc:date></item></rdf:RDF>"""


def at(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()


def named(body: bytes, kind: SignalKind) -> list[tuple[str, SignalPlace, float | None]]:
    return [(one.url, one.place, one.at) for one in read_signal(body, BASE, kind).urls]


def test_sitemap_names_pages_their_languages_and_dates():
    assert named(SITEMAP, SignalKind.SITEMAP) == [
        ("https://stat.example/births", SignalPlace.URL, at(2024, 5, 17)),
        ("https://stat.example/fr/naissances", SignalPlace.OTHER_LANGUAGE, at(2024, 5, 17)),
        ("https://stat.example/deaths?a=1&b=2", SignalPlace.URL, None),
    ]


def test_index_names_sitemaps():
    (one,) = read_signal(INDEX, BASE, SignalKind.SITEMAP).urls
    assert one.is_sitemap
    assert (one.url, one.at) == ("https://stat.example/s1.xml.gz", at(2024, 5, 17, 8))
    assert one.tag_path == "sitemapindex sitemap loc"


def test_packed_sitemap_is_unpacked():
    assert named(gzip.compress(SITEMAP), SignalKind.SITEMAP) == named(SITEMAP, SignalKind.SITEMAP)


def test_rss_names_items_and_enclosures():
    feed = read_signal(RSS, BASE, SignalKind.FEED)
    assert feed.title == "News of the office"
    assert [(one.url, one.place, one.anchor) for one in feed.urls] == [
        ("https://stat.example/news/1", SignalPlace.ITEM, "Births fall"),
        ("https://stat.example/files/births.csv", SignalPlace.ENCLOSURE, "Births fall"),
        ("https://stat.example/news/2", SignalPlace.ITEM, ""),
    ]
    assert feed.urls[0].at == at(2024, 5, 17, 10)


def test_atom_names_alternate_and_enclosed_links_with_their_newest_date():
    assert named(ATOM, SignalKind.FEED) == [
        ("https://stat.example/news/1", SignalPlace.ITEM, at(2024, 5, 17, 10)),
        ("https://stat.example/births.xlsx", SignalPlace.ENCLOSURE, at(2024, 5, 17, 10)),
    ]


def test_rss_of_the_first_version_is_read():
    assert named(RSS_ONE, SignalKind.FEED) == [
        ("https://stat.example/b", SignalPlace.ITEM, at(2024, 5, 17))
    ]


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (SITEMAP, SignalKind.SITEMAP),
        (b"\xef\xbb\xbf" + INDEX, SignalKind.SITEMAP),
        (gzip.compress(INDEX), SignalKind.SITEMAP),
        (gzip.compress(SITEMAP * 50)[:200], SignalKind.SITEMAP),
        (b"<!DOCTYPE urlset [<!ENTITY a 'b'>]>\n<sm:urlset xmlns:sm='x'>", SignalKind.SITEMAP),
        (RSS, SignalKind.FEED),
        (ATOM, SignalKind.FEED),
        (RSS_ONE, SignalKind.FEED),
        (
            b"<feed xmlns='http://www.w3.org/2005/Atom' xmlns:m='http://docs.oasis-open.org/odata/'>",
            None,
        ),
        (b"<feed><row/></feed>", None),
        (b"<rdf:RDF xmlns:dcat='http://www.w3.org/ns/dcat#'>", None),
        (b"<!doctype html><html><body>urlset", None),
        (b"<message xmlns='http://www.sdmx.org/resources/sdmxml/'>", None),
        (b"year,births\n2024,17\n", None),
        (b"\x1f\x8b broken", None),
        (b"", None),
    ],
)
def test_sitemaps_and_feeds_are_known_by_their_first_bytes(first, kind):
    assert signal_kind(first[:4096]) is kind


def test_entries_and_bytes_are_bounded():
    entry = b"<url><loc>https://stat.example/%d</loc></url>"
    many = b"<urlset>" + b"".join(entry % n for n in range(MAX_ENTRIES + 10)) + b"</urlset>"
    assert len(read_signal(many, BASE, SignalKind.SITEMAP).urls) == MAX_ENTRIES
    assert len(unpacked(gzip.compress(b"x" * 10_000), limit=100)) == 100
    long = (
        b"<urlset><url><loc>https://stat.example/"
        + b"x" * MAX_URL_LENGTH
        + b"</loc></url></urlset>"
    )
    assert read_signal(long, BASE, SignalKind.SITEMAP).urls == []


def test_file_that_breaks_off_names_what_came_before():
    assert [one.url for one in read_signal(SITEMAP[:-60], BASE, SignalKind.SITEMAP).urls] == [
        "https://stat.example/births",
        "https://stat.example/fr/naissances",
        "https://stat.example/deaths?a=1&b=2",
    ]


def test_entities_are_not_expanded():
    laughs = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(12))
    hostile = (
        f'<!DOCTYPE urlset [<!ENTITY l0 "https://stat.example/">{laughs}]>'
        "<urlset><url><loc>&l12;</loc></url></urlset>"
    ).encode()
    assert read_signal(hostile, BASE, SignalKind.SITEMAP).urls == []


def test_nothing_is_loaded_from_elsewhere(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("https://stat.example/secret")
    hostile = (
        f'<!DOCTYPE urlset [<!ENTITY file SYSTEM "file://{secret}">]>'
        "<urlset><url><loc>&file;</loc></url>"
        "<url><loc>https://stat.example/plain</loc></url></urlset>"
    ).encode()
    assert [one.url for one in read_signal(hostile, BASE, SignalKind.SITEMAP).urls] == [
        "https://stat.example/plain"
    ]


@given(st.binary(max_size=400))
def test_any_bytes_can_be_read(body):
    signal_kind(body)
    for start in (b"", b"<urlset>", b"<rss><channel><item>", b"\x1f\x8b\x08"):
        for kind in SignalKind:
            read_signal(start + body, BASE, kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", at(2024, 1, 1)),
        ("2024-05", at(2024, 5, 1)),
        ("2024-05-17T10:00Z", at(2024, 5, 17, 10)),
        ("Fri, 17 May 2024 10:00:00 +0200", at(2024, 5, 17, 8)),
        ("yesterday", None),
        ("", None),
        ("2024-13-45", None),
        ("9999-99", None),
        ("0000", None),
    ],
)
def test_dates_are_understood(text, expected):
    assert moment(text) == expected
