"""How a site's server describes its content: entity tags, dates, sitemaps, feeds, and how truly."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from enum import Enum

from crawler.lab.sites.answer import etag


class Validators(Enum):
    """Which validators the answers of a section carry, and whether they can be trusted."""

    NONE = "none"
    STRONG = "strong"
    """An entity tag of the bytes, and the date of their last change."""
    WEAK = "weak"
    """A weak entity tag, and no date."""
    DATE = "date"
    """The date of the last change only."""
    STUCK = "stuck"
    """A tag and a date that never change: the answer to every condition is 304."""
    RESTLESS = "restless"
    """A tag and a date that change every night, with the same bytes."""


class SitemapStyle(Enum):
    """What the sitemap lists, and whether its dates are true."""

    NONE = "none"
    ENTRIES = "entries"
    """Entry pages only, without dates."""
    TRUE = "true"
    """Every page, with the day on which it changed last."""
    TODAY = "today"
    """Every page, each changed today, whatever happened."""
    STALE = "stale"
    """Every page that was there on night 0, with the dates of that night."""


class FeedStyle(Enum):
    """Which feed announces new pages."""

    NONE = "none"
    RSS = "rss"
    ATOM = "atom"


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of one server."""

    files: tuple[Validators, ...] = (Validators.NONE,)
    """Validators of files; the sections of a site have them in turn."""
    pages: tuple[Validators, ...] = (Validators.NONE,)
    """Validators of pages, in the same way."""
    sitemap: SitemapStyle = SitemapStyle.NONE
    feed: FeedStyle = FeedStyle.NONE


HABITS = {
    "silent": Habits(),
    "dated": Habits(files=(Validators.STRONG,)),
    "uneven": Habits(files=(Validators.STRONG, Validators.NONE, Validators.DATE, Validators.WEAK)),
    "plain": Habits(files=(Validators.STRONG,), sitemap=SitemapStyle.ENTRIES),
    "honest": Habits((Validators.STRONG,), (Validators.STRONG,), SitemapStyle.TRUE, FeedStyle.ATOM),
    "mixed": Habits(tuple(Validators), tuple(Validators), SitemapStyle.TRUE, FeedStyle.RSS),
    "lying": Habits(
        (Validators.STUCK, Validators.RESTLESS),
        (Validators.STUCK, Validators.RESTLESS),
        SitemapStyle.TODAY,
        FeedStyle.NONE,
    ),
}
"""Habits by name."""

_HOUR = time(8, 0, tzinfo=UTC)


def validators(style: Validators, body: bytes, changed: datetime, today: date) -> dict[str, str]:
    """The headers of an answer whose bytes changed last at this moment."""
    match style:
        case Validators.NONE:
            return {}
        case Validators.STRONG:
            return {"ETag": etag(body), "Last-Modified": http_date(changed)}
        case Validators.WEAK:
            return {"ETag": f"W/{etag(body)}"}
        case Validators.DATE:
            return {"Last-Modified": http_date(changed)}
        case Validators.STUCK:
            return {"ETag": '"1"', "Last-Modified": http_date(morning(date(2020, 1, 1)))}
        case Validators.RESTLESS:
            return {"ETag": f'"{today.toordinal()}"', "Last-Modified": http_date(morning(today))}


def morning(day: date) -> datetime:
    """The moment at which an office publishes on a day."""
    return datetime.combine(day, _HOUR)


def http_date(moment: datetime) -> str:
    """A moment as HTTP writes it."""
    return format_datetime(moment, usegmt=True)
