"""Every error that Tallyho raises on purpose, and the exit code each one ends a command with.

TallyhoError
├── ConfigError             3  a site file or a setting is wrong: names file, line, field and reason
├── SiteUnavailable         4  the site cannot be reached, or forbids crawling
│   └── SiteForbids         4  the same, and trying again does not help: robots.txt says no
├── SiteBusy                5  another run holds the site
├── StorageError            6  files, state or catalog cannot be read or written
│   ├── StorageRefused      6  the same, and trying again does not help: no right, no such bucket
│   │   └── ObjectDamaged   6  an object of the store does not hold the bytes that were put there
│   └── StateUnreadable     6  the crawl state has another schema version, or is not a crawl state
├── NotInCatalog            2  the catalog has no such file, version, dataset, site or run
├── QueryRefused            2  a query is wrong, not allowed, or costs too much
├── FileRemoved             7  the catalog knows the file, but its bytes were taken away
└── NotATable               7  the file is no table, or of a format that cannot be read as one

Other exit codes: 0 done (also when a budget ended it), 2 wrong usage, 7 finished with failures
listed, 130 interrupted with the state saved.
"""

from enum import IntEnum

from crawler.redaction import redact


class ExitCode(IntEnum):
    """What a command tells the shell; other people's scripts rely on these."""

    DONE = 0
    USAGE = 2
    CONFIG = 3
    SITE = 4
    BUSY = 5
    STORAGE = 6
    FAILURES = 7
    INTERRUPTED = 130


class TallyhoError(Exception):
    """The root of the tree: a sentence for a person, where it happened, whether to try again."""

    exit_code: ExitCode = ExitCode.FAILURES
    retryable: bool = False

    def __init__(self, message: str, *, site: str = "", url: str = "", stage: str = "") -> None:
        message = redact(message)
        super().__init__(message)
        self.message = message
        self.site = site
        self.url = redact(url)
        self.stage = stage

    def __str__(self) -> str:
        where = " ".join(part for part in (self.site, self.stage, self.url) if part)
        return f"{where}: {self.message}" if where else self.message


class ConfigError(TallyhoError):
    """A site file or a setting is wrong."""

    exit_code = ExitCode.CONFIG


class SiteUnavailable(TallyhoError):
    """The site cannot be reached, or forbids crawling."""

    exit_code = ExitCode.SITE
    retryable = True


class SiteForbids(SiteUnavailable):
    """The site does not let us in, and will say so again."""

    retryable = False


class SiteBusy(TallyhoError):
    """Another run holds the site."""

    exit_code = ExitCode.BUSY
    retryable = True


class StorageError(TallyhoError):
    """Files, state or catalog cannot be read or written."""

    exit_code = ExitCode.STORAGE
    retryable = True


class StorageRefused(StorageError):
    """The store or the database says no, and will say so again: no right, no such bucket."""

    retryable = False


class ObjectDamaged(StorageRefused):
    """An object of the store does not hold the bytes that were put there."""


class StateUnreadable(StorageError):
    """The crawl state has another schema version, or is not a crawl state."""

    retryable = False


class NotInCatalog(TallyhoError):
    """The catalog has no such file, version, dataset, site or run."""

    exit_code = ExitCode.USAGE


class QueryRefused(TallyhoError):
    """A query is wrong, not allowed, or costs too much."""

    exit_code = ExitCode.USAGE


class FileRemoved(TallyhoError):
    """The catalog knows the file, but its bytes were taken away."""


class NotATable(TallyhoError):
    """The file is no table, or of a format that cannot be read as one."""
