"""Conditional requests: whoever has the answer already gets 304 and no body (RFC 9110)."""

from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256

from fastapi import Request, Response


def conditional(
    request: Request, body: bytes, media_type: str, modified: datetime | None = None
) -> Response:
    """The answer with an ETag of its bytes, and Last-Modified where a time is given; or 304."""
    headers = {"ETag": f'"{sha256(body).hexdigest()[:32]}"', "Cache-Control": "private, no-cache"}
    if modified is not None:
        headers["Last-Modified"] = format_datetime(modified.astimezone(UTC), usegmt=True)
    if _is_known(request, headers["ETag"], modified):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _is_known(request: Request, tag: str, modified: datetime | None) -> bool:
    """If-None-Match goes before If-Modified-Since, which knows whole seconds only."""
    if (tags := request.headers.get("if-none-match")) is not None:
        known = {each.strip().removeprefix("W/") for each in tags.split(",")}
        return tag in known or "*" in known
    since = request.headers.get("if-modified-since")
    if since is None or modified is None:
        return False
    try:
        moment = parsedate_to_datetime(since)
    except ValueError:
        return False
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return modified.replace(microsecond=0) <= moment
