"""What the tests of the fetcher decide about bodies, and limits that they can reach."""

from crawler.web.fetcher import FetchLimits
from crawler.web.messages import Decision, Head

LIMITS = FetchLimits(
    file_bytes=5_000_000, page_bytes=100_000, timeout=10.0, total=60.0, page_total=60.0
)


def read(_head: Head, _first: bytes) -> Decision:
    return Decision.READ


def keep(_head: Head, _first: bytes) -> Decision:
    return Decision.KEEP


def drop(_head: Head, _first: bytes) -> Decision:
    return Decision.DROP


def unasked(_head: Head, _first: bytes) -> Decision:
    raise AssertionError("on_headers must not be called")
