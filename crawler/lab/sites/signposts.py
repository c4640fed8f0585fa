"""What a site offers crawlers beside its pages: robots.txt, sitemaps and a feed."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from html import escape

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.answer import Answer, answer
from crawler.lab.sites.edition import Edition
from crawler.lab.sites.habits import FeedStyle, SitemapStyle, http_date, morning
from crawler.lab.sites.kinds import Holder
from crawler.lab.sites.listing import general_pages, section_pages
from crawler.lab.sites.places import Page, Place
from crawler.lab.sites.plan import MAX_IN_FRONT, Section

FEED = "/feed.xml"
FEED_TYPES = {FeedStyle.RSS: "application/rss+xml", FeedStyle.ATOM: "application/atom+xml"}

_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XML_TYPE = "application/xml; charset=utf-8"
_MAX_URLS = 50_000
"""Of one sitemap; the standard allows no more."""
_ITEMS = 30
"""Newest pages in the feed."""


def announcement(style: FeedStyle) -> str:
    """What the head of a page says of the feed."""
    if style is FeedStyle.NONE:
        return ""
    return f"<link rel='alternate' type='{FEED_TYPES[style]}' href='{FEED}'>"


class Signposts:
    """Writes them for one night."""

    def __init__(self, addresses: Addresses, first_edition: Edition, base: str) -> None:
        self._kind = addresses.kind
        self._sections = addresses.sections
        self._addresses = addresses
        self._edition = addresses.edition
        self._first = first_edition
        self._base = base

    def answer(self, path: str) -> Answer | None:
        """The answer to one of these paths; None when it is none of them."""
        habits = self._kind.habits
        if path == "/robots.txt":
            return Answer(200, {"Content-Type": "text/plain"}, self._robots())
        if path == FEED and habits.feed is not FeedStyle.NONE:
            feed = self._rss() if habits.feed is FeedStyle.RSS else self._atom()
            return answer(feed, f"{FEED_TYPES[habits.feed]}; charset=utf-8")
        if habits.sitemap is SitemapStyle.NONE or not path.startswith("/sitemap"):
            return None
        body = self._sitemap(path)
        return None if body is None else answer(body, _XML_TYPE)

    def _robots(self) -> bytes:
        lines = ["User-agent: *", "Disallow: /internal/"]
        if self._kind.oddities:
            lines.append("Disallow: /*/search")
        if self._kind.habits.sitemap is not SitemapStyle.NONE:
            lines += ["", f"Sitemap: {self._base}/sitemap.xml"]
        return "\n".join([*lines, ""]).encode()

    def _sitemap(self, path: str) -> bytes | None:
        """The index, or a part of it: one for every section, and one for what belongs to none."""
        if self._kind.habits.sitemap is SitemapStyle.ENTRIES:
            return self._urls(self._entries(), lambda _: None) if path == "/sitemap.xml" else None
        parts: dict[str, Section | None] = {"/sitemap-general.xml": None}
        parts |= {f"/sitemap-{section.number}.xml": section for section in self._sections}
        if path == "/sitemap.xml":
            rows = "".join(f"<sitemap><loc>{self._base}{part}</loc></sitemap>" for part in parts)
            return f'{_XML}<sitemapindex xmlns="{_SPACE}">{rows}</sitemapindex>\n'.encode()
        if path not in parts:
            return None
        stale = self._kind.habits.sitemap is SitemapStyle.STALE
        edition, section = self._first if stale else self._edition, parts[path]
        pages = section_pages(section, edition) if section else general_pages(self._kind, edition)
        return self._urls(pages, self._last_change)

    def _last_change(self, page: Page) -> date:
        calendar = self._edition.history.calendar
        match self._kind.habits.sitemap:
            case SitemapStyle.TODAY:
                return calendar.day(self._edition.night)
            case SitemapStyle.STALE:
                return calendar.day(0)
            case _:
                return calendar.day(self._edition.changed_on(page))

    def _entries(self) -> Iterator[Page]:
        """Entry pages only: a sitemap of everything would be as large as the site."""
        for language in range(len(self._kind.languages)):
            yield Page(Place.HOME, language)
        for section in self._sections:
            yield Page(Place.FRONT, section.number)
            if not section.flat:
                for number in range(min(section.lists, MAX_IN_FRONT)):
                    yield Page(Place.SHEET, section.number, number)

    def _urls(self, pages: Iterable[Page], last_change: Callable[[Page], date | None]) -> bytes:
        rows = []
        for page, _ in zip(pages, range(_MAX_URLS), strict=False):
            day = last_change(page)
            lastmod = f"<lastmod>{day.isoformat()}</lastmod>" if day else ""
            rows.append(f"<url><loc>{self._url(page)}</loc>{lastmod}</url>")
        return f'{_XML}<urlset xmlns="{_SPACE}">{"".join(rows)}</urlset>\n'.encode()

    def _url(self, page: Page) -> str:
        return f"{self._base}{self._addresses.path(page)}"

    def _newest(self) -> list[tuple[int, str, str]]:
        """Night, URL and title of the newest pages, the newest first."""
        items = [
            (night, section.number, slot)
            for section in self._sections
            if section.holder is Holder.LEAF
            for night, slot in self._edition.newest(section, _ITEMS)
            if self._edition.has(section, slot)
        ]
        newest = []
        for night, number, slot in sorted(items, reverse=True)[:_ITEMS]:
            title = self._addresses.title(self._sections[number], "leaf", slot)
            newest.append((night, self._url(Page(Place.LEAF, number, slot)), escape(title)))
        return newest

    def _rss(self) -> bytes:
        day = self._edition.history.calendar.day
        items = "".join(
            f"<item><title>{title}</title><link>{url}</link><guid>{url}</guid>"
            f"<pubDate>{http_date(morning(day(night)))}</pubDate></item>"
            for night, url, title in self._newest()
        )
        head = f"<title>New pages</title><link>{self._base}/</link><description/>"
        return f'{_XML}<rss version="2.0"><channel>{head}{items}</channel></rss>\n'.encode()

    def _atom(self) -> bytes:
        day = self._edition.history.calendar.day
        entries = "".join(
            f'<entry><title>{title}</title><id>{url}</id><link href="{url}"/>'
            f"<updated>{morning(day(night)).isoformat()}</updated></entry>"
            for night, url, title in self._newest()
        )
        updated = morning(day(self._edition.night)).isoformat()
        head = f"<title>New pages</title><id>{self._base}/</id><updated>{updated}</updated>"
        space = "http://www.w3.org/2005/Atom"
        return f'{_XML}<feed xmlns="{space}">{head}{entries}</feed>\n'.encode()
