"""Calendars and facets: patterns of URLs whose pages lead to nothing but more of the same."""

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from crawler.pages.calendar_dates import date_in
from crawler.pages.counters import Counters
from crawler.pages.traps import shape_key, split_url
from crawler.pages.urls import fingerprint

_ENOUGH = 6
"""Pages of one pattern in a row without a target or a link to anything else."""
_OF_A_FACET = 2
"""What a page of facets counts: other combinations show the same; a calendar has one way only."""
_OF_A_GIVER = 4
"""How much longer a calendar is followed that gave something before."""
_GAPS = 2
"""And for how many gaps as long as the longest after which it gave something."""
_CHOICES = 2
"""A facet offers to be combined with so many other parameters, each with so many values."""
_MAX_VALUES = 1000
"""A parameter with more values than this is an id: whatever has it is a page of its own."""


class MoreOfTheSame:
    """Counts, pattern by pattern, the pages that gave nothing since the last that gave something.

    Only patterns that have no end are counted: pages of dates, and of facets. What is left of a
    pattern that gave nothing for long enough waits until all else is done. A combination of
    parameters waits only if its values are nothing new: `?view=article&id=17` is a page of its own
    unless another page with `id=17` was read.
    """

    def __init__(self, counters: Counters, enough: int = _ENOUGH) -> None:
        self._counters = counters
        self._enough = enough

    def read(self, url: str, new_urls: list[str], shown_by: Callable[[], str] = lambda: "") -> None:
        """A page was read that led to these new URLs; `shown_by` says which page led to it."""
        self._see_values(url)
        if pattern(url) is None or self._has_end(url, new_urls):
            return
        if any(not self._is_same(url, new) for new in new_urls):
            if _has_date(url):
                self.earned(url)
            else:
                for key in _patterns(url):
                    self._counters[key] //= 2
            self.earned(shown_by())
        else:
            weight = 1 if _has_date(url) else _OF_A_FACET
            for key in _patterns(url):
                self._counters[key] += weight

    def earned(self, url: str) -> None:
        """A page of this URL gave a target, or led to a page of dates that gave something."""
        for key in _patterns(url):
            if _has_date(url):
                gap = _named("gap", key)
                self._counters[gap] = max(self._counters[gap], self._counters[key])
                self._counters[_named("gave", key)] = 1
            self._counters[key] = 0

    def waits(self, url: str, is_known: Callable[[str], bool] = lambda _: False) -> bool:
        """Whether enough pages like it gave nothing; `is_known` says which URLs were found."""
        key = pattern(url)
        return key is not None and self.gives_nothing(key) and self._is_nothing_new(url, is_known)

    def gives_nothing(self, key: int) -> bool:
        """Whether enough pages of a pattern gave nothing."""
        most = self._enough
        if self._counters[_named("gave", key)]:
            gap = self._counters[_named("gap", key)]
            most = max(_OF_A_GIVER * self._enough, _GAPS * gap)
        return self._counters[key] >= most

    def _is_same(self, url: str, new: str) -> bool:
        place, path, query = split_url(url)
        other_place, other_path, other_query = split_url(new)
        if _has_date(new):
            key = pattern(new)
            # The days of a month are another pattern: they count once one of them gave something.
            given = key is not None and self._counters[_named("gave", key)] > 0
            return key is not None and (key == pattern(url) or not given or self.waits(new))
        same_path = (place, path) == (other_place, other_path)
        return same_path and len(names := _names(other_query)) > 1 and _names(query) <= names

    def _has_end(self, url: str, new_urls: list[str]) -> bool:
        """Whether a page has one parameter, as lists and ids have it, and no facet is like it."""
        if not _has_one_parameter(url):
            return False
        place, path, query = split_url(url)
        facet = fingerprint(f"is facet {place}{path}?{_name(query)}")
        if _offers_choices(url, new_urls):
            self._counters[facet] = 1
        return not self._counters[facet]

    def _see_values(self, url: str) -> None:
        """Remember the values that a page was read with."""
        place, path, query = split_url(url)
        for part in _parts(query):
            seen = fingerprint(f"value {place}{path}?{part}")
            values = fingerprint(f"values {place}{path}?{_name(part)}")
            if not self._counters[seen] and self._counters[values] < _MAX_VALUES:
                self._counters[seen] = 1
                self._counters[values] += 1

    def _is_nothing_new(self, url: str, is_known: Callable[[str], bool]) -> bool:
        """Whether each value of a combination was read, or will be on a page of its own."""
        place, path, query = split_url(url)
        parts = _parts(query)
        if len(parts) == 1 or _has_date(url):
            return True
        base = url.partition("?")[0]
        return all(
            self._counters[fingerprint(f"value {place}{path}?{part}")] or is_known(f"{base}?{part}")
            for part in parts
        )


@lru_cache(maxsize=1 << 12)
def pattern(url: str) -> int | None:
    """A key of the pattern, where URLs of this kind may never end."""
    place, path, query = split_url(url)
    day = date_in(path, query)
    if day is not None:
        return shape_key("same", place, path, query) if day.is_page else None
    names = _names(query)
    if len(names) == 1:
        return _facet_key(place, path, *names)
    return _path_key(place, path) if names else None


def _patterns(url: str) -> list[int]:
    """The patterns that a page tells something of: a facet's page tells of combinations too."""
    key = pattern(url)
    if key is None:
        return []
    return [key, _path_key(*split_url(url)[:2])] if _has_one_parameter(url) else [key]


def _has_date(url: str) -> bool:
    _, path, query = split_url(url)
    return date_in(path, query) is not None


def _has_one_parameter(url: str) -> bool:
    return not _has_date(url) and len(_names(split_url(url)[2])) == 1


def _offers_choices(url: str, new_urls: list[str]) -> bool:
    """Whether a page with one parameter offers choices of several others beside it."""
    place, path, query = split_url(url)
    values: dict[str, set[str]] = defaultdict(set)
    for new in new_urls:
        other_place, other_path, other_query = split_url(new)
        parts = _parts(other_query)
        if (place, path) == (other_place, other_path) and query in parts:
            for part in parts:
                values[_name(part)].add(part)
    return sum(len(some) >= _CHOICES for some in values.values()) >= _CHOICES


def _path_key(place: str, path: str) -> int:
    return fingerprint(f"same {place}{path}")


def _facet_key(place: str, path: str, name: str) -> int:
    return fingerprint(f"facet {place}{path}?{name}")


def _named(what: str, key: int) -> int:
    """The key of something else that is counted of a pattern."""
    return fingerprint(f"{what} {key}")


def _parts(query: str) -> list[str]:
    return [part for part in query.split("&") if part]


def _name(part: str) -> str:
    return part.partition("=")[0]


def _names(query: str) -> set[str]:
    return {_name(part) for part in _parts(query)}
