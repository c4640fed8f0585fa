"""What every page of a synthetic site has around its content: header, menu, sidebar, footer."""

from html import escape

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.kinds import Holder
from crawler.lab.sites.looks import Look, Markup
from crawler.lab.sites.oddities import Oddities
from crawler.lab.sites.places import Page, Place
from crawler.lab.sites.plan import FIXED_PAGES, Role, Section
from crawler.lab.sites.signposts import announcement
from crawler.lab.sites.style_sheet import STYLE_SHEET

_LATEST = 5
_TWIN = "{twin}"
"""Stands in the header for the page in the other language."""


class Frame:
    """Puts content into a page."""

    def __init__(self, addresses: Addresses, look: Look, oddities: Oddities | None) -> None:
        sections = self._sections = addresses.sections
        kind, chance = addresses.kind, addresses.chance
        # A menu is not in the order of what a crawler looks for.
        self._menu = sorted(sections, key=lambda section: chance.number("menu", section.number))
        self._addresses = addresses
        self._box = look.box
        self._shown = ((Role.PLAIN, _LATEST), (Role.DATA, min(kind.highlights, _LATEST)))
        self._languages = sorted({section.language for section in sections})
        self._oddities = oddities
        self._announcement = announcement(kind.habits.feed)
        """What the head of every page says of the site's feed."""
        self._same: dict[int, tuple[str, str, str]] = {}

    def page(
        self,
        language: int,
        section: Section | None,
        look: Look,
        title: str,
        main: str,
        aside: str,
        markup: Markup,
        twin: Page | None = None,
    ) -> bytes:
        """A whole page; its twin is the same page in the other language."""
        twin_path, alternate = "", self._announcement
        if twin is not None:
            twin_path, code = self._addresses.path(twin), self._addresses.code(1 - language)
            alternate += f"<link rel='alternate' hreflang='{code}' href='{twin_path}'>"
        head = (
            f"<head><meta charset='utf-8'><title>{escape(title)}</title>{alternate}"
            f"<link rel='stylesheet' href='{STYLE_SHEET}'></head>"
        )
        heading = f"<h1>{escape(title)}</h1>"
        content = markup.tag("main", look.main, heading + main)
        header, boxes, footer = self._around(language, markup)
        header = header.replace(_TWIN, twin_path)
        sidebar = markup.tag("aside", "sidebar", aside + boxes)
        body = (
            header
            + self._breadcrumb(language, section, title, markup)
            + markup.tag("div", "layout", content + sidebar)
            + footer
        )
        code = self._addresses.code(language)
        direction = " dir='rtl'" if code == "ar" else ""
        return (
            f"<!DOCTYPE html><html lang='{code}'{direction}>{head}"
            f"<body class='{look.body}'>{body}</body></html>"
        ).encode()

    def splash(self, markup: Markup) -> bytes:
        """A page without navigation: the choice of a language."""
        links = [
            markup.item("language", self._addresses.path(Page(Place.HOME, language)), code)
            for language, code in enumerate(map(self._addresses.code, self._languages))
        ]
        return (
            "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Welcome</title>"
            "</head><body class='splash'>"
            f"{markup.tag('ul', 'languages', ''.join(links))}</body></html>"
        ).encode()

    def box(self, title: str, items: list[str], markup: Markup) -> str:
        """A box of the sidebar."""
        inner = markup.tag("h2", "", escape(title)) + markup.tag("ul", "menu", "".join(items))
        return markup.tag("div", self._box, inner)

    def _around(self, language: int, markup: Markup) -> tuple[str, str, str]:
        """The same on every page of a language, unless every tag has an id of its own."""
        around = None if markup.unique else self._same.get(language)
        if around is None:
            header = self._header(language, markup)
            around = header, self._boxes(language, markup), self._footer(language, markup)
            self._same[language] = around
        return around

    def _header(self, language: int, markup: Markup) -> str:
        addresses = self._addresses
        words = addresses.words(language)
        home = addresses.path(Page(Place.HOME, language))
        items = [markup.item("menu-item", home, words.home)]
        for section in self._menu:
            if section.language == language:
                front = addresses.path(Page(Place.FRONT, section.number))
                items.append(markup.item("menu-item", front, addresses.name(section)))
        if language in addresses.edition.releases:
            calendar = addresses.path(Page(Place.RELEASES, language))
            items.append(markup.item("menu-item", calendar, words.releases))
        menu = markup.tag("nav", "main-menu", markup.tag("ul", "menu", "".join(items)))
        others = [
            markup.item("language", self._switch(other), addresses.code(other))
            for other in self._languages
            if other != language
        ]
        switch = markup.tag("ul", "languages", "".join(others)) if others else ""
        brand = self._oddities.header(language, markup) if self._oddities else ""
        return markup.tag("header", "site-header", menu + switch + brand)

    def _switch(self, language: int) -> str:
        """Where the switch to a language leads: to the page's twin, or to the home page."""
        if self._addresses.mirrored:
            return _TWIN
        return self._addresses.path(Page(Place.HOME, language))

    def _breadcrumb(
        self, language: int, section: Section | None, title: str, markup: Markup
    ) -> str:
        addresses = self._addresses
        home = addresses.path(Page(Place.HOME, language))
        steps = [markup.item("", home, addresses.words(language).home)]
        if section is not None:
            front = addresses.path(Page(Place.FRONT, section.number))
            steps.append(markup.item("", front, addresses.name(section)))
        steps.append(f"<li>{escape(title)}</li>")
        return markup.tag("div", "breadcrumb", markup.tag("ol", "", "".join(steps)))

    def _boxes(self, language: int, markup: Markup) -> str:
        """The newest of the news, and the first of the data, on every page."""
        addresses = self._addresses
        words = addresses.words(language)
        boxes = ""
        for role, limit in self._shown:
            title = words.latest if role is Role.PLAIN else words.featured
            section = next(s for s in self._sections if (s.role, s.language) == (role, language))
            if section.holder is not Holder.LEAF:
                continue
            items = [
                markup.item(
                    "",
                    addresses.path(Page(Place.LEAF, section.number, slot)),
                    addresses.title(section, "leaf", slot),
                )
                for slot in range(min(limit, section.slots))
            ]
            boxes += self.box(title, items, markup)
        return boxes

    def _footer(self, language: int, markup: Markup) -> str:
        addresses = self._addresses
        names = addresses.words(language).fixed
        items = [
            markup.item("", addresses.path(Page(Place.FIXED, language, number)), names[number])
            for number in range(FIXED_PAGES)
        ]
        items += [
            '<li class="social"><a href="https://social.invalid/office">@office</a></li>',
            '<li><a href="mailto:office@statistics.invalid">@</a></li>',
            '<li><a href="#top">^</a></li>',
        ]
        if self._oddities:
            items += self._oddities.footer(language, markup)
        return markup.tag("footer", "site-footer", markup.tag("ul", "links", "".join(items)))
