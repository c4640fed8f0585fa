"""What is known of one page, and of one file, between two nights. The state file keeps these."""

from dataclasses import dataclass
from enum import IntFlag

from crawler.revisit.visit_log import Visit, read_checks, read_visits

MAX_RECENT_LINKS = 32
"""Links that appeared on a page lately, the newest ones: what its next new links will look like."""
MAX_DATES = 16
"""Newest dates of the items that a page lists."""


@dataclass(frozen=True, slots=True)
class PageHistory:
    """One known page. Times are seconds since 1970 (UTC), as the process's clock gave them.

    Targets count for the page that showed them first in the same night; targets on a new page count
    for the known page on which that new page was found ("directly or behind new pages").
    """

    id: int
    template: str
    """Pages alike: the action of the link that led here with its URL pattern (`url_template`)."""
    first_seen: float
    visits: bytes = b""
    """`visit_log`: the newest MAX_VISITS visits, the first crawl's among them."""
    last_visit: float | None = None
    """When it was last read (or 304); None if it never was."""
    last_try: float | None = None
    """When it was last asked for, answered or not."""
    failures: int = 0
    """Requests in a row without an answer that says anything (timeouts, 5xx)."""
    missing: int = 0
    """Answers 404 or 410 in a row."""
    visit_count: int = 0
    observed_days: float = 0.0
    """Days between its first and its last visit, as far as they count (`gap_in_days`)."""
    new_targets: int = 0
    """New targets it led to in all revisits."""
    outlinks: bytes = b""
    """`fingerprints` of its links to pages and targets at the last visit."""
    recent_links: bytes = b""
    """Fingerprints of the links that appeared on it last, newest last (not sorted)."""
    target_links: bytes = b""
    """Fingerprints of the targets it links to or led to so far."""
    targets_listed: int = 0
    """How many they were at its first visit (`target_links` is bounded, this is exact)."""
    items: int = 0
    """K: items that the page lists at a time, so that older ones drop out; 0 if not a list."""
    inlinks: int = 0
    depth: int = 0
    """Clicks from the start page."""
    dates: bytes = b""
    """Newest dates of its items (text or URLs) when they were first read, as int32 days since 1970,
    oldest first."""

    @property
    def log(self) -> list[Visit]:
        """Its latest visits, oldest first."""
        return read_visits(self.visits)


class Validators(IntFlag):
    """What a server lets us ask about a file."""

    NONE = 0
    ETAG = 1
    LAST_MODIFIED = 2


@dataclass(frozen=True, slots=True)
class FileHistory:
    """One known file that may be asked for again; files taken down are never planned."""

    id: int
    template: str
    """Files alike: extension and page template; their change rates are pooled."""
    first_seen: float
    checks: bytes = b""
    """`visit_log`: the newest MAX_CHECKS checks, the first download not among them."""
    last_check: float | None = None
    last_try: float | None = None
    failures: int = 0
    missing: int = 0
    """Nights in a row on which it answered 404 or 410."""
    gone: bool = False
    """Missing on two nights; it is asked for again, rarely, as it may come back."""
    size: int = 0
    validators: Validators = Validators.NONE
    unlinked: bool = False
    """A page on the way to it was read after the last check and links to it no more (the page that
    linked to the file, or the one that linked to that page)."""
    unproven: int = 0
    """Checks in a row by HEAD and length alone: same length is not same content."""
    modified: float | None = None
    """When its server says that it changed last (Last-Modified); None where that is refuted. It is
    known from the file's last answer and not stored here."""

    @property
    def log(self) -> list[Visit]:
        """Its latest checks, oldest first."""
        return read_checks(self.checks)
