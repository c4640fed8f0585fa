"""The metrics of a process that works: it sends them itself, over OpenTelemetry."""

from crawler.metrics.instrument import NO_UNIT, Instrument, Kind

_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_BYTES = (1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9)

REQUESTS = Instrument(
    "tallyho.crawl.requests",
    Kind.COUNTER,
    "{request}",
    "Requests that a crawl made, by method and by status code or kind of failure.",
    ("site", "method", "status"),
)
REQUEST_DURATION = Instrument(
    "tallyho.crawl.request.duration",
    Kind.HISTOGRAM,
    "s",
    "From sending a request to the end of its answer.",
    buckets=_SECONDS,
)
WAIT = Instrument(
    "tallyho.crawl.wait.duration",
    Kind.HISTOGRAM,
    "s",
    "How long a request waited to be polite: the delay of its host, Retry-After, backoff.",
    buckets=_SECONDS,
)
RETRIES = Instrument(
    "tallyho.crawl.retries", Kind.COUNTER, "{retry}", "Requests that had to be repeated."
)
RECEIVED = Instrument(
    "tallyho.crawl.received", Kind.COUNTER, "By", "Bytes received in bodies, decoded."
)
PAGES = Instrument("tallyho.crawl.pages", Kind.COUNTER, "{page}", "Pages that were read.")
FILES = Instrument(
    "tallyho.crawl.files",
    Kind.COUNTER,
    "{file}",
    "Files that were stored, new or changed, by format.",
    ("site", "format"),
)
FILE_SIZE = Instrument(
    "tallyho.crawl.file.size",
    Kind.HISTOGRAM,
    "By",
    "Sizes of the files that were stored.",
    buckets=_BYTES,
)
SKIPPED = Instrument(
    "tallyho.crawl.skipped",
    Kind.COUNTER,
    "{url}",
    "URLs that were not fetched or not kept, by reason.",
    ("site", "reason"),
)
VISITS = Instrument(
    "tallyho.crawl.visits",
    Kind.COUNTER,
    "{visit}",
    "Planned visits of a revisit, by what was visited and what came of it.",
    ("site", "kind", "outcome"),
)
RUNS = Instrument(
    "tallyho.crawl.runs",
    Kind.COUNTER,
    "{run}",
    "Runs and slices of runs that ended, by stop reason.",
    ("site", "stop_reason"),
)
FRONTIER = Instrument(
    "tallyho.crawl.frontier",
    Kind.GAUGE,
    "{url}",
    "Links that wait to be followed, of a crawl that runs.",
)
YIELD = Instrument(
    "tallyho.crawl.yield.ratio",
    Kind.GAUGE,
    NO_UNIT,
    "New files per request of a run so far, of a crawl that runs.",
)
LEASE = Instrument(
    "tallyho.crawl.lease.remaining",
    Kind.GAUGE,
    "s",
    "Time until the lease of a crawl that runs ends unless it is renewed.",
)
SNAPSHOT_AGE = Instrument(
    "tallyho.crawl.snapshot.age",
    Kind.GAUGE,
    "s",
    "Time since the last snapshot, of a crawl that runs; where machines share a store.",
)
COVERAGE = Instrument(
    "tallyho.crawl.revisit.coverage.ratio",
    Kind.GAUGE,
    NO_UNIT,
    "Share of the visits planned so far that a revisit has made, while it runs.",
)
VERDICTS = Instrument(
    "tallyho.validate.verdicts",
    Kind.COUNTER,
    "{file}",
    "Versions of files that were judged, by verdict.",
    ("site", "verdict"),
)
PUBLISHED = Instrument(
    "tallyho.publish.files",
    Kind.COUNTER,
    "{file}",
    "Files that nights announced, by change: new, changed or gone.",
    ("site", "change"),
)

WORKING = tuple(one for one in [*globals().values()] if isinstance(one, Instrument))
"""All of them, as docs/monitoring.md lists them."""
