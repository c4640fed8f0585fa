"""Where the styles of a page come from: its style elements and the sheets that it links to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from crawler.pages.styles.cascade import Cascade
from crawler.pages.styles.media import applies
from crawler.pages.styles.sheet import MAX_CHARACTERS, Sheet, sheet_of
from crawler.pages.urls import resolve

MAX_SOURCES = 30
"""Style elements and linked sheets of one page."""
_MAX_IMPORT_DEPTH = 3
_REMEMBERED_SETS = 8
_REMEMBERED_TEXTS = 50


@dataclass(frozen=True, slots=True)
class Source:
    """A sheet that is linked by its URL, or whose text is in the page."""

    url: str
    """Of the sheet; of the page where the text is in the page."""
    text: str | None = None


def sources_of(root: etree._Element, base: str) -> tuple[Source, ...]:
    """The styles of a page in their order."""
    found: list[Source] = []
    for element in root.iter("style", "link"):
        if len(found) >= MAX_SOURCES:
            break
        if not applies((element.get("media") or "")[:200]):
            continue
        if element.tag == "style":
            found.append(Source(base, (element.text or "")[:MAX_CHARACTERS]))
            continue
        rel = (element.get("rel") or "").lower().split()
        if "stylesheet" in rel and "alternate" not in rel:
            url = resolve(base, element.get("href") or "")
            if url is not None:
                found.append(Source(url))
    return tuple(found)


class SheetLibrary:
    """The sheets of a site, each read once."""

    def __init__(self, *, keep_texts: bool = False) -> None:
        """`keep_texts` for a browser, which reads sheets itself."""
        self._texts: dict[str, str] | None = {} if keep_texts else None
        self._linked: dict[str, Sheet] = {}
        self._in_page = lru_cache(_REMEMBERED_TEXTS)(sheet_of)
        self._cascade = lru_cache(_REMEMBERED_SETS)(self._combined)

    def add(self, url: str, text: str) -> None:
        """A sheet was fetched; an empty one could not be had."""
        self._linked[url] = sheet_of(text)
        if self._texts is not None:
            self._texts[url] = text
        self._cascade.cache_clear()

    def missing(self, sources: Sequence[Source]) -> list[str]:
        """The URLs of sheets that are not known yet, those that known ones import among them."""
        found: dict[str, None] = {}
        self._walk(sources, 0, [], found)
        return list(found)

    def texts(self, sources: Sequence[Source]) -> list[str]:
        """These sheets as they are written, each after those that it imports."""
        known, found = self._texts or {}, self._known(sources)
        return [
            known.get(source.url, "") if source.text is None else source.text for source, _ in found
        ]

    def cascade(self, sources: Sequence[Source]) -> Cascade:
        """The rules of these sheets, without those that are not known."""
        return self._cascade(tuple(sources))

    def _combined(self, sources: tuple[Source, ...]) -> Cascade:
        return Cascade(sheet for _, sheet in self._known(sources))

    def _known(self, sources: Sequence[Source]) -> list[tuple[Source, Sheet]]:
        found: list[tuple[Source, Sheet]] = []
        self._walk(sources, 0, found, {})
        return found

    def _walk(
        self,
        sources: Iterable[Source],
        depth: int,
        sheets: list[tuple[Source, Sheet]],
        missing: dict[str, None],
    ) -> None:
        for source in sources:
            sheet = self._sheet(source)
            if sheet is None:
                missing[source.url] = None
                continue
            if depth < _MAX_IMPORT_DEPTH and len(sheets) < MAX_SOURCES:
                self._walk(_imported(source, sheet), depth + 1, sheets, missing)
            sheets.append((source, sheet))

    def _sheet(self, source: Source) -> Sheet | None:
        return self._linked.get(source.url) if source.text is None else self._in_page(source.text)


def _imported(source: Source, sheet: Sheet) -> list[Source]:
    named = (resolve(source.url, name) for name in sheet.imports)
    return [Source(url) for url in named if url is not None]
