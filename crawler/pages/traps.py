"""Traps: parts of a site that never end. Each refusal has its reason, and honest work unlocks."""

import re
from collections import Counter
from datetime import date

from crawler.pages.calendar_dates import date_in
from crawler.pages.counters import Counters
from crawler.pages.file_name import extension_of
from crawler.pages.mime_groups import EXTENSION_GROUPS
from crawler.pages.reasons import SkipReason
from crawler.pages.urls import fingerprint

_YEARS_AHEAD = 2
_SINGLE_PARAMETER_FACTOR = 10
_DIGITS = re.compile(r"[0-9]+")


class TrapRules:
    """The trap rules of one crawl; its counters are part of the crawl's state.

    `check` is called once per newly found URL. A counter stops at its limit and starts again when
    a page behind it gave a target: real archives are long, but traps never pay.
    """

    def __init__(
        self,
        today: date,
        *,
        depth: int | None,
        url_length: int = 2000,
        repeats: int = 3,
        parameter_combinations: int = 1000,
        calendar_run: int = 400,
        counters: Counters | None = None,
    ) -> None:
        self._last_year = today.year + _YEARS_AHEAD
        self._depth = depth
        self._url_length = url_length
        self._repeats = repeats
        self._combinations = parameter_combinations
        self._calendar_run = calendar_run
        self.counters = Counters() if counters is None else counters

    def check(self, url: str, depth: int) -> SkipReason | None:
        """The reason not to follow a newly found URL, or None; counts it."""
        if len(url) > self._url_length:
            return SkipReason.URL_TOO_LONG
        if self._depth is not None and depth > self._depth:
            return SkipReason.TOO_DEEP
        place, path, query = split_url(url)
        if repeats_itself(path, self._repeats):
            return SkipReason.REPEATING_PATH
        day = date_in(path, query)
        # A file named after a date is the end of a road, not the next page of a calendar.
        if day is not None and extension_of(url) not in EXTENSION_GROUPS:
            if day.year > self._last_year:
                return SkipReason.CALENDAR_TRAP
            key = shape_key("calendar", place, path, query)
            if day.is_page and not self._count(key, self._calendar_run):
                return SkipReason.CALENDAR_TRAP
        if query:
            many = query.strip("&").count("&") > 0
            limit = self._combinations * (1 if many else _SINGLE_PARAMETER_FACTOR)
            if not self._count(_path_key(place, path, many=many), limit):
                return SkipReason.PARAMETER_TRAP
        return None

    def earned(self, url: str) -> None:
        """A page behind this URL gave a target: what was counted against its like is forgotten."""
        place, path, query = split_url(url)
        keys = [shape_key("calendar", place, path, query)]
        if query:
            keys += [_path_key(place, path, many=many) for many in (False, True)]
        for key in keys:
            self.counters[key] = 0

    def _count(self, key: int, limit: int) -> bool:
        count = self.counters[key]
        if count >= limit:
            return False
        self.counters[key] = count + 1
        return True


def repeats_itself(path: str, repeats: int = 3) -> bool:
    """Whether a path runs in circles: /a/a/a, /a/b/a/b/a/b, or one name again and again."""
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) - len(set(segments)) < repeats - 1:
        return False
    for period in range(1, len(segments) // repeats + 1):
        run = 0
        for index in range(period, len(segments)):
            run = run + 1 if segments[index] == segments[index - period] else 0
            if run == period * (repeats - 1):
                return True
    return any(
        count > repeats and not segment.isdecimal() for segment, count in Counter(segments).items()
    )


def split_url(url: str) -> tuple[str, str, str]:
    """Host, path and query of a URL."""
    before, _, query = url.partition("#")[0].partition("?")
    start = before.find("://") + 3
    slash = before.find("/", start)
    if slash < 0:
        return before[start:], "/", query
    return before[start:slash], before[slash:], query


def _path_key(place: str, path: str, *, many: bool) -> int:
    return fingerprint(f"{'parameters' if many else 'parameter'} {place}{path}")


def shape_key(counted: str, place: str, path: str, query: str) -> int:
    """The key of all URLs that differ in figures only."""
    return fingerprint(f"{counted} {place}{_DIGITS.sub('0', f'{path}?{query}')}")
