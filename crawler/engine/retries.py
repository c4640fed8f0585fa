"""Which answers are worth another try, and how long to wait for it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from crawler.web.messages import Reply

_TEMPORARY = {408, 425, 429}
MAX_WAIT = 3600.0
"""A server that asks for a longer pause than this is not waited for."""


def is_temporary(reply: Reply) -> bool:
    """Whether the same request may succeed in a while."""
    if reply.failure is not None:
        return reply.failure.retryable
    if reply.head is None:
        return False
    status = reply.head.status
    return status in _TEMPORARY or (500 <= status <= 599 and status not in {501, 505})


def retry_after(reply: Reply, now: float) -> float:
    """Seconds that the server asks us to stay away; 0 when it does not say."""
    value = reply.head.headers.get("retry-after", "").strip() if reply.head else ""
    if not value:
        return 0.0
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return 0.0
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.fromtimestamp(now, UTC)).total_seconds())


def pause(reply: Reply, now: float) -> float:
    """Seconds without any request, whether or not this one is repeated: the server asks for it."""
    asked = retry_after(reply, now) if is_temporary(reply) else 0.0
    return asked if asked <= MAX_WAIT else 0.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is repeated, and the wait before the first repetition."""

    retries: int
    backoff: float

    def wait(self, reply: Reply, attempts: int, now: float) -> float | None:
        """Seconds until the next try after `attempts` ones; None when it is given up."""
        if not is_temporary(reply) or attempts > self.retries:
            return None
        asked = retry_after(reply, now)
        if asked > MAX_WAIT:
            return None
        backoff: float = self.backoff * 2.0 ** (attempts - 1)
        return max(asked, backoff)
