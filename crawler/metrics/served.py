"""The metrics of the page /metrics: how every site stands by catalog, site files and store."""

from crawler.metrics.instrument import NO_UNIT, Instrument, Kind

CATALOG_UP = Instrument(
    "tallyho.catalog.up",
    Kind.GAUGE,
    NO_UNIT,
    "1 when the catalog answered; 0 when not, and then there are no figures of sites.",
    (),
)
BUILD = Instrument(
    "tallyho.build.info", Kind.GAUGE, NO_UNIT, "Always 1; the label is the version.", ("version",)
)
COLLECTED = Instrument(
    "tallyho.collected.timestamp",
    Kind.GAUGE,
    "s",
    "When the figures of this page were read; it keeps them for some seconds.",
    (),
)
COLLECTING = Instrument(
    "tallyho.collecting.duration", Kind.GAUGE, "s", "How long reading them took.", ()
)
STATE = Instrument(
    "tallyho.site.state",
    Kind.GAUGE,
    NO_UNIT,
    "1 for the state that the site is in, 0 for the others.",
    ("site", "state"),
)
SITE_FILE = Instrument(
    "tallyho.site.file",
    Kind.GAUGE,
    NO_UNIT,
    "1 for what the site file is: enabled, disabled, invalid or missing.",
    ("site", "status"),
)
REQUESTS = Instrument(
    "tallyho.site.requests", Kind.COUNTER, "{request}", "Requests of all runs of the site."
)
PAGES = Instrument("tallyho.site.pages", Kind.COUNTER, "{page}", "Pages that all runs read.")
TARGETS = Instrument(
    "tallyho.site.targets",
    Kind.COUNTER,
    "{file}",
    "Files that all runs found; a crawl from the start finds them again.",
)
VERSIONS = Instrument(
    "tallyho.site.versions",
    Kind.COUNTER,
    "{version}",
    "Versions that all runs stored: new and changed files.",
)
RECEIVED = Instrument(
    "tallyho.site.received", Kind.COUNTER, "By", "Bytes that all runs received, decoded."
)
LAST_RUN = Instrument(
    "tallyho.site.last_run.timestamp", Kind.GAUGE, "s", "When the last run started."
)
NEXT_RUN = Instrument(
    "tallyho.site.next_run.timestamp", Kind.GAUGE, "s", "When the schedule comes next."
)
DUE = Instrument("tallyho.site.due.timestamp", Kind.GAUGE, "s", "When the schedule came last.")
PUBLISHED = Instrument(
    "tallyho.site.published.timestamp", Kind.GAUGE, "s", "When a night last announced its result."
)
LAST_REQUESTS = Instrument(
    "tallyho.site.last_run.requests",
    Kind.GAUGE,
    "{request}",
    "Requests of the last run that ended.",
)
LAST_VERSIONS = Instrument(
    "tallyho.site.last_run.versions",
    Kind.GAUGE,
    "{version}",
    "New and changed files of the last run that ended.",
)
YIELD = Instrument(
    "tallyho.site.last_run.yield.ratio",
    Kind.GAUGE,
    NO_UNIT,
    "New and changed files per request of the last run that ended.",
)
FAILED = Instrument(
    "tallyho.site.failed_runs",
    Kind.GAUGE,
    "{run}",
    "Runs that failed, one after the other, up to the last one; 7 at most.",
)
BUDGET = Instrument(
    "tallyho.site.budget", Kind.GAUGE, "{request}", "Requests that a night of the site may make."
)
BUDGET_LEFT = Instrument(
    "tallyho.site.budget_left",
    Kind.GAUGE,
    "{request}",
    "Requests left of the night in work, or of the next one.",
)
LEASE = Instrument(
    "tallyho.site.lease.remaining",
    Kind.GAUGE,
    "s",
    "Time until the lease of who works on the site ends; 0 when nobody does.",
)
FILES = Instrument(
    "tallyho.site.files",
    Kind.GAUGE,
    "{file}",
    "Files in the catalog by the verdict on their newest version.",
    ("site", "verdict"),
)
GONE = Instrument(
    "tallyho.site.gone", Kind.GAUGE, "{file}", "Files that the site does not have any more."
)
BYTES = Instrument("tallyho.site.size", Kind.GAUGE, "By", "Bytes of the newest versions.")
COVERAGE = Instrument(
    "tallyho.site.revisit.coverage.ratio",
    Kind.GAUGE,
    NO_UNIT,
    "Share of the files, gone ones left out, that were seen on the site within 30 days.",
)
SNAPSHOT = Instrument(
    "tallyho.site.snapshot.timestamp",
    Kind.GAUGE,
    "s",
    "When the newest snapshot of the crawl state was stored; where machines share a store.",
)

SERVED = tuple(one for one in [*globals().values()] if isinstance(one, Instrument))
"""All of them, as docs/monitoring.md lists them."""
