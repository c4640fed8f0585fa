"""What is answered when there is no answer: a page for people, JSON for scripts."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, JsonValue
from starlette.exceptions import HTTPException

from crawler.catalog.read.record import Record
from crawler.catalog.search.filters import FilterRefused
from crawler.errors import NotInCatalog, StorageError
from crawler.webapp.read_on_demand import sentence_of
from crawler.webapp.rendering import render

log = logging.getLogger(__name__)

API_PREFIX = "/api/v2"
_FOR_SCRIPTS = ("/api/", "/health", "/metrics")
_RETRY_SECONDS = "30"
_TITLES = {
    404: "Not found",
    405: "Not possible here",
    410: "Removed",
    422: "Not understood",
    500: "Something went wrong here",
    503: "The catalog does not answer",
}


class Problem(Record):
    """Why there is no answer."""

    error: str = Field(examples=["The catalog has no file 17."])
    """A sentence for a person."""
    details: list[dict[str, JsonValue]] = Field(default_factory=list, examples=[[]])
    """For a wrong parameter: where it is and what is wrong with it."""


def not_found(what: str) -> HTTPException:
    """There is no such thing."""
    return HTTPException(404, f"There is no {what}.")


def install_failures(app: FastAPI) -> None:
    """Makes every failure a page or a JSON document."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _misunderstood)
    app.add_exception_handler(FilterRefused, _filter_refused)
    app.add_exception_handler(NotInCatalog, _unknown)
    app.add_exception_handler(StorageError, _unavailable)
    app.add_exception_handler(Exception, _broken)


def answer(
    request: Request,
    status: int,
    sentence: str,
    *,
    details: Sequence[dict[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A failure in the form that the client can read."""
    response: Response
    if is_for_scripts(request):
        problem = Problem(error=sentence, details=list(details))
        response = JSONResponse(problem.model_dump(mode="json"), status_code=status)
    else:
        response = render(
            request,
            "failure.html",
            status,
            title=_TITLES.get(status, "Not possible"),
            sentence=sentence,
            details=[f"{detail['where']}: {detail['what']}" for detail in details],
        )
    response.headers.update(headers or {})
    return response


def is_for_scripts(request: Request) -> bool:
    """Whether the client wants JSON."""
    return _inner_path(request).startswith(_FOR_SCRIPTS)


def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    plain = {404: "There is no such page.", 405: "This address only gives, it takes nothing."}
    sentence = error.detail
    if sentence in ("Not Found", "Method Not Allowed"):
        sentence = plain[error.status_code]
    return answer(request, error.status_code, sentence, headers=error.headers)


def _misunderstood(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    # The value itself is not repeated: it may be long, or no JSON at all.
    details = [
        {"where": ".".join(map(str, problem["loc"])), "what": _sentence(problem["msg"])}
        for problem in error.errors()[:10]
    ]
    return answer(request, 422, "A parameter of this address is wrong.", details=details)


def _filter_refused(request: Request, error: Exception) -> Response:
    """A filter among the words, such as `period:banana`."""
    return answer(request, 422, sentence_of(error))


def _sentence(message: str) -> str:
    """What was said by us, without pydantic's name for it."""
    return message.removeprefix("Value error, ")


def _unknown(request: Request, error: Exception) -> Response:
    return answer(request, 404, sentence_of(error))


def _unavailable(request: Request, error: Exception) -> Response:
    if not isinstance(error, StorageError):
        raise error
    log.warning("%s: %s", request.url.path, error)
    if not error.retryable:
        return answer(request, 500, "Catalog or store refuse this. The log of the server says why.")
    sentence = "Catalog or store cannot be reached at the moment. Try again in a minute."
    return answer(request, 503, sentence, headers={"Retry-After": _RETRY_SECONDS})


def _broken(request: Request, error: Exception) -> Response:
    log.error("%s failed", request.url.path, exc_info=error)
    return answer(request, 500, "This was not your fault. The log of the server says more.")


def _inner_path(request: Request) -> str:
    """The path below the prefix that the application is mounted under."""
    return str(request.scope["path"]).removeprefix(str(request.scope.get("root_path", "")))
