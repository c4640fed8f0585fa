"""What a crawl tells the catalog about a file, and what the catalog answers: plain values."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that is durable in the store, with what was seen of it; what is unknown is empty."""

    url: str
    """As it was requested."""
    sha256: str
    size: int
    format: str
    """Target group: csv, excel, ods, ..."""
    fetched_at: datetime
    mime_declared: str = ""
    mime_detected: str = ""
    etag: str = ""
    last_modified: str = ""
    file_name: str = ""
    """As the server suggests it; if it does not, the end of the URL is taken."""
    page_url: str = ""
    page_title: str = ""
    page_language: str = ""
    anchor: str = ""
    tag_path: str = ""
    action: int | None = None
    licence: str = ""
    publisher: str = ""
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a file, on a page."""

    page_url: str
    page_title: str = ""
    anchor: str = ""
    tag_path: str = ""
    action: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """What the catalog made of a kept file."""

    resource_id: int
    version_id: int
    new_resource: bool
    new_version: bool
    removed: bool = False
    """It was taken down: nothing was recorded, and its bytes are not wanted in the store."""
