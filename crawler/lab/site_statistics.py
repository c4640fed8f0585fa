"""The statistics of Tables I and V of paper 000, counted on a measured site link by link."""

import statistics
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.lab.measured_site import MeasuredSite
from crawler.lab.sites.answer import Answer
from crawler.pages.html import PageReader
from crawler.pages.mime import MimeRules, UrlClass
from crawler.pages.scope import Place, Scope
from crawler.pages.urls import canonical, fingerprint, resolve

_TICK = 200
_MEGABYTE = 1000**2


@dataclass(frozen=True, slots=True)
class SiteStatistics:
    """What a breadth-first walk through every page has counted."""

    pages: int
    targets: int
    neither: int
    """URLs that are dead or of another type."""
    neither_like_files: float
    """Share of them whose extension is that of a target."""
    pages_with_targets: int
    target_mean: float
    """Size of a target, in MB."""
    target_deviation: float
    depth_mean: float
    depth_deviation: float
    deepest: int
    reward_mean: float
    """New targets of a page that had any, in the order of the walk."""
    reward_deviation: float
    links_per_page: float

    @property
    def available(self) -> int:
        """Pages and targets."""
        return self.pages + self.targets

    @property
    def density(self) -> float:
        """Targets by available."""
        return self.targets / max(self.available, 1)

    @property
    def html_to_target(self) -> float:
        """Percentage of pages with a link to a target."""
        return 100 * self.pages_with_targets / max(self.pages, 1)

    @property
    def neither_per_page(self) -> float:
        """URLs that lead nowhere, for each page."""
        return self.neither / max(self.pages, 1)


@dataclass(slots=True)
class _Counts:
    pages: int = 0
    links: int = 0
    neither: int = 0
    like_files: int = 0
    with_targets: int = 0
    sizes: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    rewards: list[int] = field(default_factory=list)


def site_statistics(
    site: MeasuredSite, on_pages: Callable[[int], None] = lambda _: None
) -> SiteStatistics:
    """Walk through the whole site; memory grows with its URLs, 40 bytes for each."""
    return _Walk(site, on_pages).to_its_end()


class _Walk:
    def __init__(self, site: MeasuredSite, on_pages: Callable[[int], None]) -> None:
        self._site = site
        self._on_pages = on_pages
        self._scope = Scope(
            site.start_url, hosts=site.scope.hosts, file_hosts=site.scope.file_hosts
        )
        self._mime = MimeRules(site.target_types)
        self._reader = PageReader()
        self._known: dict[int, UrlClass] = {}
        self._waiting: deque[tuple[str, int]] = deque()
        self._counts = _Counts()

    def to_its_end(self) -> SiteStatistics:
        self._meet(self._site.start_url, 0)
        while self._waiting:
            url, depth = self._waiting.popleft()
            self._read(url, depth)
            if self._counts.pages % _TICK == 0:
                self._on_pages(self._counts.pages)
        return self._summed_up()

    def _read(self, url: str, depth: int) -> None:
        answer = self._site.respond(url)
        if 300 <= answer.status <= 399:
            self._follow(url, answer, depth)
            return
        counts = self._counts
        counts.pages += 1
        content_type = _header(answer, "content-type")
        links = self._reader.read(answer.body, url, content_type).links
        counts.links += len(links)
        before, has_targets = len(counts.sizes), False
        for link in links:
            met = self._known.get(link.fingerprint)
            if met is None and self._scope.place(link.url) is Place.SITE:
                met = self._meet(link.url, depth + 1, link.fingerprint)
            has_targets = has_targets or met is UrlClass.TARGET
        counts.with_targets += has_targets
        if new := len(counts.sizes) - before:
            counts.rewards.append(new)

    def _follow(self, url: str, answer: Answer, depth: int) -> None:
        target = resolve(url, _header(answer, "location"))
        if target is not None and fingerprint(canonical(target)) not in self._known:
            self._meet(target, depth)

    def _meet(self, url: str, depth: int, number: int | None = None) -> UrlClass:
        counts = self._counts
        its_class = self._site.url_class(url)
        self._known[fingerprint(canonical(url)) if number is None else number] = its_class
        if its_class is UrlClass.HTML:
            self._waiting.append((url, depth))
        elif its_class is UrlClass.TARGET:
            self._count_target(url, depth)
        elif not self._mime.is_media(url):
            counts.neither += 1
            counts.like_files += self._mime.data_extension(url) is not None
        return its_class

    def _count_target(self, url: str, depth: int) -> None:
        answer = self._site.respond(url)
        if 300 <= answer.status <= 399:
            self._follow(url, answer, depth)
            return
        self._counts.sizes.append(answer.size)
        self._counts.depths.append(depth)

    def _summed_up(self) -> SiteStatistics:
        counts = self._counts
        sizes = [size / _MEGABYTE for size in counts.sizes]
        return SiteStatistics(
            pages=counts.pages,
            targets=len(counts.sizes),
            neither=counts.neither,
            neither_like_files=counts.like_files / max(counts.neither, 1),
            pages_with_targets=counts.with_targets,
            target_mean=_mean(sizes),
            target_deviation=_deviation(sizes),
            depth_mean=_mean(counts.depths),
            depth_deviation=_deviation(counts.depths),
            deepest=max(counts.depths, default=0),
            reward_mean=_mean(counts.rewards),
            reward_deviation=_deviation(counts.rewards),
            links_per_page=counts.links / max(counts.pages, 1),
        )


def _mean(values: list[int] | list[float]) -> float:
    return statistics.fmean(values) if values else 0.0


def _deviation(values: list[int] | list[float]) -> float:
    return statistics.pstdev(values) if values else 0.0


def _header(answer: Answer, wanted: str) -> str:
    return next((value for name, value in answer.headers.items() if name.lower() == wanted), "")
