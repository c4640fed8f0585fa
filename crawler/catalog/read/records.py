"""The records of files and datasets.

A *file* is an address on a site with its versions; its id is the ID that people and scripts use.
A *dataset* is the files of the same data (same page, same title) and has an id of its own.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field, computed_field

from crawler.catalog.db.news_tables import What
from crawler.catalog.read.citation import cite
from crawler.catalog.read.record import Record
from crawler.catalog.read.verdict import Verdict
from crawler.catalog.read.what import what_happened

_TIME = "2026-03-02T01:12:40Z"
_SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_URL = "https://stats.example/files/births-2025.csv"
_PAGE = "https://stats.example/births"
_TITLE = "Live births by region, 2025"


def eg(value: Any, **more: Any) -> Any:
    """A required field with an example; a field with a `title` is listed among the facts."""
    return Field(examples=[value], **more)


class File(Record):
    """A file in its latest version. Lists, exports and the SQL view `files` have these fields."""

    id: int = eg(17)
    """The ID that people and scripts use; it is the same for all versions of the file."""
    dataset_id: int = eg(9)
    """The id of its dataset: the files of the same data."""
    site: str = eg("demo")
    """The name of the site."""
    url: str = eg(_URL)
    """The file's address, as it was requested."""
    title: str = eg(_TITLE)
    """The text of its link, or its page and file name where the link says nothing."""
    file_name: str = eg("births-2025.csv")
    """As the server suggests it, else the end of the URL."""
    format: str = eg("csv")
    """Group of file types: csv, excel, ods, sdmx, json, ..."""
    version: int = eg(2)
    """The number of the latest version."""
    bytes: int = eg(48213)
    """Size of the latest version."""
    sha256: str = eg(_SHA256)
    """Hash of the latest version."""
    mime: str = eg("text/csv")
    """The media type as detected, else as declared."""
    fetched_at: datetime = eg(_TIME)
    """When the latest version was fetched."""
    first_seen: datetime = eg(_TIME)
    """When the file was found first."""
    last_seen: datetime = eg(_TIME)
    """When the site had the file last, as far as is known."""
    gone_since: datetime | None = eg(None)
    """Since when the site answers that the file is not there; null while it is there."""
    verdict: str | None = eg("valid")
    """The verdict on the latest version; null when it was not validated yet."""
    rows: int | None = eg(1204)
    """Rows of all its tables together; null when it has none or was not validated yet."""
    columns: int | None = eg(3)
    """Columns of its widest table."""
    period_start: str | None = eg("1990")
    """The first period that its tables cover, as they write it; empty where they name none."""
    period_end: str | None = eg("2025")
    """The last period that its tables cover."""
    page_url: str = eg(_PAGE)
    """The page of its dataset."""
    page_title: str = eg("Births")
    """The title of that page."""
    language: str = eg("en", title="Language")
    """The language of that page, as it says itself."""
    licence: str = eg("https://creativecommons.org/licenses/by/4.0/", title="Licence")
    """The licence, as page or server name it, else as the site file does; may be empty."""
    publisher: str = eg("Statistics Office", title="Publisher")
    """Who published it, as the page says, else as the site file does; may be empty."""
    published_at: datetime | None = eg("2025-06-01T00:00:00Z", title="Published")
    """When it was published, as the page says."""
    content_language: str = eg("en", title="Content-Language")
    """The language of the file itself: the Content-Language header of its latest version."""
    change_summary: str = eg("12 rows added, 3 figures revised", title="Last change")
    """What the latest version changed, in one line; empty for a first version."""
    modified_at: datetime | None = eg("2025-05-30T00:00:00Z", title="Modified, says the server")
    """When the latest version was changed last, by the Last-Modified header of its server; null
    where that says nothing about the file."""

    @property
    def period(self) -> str:
        """The periods that its tables cover, in words; empty where they name none."""
        start, end = self.period_start or "", self.period_end or ""
        return f"{start} to {end}" if start and end and start != end else start or end

    def facts(self) -> Iterator[tuple[str, str | datetime]]:
        """The fields that have a title and a value: what `catalog show` and pages list."""
        for name, field in type(self).model_fields.items():
            if field.title and (value := getattr(self, name)):
                yield field.title, value


class Version(Record):
    """The bytes of a file at one time."""

    number: int = eg(2)
    """Versions of a file are counted from 1."""
    bytes: int = eg(48213)
    """Size."""
    change: int | None = eg(120)
    """Bytes more or less than the version before; null for the first."""
    sha256: str = eg(_SHA256)
    """Hash of the bytes, their name in the store."""
    mime: str = eg("text/csv")
    """The media type as detected, else as declared."""
    etag: str = eg('"5e1f-77"')
    """The ETag header; empty when there was none."""
    last_modified: str = eg("Mon, 02 Mar 2026 00:00:00 GMT")
    """The Last-Modified header, as sent."""
    content_language: str = eg("en")
    """The Content-Language header; empty when there was none."""
    published_at: datetime | None = eg(None)
    """When it was published, as the page said at that time."""
    modified_at: datetime | None = eg("2026-03-02T00:00:00Z")
    """The Last-Modified header as a time; null where it says nothing about the file."""
    fetched_at: datetime = eg(_TIME)
    """When it was fetched first."""
    run_id: str = eg("20260302T010000Z-a1b2c3")
    """The run that fetched it."""
    available: bool = eg(True)
    """False when the bytes were removed; that they existed stays known."""
    verdict: str | None = eg("valid")
    """The verdict on this version; null when it was not validated yet."""
    change_summary: str = eg("12 rows added, 3 figures revised")
    """What it changed since the version before, in one line; empty for the first one."""


class VersionList(Record):
    """All versions of a file, the newest first."""

    total: int = eg(1)
    """How many there are."""
    items: tuple[Version, ...]
    """The newest first."""


class Sighting(Record):
    """A page that links to a file."""

    page_url: str = eg(_PAGE)
    """The page."""
    page_title: str = eg("Births")
    """Its title."""
    anchor: str = eg(_TITLE)
    """The text of the link."""
    headings: str = eg("Population › Births")
    """The headings that the link stands below; empty where there are none."""
    tag_path: str = eg("html body main ul li a")
    """The HTML tags from the root of the page to the link."""
    action: int | None = eg(3)
    """The action of the strategy that the link belonged to."""
    first_seen: datetime = eg(_TIME)
    """When the link was seen first."""
    last_seen: datetime = eg(_TIME)
    """When it was seen last."""


class FileDetail(File):
    """Everything the catalog knows about a file."""

    dataset_title: str = eg(_TITLE)
    """The title of its dataset."""
    site_title: str = eg("Statistics Office of Nowhere")
    """What the site is called, as its site file says; may be empty."""
    removed_at: datetime | None = eg(None)
    """When it was taken down; null for all other files."""
    removal_reason: str = eg("")
    """Why it was taken down."""
    check: Verdict | None
    """The verdict on the latest version with its reasons."""
    versions: tuple[Version, ...]
    """The newest first, at most the newest thousand."""
    sightings: tuple[Sighting, ...]
    """Pages that link to it, a bounded number."""
    sightings_total: int = eg(2)
    """How often a link to it was seen, also on pages beyond those listed."""
    files: tuple[File, ...]
    """The files of its dataset, this one among them unless it was taken down."""

    @computed_field(examples=[f"Statistics Office (2025): {_TITLE}. {_URL} Version 2, …"])  # type: ignore[prop-decorator]
    @property
    def citation(self) -> str:
        """How to cite it: who, when, what, where, and exactly which bytes."""
        return cite(self)


class Dataset(Record):
    """The same data in one or several files: the same page and the same title."""

    id: int = eg(9)
    """The dataset's own id; it is not the ID of a file."""
    site: str = eg("demo")
    """The name of the site."""
    title: str = eg(_TITLE)
    """What its files are called."""
    page_url: str = eg(_PAGE)
    """The page that links to its files."""
    page_title: str = eg("Births")
    """The title of that page."""
    language: str = eg("en")
    """The language of that page."""
    licence: str = eg("https://creativecommons.org/licenses/by/4.0/")
    """The licence, as page or server name it, else as the site file does; may be empty."""
    publisher: str = eg("Statistics Office")
    """Who published it, as the page says, else as the site file does; may be empty."""
    published_at: datetime | None = eg("2025-06-01T00:00:00Z")
    """When it was published, as the page says."""
    first_seen: datetime = eg(_TIME)
    """When its first file was found."""
    last_seen: datetime = eg(_TIME)
    """When one of its files was seen last."""
    file_count: int = eg(1)
    """How many files it has; `files` may list fewer."""
    files: tuple[File, ...]
    """Its files that were not taken down."""


class MatchPlace(StrEnum):
    """Where a dataset has a word that was asked for."""

    TITLE = "title"
    LINK = "link"
    """The text of a link to it."""
    FILE_NAME = "file_name"
    COLUMN = "column"
    PLACE = "place"
    """A place that its tables are about."""
    VALUE = "value"
    """A value of another column of texts."""
    PERIOD = "period"
    """The periods that its tables cover."""
    PAGE = "page"
    """The title of a page that links to it."""
    HEADING = "heading"
    """The headings on that page which a link to it stands below."""
    PUBLISHER = "publisher"
    SITE = "site"
    ADDRESS = "address"
    """The address of its page or of a file."""


class Match(Record):
    """Why a dataset was found: a text of it, and the words of the question that it has."""

    where: MatchPlace = eg("title")
    """What the text is."""
    text: str = eg(_TITLE)
    """The text; a long one is cut."""
    words: tuple[str, ...] = eg(["births"])
    """Words of the question that it has, in these or other words for the same."""


class SearchHit(File):
    """A dataset that a search found, by one of its files.

    `id` is the ID of that file, as `catalog show` and `catalog get` take it; `dataset_id` is the
    dataset's. The file is the first one that passes the filters and is still on the site.
    """

    file_count: int = eg(1)
    """How many files the dataset has; `files` may list fewer."""
    files: tuple[File, ...]
    """The files of the dataset, this one first."""
    matches: tuple[Match, ...] = Field(default=(), examples=[[]])
    """Why it was found; empty when no words were asked for."""

    @computed_field(examples=["changed"])  # type: ignore[prop-decorator]
    @property
    def what(self) -> What:
        """What happened to the dataset last: it is new, a file changed, or all files are gone."""
        return what_happened(self.files)[0]

    @property
    def what_at(self) -> datetime:
        """When that was."""
        return what_happened(self.files)[1]
