"""Sitemaps and feeds: the URLs that a site names itself, and when it says they changed.

Everything here is bounded: bytes, entries, lengths. Entities are not expanded and nothing is loaded
from elsewhere, so a hostile file costs no more than a large one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from lxml import etree

from crawler.pages.publication_date import publication_date
from crawler.pages.signal_kind import SignalKind, unpacked
from crawler.pages.text import collapsed
from crawler.pages.urls import canonical, fingerprint, resolve

MAX_ENTRIES = 50_000
"""URLs that are taken from one file; the sitemap protocol allows no more."""
MAX_URL_LENGTH = 2_048

_PIECE = 1 << 16
_TITLE_LENGTH = 300


class SignalPlace(StrEnum):
    """Where in a file a URL stands: its tag path, by which a strategy learns what it is worth."""

    SITEMAP_OF_ROBOTS = "robots sitemap"
    SITEMAP_OF_INDEX = "sitemapindex sitemap loc"
    URL = "urlset url loc"
    OTHER_LANGUAGE = "urlset url link"
    ITEM = "feed entry link"
    ENCLOSURE = "feed entry enclosure"


@dataclass(frozen=True, slots=True)
class NamedUrl:
    """A URL that a sitemap or feed names."""

    url: str
    fingerprint: int
    place: SignalPlace
    at: float | None = None
    """When it changed last, as the file says."""
    anchor: str = ""
    """The title of an item."""

    @property
    def headings(self) -> str:
        """As a link of a page has some; sitemaps and feeds have none."""
        return ""

    @property
    def tag_path(self) -> str:
        """As a link of a page has one."""
        return self.place.value

    @property
    def rel(self) -> str:
        """As a link of a page has one."""
        return "sitemap" if self.is_sitemap else ""

    @property
    def is_sitemap(self) -> bool:
        """Whether the URL is that of another sitemap."""
        return self.place in (SignalPlace.SITEMAP_OF_INDEX, SignalPlace.SITEMAP_OF_ROBOTS)


@dataclass(slots=True)
class SignalFile:
    """What a sitemap or feed says."""

    kind: SignalKind
    title: str = ""
    urls: list[NamedUrl] = field(default_factory=list)


def named_url(base: str, text: str, place: SignalPlace, at: float | None = None) -> NamedUrl | None:
    """A URL as a file names it; None when it is none."""
    text = text.strip()
    url = resolve(base, text) if text and len(text) <= MAX_URL_LENGTH else None
    return None if url is None else NamedUrl(url, fingerprint(canonical(url)), place, at)


def read_signal(body: bytes, base: str, kind: SignalKind) -> SignalFile:
    """Read a sitemap or feed; never raises, and what cannot be read names nothing."""
    signal_file = SignalFile(kind)
    seen: set[int] = set()
    for named in _named(unpacked(body), base, signal_file):
        if named.fingerprint not in seen:
            seen.add(named.fingerprint)
            signal_file.urls.append(named)
        if len(signal_file.urls) >= MAX_ENTRIES:
            break
    return signal_file


def _named(body: bytes, base: str, signal_file: SignalFile) -> Iterator[NamedUrl]:
    for element in _elements(body):
        match _name(element):
            case "sitemap":
                yield from _entry(element, base, SignalPlace.SITEMAP_OF_INDEX)
            case "url":
                yield from _entry(element, base, SignalPlace.URL)
            case "item" | "entry":
                yield from _item(element, base)
            case "title" if not signal_file.title and signal_file.kind is SignalKind.FEED:
                signal_file.title = collapsed(element.text or "", _TITLE_LENGTH)
                continue
            case _:
                continue
        element.clear()
        _drop_before(element)


def _elements(body: bytes) -> Iterator[etree._Element]:
    """Every element at its end tag, while the file is read piece by piece."""
    parser = etree.XMLPullParser(
        events=("end",),
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        for start in range(0, len(body), _PIECE):
            parser.feed(body[start : start + _PIECE])
            yield from _ended(parser)
        parser.close()
    except etree.LxmlError:
        return
    yield from _ended(parser)


def _ended(parser: etree.XMLPullParser) -> Iterator[etree._Element]:
    return (one for _, one in parser.read_events() if isinstance(one, etree._Element))


def _drop_before(element: etree._Element) -> None:
    """Elements that are done with: fifty thousand of them need not stay in memory."""
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def _entry(element: etree._Element, base: str, place: SignalPlace) -> Iterator[NamedUrl]:
    location, at, others = "", None, []
    for child in element:
        match _name(child):
            case "loc":
                location = child.text or ""
            case "lastmod":
                at = moment(child.text or "")
            case "link" if child.get("hreflang") and child.get("href"):
                others.append(child.get("href") or "")
    if named := named_url(base, location, place, at):
        yield named
    for href in others if place is SignalPlace.URL else ():
        if named := named_url(base, href, SignalPlace.OTHER_LANGUAGE, at):
            yield named


def _item(element: etree._Element, base: str) -> Iterator[NamedUrl]:
    links: list[tuple[str, SignalPlace]] = []
    identifier, title, at = "", "", None
    for child in element:
        match _name(child):
            case "link":
                enclosed = child.get("rel") == "enclosure"
                href = child.get("href") or child.text or ""
                if child.get("rel") in (None, "alternate", "enclosure"):
                    links.append((href, SignalPlace.ENCLOSURE if enclosed else SignalPlace.ITEM))
            case "enclosure" if child.get("url"):
                links.append((child.get("url") or "", SignalPlace.ENCLOSURE))
            case "guid" if child.get("isPermaLink") != "false":
                identifier = child.text or ""
            case "title":
                title = collapsed(child.text or "", _TITLE_LENGTH)
            case "updated" | "pubDate" | "date" | "published":
                at = max(filter(None, (at, moment(child.text or ""))), default=None)
    if not any(place is SignalPlace.ITEM for _, place in links) and identifier.startswith("http"):
        links.append((identifier, SignalPlace.ITEM))
    for href, place in links:
        if named := named_url(base, href, place, at):
            yield NamedUrl(named.url, named.fingerprint, place, at, title)


def _name(element: etree._Element) -> str:
    # Entity references and the like have a function where elements have their name.
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def moment(text: str) -> float | None:
    """Seconds since 1970 that a date of a sitemap or feed means; None when it is no date."""
    date = publication_date(text.strip()[:64])
    return date.timestamp() if date else None
