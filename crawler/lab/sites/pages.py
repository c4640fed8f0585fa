"""The HTML of a synthetic site: navigation, lists, articles, downloads and what stands around."""

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.chance import Stream
from crawler.lab.sites.frame import Frame
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.kinds import Holder, Pager
from crawler.lab.sites.looks import Look, Markup, looks_of
from crawler.lab.sites.oddities import Oddities
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import RELEASES_PER_SHEET, Section
from crawler.lab.sites.rot import DeadLink, Rot

_RELATED = 4
_SEEN_TWICE = 0.1
"""Share of the pages with files that also link a file of another page."""
_MOVED = 0.02
"""Share of the related links that lead over a redirection."""
_WINDOW = 3
_JUMPS = (-100, -10, 10, 100)
"""Sheets that a numbered pager offers beside the neighbours."""
_FORMATS_EACH = 2
"""Real tables come in two formats each, under the same title."""
_TABLE_FROM = 12
"""More files than this stand in a table."""


class Pages:
    """Writes any page of a site from its number alone."""

    def __init__(self, addresses: Addresses, holdings: Holdings, oddities: Oddities | None) -> None:
        self._kind = addresses.kind
        self._sections = addresses.sections
        self._addresses = addresses
        self._holdings = holdings
        self._edition = addresses.edition
        self._looks = looks_of(addresses)
        self._rot = Rot(addresses, holdings)
        self._oddities = oddities
        self._frame = Frame(addresses, self._looks[0], oddities)

    def write(self, page: Page) -> bytes:
        """The HTML of a page."""
        stream = self._addresses.chance.stream(
            "page", page.place.value, page.section, page.number, page.sheet
        )
        markup = Markup(f"{stream.number():012x}-" if self._kind.unique_ids else "")
        if page.place is Place.SPLASH:
            return self._frame.splash(markup)
        if page.place in (Place.HOME, Place.FIXED, Place.RELEASES):
            return self._general(page, markup, stream)
        section = self._sections[page.section]
        dead = self._rot.links(stream, section)
        if page.place is Place.LEAF:
            title = self._addresses.title(section, "leaf", page.number)
            main = self._leaf(section, page.number, markup, stream, dead)
            side = self._related(section, page.number, markup, stream)
        elif page.place is Place.GROUP or (page.place is Place.FRONT and not section.flat):
            title, main = self._contents(section, page, markup, dead)
            side = ""
        else:
            title, main = self._sheet(section, page, markup, stream, dead)
            side = ""
        aside = side + self._see_also(section.language, markup, dead)
        look, twin = self._looks[section.number], self._addresses.twin(page)
        return self._frame.page(section.language, section, look, title, main, aside, markup, twin)

    def not_found(self) -> bytes:
        """The page for a path that leads nowhere, with the frame of all pages."""
        main, look = "<p class='missing'>404</p>", self._looks[0]
        home = self._addresses.twin(Page(Place.HOME, 0))
        return self._frame.page(0, None, look, "404", main, "", Markup(), home)

    def _general(self, page: Page, markup: Markup, stream: Stream) -> bytes:
        language = page.section
        words = self._addresses.words(language)
        main = [self._paragraph(language, stream)]
        if page.place is Place.HOME:
            title = words.home
            ours = (section for section in self._sections if section.language == language)
            main += [self._teasers(section, markup) for section in ours]
        elif page.place is Place.RELEASES:
            title = words.releases
            main.append(self._releases(page, markup))
        else:
            title = words.fixed[page.number]
            if self._oddities:
                odd = self._oddities.on_fixed_page(language, page.number)
                main += [f"<p>{markup.link(href, text)}</p>" for href, text in odd]
        dead = self._rot.links(stream, None)
        main += [self._inline(language, link, markup, stream) for link in dead]
        look, twin = self._looks[0], self._addresses.twin(page)
        return self._frame.page(language, None, look, title, "".join(main), "", markup, twin)

    def _releases(self, page: Page, markup: Markup) -> str:
        """The months of the release calendar, or the pages that were released in one."""
        addresses, edition, language = self._addresses, self._edition, page.section
        if not page.number:
            paths = [addresses.path(replace(page, number=at)) for at in edition.months(language)]
            rows = [markup.item("month", path, "/".join(path.split("/")[-3:-1])) for path in paths]
            return markup.tag("ul", "months", "".join(rows))
        section = edition.releases[language].section
        first = page.sheet * RELEASES_PER_SHEET
        slots = edition.released(language, page.number)[first : first + RELEASES_PER_SHEET]
        links = [self._leaf_link(section, slot, markup) for slot in slots]
        rows = [markup.tag("tr", "release", markup.tag("td", "title", link)) for link in links]
        sheets = [
            (replace(page, sheet=other), str(other + 1))
            for other in range(edition.month_sheets(language, page.number))
            if other != page.sheet
        ]
        table = markup.tag("table", "release-table", markup.tag("tbody", "", "".join(rows)))
        return table + self._pager_links(self._looks[0], sheets, markup)

    def _teasers(self, section: Section, markup: Markup) -> str:
        """The first pages of a section, as its front shows them too."""
        name = self._addresses.name(section)
        front = self._addresses.path(Page(Place.FRONT, section.number))
        inner = markup.tag("h2", "block-title", markup.link(front, name))
        if section.holder is Holder.LEAF:
            items = [
                markup.tag("li", "", self._leaf_link(section, slot, markup))
                for slot in self._edition.highlights(section, self._kind.highlights)
            ]
            inner += markup.tag("ul", "highlights", "".join(items))
        return markup.tag("div", "block-highlights", inner)

    def _contents(
        self, section: Section, page: Page, markup: Markup, dead: list[DeadLink]
    ) -> tuple[str, str]:
        """Links to lists, or to groups of them."""
        look, addresses = self._looks[section.number], self._addresses
        title = addresses.name(section)
        if page.place is Place.GROUP:
            title = addresses.title(section, "group", page.number)
            numbers = range(*section.group_span(page.number))
        elif section.groups:
            rows = [
                markup.item(
                    "topic",
                    addresses.path(Page(Place.GROUP, section.number, group)),
                    addresses.title(section, "group", group),
                )
                for group in range(section.groups)
            ]
            return title, markup.tag("ul", "topics", "".join(rows))
        else:
            numbers = range(section.lists)
        rows = [
            markup.item(
                "category",
                addresses.path(addresses.sheet(section, number, 0)),
                addresses.title(section, "list", number),
            )
            for number in numbers
        ]
        rows += [
            markup.item("category", link.path, link.title) for link in dead if not link.like_file
        ]
        return title, markup.tag("div", look.article, markup.tag("ul", "categories", "".join(rows)))

    def _sheet(
        self, section: Section, page: Page, markup: Markup, stream: Stream, dead: list[DeadLink]
    ) -> tuple[str, str]:
        look = self._looks[section.number]
        number = 0 if section.flat else page.number
        title = self._addresses.title(section, "list", number)
        slots = self._edition.slots(section, number, page.sheet)
        if section.holder is Holder.LIST:
            main = self._paragraph(section.language, stream)
            main += "".join(self._files(section, slot, markup, stream, dead) for slot in slots)
        else:
            items = [
                self._item(section, self._leaf_link(section, slot, markup), markup, stream)
                for slot in slots
            ]
            for link in dead:
                if not link.like_file:
                    at = stream.number() % (len(items) + 1)
                    linked = markup.link(link.path, link.title)
                    items.insert(at, self._item(section, linked, markup, stream))
            main = markup.tag(*look.listing, "".join(items))
        return title, main + self._pager(section, number, page.sheet, markup)

    def _item(self, section: Section, link: str, markup: Markup, stream: Stream) -> str:
        look = self._looks[section.number]
        words = self._addresses.words(section.language)
        teaser = markup.tag("p", "summary", escape(stream.pick(words.text)))
        return markup.tag(*look.item, markup.tag(look.heading, "title", link) + teaser)

    def _leaf_link(self, section: Section, slot: int, markup: Markup) -> str:
        path = self._addresses.path(Page(Place.LEAF, section.number, slot))
        return markup.link(path, self._addresses.title(section, "leaf", slot))

    def _pager(self, section: Section, number: int, sheet: int, markup: Markup) -> str:
        last = self._edition.sheets(section, number) - 1
        if not last:
            return ""
        words = self._addresses.words(section.language)
        shown = [(sheet - 1, words.previous), (sheet + 1, words.next)]
        if section.pager is Pager.NUMBERED:
            near = {0, last, *range(sheet - _WINDOW, sheet + _WINDOW + 1)} - {sheet}
            near |= {sheet + jump for jump in _JUMPS}
            shown += [(other, str(other + 1)) for other in sorted(near)]
        sheets = [
            (self._addresses.sheet(section, number, other), text)
            for other, text in shown
            if 0 <= other <= last
        ]
        return self._pager_links(self._looks[section.number], sheets, markup)

    def _pager_links(self, look: Look, sheets: list[tuple[Page, str]], markup: Markup) -> str:
        links = [
            markup.item("pager-item", self._addresses.path(page), text) for page, text in sheets
        ]
        if not links:
            return ""
        return markup.tag("nav", look.pager, markup.tag("ul", "pager-list", "".join(links)))

    def _leaf(
        self, section: Section, slot: int, markup: Markup, stream: Stream, dead: list[DeadLink]
    ) -> str:
        look, language = self._looks[section.number], section.language
        body = [self._paragraph(language, stream) for _ in range(2 + stream.number() % 3)]
        body += [self._inline(language, link, markup, stream) for link in dead[::2]]
        if self._oddities:
            odd = self._oddities.on_leaf(section, slot)
            body += [f"<p>{markup.link(href, text)}</p>" for href, text in odd]
        files = self._files(section, slot, markup, stream, dead)
        return markup.tag("div", look.article, "".join(body)) + files

    def _files(
        self, section: Section, slot: int, markup: Markup, stream: Stream, dead: list[DeadLink]
    ) -> str:
        """The download block of a page, where it has files."""
        numbers = self._edition.linked_files(section, slot)
        if not numbers:
            return ""
        look = self._looks[section.number]
        title = self._addresses.title(section, "leaf", slot)
        each = _FORMATS_EACH if self._kind.real_files else 1
        links = [
            (self._file_href(File(section.origin, slot, number)), f"{title} {number // each + 1}")
            for number in numbers
        ]
        links += [(link.path, link.title) for link in dead if link.like_file]
        links += self._seen_twice(section, stream)
        if len(numbers) > _TABLE_FROM:
            rows = [
                markup.tag("tr", "", markup.tag("td", "name", markup.link(path, text, look.link)))
                for path, text in links
            ]
            return markup.tag("table", "data-table", markup.tag("tbody", "", "".join(rows)))
        items = [markup.tag(*look.file, markup.link(path, text, look.link)) for path, text in links]
        words = self._addresses.words(section.language)
        heading = markup.tag("h3", "", escape(words.files))
        return heading + markup.tag(*look.files, "".join(items))

    def _seen_twice(self, section: Section, stream: Stream) -> Iterator[tuple[str, str]]:
        if stream.fraction() < _SEEN_TWICE:
            slot = self._holdings.some_slot(section, stream.number())
            # In long chains a link far ahead would make them short.
            if slot is not None and section.pager is Pager.NUMBERED:
                title = self._addresses.title(section, "leaf", slot)
                yield self._file_href(File(section.origin, slot, 0)), title

    def _file_href(self, file: File) -> str:
        odd = self._oddities
        return odd.file_href(file) if odd else self._addresses.file_path(file)

    def _related(self, section: Section, slot: int, markup: Markup, stream: Stream) -> str:
        """Pages of the same list: near ones where lists are chains, any where they are not."""
        begin, end = section.span(self._edition.history.list_of(section, slot))
        if section.pager is Pager.NEXT and slot < section.slots:
            begin, end = max(begin, slot - section.per_sheet), min(end, slot + section.per_sheet)
        items = []
        for _ in range(_RELATED):
            other = begin + stream.number() % (end - begin)
            path = self._addresses.path(Page(Place.LEAF, section.number, other))
            if stream.fraction() < _MOVED:
                path = f"/go/{section.number}/{other}"
            title = self._addresses.title(section, "leaf", other)
            items.append(markup.item("", path, title))
        words = self._addresses.words(section.language)
        return self._frame.box(words.related, items, markup)

    def _see_also(self, language: int, markup: Markup, dead: list[DeadLink]) -> str:
        links = [link for link in dead[1::2] if link.title]
        if not links:
            return ""
        items = [markup.item("", link.path, link.title) for link in links]
        return self._frame.box(self._addresses.words(language).see_also, items, markup)

    def _paragraph(self, language: int, stream: Stream) -> str:
        text = self._addresses.words(language).text
        return f"<p>{escape(' '.join(stream.pick(text) for _ in range(4)))}</p>"

    def _inline(self, language: int, link: DeadLink, markup: Markup, stream: Stream) -> str:
        text = escape(stream.pick(self._addresses.words(language).text))
        return f"<p>{text} {markup.link(link.path, link.title or text)}</p>"
