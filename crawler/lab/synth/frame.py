"""What every page of a synthetic site has around its content: header, menu, sidebar, footer."""

from html import escape

from crawler.lab.demo.chance import Chance
from crawler.lab.synth.addresses import Addresses, Page, Place
from crawler.lab.synth.kinds import Holder
from crawler.lab.synth.looks import Look, Markup
from crawler.lab.synth.plan import FIXED_PAGES, Role, Section

_LATEST = 5


class Frame:
    """Puts content into a page."""

    def __init__(
        self,
        sections: tuple[Section, ...],
        addresses: Addresses,
        look: Look,
        featured: int,
        chance: Chance,
    ) -> None:
        self._sections = sections
        # A menu is not in the order of what a crawler looks for.
        self._menu = sorted(sections, key=lambda section: chance.number("menu", section.number))
        self._addresses = addresses
        self._box = look.box
        self._shown = ((Role.PLAIN, _LATEST), (Role.DATA, min(featured, _LATEST)))
        self._languages = sorted({section.language for section in sections})
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
    ) -> bytes:
        """A whole page."""
        head = (
            f"<head><meta charset='utf-8'><title>{escape(title)}</title>"
            "<link rel='stylesheet' href='/assets/site.css'></head>"
        )
        heading = f"<h1>{escape(title)}</h1>"
        content = markup.tag("main", look.main, heading + main)
        header, boxes, footer = self._around(language, markup)
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

    def box(self, title: str, items: list[str], markup: Markup) -> str:
        """A box of the sidebar."""
        inner = markup.tag("h2", "", escape(title)) + markup.tag("ul", "menu", "".join(items))
        return markup.tag("div", self._box, inner)

    def _around(self, language: int, markup: Markup) -> tuple[str, str, str]:
        """The same on every page of a language, unless every tag has an id of its own."""
        made = None if markup.unique else self._same.get(language)
        if made is None:
            header = self._header(language, markup)
            made = header, self._boxes(language, markup), self._footer(language, markup)
            self._same[language] = made
        return made

    def _header(self, language: int, markup: Markup) -> str:
        addresses = self._addresses
        words = addresses.words(language)
        home = addresses.path(Page(Place.HOME, language))
        items = [markup.tag("li", "menu-item", markup.link(home, words.home))]
        for section in self._menu:
            if section.language == language:
                front = addresses.path(Page(Place.FRONT, section.number))
                link = markup.link(front, addresses.name(section))
                items.append(markup.tag("li", "menu-item", link))
        menu = markup.tag("nav", "main-menu", markup.tag("ul", "menu", "".join(items)))
        others = [
            markup.tag(
                "li",
                "language",
                markup.link(addresses.path(Page(Place.HOME, other)), addresses.code(other)),
            )
            for other in self._languages
            if other != language
        ]
        switch = markup.tag("ul", "languages", "".join(others)) if others else ""
        return markup.tag("header", "site-header", menu + switch)

    def _breadcrumb(
        self, language: int, section: Section | None, title: str, markup: Markup
    ) -> str:
        addresses = self._addresses
        home = addresses.path(Page(Place.HOME, language))
        steps = [markup.tag("li", "", markup.link(home, addresses.words(language).home))]
        if section is not None:
            front = addresses.path(Page(Place.FRONT, section.number))
            steps.append(markup.tag("li", "", markup.link(front, addresses.name(section))))
        steps.append(f"<li>{escape(title)}</li>")
        return markup.tag("div", "breadcrumb", markup.tag("ol", "", "".join(steps)))

    def _boxes(self, language: int, markup: Markup) -> str:
        """The newest of the news, and the first of the data, on every page."""
        addresses = self._addresses
        words = addresses.words(language)
        boxes = ""
        for role, most in self._shown:
            title = words.latest if role is Role.PLAIN else words.featured
            section = next(s for s in self._sections if (s.role, s.language) == (role, language))
            if section.holder is not Holder.LEAF:
                continue
            items = [
                markup.tag(
                    "li",
                    "",
                    markup.link(
                        addresses.path(Page(Place.LEAF, section.number, slot)),
                        addresses.title(section, "leaf", slot),
                    ),
                )
                for slot in range(min(most, section.slots))
            ]
            boxes += self.box(title, items, markup)
        return boxes

    def _footer(self, language: int, markup: Markup) -> str:
        addresses = self._addresses
        names = addresses.words(language).fixed
        items = [
            markup.tag(
                "li",
                "",
                markup.link(addresses.path(Page(Place.FIXED, language, number)), names[number]),
            )
            for number in range(FIXED_PAGES)
        ]
        items += [
            '<li class="social"><a href="https://social.invalid/office">@office</a></li>',
            '<li><a href="mailto:office@statistics.invalid">@</a></li>',
            '<li><a href="#top">^</a></li>',
        ]
        return markup.tag("footer", "site-footer", markup.tag("ul", "links", "".join(items)))
