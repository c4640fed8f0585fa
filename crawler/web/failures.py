"""What went wrong on the network, as one Failure and one sentence."""

import ssl
from collections.abc import Iterator

import requests.exceptions
import urllib3.exceptions

from crawler.web.addresses import AddressRefused, NameUnresolved, Unreachable
from crawler.web.deadline import DeadlinePassed
from crawler.web.decoding import CorruptBody
from crawler.web.messages import Failure

MAX_DETAIL = 200
"""Longest detail; parts of it may come from the server."""

_BAD_URL = (
    UnicodeError,
    requests.exceptions.InvalidURL,
    requests.exceptions.InvalidSchema,
    requests.exceptions.MissingSchema,
    urllib3.exceptions.LocationValueError,
)
_TIMEOUT = (TimeoutError, urllib3.exceptions.TimeoutError, requests.exceptions.Timeout)


class NetworkFailure(Exception):
    """No complete answer came, and why."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure = failure
        self.detail = _printable(detail)


def bad_url(error: Exception) -> NetworkFailure:
    """The failure of a URL that cannot be requested at all."""
    return NetworkFailure(Failure.BAD_URL, f"not a URL to request: {_innermost(error)}")


def not_connected(error: Exception) -> NetworkFailure:
    """The failure behind an error while connecting, sending, or waiting for the headers."""
    causes = list(_causes(error))
    for cause in causes:
        match cause:
            case DeadlinePassed():
                return NetworkFailure(Failure.TOO_SLOW, str(cause))
            case AddressRefused():
                return NetworkFailure(Failure.PRIVATE_ADDRESS, str(cause))
            case NameUnresolved():
                return NetworkFailure(Failure.DNS, str(cause))
            case Unreachable():
                timed_out = isinstance(cause.__cause__, TimeoutError)
                return NetworkFailure(Failure.TIMEOUT if timed_out else Failure.CONNECT, str(cause))
    if _any(causes, urllib3.exceptions.ProxyError):
        return NetworkFailure(Failure.CONNECT, f"the proxy refuses: {_innermost(error)}")
    if _any(causes, *_TIMEOUT):
        return NetworkFailure(Failure.TIMEOUT, "no answer within the time limit")
    if _any(causes, *_BAD_URL):
        return bad_url(error)
    # A connection that is cut during the handshake is broken; one that disagrees stays so.
    if _any(causes, ssl.SSLError) and not _any(causes, ssl.SSLEOFError, ssl.SSLZeroReturnError):
        return NetworkFailure(Failure.TLS, f"no trust: {_innermost(error)}")
    return NetworkFailure(Failure.BROKEN, f"no HTTP answer: {_innermost(error)}")


def broken_off(error: Exception) -> NetworkFailure:
    """The failure behind an error while a body was read."""
    causes = list(_causes(error))
    if _any(causes, DeadlinePassed):
        return NetworkFailure(Failure.TOO_SLOW, str(error))
    if _any(causes, CorruptBody):
        return NetworkFailure(Failure.BROKEN, str(error))
    if _any(causes, *_TIMEOUT):
        return NetworkFailure(Failure.TIMEOUT, "the server fell silent in the middle of the body")
    return NetworkFailure(Failure.BROKEN, f"the body broke off: {_innermost(error)}")


def _any(causes: list[BaseException], *kinds: type[BaseException]) -> bool:
    return any(isinstance(cause, kinds) for cause in causes)


def _innermost(error: BaseException) -> str:
    last = list(_causes(error))[-1]
    return f"{type(last).__name__}: {last}" if str(last) else type(last).__name__


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all that is wrapped in it, outermost first; each library wraps differently."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        wrapped = [arg for arg in current.args if isinstance(arg, BaseException)]
        reason = getattr(current, "reason", None)
        if isinstance(reason, BaseException):
            wrapped.append(reason)
        current = wrapped[-1] if wrapped else current.__cause__


def _printable(text: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in text)
    return plain if len(plain) <= MAX_DETAIL else plain[: MAX_DETAIL - 1] + "…"
