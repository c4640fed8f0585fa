"""What an answer means for the URL that was asked for."""

from enum import Enum

from crawler.pages.mime import UrlClass
from crawler.pages.reasons import SkipReason
from crawler.pages.urls import resolve
from crawler.web.messages import Failure, Reply

_REASON_OF_FAILURE = {
    Failure.TOO_SLOW: SkipReason.TOO_SLOW,
    Failure.TOO_LARGE: SkipReason.TOO_LARGE,
    Failure.PRIVATE_ADDRESS: SkipReason.PRIVATE_ADDRESS,
    Failure.BAD_URL: SkipReason.BAD_URL,
    Failure.POISONOUS: SkipReason.POISONOUS,
}

_NO_CONNECTION = {Failure.DNS, Failure.CONNECT}
_REDIRECTS = {301, 302, 303, 307, 308}
GONE = {404, 410}
_HEAD_REFUSED = {403, 405, 429}


def is_redirect(reply: Reply) -> bool:
    """Whether the server says that the page is elsewhere."""
    return reply.failure is None and reply.head is not None and reply.head.status in _REDIRECTS


def redirect_target(url: str, reply: Reply) -> str | None:
    """Where an answer for a URL sends us; None when it names no address."""
    location = reply.head.headers.get("location", "") if reply.head else ""
    return resolve(url, location) if location else None


def is_success(reply: Reply) -> bool:
    """Whether a complete 2xx came."""
    return reply.failure is None and reply.head is not None and 200 <= reply.head.status <= 299


def skip_reason(reply: Reply) -> SkipReason:
    """Why an answer that is no success and no redirect is of no use."""
    if reply.failure is not None:
        return _REASON_OF_FAILURE.get(reply.failure, SkipReason.NO_ANSWER)
    status = reply.head.status if reply.head else 0
    if 500 <= status <= 599 or status == 429:
        return SkipReason.SERVER_ERROR
    if 400 <= status <= 499:
        return SkipReason.DEAD
    return SkipReason.BAD_REDIRECT if 300 <= status <= 399 else SkipReason.OTHER_TYPE


def may_mean_site_is_down(reply: Reply, *, failed_before: bool) -> bool:
    """Whether a failure may come from the whole site: not one that only the page can explain.

    An answer that breaks off after its head came from a site that is up. A URL that failed before
    is expected to fail again, unless nobody even takes the connection.
    """
    if reply.failure is None:
        return not failed_before
    if reply.head is not None:
        return False
    return not failed_before or reply.failure in _NO_CONNECTION


def describe(reply: Reply) -> str:
    """The answer in a few words, for logs."""
    if reply.failure is not None:
        return reply.detail or reply.failure.value
    return f"HTTP {reply.head.status}" if reply.head else "no answer"


class HeadMeaning(Enum):
    """What the answer to a HEAD request tells."""

    HTML = "html"
    TARGET = "target"
    NEITHER = "neither"
    DEAD = "dead"
    NOTHING = "nothing"
    """Neither class nor refusal, as a redirection."""
    REFUSED = "refused"
    """The server does not answer HEAD, not even after the retries, or not with a type."""


def head_meaning(reply: Reply, url_class: UrlClass) -> HeadMeaning:
    """Read the answer to a HEAD request; `url_class` is what its headers say."""
    if reply.failure is not None or reply.head is None:
        return HeadMeaning.REFUSED
    status = reply.head.status
    if status in GONE:
        return HeadMeaning.DEAD
    if status in _HEAD_REFUSED or status >= 500:
        return HeadMeaning.REFUSED
    if not 200 <= status <= 299:
        return HeadMeaning.NOTHING
    if not reply.head.content_type:
        return HeadMeaning.REFUSED
    return HeadMeaning(url_class.name.lower())
