"""News as an Atom 1.0 feed (RFC 4287), in pages (RFC 5005)."""

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from lxml import etree

from crawler.catalog.read.news import News
from crawler.pipeline.report.news_words import news_title
from crawler.webapp.news_summary import news_summary
from crawler.webapp.rendering import web_link
from crawler.webapp.wording import machine_time

ATOM = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml; charset=utf-8"
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""When a feed without entries was updated."""
_NAMES = uuid.UUID("5a1b4fd5-7a35-4a6c-9d53-0f6f8f2f7c11")
_NOT_XML = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A piece of news, and the page of its file."""

    news: News
    page: str

    @property
    def identity(self) -> str:
        """The same on every host and at all times: readers know by it what is new."""
        news = self.news
        if news.what == "new":
            return identity(news.site, news.url)
        if news.what == "changed":
            return identity(news.site, news.url, f"version {news.version}")
        return identity(news.site, news.url, f"gone {machine_time(news.at)}")


@dataclass(frozen=True, slots=True)
class Feed:
    """One page of a feed: what it is called, where it is, and its entries, the latest first."""

    title: str
    key: str
    """What the feed is about, on whatever host it is served: its identity comes from this."""
    itself: str
    page: str
    """Where people read about the same."""
    first: str
    next: str
    """The page with older entries; empty on the last one."""
    entries: tuple[FeedEntry, ...]

    @property
    def updated(self) -> datetime:
        """When the newest of its entries was."""
        return max((entry.news.updated_at for entry in self.entries), default=BEGINNING)


def write_feed(feed: Feed) -> bytes:
    """The feed as Atom."""
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})  # type: ignore[dict-item]
    _add(root, "id", identity("feed", feed.key))
    _add(root, "title", feed.title)
    _add(root, "updated", machine_time(feed.updated))
    _link(root, "self", feed.itself, "application/atom+xml")
    _link(root, "alternate", feed.page, "text/html")
    _link(root, "first", feed.first, "application/atom+xml")
    if feed.next:
        _link(root, "next", feed.next, "application/atom+xml")
    _add(etree.SubElement(root, f"{{{ATOM}}}author"), "name", "Tallyho")
    for entry in feed.entries:
        _entry(root, entry)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))


def _entry(root: etree._Element, entry: FeedEntry) -> None:
    news = entry.news
    element = etree.SubElement(root, f"{{{ATOM}}}entry")
    _add(element, "id", entry.identity)
    _add(element, "title", news_title(news))
    _add(element, "published", machine_time(news.at))
    _add(element, "updated", machine_time(news.updated_at))
    _link(element, "alternate", entry.page, "text/html")
    if link := web_link(news.url):
        etree.SubElement(element, f"{{{ATOM}}}link", rel="related", href=clean(link))
    for term in (news.what.value, news.format):
        etree.SubElement(element, f"{{{ATOM}}}category", term=clean(term))
    _add(element, "summary", news_summary(news))


def identity(*parts: str) -> str:
    """A name for what these parts say, the same everywhere."""
    return uuid.uuid5(_NAMES, "\n".join(parts)).urn


def clean(text: str) -> str:
    """Text without what XML cannot hold and what turns the direction of writing."""
    return _NOT_XML.sub("", text)


def _add(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{name}").text = clean(text)


def _link(parent: etree._Element, rel: str, href: str, kind: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}link", rel=rel, href=clean(href), type=kind)
