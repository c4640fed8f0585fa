"""The demo site: an invented statistics office, made on demand from a seed and a size."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from crawler.lab.demo.addresses import Addresses, Kind, Page
from crawler.lab.demo.answer import HTML, Answer, answer, redirect
from crawler.lab.demo.chance import Chance
from crawler.lab.demo.data_pages import DataPages
from crawler.lab.demo.files import Files
from crawler.lab.demo.frame import Content, Frame
from crawler.lab.demo.markup import Markup
from crawler.lab.demo.oddities import Oddities
from crawler.lab.demo.plan import plan_for
from crawler.lab.demo.section_pages import SectionPages
from crawler.lab.demo.titles import Titles
from crawler.lab.demo.topics import Lang


class DemoSite:
    """A whole website as a pure function of the path; the same seed gives the same bytes."""

    start_path = "/"

    def __init__(
        self,
        pages: int = 600,
        seed: int = 1,
        base: str = "http://127.0.0.1:8350",
        *,
        unique_ids: bool = False,
    ) -> None:
        self.pages = pages
        self.seed = seed
        self.base = base.rstrip("/")
        self.unique_ids = unique_ids
        self.plan = plan_for(pages)
        self._chance = Chance(seed)
        titles = Titles(self.plan, self._chance)
        self._addresses = Addresses(self.plan, titles)
        self._files = Files(self.plan, self._chance, titles)
        self._frame = Frame(self._addresses, titles, self.base)
        self._oddities = Oddities(self._addresses, self._files, self._chance, self.base)
        data = DataPages(self._frame, self._files, self._chance)
        sections = self._sections = SectionPages(data)
        self._writers: dict[Kind, Callable[[Page, Markup], Content]] = {
            Kind.HOME: sections.home,
            Kind.LIST: sections.listing,
            Kind.ITEM: sections.item,
            Kind.STATISTICS: data.statistics,
            Kind.TOPIC: data.topic,
            Kind.SUBTOPIC: data.subtopic,
            Kind.DATASET: data.dataset,
            Kind.ARCHIVE: data.archive,
            Kind.RELEASES: data.releases,
            Kind.RELEASE_YEAR: data.releases,
            Kind.RELEASE_MONTH: data.releases,
        }

    def at(self, base: str) -> "DemoSite":
        """The same site under another address."""
        return DemoSite(self.pages, self.seed, base, unique_ids=self.unique_ids)

    def respond(self, url: str) -> Answer:
        """The answer to a request for a path or a whole URL; whatever is asked, there is one."""
        path_and_query = url if url.startswith("/") else _path_of(url)
        page = self._addresses.find(path_and_query)
        if page is not None:
            return answer(self._write(page), HTML)
        path = path_and_query.partition("#")[0].partition("?")[0]
        file = self._files.find(path)
        if file is not None:
            return self._files.answer(file)
        return self._oddities.answer(path) or self._slash_added(path) or self._not_found(path)

    def page_paths(self) -> Iterator[str]:
        """Every HTML page that links lead to from the start and robots.txt allows, once."""
        for page in self.all_pages():
            yield self._addresses.path(page)

    def target_paths(self) -> Iterator[str]:
        """Every data file that links lead to from the start and robots.txt allows, once."""
        for owner, count in self._files.totals().items():
            for index in range(count):
                for file in self._files.of(owner, index):
                    yield self._files.path(file)

    def all_pages(self) -> Iterator[Page]:
        """Every page, by kind and number."""
        yield Page(Kind.SPLASH)
        yield Page(Kind.PREVIEW)
        for lang in Lang:
            for page in self._first_sheets(lang):
                for sheet in range(1, self._addresses.sheets(page) + 1):
                    yield Page(page.kind, lang, page.index, sheet, page.section)

    def _first_sheets(self, lang: Lang) -> Iterator[Page]:
        plan = self.plan
        counts = {
            Kind.HOME: 1,
            Kind.STATISTICS: 1,
            Kind.RELEASES: 1,
            Kind.TOPIC: plan.topics,
            Kind.ARCHIVE: plan.topics,
            Kind.SUBTOPIC: plan.subtopics,
            Kind.DATASET: plan.datasets,
            Kind.RELEASE_YEAR: plan.years,
            Kind.RELEASE_MONTH: plan.months,
        }
        for kind, count in counts.items():
            for index in range(count):
                yield Page(kind, lang, index)
        for section, count in plan.items.items():
            yield Page(Kind.LIST, lang, section=section)
            for item in range(count):
                yield Page(Kind.ITEM, lang, item, section=section)

    def _write(self, page: Page) -> bytes:
        key = ""
        if self.unique_ids:
            key = f"{self._chance.number('key', self._addresses.path(page)):016x}"
        markup = Markup(key)
        if page.kind is Kind.SPLASH:
            return self._frame.splash(self._sections.splash(markup))
        if page.kind is Kind.PREVIEW:
            return self._frame.page(page, self._sections.preview())
        return self._frame.page(page, self._writers[page.kind](page, markup))

    def _slash_added(self, path: str) -> Answer | None:
        """A list without its final slash leads to the one with it."""
        if path.endswith("/") or self._addresses.find(f"{path}/") is None:
            return None
        return redirect(f"{path}/")

    def _not_found(self, path: str) -> Answer:
        lang = Lang.FR if path.startswith("/fr/") else Lang.EN
        content = Content("404", "<p class='missing'>404</p>", (Page(Kind.HOME, lang),))
        return answer(self._frame.page(Page(Kind.HOME, lang), content), HTML, status=404)


def _path_of(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
