"""All nights of a changing site, read once, so that every strategy lives through the same ones."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from crawler.lab.sites.graph import SiteGraph

Value = TypeVar("Value")


class _Versions(Generic[Value]):
    """A value that changes on some nights."""

    def __init__(self) -> None:
        self._nights: list[int] = []
        self._values: list[Value] = []

    def keep(self, night: int, value: Value) -> bool:
        """Keep a value unless it is the last one; whether it is another."""
        if self._values and self._values[-1] == value:
            return False
        self._nights.append(night)
        self._values.append(value)
        return True

    def on(self, night: int) -> Value:
        """The value of a night."""
        return self._values[max(bisect_right(self._nights, night) - 1, 0)]


class RecordedNights:
    """A changing site whose nights are in memory; links are kept once per change."""

    def __init__(self, site: SiteGraph, nights: int, *, dated: bool = True) -> None:
        self.name = site.name
        self._dated = dated
        self._pages: list[list[str]] = []
        self._existing: list[frozenset[str]] = []
        self._files: list[Mapping[str, int]] = []
        self._links: dict[str, _Versions[tuple[str, ...]]] = {}
        self._dates: dict[str, _Versions[tuple[int, ...]]] = {}
        self._modified: dict[tuple[str, int], int | None] = {}
        """By file and version."""
        self._templates: dict[str, str] = {}
        for night in range(nights + 1):
            self._record(site, night)

    def _record(self, site: SiteGraph, night: int) -> None:
        pages = list(site.pages(night))
        self._pages.append(pages)
        self._existing.append(frozenset(pages))
        files = dict(site.files(night))
        self._files.append(files)
        for file, version in files.items():
            if (file, version) not in self._modified:
                self._modified[file, version] = site.modified(night, file)
        for page in pages:
            if page not in self._templates:
                self._templates[page] = site.template(page)
            links = self._links.setdefault(page, _Versions())
            if links.keep(night, site.links(night, page)):
                dates = site.dates(night, page) if self._dated else ()
                self._dates.setdefault(page, _Versions()).keep(night, dates)

    def pages(self, night: int) -> Iterable[str]:
        """All pages, the start page first."""
        return self._pages[night]

    def existing(self, night: int) -> frozenset[str]:
        """All pages as a set."""
        return self._existing[night]

    def links(self, night: int, page: str) -> tuple[str, ...]:
        """The links of a page."""
        return self._links[page].on(night)

    def dates(self, night: int, page: str) -> tuple[int, ...]:
        """The dates of a page's items."""
        return self._dates[page].on(night)

    def files(self, night: int) -> Mapping[str, int]:
        """The files, with their versions."""
        return self._files[night]

    def modified(self, night: int, file: str) -> int | None:
        """The day on which a file changed last, as its server says."""
        return self._modified[file, self._files[night][file]]

    def template(self, page: str) -> str:
        """The label of a page's template."""
        return self._templates[page]
