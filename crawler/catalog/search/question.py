"""A question to the search: groups of which each must be there, in one of many ways."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations

from crawler.catalog.search.tokens import ANYWHERE, EVERY_DOCUMENT

Check = Callable[[AbstractSet[str]], bool]
"""Says whether a document with these tokens has something."""
_FIRST_YEAR = 1990
_MAX_SUBSETS = 30


@dataclass(frozen=True, slots=True)
class Token:
    """What is looked up; a stem is looked up in a tier, everything else as it is."""

    text: str
    tiered: bool = True
    prefix: bool = False

    def at(self, tier: int) -> str:
        """The token in a tier."""
        return f"{tier}{self.text}" if self.tiered else self.text

    def is_in(self, tokens: AbstractSet[str], tier: int) -> bool:
        """Whether a document with these tokens has it."""
        if self.prefix:
            return any(one.startswith(self.at(tier)) for one in tokens)
        return self.at(tier) in tokens


@dataclass(frozen=True, slots=True)
class Way:
    """One way to say something: every part must be there, by any of its tokens."""

    parts: tuple[tuple[Token, ...], ...]
    weight: float = 1.0
    """1 for what was asked for, less for a synonym."""

    def is_in(self, tokens: AbstractSet[str], tier: int) -> bool:
        """Whether a document with these tokens says it this way."""
        return all(any(token.is_in(tokens, tier) for token in part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Group:
    """Something that is asked for, in any of these ways."""

    text: str
    """As it was asked for."""
    ways: tuple[Way, ...]

    @property
    def is_exact(self) -> bool:
        """Whether it is asked for as it is written, in quotes or with a star."""
        return not any(token.tiered for way in self.ways for part in way.parts for token in part)

    def is_in(self, tokens: AbstractSet[str], tier: int) -> bool:
        """Whether a document with these tokens says it in one of its ways."""
        return any(way.is_in(tokens, tier) for way in self.ways)

    def check(self, tier: int) -> Check:
        """The same for many documents: ways of one word, as most are, are looked up together."""
        short = [way.parts[0] for way in self.ways if len(way.parts) == 1]
        words = frozenset(token.at(tier) for part in short for token in part if not token.prefix)
        others = [
            way
            for way in self.ways
            if len(way.parts) > 1 or any(token.prefix for token in way.parts[0])
        ]
        return lambda tokens: (
            not words.isdisjoint(tokens) or any(way.is_in(tokens, tier) for way in others)
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: groups of words, none of the excluded ones, and all of the filters."""

    groups: tuple[Group, ...] = ()
    needed: int = 0
    """How many of the groups must be there."""
    soft: tuple[Group, ...] = ()
    """What need not be there, but is welcome."""
    excluded: tuple[Group, ...] = ()
    filters: tuple[str, ...] = ()
    """Tokens that must be there."""
    since: datetime | None = None
    as_of: datetime | None = None
    """Only what was there then."""

    def with_groups(self, groups: Sequence[Group], needed: int | None = None) -> "Question":
        """The same question with other groups; all of them are needed unless it is said."""
        count = len(groups) if needed is None else needed
        return replace(self, groups=tuple(groups), needed=count)

    def check(self, tier: int) -> Check:
        """Whether a document with some tokens is found, whenever it changed."""
        filters = frozenset(self.filters)
        wanted = [group.check(tier) for group in self.groups]
        unwanted = [group.check(ANYWHERE) for group in self.excluded]
        return lambda tokens: (
            filters <= tokens
            and sum(says(tokens) for says in wanted) >= self.needed
            and not any(says(tokens) for says in unwanted)
        )

    def expression(self, dialect: str, tier: int) -> str:
        """The boolean expression for the database; empty when everything is asked for."""
        write = _TSQUERY if dialect == "postgresql" else _FTS5
        parts = [write.token(token, prefix=False) for token in self.filters]
        if self.groups:
            parts.append(self._words(write, tier))
        if days := self._days():
            parts.append(write.any_of(write.token(day, prefix=False) for day in days))
        if self.excluded:
            parts = parts or [write.token(EVERY_DOCUMENT, prefix=False)]
            unwanted = write.any_of(write.group(group, ANYWHERE) for group in self.excluded)
            return write.without(write.all_of(parts), unwanted)
        return write.all_of(parts) if parts else ""

    def _words(self, write: "_Writing", tier: int) -> str:
        written = [write.group(group, tier) for group in self.groups]
        if self.needed >= len(written):
            return write.all_of(written)
        subsets = list(combinations(written, max(1, self.needed)))[:_MAX_SUBSETS]
        return write.any_of(write.all_of(subset) for subset in subsets)

    def _days(self) -> list[str]:
        """Tokens that every dataset changed since then has; the first day needs a closer look."""
        if self.since is None or self.since.year < _FIRST_YEAR:
            return []
        return list(_days_since(self.since, datetime.now(UTC).year))


@dataclass(frozen=True, slots=True)
class _Writing:
    """How a database writes a boolean expression."""

    quote: str
    begins: str
    and_: str
    or_: str
    not_: str

    def token(self, text: str, *, prefix: bool) -> str:
        return f"{self.quote}{text}{self.quote}{self.begins if prefix else ''}"

    def all_of(self, parts: "Iterator[str] | Sequence[str]") -> str:
        return self._joined(parts, self.and_)

    def any_of(self, parts: "Iterator[str] | Sequence[str]") -> str:
        return self._joined(parts, self.or_)

    def without(self, wanted: str, unwanted: str) -> str:
        return f"{wanted} {self.not_}{unwanted}"

    def group(self, group: Group, tier: int) -> str:
        ways = dict.fromkeys(self._way(way, tier) for way in group.ways)
        return self.any_of(list(ways))

    def _way(self, way: Way, tier: int) -> str:
        parts = []
        for part in way.parts:
            tokens = (self.token(token.at(tier), prefix=token.prefix) for token in part)
            parts.append(self.any_of(list(dict.fromkeys(tokens))))
        return self.all_of(parts)

    def _joined(self, parts: "Iterator[str] | Sequence[str]", mark: str) -> str:
        listed = list(parts)
        return listed[0] if len(listed) == 1 else f"({mark.join(listed)})"


_FTS5 = _Writing('"', "*", " AND ", " OR ", "NOT ")
_TSQUERY = _Writing("'", ":*", " & ", " | ", "& !")


def _days_since(since: datetime, this_year: int) -> Iterator[str]:
    for day in range(since.day, 32):
        yield f"0d{since:%Y%m}{day:02}"
    for month in range(since.month + 1, 13):
        yield f"0m{since:%Y}{month:02}"
    for year in range(since.year + 1, max(this_year, since.year) + 2):
        yield f"0y{year}"
