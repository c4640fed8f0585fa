"""The pages around the data: home, news, press, events, people; and the bulk download hubs."""

from crawler.lab.demo.addresses import DATED, Kind, Page
from crawler.lab.demo.data_pages import DataPages
from crawler.lab.demo.files import Owner
from crawler.lab.demo.frame import Content
from crawler.lab.demo.markup import Link, Markup
from crawler.lab.demo.plan import ITEMS_PER_SHEET, Section
from crawler.lab.demo.topics import REGIONS, Lang
from crawler.lab.demo.words import (
    DOWNLOADS,
    LANGUAGE,
    LATEST,
    OFFICE,
    PREVIEW,
    RELATED,
    SECTIONS,
)

_FILES_OF = {Section.BULK: Owner.BULK, Section.METHODS: Owner.METHOD}
_PARAGRAPHS = {Section.NEWS: 7, Section.PRESS: 6, Section.METHODS: 9, Section.GLOSSARY: 3}


class SectionPages:
    """Writes the contents of everything that is not statistics."""

    def __init__(self, data: DataPages) -> None:
        self.data = data
        self.frame = data.frame
        self.plan = data.plan
        self.titles = data.titles
        self.chance = data.chance

    def splash(self, markup: Markup) -> Content:
        """The choice of language at the root."""
        links = [Link(f"/{lang}/", LANGUAGE.of(lang)) for lang in Lang]
        main = markup.bullets(links, "languages", "language-choice", "language-link")
        return Content(f"{OFFICE.en} / {OFFICE.fr}", main)

    def preview(self) -> Content:
        """A table viewer: a page whose URL ends in .csv."""
        cells = "".join(f"<tr><td>{region.en}</td></tr>" for region in REGIONS)
        return Content(PREVIEW.en, f"<table class='preview'>{cells}</table>")

    def home(self, page: Page, markup: Markup) -> Content:
        """The home page of a language: highlights of every section, and the newest releases."""
        lang = page.lang
        newest = range(min(4, self.plan.current))
        releases = [self.frame.link(Page(Kind.DATASET, lang, each)) for each in newest]
        blocks = [
            self.titles.prose(lang, 2, 0, "home"),
            f"<h2>{LATEST.of(lang)}</h2>",
            markup.bullets(releases, "latest-releases", "latest-release", "release-link"),
        ]
        for section in (Section.NEWS, Section.PRESS, Section.EVENTS):
            if section in self.plan.items:
                rows = self._rows(lang, section, 0, 6)
                heading = f"<h2>{SECTIONS[section].of(lang)}</h2>"
                blocks.append(heading + markup.section_list(section, rows))
        return Content(OFFICE.of(lang), "\n".join(blocks))

    def listing(self, page: Page, markup: Markup) -> Content:
        """A page of a section's list."""
        lang, section = page.lang, page.section
        per_sheet = ITEMS_PER_SHEET[section]
        rows = self._rows(lang, section, (page.sheet - 1) * per_sheet, per_sheet)
        main = self.titles.prose(lang, 1, 0, "list", section.value)
        main += markup.section_list(section, rows) + self.data.pager(page, markup, section.value)
        return Content(SECTIONS[section].of(lang), main, (Page(Kind.HOME, lang),))

    def item(self, page: Page, markup: Markup) -> Content:
        """An item of a section; bulk hubs and some method pages have files."""
        lang, section, item = page.lang, page.section, page.index
        topic = self.chance.below(self.plan.topics, "item topic", section.value, item)
        paragraphs = _PARAGRAPHS.get(section, 4)
        main = self.titles.prose(lang, paragraphs, topic, "item", section.value, item)
        files = self.data.files.of(_FILES_OF[section], item) if section in _FILES_OF else []
        if files:
            main += markup.downloads(self.data.file_links(files, lang), DOWNLOADS.of(lang))
        related = self._related(page)
        if related:
            listed = markup.bullets(related, "see-also", "related", "related-link")
            main += f"<h2>{RELATED.of(lang)}</h2>{listed}"
        title = self.titles.item(section, item).of(lang)
        crumbs = (Page(Kind.HOME, lang), Page(Kind.LIST, lang, section=section))
        return Content(title, main, crumbs)

    def _rows(self, lang: Lang, section: Section, first: int, count: int) -> list[tuple[Link, str]]:
        rows = []
        for item in range(first, min(first + count, self.plan.items[section])):
            link = self.frame.link(Page(Kind.ITEM, lang, item, section=section))
            teaser = ""
            if section in DATED:
                year, month = self.titles.item_month(section, item)
                teaser = f"<time>{year}-{month:02d}</time>"
            rows.append((link, teaser))
        return rows

    def _related(self, page: Page) -> list[Link]:
        """Neighbours of an item, and the odd links that real sites collect over the years."""
        lang, section, item = page.lang, page.section, page.index
        draw = self.chance.number("related", section.value, item)
        count = self.plan.items[section]
        links = [
            self.frame.link(Page(Kind.ITEM, lang, (item + step) % count, section=section))
            for step in (1, 2, 5)
            if section in DATED and step < count
        ]
        if section is Section.ABOUT:
            links += self._oddities(lang, item)
        if section is Section.NEWS and draw % 5 == 0:
            dataset = Page(Kind.DATASET, lang, draw // 5 % self.plan.current)
            link = self.frame.link(dataset)
            session = f";jsessionid={draw:016X}" if draw % 2 else "?utm_campaign=news#tables"
            links.append(Link(f"{self.frame.base}{link.href}{session}", link.text))
        if draw % 14 == 1:
            links.append(Link(f"/{lang}/former/{section.value}-{item}.html", RELATED.of(lang)))
        if draw % 16 == 2:
            links.append(Link(f"/static/img/{item % 100}.png", RELATED.of(lang)))
        return links

    def _oddities(self, lang: Lang, item: int) -> list[Link]:
        kinds = (f"/r/chain/{lang}/1", "/r/loop/1", "/internal/drafts/1", f"/{lang}/former/map")
        return [Link(kinds[item % len(kinds)], RELATED.of(lang))]
