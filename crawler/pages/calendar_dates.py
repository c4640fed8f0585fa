"""Dates in URLs: the pages of a calendar, which never ends."""

import re
from urllib.parse import unquote

_FIRST_YEAR = 1500
_LAST_YEAR = 2199
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12][0-9]|3[01])"
# /2031/05/, /2031/05/17/ and /2031/5/17/; but /2031/5/ alone is as likely page 5 of node 2031.
_IN_PATH = re.compile(
    rf"/([0-9]{{4}})/(?:{_MONTH}(?:/[0-9]{{1,2}})?|[1-9]/(?:{_DAY}|[1-9]))(?=/|\Z)"
)
# 2031-05 and 2031-05-17, also with other separators between.
_ISO = re.compile(rf"(?<![0-9])([0-9]{{4}})[-_./]{_MONTH}(?:[-_./]{_DAY})?(?![0-9])")
# 17/05/2031, 5-17-2031
_YEAR_LAST = re.compile(r"(?<![0-9])[0-3]?[0-9]([-/.])[0-3]?[0-9]\1([0-9]{4})(?![0-9])")
_COMPACT = re.compile(rf"([0-9]{{4}}){_MONTH}(?:{_DAY})?")
_DATE_NAME = re.compile(r"date|day|month|cal", re.IGNORECASE)
_YEAR_NAMES = frozenset({"year", "yr", "y", "annee", "jahr", "ano", "anno", "aar", "rok"})
_MONTH_NAMES = frozenset({"month", "mon", "mo", "m", "mois", "monat", "mes", "mese", "maand"})


def year_of_date(path: str, query: str) -> int | None:
    """The year of a date with at least year and month in a URL, or None without such a date."""
    for match in (_IN_PATH.search(path), _ISO.search(path)):
        if match is not None and (year := _plausible(match[1])) is not None:
            return year
    return _in_query(query) if query else None


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
