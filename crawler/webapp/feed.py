"""New datasets as an Atom 1.0 feed (RFC 4287)."""

import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lxml import etree

from crawler.catalog.read.records import SearchHit
from crawler.webapp.rendering import web_link
from crawler.webapp.wording import format_words, machine_time, size_words

ATOM = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml; charset=utf-8"
_NAMES = uuid.UUID("5a1b4fd5-7a35-4a6c-9d53-0f6f8f2f7c11")
_NOT_XML = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FeedAddress:
    """Where a feed is, where its page is, and what it is called."""

    title: str
    itself: str
    page: str
    key: str
    """What the feed is about, on whatever host it is served: its identity comes from this."""


def write_feed(
    address: FeedAddress, datasets: Sequence[SearchHit], page_of: Callable[[int], str]
) -> bytes:
    """The feed; `page_of` gives the absolute address of the page of a dataset's id."""
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})  # type: ignore[dict-item]
    _add(root, "id", _identity("feed", address.key))
    _add(root, "title", address.title)
    newest = max((item.first_seen for item in datasets), default=_BEGINNING)
    _add(root, "updated", machine_time(newest))
    _link(root, "self", address.itself, "application/atom+xml")
    _link(root, "alternate", address.page, "text/html")
    _add(etree.SubElement(root, f"{{{ATOM}}}author"), "name", "Tallyho")
    for item in datasets:
        _entry(root, item, page_of(item.dataset_id))
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))


def _entry(root: etree._Element, item: SearchHit, page: str) -> None:
    entry = etree.SubElement(root, f"{{{ATOM}}}entry")
    _add(entry, "id", _identity(item.site, item.url))
    _add(entry, "title", item.title or item.file_name or item.url)
    _add(entry, "published", machine_time(item.first_seen))
    _add(entry, "updated", machine_time(item.first_seen))
    _link(entry, "alternate", page, "text/html")
    for file in item.files:
        if link := web_link(file.url):
            etree.SubElement(entry, f"{{{ATOM}}}link", rel="related", href=_clean(link))
    etree.SubElement(entry, f"{{{ATOM}}}category", term=_clean(item.format))
    files = ", ".join(
        f"{format_words(file.format)} ({size_words(file.bytes)})" for file in item.files
    )
    _add(entry, "summary", f"{item.site}: {files}")


def _identity(*parts: str) -> str:
    """The same on every host and at all times: readers know by it what is new."""
    return uuid.uuid5(_NAMES, "\n".join(parts)).urn


def _add(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{name}").text = _clean(text)


def _link(parent: etree._Element, rel: str, href: str, kind: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}link", rel=rel, href=_clean(href), type=kind)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)
