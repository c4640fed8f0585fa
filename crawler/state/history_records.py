"""What the state keeps for revisiting: histories, validators, signals, and the plan of a night.

`PageHistory` and `FileHistory` are the planner's own records, stored field by field.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from crawler.revisit.page_history import FileHistory, PageHistory


@dataclass(frozen=True, slots=True)
class ValidatorRow:
    """What a later request for a page, signal or file is compared with."""

    link: int
    etag: str
    last_modified: str
    body: bytes
    """Hash of the page's bytes as received; empty for files, whose SHA-256 is with the target."""
    not_modified: int = 0
    """Answers 304 in a row: now and then the bytes are asked for all the same."""
    refuted: bool = False
    """The server said 304 and had other bytes: its validators for this URL are not sent again."""


@dataclass(frozen=True, slots=True)
class CreditRow:
    """A new target that the history of a page is not updated with yet."""

    target: int
    page: int
    """The page that showed the link to it."""


@dataclass(frozen=True, slots=True)
class SignalRow:
    """When a known URL changed, as a sitemap or feed says."""

    link: int
    source: int
    """The link of the sitemap or feed."""
    at: float


class SourceKind(StrEnum):
    """What gives signals."""

    SITEMAP = "sitemap"
    """A sitemap, or an index of sitemaps."""
    FEED = "feed"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A sitemap or feed. What visits to it showed is in its `PageHistory`."""

    link: int
    kind: SourceKind
    changed_at: float = 0.0
    """When it changed last, as the index that names it says; 0 where that is unknown."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A kept file with all that a check of it needs."""

    link: int
    url: str
    sha256: str
    size: int
    fetched_at: float
    etag: str
    last_modified: str
    not_modified: int
    refuted: bool
    page_template: str
    """Of the page that links to it."""
    history: FileHistory | None = None
    """None before its first check."""


class VisitKind(StrEnum):
    """What is visited again."""

    SIGNAL = "signal"
    """A sitemap or feed."""
    PAGE = "page"
    ADDRESS = "address"
    """A URL that redirected to a file, as `latest.csv` does: it may lead to a newer one now."""
    FILE = "file"


class VisitOutcome(StrEnum):
    """What a planned visit came to."""

    PLANNED = ""
    """It was not made yet."""
    NEW = "new"
    """A sitemap or feed that was read for the first time."""
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    GONE = "gone"
    """A page or file is not there any more; a file is gone for good after two nights."""
    FAILED = "failed"
    """No answer that says anything about the page or file."""
    SKIPPED = "skipped"
    """It was not asked for."""


class Evidence(StrEnum):
    """How the outcome of a visit was found out."""

    NOTHING = ""
    NOT_MODIFIED = "not modified"
    """304: the server says so."""
    SAME_BYTES = "same bytes"
    SAME_LINKS = "same links"
    """Other bytes, the same links."""
    SAME_LENGTH = "same length"
    """By HEAD alone, which proves nothing; some checks compare the bytes."""
    OTHER_BYTES = "other bytes"
    OTHER_LINKS = "other links"
    NOT_FOUND = "not found"
    """404 or 410."""
    SOFT_404 = "page instead of file"
    """200 with an HTML page where a file was."""
    OTHER_TYPE = "other type"
    """200 with something that is neither page nor target."""
    BECAME_FILE = "file instead of page"
    REDIRECT_TO_KNOWN = "redirect to known page"
    """To the start page or another known URL."""
    REDIRECT_TO_NEW = "redirect to new address"
    """The new address is followed like any other link."""
    REDIRECT_AWAY = "redirect off site"
    """Off the site, in a circle, or nowhere."""
    NO_ANSWER = "no answer"
    """No complete answer, or an error of the server."""
    REFUSED = "refused"
    """401, 403 and other answers that say nothing about the page or file."""
    EMPTY = "empty"
    """200 without a byte where a file was."""
    ROBOTS = "robots.txt"
    TAKEN_DOWN = "taken down"
    """The file was removed from the catalog and is not fetched again."""


@dataclass(frozen=True, slots=True)
class VisitRow:
    """One visit of the night's plan, and what came of it."""

    number: int
    """Its place in the order of the night."""
    kind: VisitKind
    link: int
    reason: str
    """The rule that chose it."""
    method: str = ""
    """Of a file: how it is asked whether it changed."""
    score: float = 0.0
    """What the rule ranked it by."""
    outcome: VisitOutcome = VisitOutcome.PLANNED
    detected_by: Evidence = Evidence.NOTHING
    at: float = 0.0
    new_links: int = 0
    new_targets: int = 0
    """Directly or behind new pages; counted when the run ends."""


@dataclass(slots=True)
class HistoryChanges:
    """What one step changed in the history of pages and files."""

    pages: list[PageHistory] = field(default_factory=list)
    files: list[FileHistory] = field(default_factory=list)
    validators: list[ValidatorRow] = field(default_factory=list)
    credits: list[CreditRow] = field(default_factory=list)
    credited: bool = False
    """All credits of earlier steps are in the histories now."""
    signals: list[SignalRow] = field(default_factory=list)
    sources: list[SourceRow] = field(default_factory=list)
    visits: list[VisitRow] = field(default_factory=list)
    """Visits that were planned, and visits that were made."""
    new_plan: bool = False
    """The visits of earlier runs are forgotten."""
    planner: str = ""
    """What the planner remembers, as JSON."""
