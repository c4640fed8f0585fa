"""What old sites collect over the years: forbidden areas, searches, other spellings, dead ends."""

import re

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.files.csv_files import plain_csv
from crawler.lab.sites.files.figures import cube
from crawler.lab.sites.looks import Markup
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import Section
from crawler.lab.sites.redirects import CHAIN, LOOP, road_to

_DRAFT = re.compile(r"/internal/files/draft-([0-9]{1,2})\.csv")
_DRAFTS = re.compile(r"/internal/(?:drafts/([0-9]{1,2}))?")
_GONE = re.compile(r"/[a-z]{2}/discontinued/[0-9]{1,9}")
_SEARCH = re.compile(r"/[a-z]{2}/search")
_BEHIND_REDIRECT = 0.02
"""Share of the files that pages link by a redirection only."""
_SOCIAL = ("mastodon", "linkedin", "youtube", "facebook", "instagram")

OddLink = tuple[str, str]
"""Where a link leads, and what it says."""


class Oddities:
    """The odd links of a site, and the answers to those that no list of pages contains."""

    def __init__(self, addresses: Addresses, base: str) -> None:
        self._addresses = addresses
        self._chance = addresses.chance
        self._base = base

    def answer(self, path: str) -> Answer | None:
        """The answer for a path without its query; None when there is nothing odd."""
        # Forbidden by robots.txt; it answers all the same, so that a rude crawler is caught.
        if draft := _DRAFT.fullmatch(path):
            number = int(draft[1])
            table = cube(f"DRAFT-{number}", "Draft", "en", self._chance.stream("draft", number))
            return answer(plain_csv(table), "text/csv; charset=utf-8")
        if drafts := _DRAFTS.fullmatch(path):
            return answer(_drafts(int(drafts[1] or 0)), HTML)
        if _GONE.fullmatch(path):
            return answer(b"<html><body><h1>410 Gone</h1></body></html>", HTML, status=410)
        if _SEARCH.fullmatch(path):
            return answer(b"<html><body><p>No results.</p></body></html>", HTML)
        return None

    def file_href(self, file: File) -> str:
        """What pages link to for a file: its path, or a redirection to it."""
        drawn = self._chance.number("behind redirect", file.section, file.slot, file.number)
        behind = drawn % 1000 < 1000 * _BEHIND_REDIRECT
        return road_to(file) if behind else self._addresses.file_path(file)

    def on_fixed_page(self, language: int, number: int) -> list[OddLink]:
        """A chain of redirections, a loop of them, and what robots.txt forbids."""
        code = self._addresses.code(language)
        odd = (CHAIN, LOOP, "/internal/drafts/1", f"/{code}/discontinued/1")
        return [(path, path) for path in odd[number : number + 1]]

    def on_leaf(self, section: Section, slot: int) -> list[OddLink]:
        """Now and then another spelling of a page, a forbidden file or a withdrawn page."""
        drawn = self._chance.number("odd", section.origin, slot)
        links = []
        if drawn % 5 == 0:
            other = drawn // 5 % section.slots
            path = self._addresses.path(Page(Place.LEAF, section.number, other))
            spelling = f";jsessionid={drawn:016X}" if drawn % 2 else "?utm_campaign=news#tables"
            title = self._addresses.title(section, "leaf", other)
            links.append((f"{self._base}{path}{spelling}", title))
        if drawn % 20 == 3:
            links.append((f"/internal/files/draft-{slot % 100}.csv", "Draft"))
        if drawn % 25 == 1:
            code = self._addresses.code(section.language)
            links.append((f"/{code}/discontinued/{slot}", "Discontinued series"))
        return links

    def header(self, language: int, markup: Markup) -> str:
        """A logo with a tracked link, and searches that robots.txt forbids."""
        code, words = self._addresses.code(language), self._addresses.words(language)
        home = self._addresses.path(Page(Place.HOME, language))
        logo = markup.link(f"{home}?utm_source=logo", "Office of Statistics of Norvenia", "logo")
        searches = "".join(
            markup.item("search", f"/{code}/search?q={number}", subject)
            for number, subject in enumerate(words.subjects[:3])
        )
        return markup.tag("div", "brand", logo + markup.tag("ul", "searches", searches))

    def footer(self, language: int, markup: Markup) -> list[str]:
        """The same pages under other spellings, the staff's area, networks, a telephone."""
        addresses = self._addresses
        names = addresses.words(language).fixed
        fixed = [addresses.path(Page(Place.FIXED, language, number)) for number in range(3)]
        links = [
            (f"{fixed[0]};jsessionid=6F1D0C2A9B7E4583A1C0FF3E", names[0]),
            (f"{fixed[1]}#top", names[1]),
            (f"{fixed[2]}?utm_source=footer&amp;utm_medium=web", names[2]),
            ("/internal/", "Staff area"),
            ("tel:+99900000000", "+999 0000 0000"),
            *((f"https://{name}.invalid/norvenia-stat", name) for name in _SOCIAL),
        ]
        return [markup.item("odd", href, text) for href, text in links]


def _drafts(first: int) -> bytes:
    rows = "".join(
        f'<li><a href="/internal/drafts/{at}">Draft {at}</a> '
        f'<a href="/internal/files/draft-{at}.csv">CSV</a></li>'
        for at in range(first, min(first + 5, 100))
    )
    return f"<html><body><ul>{rows}</ul></body></html>".encode()
