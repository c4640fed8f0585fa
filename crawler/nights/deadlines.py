"""How long a task and a whole night may take: a stuck one must not hold its site for good."""

from datetime import timedelta

from crawler.config.site import SiteConfig

SHORT_STEP = timedelta(hours=1)
"""To plan, to list batches and to publish: a few queries each."""
VALIDATION = timedelta(hours=6)
"""To judge a batch: a hundred files or more, each read within bounds of its own."""
_OUTAGE_AND_SNAPSHOT = timedelta(minutes=30)
_LEAST = timedelta(hours=24)
_REST = timedelta(hours=12)


def crawl_deadline(site: SiteConfig, slice_minutes: float) -> timedelta:
    """Of one slice: its own time, the slowest answer, an outage that is waited for, a snapshot."""
    working = timedelta(minutes=slice_minutes + site.limits.request_minutes)
    return working + _OUTAGE_AND_SNAPSHOT


def lane_deadline(slice_minutes: float) -> timedelta:
    """Of one slice of a lane: as of a crawl, with the slowest answer that a file may allow."""
    return timedelta(minutes=slice_minutes) + SHORT_STEP + _OUTAGE_AND_SNAPSHOT


def night_deadline(site: SiteConfig) -> timedelta:
    """Of a whole run of the DAG: twice its budget for slots and retries, and time to validate."""
    return max(_LEAST, 2 * timedelta(minutes=site.budget.minutes) + _REST)
