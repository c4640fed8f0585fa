"""The years that tables cover, from the first and last period that was found in them."""

from collections.abc import Iterable

from crawler.readers.periods import parse_period
from crawler.validation.outcome import YEARS, Profile

MIN_YEAR, MAX_YEAR = YEARS[0], YEARS[-1]
MAX_YEARS = 300
Years = tuple[int, int]


def years_between(start: str, end: str) -> Years | None:
    """The first and the last year of two periods as they are written; None without any."""
    found = [period.year for text in (start, end) if text and (period := parse_period(text))]
    years = [year for year in found if MIN_YEAR <= year <= MAX_YEAR]
    if not years:
        return None
    return max(min(years), max(years) - MAX_YEARS + 1), max(years)


def periods_in(profile: Profile) -> tuple[str, str]:
    """The first and last period of a profile that was stored before coverage was; may be empty."""
    found = [one for table in profile.tables if not table.aside for one in table.periods()]
    return (min(found)[1], max(found)[1]) if found else ("", "")


def all_years(spans: Iterable[Years | None]) -> list[int]:
    """Every year that one of the spans covers, in order."""
    years: set[int] = set()
    for span in spans:
        if span is not None:
            years.update(range(span[0], span[1] + 1))
    return sorted(years)[-MAX_YEARS:]


def as_spans(years: list[int]) -> list[Years]:
    """Years in a row as first and last."""
    spans: list[Years] = []
    for year in years:
        if spans and spans[-1][1] == year - 1:
            spans[-1] = spans[-1][0], year
        else:
            spans.append((year, year))
    return spans
