"""Licence, publisher and publication date, where a page tells them about its data."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from crawler.pages.text import collapsed

_MAX_JSON = 200_000
_MAX_HEADER = 4000
_MAX_NODES = 500
_TEXT_LENGTH = 300

# One of these words is in every page that has something to tell; the others are not searched.
_HINTS = (
    b"icense",
    b"icence",
    b"schema.org",
    b"published",
    b"og:site_name",
    b"ublisher",
    b"issued",
)

_META_PUBLISHER = ("dcterms.publisher", "dc.publisher", "citation_publisher", "og:site_name")
_META_PUBLISHED = (
    "article:published_time",
    "dcterms.issued",
    "dc.date.issued",
    "dc.date",
    "citation_publication_date",
)
_META_LICENCE = ("dcterms.license", "dc.rights", "dcterms.rights")
_LICENCE_LINK = re.compile(r"<([^<>]*)>[^<>,]*;\s*rel=\"?[^\",;]*\blicense\b", re.IGNORECASE)
_DESCRIBING = {"dataset", "datadownload", "article", "newsarticle", "report", "webpage"}


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """What a page says about where its data comes from; what it does not say is empty."""

    licence: str = ""
    publisher: str = ""
    published: str = ""
    """As written; dates come in many spellings."""


NOTHING = PageMetadata()


def page_metadata(root: etree._Element, body: bytes) -> PageMetadata:
    """Read schema.org, Dublin Core, Open Graph and rel=license, in this order of trust."""
    if not any(hint in body for hint in _HINTS):
        return NOTHING
    facts = {"licence": "", "publisher": "", "published": ""}
    for name, value in (*_from_json_ld(root), *_from_meta(root), *_from_links(root)):
        if value and not facts[name]:
            facts[name] = value
    return PageMetadata(**facts)


def licence_in_link_header(value: str) -> str:
    """The licence that a Link header of the file itself names (RFC 8288), or an empty string."""
    match = _LICENCE_LINK.search(value[:_MAX_HEADER])
    return collapsed(match[1], _TEXT_LENGTH) if match else ""


def _from_json_ld(root: etree._Element) -> Iterator[tuple[str, str]]:
    for script in root.iter("script"):
        if (script.get("type") or "").strip().lower() != "application/ld+json":
            continue
        text = script.text or ""
        if len(text) > _MAX_JSON:
            continue
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            continue
        for node in _described(document):
            yield "licence", _text_of(node.get("license"), "url", "@id", "name")
            yield "publisher", _text_of(node.get("publisher") or node.get("creator"), "name")
            yield "published", _text_of(node.get("datePublished") or node.get("dateIssued"))


def _described(document: Any) -> Iterator[dict[str, Any]]:
    """The nodes that describe the page or its data, wherever they are nested."""
    waiting, seen = [document], 0
    while waiting and seen < _MAX_NODES:
        node = waiting.pop(0)
        seen += 1
        if isinstance(node, list):
            waiting.extend(node[:_MAX_NODES])
        elif isinstance(node, dict):
            kinds = node.get("@type")
            names = kinds if isinstance(kinds, list) else [kinds]
            if any(isinstance(name, str) and name.lower() in _DESCRIBING for name in names):
                yield node
            waiting.extend(value for value in node.values() if isinstance(value, dict | list))


def _text_of(value: Any, *keys: str) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = next((value[key] for key in keys if isinstance(value.get(key), str)), None)
    return collapsed(value, _TEXT_LENGTH) if isinstance(value, str) else ""


def _from_meta(root: etree._Element) -> list[tuple[str, str]]:
    contents: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or "").strip().lower()
        contents.setdefault(name, collapsed(meta.get("content") or "", _TEXT_LENGTH))
    wanted = {"licence": _META_LICENCE, "publisher": _META_PUBLISHER, "published": _META_PUBLISHED}
    return [(field, contents.get(name, "")) for field, names in wanted.items() for name in names]


def _from_links(root: etree._Element) -> Iterator[tuple[str, str]]:
    for element in root.iter("link", "a"):
        if "license" in (element.get("rel") or "").lower().split():
            yield "licence", collapsed(element.get("href") or "", _TEXT_LENGTH)
