"""Kept files for tests, written with flat names."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from crawler.pages.kept_file import Download, KeptFile, Link

NIGHT = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)


def kept_file(
    url: str,
    sha256: str,
    size: int,
    *,
    format: str = "csv",  # noqa: A002
    fetched_at: datetime = NIGHT,
    mime_declared: str = "",
    mime_detected: str = "",
    etag: str = "",
    last_modified: str = "",
    file_name: str = "",
    published_at: datetime | None = None,
    **link: Any,
) -> KeptFile:
    """A file as a crawl keeps it; `link` has the fields of `Link`."""
    quoted = quote(file_name, safe="", errors="surrogatepass")
    disposition = f"attachment; filename*=UTF-8''{quoted}" if file_name else ""
    download = Download(
        sha256=sha256,
        size=size,
        mime=mime_detected,
        group=format,
        detected_by="header",
        declared=mime_declared,
        disposition=disposition,
        etag=etag,
        last_modified=last_modified,
        fetched_at=fetched_at.timestamp(),
    )
    published = published_at.isoformat() if published_at else ""
    return KeptFile(1, url, download, Link(published=published, **link))
