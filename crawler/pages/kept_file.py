"""The record of a kept file: one download, and the link that led to it.

The engine makes it, the state stores it, the catalog ingests it, the manifest has it as a line.
What is unknown is empty.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Self

from crawler.pages.file_name import suggested_name
from crawler.pages.metadata import licence_in_link_header
from crawler.pages.mime import Classified
from crawler.pages.publication_date import modification_date, publication_date


@dataclass(frozen=True, slots=True)
class Download:
    """The bytes that came, and what the server said about them.

    The state has a column for each field; the catalog's versions have those of the same name. A new
    field needs a default: a state that is older gets its column when it is opened for writing.
    """

    sha256: str
    size: int
    mime: str
    """As detected."""
    group: str
    """Target group: csv, excel, ods, ..."""
    detected_by: str
    """Whether header, extension or content said what it is."""
    declared: str
    """The Content-Type header."""
    disposition: str
    """The Content-Disposition header."""
    etag: str
    last_modified: str
    fetched_at: float
    """Seconds since 1970."""
    licence: str = ""
    """As the file's own Link header names it."""
    content_language: str = ""
    """The Content-Language header: one or several language tags."""

    @classmethod
    def of(
        cls,
        headers: Mapping[str, str],
        classified: Classified,
        *,
        sha256: str,
        size: int,
        fetched_at: float,
    ) -> Self:
        """The download of a file; header names are in lower case."""
        return cls(
            sha256=sha256,
            size=size,
            mime=classified.mime,
            group=classified.group or "other",
            detected_by=classified.detected_by.value,
            declared=headers.get("content-type", ""),
            disposition=headers.get("content-disposition", ""),
            etag=headers.get("etag", ""),
            last_modified=headers.get("last-modified", ""),
            fetched_at=fetched_at,
            licence=licence_in_link_header(headers.get("link", "")),
            content_language=headers.get("content-language", ""),
        )


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a file, and what its page says about its data."""

    page_url: str = ""
    page_title: str = ""
    anchor: str = ""
    """The text of the link."""
    tag_path: str = ""
    action: int | None = None
    depth: int = 0
    """Links from the start page to here."""
    page_language: str = ""
    licence: str = ""
    publisher: str = ""
    published: str = ""
    """As written; dates come in many spellings."""
    headings: str = ""
    """What the link stands below on its page, such as `Population › Births`."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that is durable in the store, with where it was found."""

    id: int
    """Of its link in the crawl state."""
    url: str
    """As it was requested."""
    download: Download
    link: Link

    @property
    def fetched_at(self) -> datetime:
        """When it was downloaded."""
        return datetime.fromtimestamp(self.download.fetched_at, UTC)

    @property
    def file_name(self) -> str:
        """As the server suggests it; empty when it does not."""
        return suggested_name(self.download.disposition)

    @property
    def licence(self) -> str:
        """That of the file's own header, else that of its page."""
        return self.download.licence or self.link.licence

    @property
    def published_at(self) -> datetime | None:
        """When it was published, as far as the page says so."""
        return publication_date(self.link.published)

    @property
    def modified_at(self) -> datetime | None:
        """When its bytes were changed last, as far as the server says so."""
        return modification_date(self.download.last_modified, self.fetched_at)

    def as_dict(self) -> dict[str, Any]:
        """All facts in one flat mapping, for JSON."""
        facts = asdict(self.download) | asdict(self.link) | {"licence": self.licence}
        return {"id": self.id, "url": self.url, **facts}
