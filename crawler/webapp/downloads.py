"""Downloads: from the store itself where it signs URLs, through here where it does not."""

from collections.abc import Iterator
from typing import BinaryIO

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from crawler.storage.attachment import attachment, harmless_type
from crawler.webapp.failures import not_found
from crawler.webapp.headers import ASKED_BY_HEAD, DOWNLOAD_POLICY
from crawler.webapp.parameters import FileId, VersionNumber
from crawler.webapp.shapes import DatasetDetail, Version
from crawler.webapp.shelf import Shelf

_CHUNK = 256 * 1024


def download_routes(shelf: Shelf) -> APIRouter:
    """The routes that give bytes."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/datasets/{id}/download", name="download")
    def download(request: Request, id: FileId) -> Response:  # noqa: A002
        return _give(shelf, request, id, None)

    @routes.get("/datasets/{id}/versions/{number}/download", name="download_version")
    def download_version(request: Request, id: FileId, number: VersionNumber) -> Response:  # noqa: A002
        return _give(shelf, request, id, number)

    return routes


def _give(shelf: Shelf, request: Request, file_id: int, number: int | None) -> Response:
    shown, version = _wanted(shelf, file_id, number)
    name = shown.file_name or f"dataset-{file_id}.{shown.format}"
    mime = harmless_type(version.mime)
    if url := shelf.signed_url(version.sha256, name, mime):
        return RedirectResponse(url, status_code=302, headers={"Cache-Control": "no-store"})
    tag = f'"{version.sha256}"'
    headers = {
        # As a header of its own: to a media type of text the library adds that it is UTF-8, which
        # the bytes of an office often are not.
        "Content-Type": mime,
        "Content-Disposition": attachment(name),
        "Content-Length": str(version.bytes),
        "Content-Security-Policy": DOWNLOAD_POLICY,
        "ETag": tag,
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    if request.scope.get(ASKED_BY_HEAD):
        return Response(headers=headers)
    stream = shelf.open(version.sha256)
    return StreamingResponse(_chunks(stream), headers=headers)


def _wanted(shelf: Shelf, file_id: int, number: int | None) -> tuple[DatasetDetail, Version]:
    shown = shelf.dataset(file_id)
    if shown is None:
        raise not_found(f"dataset {file_id}")
    for version in shown.versions:
        if version.available and number in (None, version.number):
            return shown, version
    wanted = "bytes" if number is None else f"bytes of version {number}"
    raise not_found(f"{wanted} of dataset {file_id}" if number is None else wanted)


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    with stream:
        while chunk := stream.read(_CHUNK):
            yield chunk
