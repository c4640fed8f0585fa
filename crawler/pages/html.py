"""Pages: from the bytes of an HTML page to its links, each with its tag path and anchor text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lxml import etree

from crawler.pages.encoding import as_utf8
from crawler.pages.headings import HEADING_TAGS, Headings
from crawler.pages.metadata import NOTHING, PageMetadata, page_metadata
from crawler.pages.oversized import without_oversized_tags
from crawler.pages.tagpath import TagPaths
from crawler.pages.text import collapsed, page_text, visible_length, visible_text
from crawler.pages.urls import canonical, fingerprint, origin, resolve

MAX_LINKS = 20_000
"""Links of one page; those after it are not seen, as with a page that is cut at its size."""

_CACHED_LINKS = 50_000
_CACHED_HREF_LENGTH = 2048
_REFRESH_LENGTH = 4096
_TEXT_LENGTH = 300
_PAGE_TEXT_LENGTH = 200_000
_LANGUAGE_LENGTH = 35
# With `huge_tree` libxml2 follows 2,048 nested tags instead of 256, which unclosed <font> tags do
# reach; but then stray end tags cost it a walk through all of them, so not on very large pages.
_DEEP_PAGE_BYTES = 2_000_000

_LINK_TAGS = ("a", "area", "iframe", "frame", "link", "meta", "base")
_NO_REQUEST = ("javascript:", "mailto:", "tel:", "data:", "#")
_DIRECTORY_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-~%")
_REFRESH = re.compile(
    r"\s*[0-9.]*\s*[;,\s]\s*(?:url\s*=)?\s*(?:\"([^\"]*)|'([^']*)|(.*))", re.I | re.S
)
_ALTERNATE_TYPE = re.compile(
    r"html|rss|atom|json|xml|csv|rdf|turtle|n-triples|excel|spreadsheet|pdf"
)
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")

_Found = tuple[str, int]
_Cache = dict[str, _Found | None]
_UNKNOWN: Final[_Found] = ("", 0)
_NO_HEADINGS: Final = Headings()


class LinkRel(StrEnum):
    """How a page names a link; empty for what a visitor clicks on or sees in a frame."""

    ANCHOR = ""
    NEXT = "next"
    PREV = "prev"
    ALTERNATE = "alternate"
    REFRESH = "refresh"


@dataclass(slots=True, eq=False)
class PageLink:
    """One link of a page. What few links need is worked out when it is asked for."""

    url: str
    fingerprint: int
    rel: LinkRel
    element: etree._Element
    """The element of the page that it is."""
    _paths: TagPaths
    _headings: Headings = _NO_HEADINGS

    @property
    def tag_path(self) -> str:
        """The tags from the root to the link, with ids and classes (paper 000, Section II-B)."""
        return self._paths.of(self.element)

    @property
    def anchor(self) -> str:
        """The visible text of the link, else what it is called for those who do not see it."""
        return visible_text(self.element, _TEXT_LENGTH)

    @property
    def headings(self) -> str:
        """The headings that it stands below, such as `Population › Births`."""
        return self._headings.text

    def __repr__(self) -> str:
        return f"PageLink({self.url!r}, rel={self.rel.value!r})"


@dataclass(slots=True, eq=False, repr=False)
class Page:
    """What a page says: its links in document order, and on demand title, language and feeds."""

    url: str
    base: str
    """What relative links refer to: the page's URL, or its <base>."""
    links: list[PageLink]
    root: etree._Element | None
    """Its parsed HTML; None when it could not be parsed."""
    body: bytes = b""
    """As it was received."""
    content_type: str = ""
    """As the server sent it."""

    @property
    def title(self) -> str:
        """The page's title, at most 300 characters."""
        if self.root is not None:
            for element in self.root.iter("title"):
                if text := collapsed(element.text or "", _TEXT_LENGTH):
                    return text
        return ""

    @property
    def language(self) -> str:
        """The language that the page declares, such as `fr` or `pt-BR`."""
        if self.root is None:
            return ""
        declared = self.root.get("lang") or self.root.get("xml:lang") or ""
        return collapsed(declared, _LANGUAGE_LENGTH)

    @property
    def metadata(self) -> PageMetadata:
        """Licence, publisher and date of what the page offers, where it tells them."""
        return NOTHING if self.root is None else page_metadata(self.root, self.body)

    @property
    def text(self) -> str:
        """What a visitor without JavaScript sees, at most 200,000 characters."""
        return "" if self.root is None else page_text(self.root, _PAGE_TEXT_LENGTH)

    @property
    def text_length(self) -> int:
        """About how many characters a visitor without JavaScript sees."""
        return 0 if self.root is None else visible_length(self.root)

    @property
    def feeds(self) -> list[str]:
        """The RSS and Atom feeds that the page announces."""
        if self.root is None:
            return []
        announced = (
            resolve(self.base, element.get("href") or "")
            for element in self.root.iter("link")
            if _link_rel(element) is LinkRel.ALTERNATE
            and _media_type(element).startswith(_FEED_TYPES)
        )
        return list(dict.fromkeys(url for url in announced if url is not None))


class PageReader:
    """Reads the pages of one crawl. It remembers what links resolve to, for most are navigation."""

    def __init__(self) -> None:
        self._caches: dict[str, _Cache] = {}
        self._cached = 0
        self._parser = _parser(huge_tree=False)
        self._deep_parser = _parser(huge_tree=True)

    def read(self, body: bytes, url: str, content_type: str = "") -> Page:
        """Read a page; never raises, and a page that cannot be parsed has no links."""
        root = self._parse(body, content_type)
        page_url = resolve(url, url) or ""
        if root is None:
            return Page(url, page_url, [], None)
        elements = list(root.iter(*_LINK_TAGS, *HEADING_TAGS))
        base = _base(elements, page_url)
        return Page(url, base, self._links(elements, base), root, body, content_type)

    def _parse(self, body: bytes, content_type: str) -> etree._Element | None:
        parser = self._deep_parser if len(body) <= _DEEP_PAGE_BYTES else self._parser
        try:
            text = without_oversized_tags(as_utf8(body, content_type))
            root: etree._Element | None = etree.fromstring(text, parser)
        except (etree.LxmlError, ValueError):
            return None
        return root

    def _links(self, elements: list[etree._Element], base: str) -> list[PageLink]:
        if self._cached >= _CACHED_LINKS:
            self._caches.clear()
            self._cached = 0
        everywhere = self._cache("")
        of_origin = self._cache(origin(base))
        of_directory = self._cache(base.partition("?")[0].rpartition("/")[0] + "/")
        of_page: _Cache = {}
        paths = TagPaths()
        links: list[PageLink] = []
        seen: set[int] = set()
        headings = _NO_HEADINGS
        for element in elements:
            # rel="nofollow" is about ranking, not about access: such links are links.
            href = element.get("href")
            rel = LinkRel.ANCHOR
            if href is None or element.tag in ("link", "base"):
                if element.tag in HEADING_TAGS:
                    headings = headings.followed_by(element)
                    continue
                named = _other_link(element, href)
                if named is None:
                    continue
                href, rel = named
            first = href[:1]
            if first == "/":
                cache = of_origin
            elif first in _DIRECTORY_STARTS and ":" not in href:
                cache = of_directory
            elif href.startswith(("http://", "https://")):
                cache = everywhere
            elif href.startswith(_NO_REQUEST):
                continue
            else:
                cache = of_page
            resolved = cache.get(href, _UNKNOWN)
            if resolved is _UNKNOWN:
                resolved = self._find(base, href, cache)
            if resolved is None or resolved[1] in seen:
                continue
            seen.add(resolved[1])
            links.append(PageLink(resolved[0], resolved[1], rel, element, paths, headings))
            if len(links) >= MAX_LINKS:
                break
        return links

    def _cache(self, key: str) -> _Cache:
        cache = self._caches.get(key)
        if cache is None:
            cache = self._caches[key] = {}
            self._cached += 1
        return cache

    def _find(self, base: str, href: str, cache: _Cache) -> _Found | None:
        url = resolve(base, href)
        resolved = None if url is None else (url, fingerprint(canonical(url)))
        if self._cached < _CACHED_LINKS and len(href) <= _CACHED_HREF_LENGTH:
            cache[href] = resolved
            self._cached += 1
        return resolved


def _parser(*, huge_tree: bool) -> etree.HTMLParser:
    return etree.HTMLParser(
        encoding="utf-8",
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        huge_tree=huge_tree,
    )


def _base(elements: list[etree._Element], page_url: str) -> str:
    for element in elements:
        if element.tag == "base" and element.get("href") is not None:
            return resolve(page_url, element.get("href") or "") or page_url
    return page_url


def _other_link(element: etree._Element, href: str | None) -> tuple[str, LinkRel] | None:
    tag = element.tag
    if tag == "link":
        rel = _link_rel(element)
        return None if rel is None or href is None else (href, rel)
    if tag in ("iframe", "frame"):
        source = element.get("src")
        return None if source is None else (source, LinkRel.ANCHOR)
    if tag == "meta" and (element.get("http-equiv") or "").strip().lower() == "refresh":
        match = _REFRESH.match((element.get("content") or "")[:_REFRESH_LENGTH])
        target = "" if match is None else match[1] or match[2] or match[3] or ""
        return (target, LinkRel.REFRESH) if target.strip() else None
    return None


def _link_rel(element: etree._Element) -> LinkRel | None:
    tokens = (element.get("rel") or "").lower().split()
    if "next" in tokens:
        return LinkRel.NEXT
    if "prev" in tokens or "previous" in tokens:
        return LinkRel.PREV
    if "alternate" not in tokens or "stylesheet" in tokens:
        return None
    media = _media_type(element)
    if media and ("oembed" in media or not _ALTERNATE_TYPE.search(media)):
        return None
    return LinkRel.ALTERNATE


def _media_type(element: etree._Element) -> str:
    return (element.get("type") or "").strip().lower()
