"""Downloads: from the store itself where it signs URLs, through here where it does not."""

from collections.abc import Iterator
from typing import BinaryIO

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from crawler.catalog.facade import Catalog
from crawler.catalog.read.records import FileDetail, Version
from crawler.storage.attachment import attachment, content_type
from crawler.webapp.failures import not_found
from crawler.webapp.headers import ASKED_BY_HEAD, DOWNLOAD_POLICY
from crawler.webapp.parameters import FileId, VersionNumber

_CHUNK = 256 * 1024
_SIGNED_SECONDS = 300


def download_routes(catalog: Catalog) -> APIRouter:
    """The routes that give bytes."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/files/{id}/download", name="download")
    def download(request: Request, id: FileId) -> Response:  # noqa: A002
        return _give(catalog, request, id, None)

    @routes.get("/files/{id}/versions/{number}/download", name="download_version")
    def download_version(request: Request, id: FileId, number: VersionNumber) -> Response:  # noqa: A002
        return _give(catalog, request, id, number)

    return routes


def _give(catalog: Catalog, request: Request, file_id: int, number: int | None) -> Response:
    shown, version = _wanted(catalog, file_id, number)
    name = shown.file_name or f"file-{file_id}.{shown.format}"
    mime = content_type(version.mime, _encoding(shown, version))
    url = catalog.store.presigned_url(
        version.sha256, file_name=name, mime=mime, seconds=_SIGNED_SECONDS
    )
    if url is not None:
        return RedirectResponse(url, status_code=302, headers={"Cache-Control": "no-store"})
    tag = f'"{version.sha256}"'
    headers = {
        # As a header of its own: to a media type of text without an encoding the library adds that
        # it is UTF-8, which the bytes of an office often are not.
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
    stream = catalog.store.open(version.sha256)
    return StreamingResponse(_chunks(stream), headers=headers)


def _encoding(shown: FileDetail, version: Version) -> str:
    """The encoding that validation found; only the latest version has a verdict here."""
    if shown.check is None or version.number != shown.version:
        return ""
    tables = shown.check.profile.tables
    return tables[0].encoding if len(tables) == 1 else ""


def _wanted(catalog: Catalog, file_id: int, number: int | None) -> tuple[FileDetail, Version]:
    shown = catalog.show(file_id)
    for version in shown.versions:
        if version.available and number in (None, version.number):
            return shown, version
    wanted = "bytes" if number is None else f"bytes of version {number}"
    raise not_found(f"{wanted} of file {file_id}")


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    with stream:
        while chunk := stream.read(_CHUNK):
            yield chunk
