"""What a search can be narrowed by, and the tokens that stand for it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypedDict

from crawler.catalog.search.covered import MAX_YEAR, MIN_YEAR
from crawler.catalog.search.parsing import NamedValue
from crawler.catalog.search.tokens import (
    NOT_VALID,
    file_token,
    language_token,
    place_token,
    publisher_token,
    site_token,
    what_token,
    year_token,
)
from crawler.pages.mime_groups import EXTENSION_GROUPS, TARGET_GROUPS

_YEARS = re.compile(r"\s*(\d{4})(?:\s*(?:-|–|/|\.\.|to)\s*(\d{4}))?\s*")


class FilterRefused(ValueError):
    """A filter means nothing; the sentence says why."""


class NamedFilters(TypedDict, total=False):
    """The same as keyword arguments; None and empty text are no filter."""

    site: str | None
    format: str | None
    verdict: str | None
    language: str | None
    period: str | None
    place: str | None
    publisher: str | None
    what: str | None


NAMES = frozenset(NamedFilters.__annotations__)
"""The names that a filter has in a question: `language:fr`."""


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """The filters of a search; None is no filter."""

    site: str | None = None
    format: str | None = None
    verdict: str | None = None
    language: str | None = None
    period: str | None = None
    """A year, or two with a dash: tables that cover both."""
    place: str | None = None
    publisher: str | None = None
    what: str | None = None
    """new, changed or gone: what happened last."""

    @classmethod
    def of(cls, named: NamedFilters, valid: bool | None) -> "SearchFilters":
        """The filters that are given by name."""
        chosen = cls(**{name: value or None for name, value in named.items()})  # type: ignore[arg-type]
        return replace(chosen, verdict=verdict_asked(valid, chosen.verdict))

    def with_named(self, named: Iterable[NamedValue]) -> "SearchFilters":
        """With those that stand among the words, which are more particular."""
        return replace(self, **{each.name: each.value for each in named})

    @property
    def wanted(self) -> tuple[str | None, str | None]:
        """Format and verdict, which are those of one and the same file."""
        return (format_group(self.format) if self.format else None, self.verdict or None)

    def tokens(self, site_id: int | None) -> Iterator[str]:
        """The tokens that every dataset has that passes; FilterRefused when a period is none."""
        if site_id is not None:
            yield site_token(site_id)
        file_format, verdict = self.wanted
        if file_format is not None or verdict is not None:
            yield file_token(file_format, verdict)
        if self.language:
            yield language_token(self.language)
        if self.period:
            yield from map(year_token, _ends(self.period))
        if self.place:
            yield place_token(self.place)
        if self.publisher:
            yield publisher_token(self.publisher)
        if self.what:
            yield what_token(self.what)


def verdict_asked(valid: bool | None, verdict: str | None) -> str | None:
    """The verdict to look for; a verdict's own name goes before valid or not."""
    if verdict or valid is None:
        return verdict or None
    return "valid" if valid else NOT_VALID


def format_group(name: str) -> str:
    """The group of a format that was named by its group or by an extension: xlsx is excel."""
    plain = name.strip().lower().lstrip(".")
    return plain if plain in TARGET_GROUPS else EXTENSION_GROUPS.get(plain, plain)


def check_period(text: str) -> None:
    """ValueError with a sentence when a text is neither a year nor two."""
    _ends(text)


def _ends(period: str) -> list[int]:
    match = _YEARS.fullmatch(period[:40])
    years = [int(year) for year in match.groups() if year] if match else []
    if not years or not all(MIN_YEAR <= year <= MAX_YEAR for year in years):
        raise FilterRefused(
            f"'{period[:40]}' is no period: write a year such as 2019, or 2015-2019"
        )
    return sorted(set(years))
