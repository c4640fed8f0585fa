"""A question to the search as one boolean expression over tokens, in the words of each database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.catalog.search.documents import NOT_VALID, file_token, named_token, site_token
from crawler.catalog.search.words import words_asked
from crawler.pages.mime_groups import EXTENSION_GROUPS, TARGET_GROUPS

TITLES, NAMES, ANYWHERE = 1, 2, 3
"""The tiers of documents.py: each holds those before it."""
_FIRST_YEAR = 1990


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: all of the words, and all of the filters."""

    words: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    """Tokens that must be there."""
    since: datetime | None = None

    def fts5(self, tier: int) -> str:
        """The expression for SQLite; empty when everything is asked for."""
        parts = [f'"{token}"' for token in self.filters]
        parts += [f'"{tier}{word}"*' for word in self.words]
        if days := self._days():
            parts.append("(" + " OR ".join(f'"{day}"' for day in days) + ")")
        return " AND ".join(parts)

    def tsquery(self, tier: int) -> str:
        """The expression for PostgreSQL; empty when everything is asked for."""
        parts = [f"'{token}'" for token in self.filters]
        parts += [f"'{tier}{word}':*" for word in self.words]
        if days := self._days():
            parts.append("(" + " | ".join(f"'{day}'" for day in days) + ")")
        return " & ".join(parts)

    def _days(self) -> list[str]:
        """Tokens that every dataset changed since then has; the first day needs a closer look."""
        if self.since is None or self.since.year < _FIRST_YEAR:
            return []
        return list(_days_since(self.since, datetime.now(UTC).year))


def question(
    words: str,
    *,
    site_id: int | None = None,
    file_format: str | None = None,
    verdict: str | None = None,
    since: datetime | None = None,
) -> Question | None:
    """The question; None when its text holds no letter or digit to look for.

    A word such as `language:fr` is a filter; one with a name that is unknown is two plain words.
    """
    filters = [] if site_id is None else [site_token(site_id)]
    others = []
    for word in words.split():
        name, _, value = word.partition(":")
        if value and (token := named_token(name.lower(), value)):
            filters.append(token)
        else:
            others.append(word)
    asked = words_asked(" ".join(others))
    if others and not asked:
        return None
    if file_format is not None or verdict is not None:
        filters.append(file_token(file_format, verdict))
    return Question(tuple(asked), tuple(filters), since)


def format_group(name: str) -> str:
    """The group of a format that was named by its group or by an extension: xlsx is excel."""
    plain = name.strip().lower().lstrip(".")
    return plain if plain in TARGET_GROUPS else EXTENSION_GROUPS.get(plain, plain)


def verdict_asked(valid: bool | None, verdict: str | None) -> str | None:
    """The verdict to look for; a verdict's own name goes before valid or not."""
    if verdict or valid is None:
        return verdict or None
    return "valid" if valid else NOT_VALID


def _days_since(since: datetime, this_year: int) -> Iterator[str]:
    for day in range(since.day, 32):
        yield f"0d{since:%Y%m}{day:02}"
    for month in range(since.month + 1, 13):
        yield f"0m{since:%Y}{month:02}"
    for year in range(since.year + 1, max(this_year, since.year) + 2):
        yield f"0y{year}"
