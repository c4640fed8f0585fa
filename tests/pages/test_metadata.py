"""Licence, publisher and date are read where a page tells them, and never break a page."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.pages.html import PageReader
from crawler.pages.metadata import NOTHING, PageMetadata, licence_in_link_header


def metadata(head: str, body: str = "") -> PageMetadata:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return PageReader().read(html.encode(), "https://stat.example/").metadata


def json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def test_schema_org_dataset_tells_all_three() -> None:
    dataset = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "publisher": {"@type": "Organization", "name": "Office of Statistics"},
        "datePublished": "2025-03-01",
    }
    assert metadata(json_ld(dataset)) == PageMetadata(
        "https://creativecommons.org/licenses/by/4.0/", "Office of Statistics", "2025-03-01"
    )


def test_dataset_inside_a_graph_is_found() -> None:
    graph = {
        "@graph": [
            {"@type": "WebSite", "publisher": "no"},
            {"@type": ["Dataset"], "license": "CC0"},
        ]
    }
    assert metadata(json_ld(graph)).licence == "CC0"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            '<meta property="og:site_name" content="Stat Office">',
            PageMetadata(publisher="Stat Office"),
        ),
        ('<meta name="DCTERMS.issued" content="2024">', PageMetadata(published="2024")),
        (
            '<meta property="article:published_time" content="2024-05-01T08:00Z">',
            PageMetadata(published="2024-05-01T08:00Z"),
        ),
        ('<link rel="license" href="/terms">', PageMetadata(licence="/terms")),
    ],
)
def test_meta_and_links_are_read(head: str, expected: PageMetadata) -> None:
    assert metadata(head) == expected


def test_schema_org_is_trusted_before_open_graph() -> None:
    head = '<meta property="og:site_name" content="Portal">' + json_ld(
        {"@type": "Dataset", "publisher": {"name": "Office"}, "@context": "https://schema.org"}
    )
    assert metadata(head).publisher == "Office"


def test_a_licence_link_in_the_text_counts() -> None:
    assert metadata("", '<a rel="license" href="https://x.example/by">CC</a>').licence == (
        "https://x.example/by"
    )


def test_a_page_that_tells_nothing_has_nothing() -> None:
    assert metadata("<title>Births</title>") is NOTHING


@settings(deadline=None)
@given(st.text(max_size=200))
def test_broken_json_never_raises(text: str) -> None:
    metadata(f'<script type="application/ld+json">schema.org {text}</script>')


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ('<https://x.example/by>; rel="license"', "https://x.example/by"),
        ('<https://x.example/by>; type="text/html"; rel=license', "https://x.example/by"),
        ('</a>; rel="next", </terms>; rel="describedby license"', "/terms"),
        ('<https://x.example/by>; rel="next"', ""),
        ("", ""),
        ("rel=license <", ""),
    ],
)
def test_link_header_of_a_file_names_its_licence(header: str, expected: str) -> None:
    assert licence_in_link_header(header) == expected
