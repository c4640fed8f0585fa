"""Dates in URLs: the pages of a calendar, which never ends."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

_FIRST_YEAR = 1500
_LAST_YEAR = 2199
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12][0-9]|3[01])"
# /2031/05/, /2031/05/17/ and /2031/5/17/; but /2031/5/ alone is as likely page 5 of node 2031.
_IN_PATH = re.compile(
    rf"/([0-9]{{4}})/(?:{_MONTH}(?:/[0-9]{{1,2}})?|[1-9]/(?:{_DAY}|[1-9]))(?=[/.]|\Z)"
)
# 2031-05 and 2031-05-17, also with other separators between.
_ISO = re.compile(rf"(?<![0-9])([0-9]{{4}})[-_./]{_MONTH}(?:[-_./]{_DAY})?(?![0-9])")
# 17/05/2031, 5-17-2031
_YEAR_LAST = re.compile(r"(?<![0-9])[0-3]?[0-9]([-/.])[0-3]?[0-9]\1([0-9]{4})(?![0-9])")
# What a calendar has behind its dates: nothing, or how much of it to show (day, week, list).
_VIEW = re.compile(r"(?:/[^\W\d_]*)?(?:\.[a-z]+)?/?")
_COMPACT = re.compile(rf"([0-9]{{4}}){_MONTH}(?:{_DAY})?")
_DATE_NAME = re.compile(r"date|day|month|cal", re.IGNORECASE)
_YEAR_NAMES = frozenset({"year", "yr", "y", "annee", "jahr", "ano", "anno", "aar", "rok"})
_MONTH_NAMES = frozenset({"month", "mon", "mo", "m", "mois", "monat", "mes", "mese", "maand"})


@dataclass(frozen=True, slots=True)
class DateInUrl:
    """A date with at least year and month in a URL."""

    year: int
    is_page: bool
    """Whether the URL is about the date itself, as a page of a calendar is. In
    /news/2024/05/births-fall the date only tells when the news was written."""


def date_in(path: str, query: str) -> DateInUrl | None:
    """The date in a URL, if there is one."""
    for match in (_IN_PATH.search(path), _ISO.search(path)):
        if match is not None and (year := _plausible(match[1])) is not None:
            return DateInUrl(year, _VIEW.fullmatch(path, match.end()) is not None)
    year_asked = _in_query(query) if query else None
    return None if year_asked is None else DateInUrl(year_asked, is_page=True)


def _in_query(query: str) -> int | None:
    text = unquote(query, errors="replace")
    year_given: int | None = None
    month_given = False
    for part in text.split("&"):
        name, _, value = part.partition("=")
        name = name.lower()
        if match := _ISO.search(value):
            year = _plausible(match[1])
        elif match := _YEAR_LAST.search(value):
            year = _plausible(match[2])
        elif _DATE_NAME.search(name) and (match := _COMPACT.fullmatch(value)):
            year = _plausible(match[1])
        else:
            year = None
        if year is not None:
            return year
        if name in _YEAR_NAMES and re.fullmatch(r"[0-9]{4}", value):
            year_given = _plausible(value)
        elif name in _MONTH_NAMES and re.fullmatch(r"0?[1-9]|1[0-2]", value):
            month_given = True
    return year_given if month_given else None


def _plausible(text: str) -> int | None:
    year = int(text)
    return year if _FIRST_YEAR <= year <= _LAST_YEAR else None
