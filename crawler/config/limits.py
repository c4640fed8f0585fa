"""What a run may cost, and what is too much for one request or path: `budget` and `limits`."""

from pydantic import Field

from crawler.config.section import Section
from crawler.config.sizes import GB, GIB, MB, Size

MAX_MINUTES = 366 * 24 * 60
"""More is a slip of the keyboard, and no clock can be set to it."""


class Budget(Section):
    """What one run may cost; the run ends when any part is spent, and the next run continues."""

    requests: int = Field(default=20_000, ge=1)
    """All that the server sees: GET, HEAD, redirect hops, retries, robots.txt."""

    bytes: Size | None = 50 * GB
    """Bytes received, decoded; null for no limit."""

    minutes: float = Field(default=360, gt=0, le=MAX_MINUTES)
    """Minutes of wall-clock time; a year at most."""


class Traps(Section):
    """When a family of URLs is taken for a trap; one that yields files is never one."""

    parameter_combinations: int = Field(default=1000, ge=1)
    """Different queries on one path without a file among them."""

    calendar_run: int = Field(default=400, ge=1)
    """URLs that differ in a date only, without a file among them."""

    url_length: int = Field(default=2000, ge=100)
    """Characters of a URL."""


class Limits(Section):
    """What is too much for one request or one path."""

    file_bytes: Size = 2 * GIB
    """The largest file to keep; a larger one is skipped with its reason."""

    page_bytes: Size = 10 * MB
    """How much of a page is read; links after that are not seen."""

    depth: int | None = Field(default=None, ge=1)
    """Links from the start page. No limit by default: real archives are 90 links deep."""

    timeout: float = Field(default=30, gt=0, le=3600)
    """Seconds to connect, and the longest silence between two pieces of an answer."""

    request_minutes: float = Field(default=30, gt=0, le=24 * 60)
    """Minutes that one whole answer may take; a day at most."""

    known_urls: int = Field(default=2_000_000, ge=1000)
    """URLs that a crawl remembers; links that come later are counted and not followed."""

    traps: Traps = Traps()
    """When a family of URLs is taken for a trap."""
