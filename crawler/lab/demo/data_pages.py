"""The pages on which data is found: topics, subtopics, datasets, archives and releases."""

from crawler.lab.demo.addresses import PREVIEW_PATH, Kind, Page
from crawler.lab.demo.chance import Chance
from crawler.lab.demo.files import DataFile, Files, Owner
from crawler.lab.demo.frame import Content, Frame
from crawler.lab.demo.markup import Link, Markup, pager_sheets
from crawler.lab.demo.plan import (
    ARCHIVED_DATASETS_PER_SHEET,
    ARCHIVED_FILES_PER_SHEET,
    DATASETS_PER_SHEET,
    RELEASES_PER_SHEET,
    Section,
)
from crawler.lab.demo.titles import month_of
from crawler.lab.demo.topics import TOPICS, Lang
from crawler.lab.demo.words import (
    ARCHIVE,
    DATASETS,
    DOWNLOADS,
    OLDER,
    PREVIEW,
    QUICK_TABLES,
    RELATED,
    RELEASES,
    STATISTICS,
)


class DataPages:
    """Writes the contents of the statistics side of the site."""

    def __init__(self, frame: Frame, files: Files, chance: Chance) -> None:
        self.frame = frame
        self.files = files
        self.chance = chance
        self.plan = files.plan
        self.titles = files.titles

    def statistics(self, page: Page, markup: Markup) -> Content:
        """All topics."""
        lang = page.lang
        tiles = [self.frame.link(Page(Kind.TOPIC, lang, at)) for at in range(self.plan.topics)]
        main = self.titles.prose(lang, 3, 0, "statistics", lang) + markup.bullets(
            tiles, "tiles", "tile", "tile-link"
        )
        return Content(STATISTICS.of(lang), main, (Page(Kind.HOME, lang),))

    def topic(self, page: Page, markup: Markup) -> Content:
        """A topic: its subtopics and its archive."""
        lang, topic = page.lang, page.index
        subtopics = range(topic, self.plan.subtopics, self.plan.topics)
        links = [self.frame.link(Page(Kind.SUBTOPIC, lang, each)) for each in subtopics]
        archive = Link(self.frame.addresses.path(Page(Kind.ARCHIVE, lang, topic)), ARCHIVE.of(lang))
        main = self.titles.prose(lang, 4, topic, "topic", topic)
        main += markup.bullets(links, "subtopics", "subtopic", "subtopic-link")
        main += f"{markup.tag('p', 'to-archive')}{markup.link(archive, 'archive-link')}</p>"
        if topic == 0:
            preview = Link(PREVIEW_PATH, PREVIEW.of(lang))
            main += f"<p>{markup.link(preview, 'preview-link')}</p>"
        crumbs = (Page(Kind.HOME, lang), Page(Kind.STATISTICS, lang))
        return Content(TOPICS[topic].name.of(lang), main, crumbs)

    def subtopic(self, page: Page, markup: Markup) -> Content:
        """A subtopic: a few quick tables, and the list of its current datasets."""
        lang, subtopic = page.lang, page.index
        topic = subtopic % self.plan.topics
        first = (page.sheet - 1) * DATASETS_PER_SHEET
        last = min(first + DATASETS_PER_SHEET, self.plan.subtopic_datasets(subtopic))
        links = [
            self.frame.link(Page(Kind.DATASET, lang, subtopic + turn * self.plan.subtopics))
            for turn in range(first, last)
        ]
        main = self.titles.prose(lang, 2, topic, "subtopic", subtopic, page.sheet)
        main += f"<h2>{DATASETS.of(lang)}</h2>{markup.datasets(links)}"
        main += self.pager(page, markup, "datasets")
        quick = self.files.of(Owner.SUBTOPIC, subtopic) if page.sheet == 1 else []
        if quick:
            main += markup.downloads(self.file_links(quick, lang), QUICK_TABLES.of(lang))
        return Content(self.titles.subtopic(subtopic).of(lang), main, self._crumbs(lang, topic))

    def dataset(self, page: Page, markup: Markup) -> Content:
        """A dataset: what it is, and its files."""
        lang, dataset = page.lang, page.index
        topic = self.plan.topic_of_dataset(dataset)
        draw = self.chance.number("dataset page", dataset)
        links = self.file_links(self.files.of(Owner.DATASET, dataset), lang)
        if draw % 12 == 0:
            links.append((Link(f"/files/withdrawn/table-{dataset}.csv", DOWNLOADS.of(lang)), "csv"))
        if draw % 20 == 3:
            draft = Link(f"/internal/files/draft-{dataset % 100}.csv", DOWNLOADS.of(lang))
            links.append((draft, "csv"))
        main = self.titles.prose(lang, 3 + draw % 5, topic, "dataset", dataset)
        main += markup.downloads(links, DOWNLOADS.of(lang))
        main += self.titles.prose(lang, 1 + draw % 3, topic, "dataset notes", dataset)
        side = Markup().bullets(self._related(page, draw), "side-related", "side-item", "related")
        crumbs = self._crumbs(lang, topic)
        if dataset < self.plan.current:
            crumbs += (Page(Kind.SUBTOPIC, lang, dataset % self.plan.subtopics),)
        title = self.titles.dataset(dataset).of(lang)
        return Content(title, main, crumbs, f"<h3>{RELATED.of(lang)}</h3>{side}")

    def archive(self, page: Page, markup: Markup) -> Content:
        """A page of a topic's archive: older datasets, and older files directly."""
        lang, topic = page.lang, page.index
        plan, sheet = self.plan, page.sheet - 1
        first = sheet * ARCHIVED_DATASETS_PER_SHEET
        last = min(first + ARCHIVED_DATASETS_PER_SHEET, plan.archive_datasets(topic))
        datasets = [
            self.frame.link(Page(Kind.DATASET, lang, plan.current + topic + turn * plan.topics))
            for turn in range(first, last)
        ]
        first = sheet * ARCHIVED_FILES_PER_SHEET
        last = min(first + ARCHIVED_FILES_PER_SHEET, plan.archive_files(topic))
        older = [DataFile(Owner.ARCHIVE, topic + turn * plan.topics) for turn in range(first, last)]
        files = [link for link, _ in self.file_links(older, lang)]
        name = f"{ARCHIVE.of(lang)}: {TOPICS[topic].name.of(lang)}"
        main = self.titles.prose(lang, 1, topic, "archive", topic, sheet)
        main += markup.table(datasets, "archive", "archive-dataset")
        main += f"<h2>{OLDER.of(lang)}</h2>{markup.table(files, 'archive-files', 'file')}"
        main += self.pager(page, markup, "archive")
        return Content(name, main, self._crumbs(lang, topic))

    def releases(self, page: Page, markup: Markup) -> Content:
        """The release calendar: its years, the months of a year, or the releases of a month."""
        lang, plan = page.lang, self.plan
        crumbs: tuple[Page, ...] = (Page(Kind.HOME, lang),)
        if page.kind is Kind.RELEASES:
            title = RELEASES.of(lang)
            links = [self._period(Page(Kind.RELEASE_YEAR, lang, at)) for at in range(plan.years)]
            main = markup.bullets(links, "release-years", "release-year", "year-link")
        elif page.kind is Kind.RELEASE_YEAR:
            title = f"{RELEASES.of(lang)} {month_of(12 * page.index)[0]}"
            months = range(12 * page.index, min(12 * page.index + 12, plan.months))
            links = [self._period(Page(Kind.RELEASE_MONTH, lang, at)) for at in months]
            main = markup.bullets(links, "release-months", "release-month", "month-link")
            crumbs += (Page(Kind.RELEASES, lang),)
        else:
            year, month = month_of(page.index)
            title = f"{RELEASES.of(lang)} {month:02d}/{year}"
            first = (page.sheet - 1) * RELEASES_PER_SHEET
            last = min(first + RELEASES_PER_SHEET, plan.month_datasets(page.index))
            links = [
                self.frame.link(Page(Kind.DATASET, lang, page.index + turn * plan.months))
                for turn in range(first, last)
            ]
            main = markup.table(links, "release-table", "release-link")
            main += self.pager(page, markup, "releases")
            crumbs += (Page(Kind.RELEASES, lang), Page(Kind.RELEASE_YEAR, lang, page.index // 12))
        return Content(title, self.titles.prose(lang, 2, 0, title) + main, crumbs)

    def pager(self, page: Page, markup: Markup, name: str) -> str:
        """The pager of a list; the first page is linked by its own path."""
        path = self.frame.addresses.path(Page(page.kind, page.lang, page.index, 1, page.section))
        shown = pager_sheets(page.sheet, self.frame.addresses.sheets(page))
        links = [Link(f"?page={at}" if at > 1 else path, str(at)) for at in shown]
        return markup.pager(links, name)

    def file_links(self, files: list[DataFile], lang: Lang) -> list[tuple[Link, str]]:
        """Links to files, each with its extension."""
        return [
            (
                Link(self.files.link(file), self.files.title(file).of(lang)),
                self.files.format(file).value.extension.replace(".", "-"),
            )
            for file in files
        ]

    def _crumbs(self, lang: Lang, topic: int) -> tuple[Page, ...]:
        topics = (Page(Kind.STATISTICS, lang), Page(Kind.TOPIC, lang, topic))
        return (Page(Kind.HOME, lang), *topics)

    def _period(self, page: Page) -> Link:
        path = self.frame.addresses.path(page)
        return Link(path, "/".join(path.strip("/").split("/")[2:]))

    def _related(self, page: Page, draw: int) -> list[Link]:
        """Sibling subtopics, a method page, and now and then a link that has gone wrong."""
        lang, plan = page.lang, self.plan
        topic = plan.topic_of_dataset(page.index)
        siblings = range(topic, plan.subtopics, plan.topics)[:6]
        links = [self.frame.link(Page(Kind.SUBTOPIC, lang, each)) for each in siblings]
        method = draw % plan.items[Section.METHODS]
        links.append(self.frame.link(Page(Kind.ITEM, lang, method, section=Section.METHODS)))
        if draw % 15 == 2:
            moved = (page.index * 7 + 3) % plan.datasets
            links.append(Link(f"/r/moved/{lang}/{moved}", self.titles.dataset(moved).of(lang)))
        if draw % 25 == 1:
            links.append(Link(f"/{lang}/discontinued/{page.index}", ARCHIVE.of(lang)))
        return links
