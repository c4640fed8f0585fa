"""Dates that stand in the links and time tags of a page: when its items were published."""

import re
from collections.abc import Iterable
from datetime import date

_DAY_ZERO = date(1970, 1, 1).toordinal()
_SEARCHED_BYTES = 200_000
_IN_TEXT = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([-_/.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])"
)
_TIME_TAG = re.compile(
    rb"datetime\s*=\s*[\"']?((?:19|20)[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
)


def page_dates(body: bytes, texts: Iterable[str], limit: int) -> list[int]:
    """The newest dates of a page, as days since 1970, oldest first.

    `texts` are URLs and anchor texts of its links; years without a day say too little.
    """
    named = {(int(m[1]), int(m[3]), int(m[4])) for m in _IN_TEXT.finditer("\n".join(texts))}
    tagged = _TIME_TAG.finditer(body[:_SEARCHED_BYTES])
    named.update((int(m[1]), int(m[2]), int(m[3])) for m in tagged)
    days = {day for parts in named if (day := _day(*parts)) is not None}
    return sorted(days)[-limit:]


def _day(year: int, month: int, day: int) -> int | None:
    try:
        return date(year, month, day).toordinal() - _DAY_ZERO
    except ValueError:
        return None
