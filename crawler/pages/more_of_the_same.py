"""Calendars and facets: patterns of URLs whose pages lead to nothing but more of the same."""

from crawler.pages.calendar_dates import date_in
from crawler.pages.counters import Counters
from crawler.pages.traps import shape_key, split_url
from crawler.pages.urls import fingerprint

_ENOUGH = 16
"""Pages of one pattern in a row without a target or a link to anything else."""


class MoreOfTheSame:
    """Counts, pattern by pattern, the pages that gave nothing since the last that gave something.

    Only patterns that have no end are counted: pages of dates, and combinations of parameters. What
    is left of a pattern that gave nothing for long enough waits until all else is done.
    """

    def __init__(self, counters: Counters, enough: int = _ENOUGH) -> None:
        self._counters = counters
        self._enough = enough

    def read(self, url: str, new_urls: list[str], shown_by: str = "") -> None:
        """A page was read that led to these new URLs; `shown_by` is the page that led to it."""
        key = _pattern(url)
        if key is None:
            return
        if any(not self._is_same(url, new) for new in new_urls):
            self._gave(key)
            self.earned(shown_by)
        else:
            self._counters[key] += 1

    def earned(self, url: str) -> None:
        """A page of this URL gave a target, or led to a page of dates that gave something."""
        key = _pattern(url)
        if key is not None:
            self._gave(key)

    def _gave(self, key: int) -> None:
        self._counters[key] = 0
        self._counters[_has_given(key)] = 1

    def waits(self, url: str) -> bool:
        """Whether enough pages of this pattern gave nothing."""
        key = _pattern(url)
        return key is not None and self._counters[key] >= self._enough

    def _is_same(self, url: str, new: str) -> bool:
        key = _pattern(new)
        if key is None:
            return False
        place, path, query = split_url(url)
        other_place, other_path, other_query = split_url(new)
        if date_in(other_path, other_query) is not None:
            # The days of a month are another pattern: they count once one of them gave something.
            given = self._counters[_has_given(key)] > 0
            return key == _pattern(url) or not given or self.waits(new)
        same_path = (place, path) == (other_place, other_path)
        return same_path and _names(query) <= _names(other_query)


def _pattern(url: str) -> int | None:
    """A key of the pattern, where URLs of this kind never end."""
    place, path, query = split_url(url)
    day = date_in(path, query)
    if day is not None:
        return shape_key("same", place, path, query) if day.is_page else None
    return fingerprint(f"same {place}{path}") if len(_names(query)) > 1 else None


def _has_given(key: int) -> int:
    """The key of whether a pattern ever gave something."""
    return fingerprint(f"gave {key}")


def _names(query: str) -> set[str]:
    return {part.partition("=")[0] for part in query.split("&") if part}
