"""A crawl of a changing site, night by night, with the planner and the histories of the product."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from crawler.config.revisit import RevisitConfig
from crawler.lab.revisit.known_links import KnownLinks
from crawler.lab.revisit.recorded_nights import RecordedNights
from crawler.revisit.fingerprints import fingerprint
from crawler.revisit.night_plan import NightPlan
from crawler.revisit.observe import (
    FileSeen,
    PageSeen,
    credit_targets,
    observe_file,
    observe_page,
)
from crawler.revisit.page_history import FileHistory, PageHistory, Validators
from crawler.revisit.plan import plan_night
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome

FIRST_NIGHT = datetime(2025, 12, 31, 22, tzinfo=UTC).timestamp()
"""Night 0, at an hour when everything of the day is published."""


def night_time(night: int) -> float:
    """The time of a night, in seconds since 1970."""
    return FIRST_NIGHT + SECONDS_PER_DAY * night


@dataclass(frozen=True, slots=True)
class _Followed:
    """A new page that was read."""

    page: str
    parent: str
    """The page on which it was found; empty for a start."""
    new_files: list[str]


class SimulatedCrawl:
    """Knows a site as of night 0, and what the nights since then showed."""

    def __init__(self, site: RecordedNights, config: RevisitConfig, seed: int) -> None:
        self.site = site
        self._config = config
        self._state = PlannerState(seed=seed)
        self.known_pages: list[str] = []
        """Every page that was ever read."""
        self._pages: list[PageHistory] = []
        self._page_ids: dict[str, int] = {}
        self.known_files: list[str] = []
        """Every file that was ever fetched, in the order of discovery."""
        self._file_histories: list[FileHistory] = []
        self._file_ids: dict[str, int] = {}
        self._known: set[str] = set()
        self._links = KnownLinks()
        self.versions: dict[str, int] = {}
        """The version of each known file that the crawl holds."""
        self.requests = 0
        """Requests of the last night: known pages, new pages, new files, checks of files."""
        self.page_visits = 0
        """Known pages visited in the last night."""
        self.file_checks = 0
        """Known files checked in the last night."""
        self._first_crawl()

    def is_known(self, url: str) -> bool:
        """Whether a link was seen before, wherever it leads."""
        return url in self._known

    def is_gone(self, file: str) -> bool:
        """Whether a known file is marked gone."""
        return self._file_histories[self._file_ids[file]].gone

    def live(self, night: int) -> list[str]:
        """One night: the plan, its visits and what they led to; the new files are returned."""
        plan = plan_night(
            self._pages, self._file_histories, self._config, night_time(night), self._state
        )
        self._state = plan.state
        return self.carry_out(plan, night)

    def carry_out(self, plan: NightPlan, night: int) -> list[str]:
        """Visit what a plan says; the new files are returned."""
        self.requests = 0
        self.page_visits = len(plan.pages)
        self.file_checks = len(plan.files)
        existing = self.site.existing(night)
        found = [
            file
            for planned in plan.pages
            for file in self._visit(self.known_pages[planned.id], night, existing)
        ]
        files = self.site.files(night)
        for check in plan.files:
            self._check(check.id, files, night)
        return found

    def _first_crawl(self) -> None:
        start = next(iter(self.site.pages(0)))
        self._known.add(start)
        for followed in self._follow([start], 0):
            parent = self._page_ids.get(followed.parent)
            if parent is not None:
                behind = [fingerprint(file) for file in followed.new_files]
                self._pages[parent] = credit_targets(self._pages[parent], behind)
        inlinks = Counter(link for page in self.known_pages for link in set(self._links.of(page)))
        self._pages = [
            replace(page, inlinks=inlinks[url])
            for url, page in zip(self.known_pages, self._pages, strict=True)
        ]

    def _follow(self, starts: Iterable[str], night: int) -> Iterator[_Followed]:
        """New pages and the new pages behind them, breadth first, each with its new files."""
        existing = self.site.existing(night)
        files = self.site.files(night)
        waiting = deque((page, "", 0) for page in starts)
        while waiting:
            page, parent, depth = waiting.popleft()
            self.requests += 1
            if page not in existing:
                continue
            links = self.site.links(night, page)
            new = self._new_among(links)
            new_files = [link for link in new if link in files]
            self._add_page(page, links, new_files, night, depth)
            for file in new_files:
                self._add_file(file, page, files[file], night)
            waiting += ((link, page, depth + 1) for link in new if link not in files)
            yield _Followed(page, parent, new_files)

    def _new_among(self, links: Iterable[str]) -> list[str]:
        new = [link for link in dict.fromkeys(links) if link not in self._known]
        self._known.update(new)
        return new

    def _add_page(
        self, page: str, links: tuple[str, ...], new_files: list[str], night: int, depth: int
    ) -> None:
        at = night_time(night)
        self._links.read(page, links)
        self._page_ids[page] = len(self._pages)
        self.known_pages.append(page)
        history = PageHistory(len(self._pages), self.site.template(page), at, depth=depth)
        seen = self._seen(links, new_files, Outcome.NEW, at)
        dates = self.site.dates(night, page)
        self._pages.append(observe_page(history, replace(seen, dates=dates)))

    def _seen(
        self, links: tuple[str, ...], new_files: list[str], outcome: Outcome, at: float
    ) -> PageSeen:
        return PageSeen(
            at=at,
            outcome=outcome,
            outlinks=[fingerprint(link) for link in links],
            new_targets=[fingerprint(file) for file in new_files],
            known_targets=[
                fingerprint(link)
                for link in links
                if link in self._file_ids and link not in new_files
            ],
        )

    def _add_file(self, file: str, page: str, version: int, night: int) -> None:
        self.requests += 1
        self._file_ids[file] = len(self._file_histories)
        self.known_files.append(file)
        template = f"{self.site.template(page)} {file.rpartition('.')[2]}"
        self._file_histories.append(
            FileHistory(
                len(self._file_histories),
                template,
                night_time(night),
                validators=Validators.ETAG,
                modified=self._modified(file, night),
            )
        )
        self.versions[file] = version

    def _modified(self, file: str, night: int) -> float | None:
        day = self.site.modified(night, file)
        return None if day is None else day * SECONDS_PER_DAY

    def _visit(self, page: str, night: int, existing: frozenset[str]) -> list[str]:
        """Visit a known page, follow the new pages on it, and return all new files."""
        self.requests += 1
        at, row = night_time(night), self._page_ids[page]
        if page not in existing:
            self._mark_unlinked(self._links.read(page, ()))
            self._pages[row] = observe_page(self._pages[row], PageSeen(at, Outcome.GONE))
            return []
        links = self.site.links(night, page)
        if set(links) == set(self._links.of(page)):
            self._pages[row] = observe_page(self._pages[row], PageSeen(at, Outcome.UNCHANGED))
            return []
        files = self.site.files(night)
        self._mark_unlinked(self._links.read(page, links))
        new = self._new_among(links)
        new_files = [link for link in new if link in files]
        for file in new_files:
            self._add_file(file, page, files[file], night)
        seen = self._seen(links, new_files, Outcome.CHANGED, at)
        seen = replace(seen, new_links=len(new), dates=self.site.dates(night, page))
        self._pages[row] = observe_page(self._pages[row], seen)
        behind = [
            file
            for followed in self._follow([link for link in new if link not in files], night)
            for file in followed.new_files
        ]
        credited = [fingerprint(file) for file in behind]
        self._pages[row] = credit_targets(self._pages[row], credited)
        return new_files + behind

    def _mark_unlinked(self, links: set[str]) -> None:
        for link in links:
            row = self._file_ids.get(link)
            if row is not None:
                self._file_histories[row] = replace(self._file_histories[row], unlinked=True)

    def _check(self, row: int, files: Mapping[str, int], night: int) -> None:
        self.requests += 1
        file, history = self.known_files[row], self._file_histories[row]
        version = files.get(file)
        if version is None:
            outcome = Outcome.GONE
        elif version != self.versions[file]:
            outcome = Outcome.CHANGED
            self.versions[file] = version
            history = replace(history, modified=self._modified(file, night))
        else:
            outcome = Outcome.UNCHANGED
        self._file_histories[row] = observe_file(history, FileSeen(night_time(night), outcome))
