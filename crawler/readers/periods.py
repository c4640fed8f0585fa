"""Dates and periods as statistics write them: 2020, 2019/20, 2020-Q1, März 2020, 令和2年."""

import re
from calendar import monthrange
from dataclasses import dataclass, field

MIN_YEAR, MAX_YEAR = 1000, 2999
"""What four digits have to be to be read as a year at all."""

_MONTHS = (
    "january janvier januar enero gennaio janeiro januari jan janv ene gen jän jänner",
    "february février fevrier februar febrero febbraio fevereiro februari feb févr fév fev",
    "march mars märz marz marzo março maart mar mär mrt",
    "april avril abril aprile apr avr abr",
    "may mai mayo maggio maio mei mag",
    "june juin juni junio giugno junho jun giu",
    "july juillet juli julio luglio julho jul juil lug",
    "august août aout agosto augustus aug ago",
    "september septembre septiembre settembre setembro sep sept set",
    "october octobre oktober octubre ottobre outubro oct okt ott out",
    "november novembre noviembre novembro nov",
    "december décembre decembre dezember diciembre dicembre dezembro dec déc dez dic",
)
MONTH_NAMES: dict[str, int] = {
    name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()
}
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_LAST_PART = {"q": 4, "t": 4, "m": 12, "s": 2, "h": 2, "b": 2, "w": 53, "d": 366, "a": 1}
_MONTHS_PER_PART = {"q": 3, "t": 3, "m": 1, "s": 6, "h": 6, "b": 6}

# A mark after the year says what kind of figure it is: provisional, estimated, a footnote.
_MARK = r"\s*(?:[a-z*†]|\([^()]{1,12}\)|r[eé]v\.?|prov\.?)?"
_YEAR = re.compile(rf"(?:fy|cy)?\s*(\d{{4}})(?:\s*[-/–]\s*(\d{{4}}|\d{{2}}))?(?:\.0)?{_MARK}")
_PART = re.compile(rf"(\d{{4}})\s*[-_/. ]?\s*([qtmshbwda])\s*[-_]?(\d{{1,3}}){_MARK}")
_PART_FIRST = re.compile(rf"([qtshb])\s*([1-4])\s*[-_/. ]?\s*(\d{{4}}){_MARK}")
_ISO = re.compile(
    r"(\d{4})\s*[-/.年]\s*(\d{1,2})月?(?:\s*(?:[-/.]\s*)?(\d{1,2})日?(?:[t ].{0,30})?)?(?:\.0)?"
)
_DAY_FIRST = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?:[t ,].{0,30})?")
_MONTH_FIRST = re.compile(r"(\d{1,2})\s*[-/]\s*(\d{4})")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})?(?:\.0)?")
_WORDED = re.compile(
    r"(?:(\d{1,2})[.\s-]*(?:de\s+)?)?([^\W\d_]{3,12})\.?[\s,'-]*(?:(\d{1,2}),?\s+)?"
    r"(?:de\s+)?(\d{4}|\d{2})"
)
_JAPANESE = re.compile(
    r"(?:(明治|大正|昭和|平成|令和)\s*(\d{1,2}|元)|(\d{4}))\s*年度?(?:\s*(\d{1,2})月)?.{0,12}"
)
_SPAN = re.compile(r"(\d{4}-\d{2}-\d{2})/(?:\d{4}-\d{2}-\d{2}|p\w{1,12})")
_LONGEST = 60


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """The first day of a date or period."""

    year: int
    month: int = 1
    day: int = 1
    dated: bool = field(default=False, compare=False)
    """Whether it was written with its month or day, as a date and not as a year or a quarter."""


def parse_period(text: str) -> Period | None:
    """The date or period that a text writes; None when it writes none."""
    if len(text) > _LONGEST:
        return None
    written = text.strip().lower()
    for pattern, read in _READERS:
        if (match := pattern.fullmatch(written)) is not None and (found := read(match)) is not None:
            return found
    return None


def is_period(text: str) -> bool:
    """Whether a text writes a date or period."""
    return parse_period(text) is not None


def _checked(year: int, month: int = 1, day: int = 1, *, dated: bool = True) -> Period | None:
    if not (MIN_YEAR <= year <= MAX_YEAR or year == 9999) or not 1 <= month <= 12:
        return None
    return Period(year, month, day, dated) if 1 <= day <= monthrange(year, month)[1] else None


def full_year(digits: str) -> int:
    """The year that four digits are, or two: 69 is 2069, and 70 is 1970."""
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (2000 if year < 70 else 1900)


def _year(match: re.Match[str]) -> Period | None:
    year, until = int(match[1]), match[2]
    if until is not None and len(until) == 2 and int(until) != (year + 1) % 100:
        return None  # 2020-03 is a month, 2019-20 is a year from summer to summer
    return _checked(year, dated=False)


def _part(match: re.Match[str]) -> Period | None:
    year, letter, number = int(match[1]), match[2], int(match[3])
    if not 1 <= number <= _LAST_PART[letter]:
        return None
    if letter == "w":
        return _checked(year, min(12, 1 + (number - 1) * 7 // 31), dated=False)
    month = 1 + (number - 1) * _MONTHS_PER_PART.get(letter, 0)
    return _checked(year, month, dated=letter in "md")


def _part_first(match: re.Match[str]) -> Period | None:
    letter, number = match[1], int(match[2])
    if number > _LAST_PART[letter]:
        return None
    return _checked(int(match[3]), 1 + (number - 1) * _MONTHS_PER_PART[letter], dated=False)


def _iso(match: re.Match[str]) -> Period | None:
    return _checked(int(match[1]), int(match[2]), int(match[3] or 1))


def _day_first(match: re.Match[str]) -> Period | None:
    first, second, year = int(match[1]), int(match[2]), full_year(match[3])
    return _checked(year, second, first) or _checked(year, first, second)


def _month_first(match: re.Match[str]) -> Period | None:
    return _checked(int(match[2]), int(match[1]))


def _worded(match: re.Match[str]) -> Period | None:
    month = MONTH_NAMES.get(match[2])
    return _checked(full_year(match[4]), month, int(match[1] or match[3] or 1)) if month else None


def _japanese(match: re.Match[str]) -> Period | None:
    if match[3]:
        year = int(match[3])
    else:
        year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
    return _checked(year, int(match[4] or 1), dated=bool(match[4]))


def _span(match: re.Match[str]) -> Period | None:
    return parse_period(match[1])


_READERS = (
    (_YEAR, _year),
    (_ISO, _iso),
    (_PART, _part),
    (_COMPACT, _iso),
    (_DAY_FIRST, _day_first),
    (_PART_FIRST, _part_first),
    (_MONTH_FIRST, _month_first),
    (_WORDED, _worded),
    (_JAPANESE, _japanese),
    (_SPAN, _span),
)
