"""What the JSON API answers with; the pages are rendered from the same values."""

from datetime import datetime
from typing import Any

from pydantic import Field, JsonValue

from crawler.webapp.shape import Shape, with_example
from crawler.webapp.verdict_shape import Verdict

_NOW = "2026-03-02T01:12:40Z"
_SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_URL = "https://stats.example/files/births-2025.csv"
_FILE: dict[str, Any] = {
    "id": 17,
    "site": "demo",
    "url": _URL,
    "title": "Live births by region, 2025",
    "file_name": "births-2025.csv",
    "format": "csv",
    "bytes": 48213,
    "sha256": _SHA256,
    "first_seen": _NOW,
    "last_seen": _NOW,
    "gone_since": None,
    "verdict": "valid",
}
_FACETS = {
    "site": [{"value": "demo", "count": 12}],
    "format": [{"value": "csv", "count": 9}, {"value": "excel", "count": 3}],
    "verdict": [{"value": "valid", "count": 11}],
}
_VERSION: dict[str, Any] = {
    "number": 2,
    "bytes": 48213,
    "change": 120,
    "sha256": _SHA256,
    "mime": "text/csv",
    "last_modified": "Mon, 02 Mar 2026 00:00:00 GMT",
    "published_at": None,
    "fetched_at": _NOW,
    "run_id": "20260302T010000Z-a1b2c3",
    "available": True,
}
_RUN: dict[str, Any] = {
    "id": "20260302T010000Z-a1b2c3",
    "site": "demo",
    "kind": "acquire",
    "strategy": "sb",
    "started_at": _NOW,
    "ended_at": None,
    "stop_reason": "",
    "stop_detail": "",
    "requests": 900,
    "heads": 120,
    "pages": 610,
    "targets": 140,
    "bytes": 9182736,
    "new_versions": 12,
    "night": "scheduled__2026-03-02T01:00:00+00:00",
}


class File(Shape):
    """A data file: an address on a site, with its newest version."""

    model_config = with_example(_FILE)

    id: int
    """The ID that people and scripts use; it stays over all versions."""
    site: str
    url: str
    """Where the file was found."""
    title: str
    file_name: str
    format: str
    """Group of file types: csv, excel, ods, sdmx, json, ..."""
    bytes: int | None
    """Size of the newest version; null when there is none."""
    sha256: str | None
    first_seen: datetime
    last_seen: datetime
    gone_since: datetime | None
    """Since when the site answers that the file is not there any more."""
    verdict: str | None
    """What validation says of the newest version; null when it was not looked at yet."""


class Dataset(File):
    """The same data in one or several files; its own fields are those of its first file."""

    model_config = with_example(_FILE | {"file_count": 1, "files": [_FILE]})

    file_count: int
    """How many files there are; `files` may list fewer."""
    files: list[File]


class FacetValue(Shape):
    """A value of a filter, and how many datasets of this search have it."""

    value: str
    count: int


class Facets(Shape):
    """What a search can be narrowed down to."""

    model_config = with_example(_FACETS)

    site: list[FacetValue]
    format: list[FacetValue]
    verdict: list[FacetValue]


class DatasetList(Shape):
    """One page of a search."""

    model_config = with_example(
        {
            "total": 1,
            "total_is_exact": True,
            "limit": 20,
            "offset": 0,
            "items": [_FILE | {"file_count": 1, "files": [_FILE]}],
            "facets": _FACETS,
        }
    )

    total: int
    total_is_exact: bool
    """False when there are at least `total`: counting all of them would take too long."""
    limit: int
    offset: int
    items: list[Dataset]
    facets: Facets


class Version(Shape):
    """The bytes of a file at one time."""

    model_config = with_example(_VERSION)

    number: int
    bytes: int
    change: int | None
    """Bytes more or less than the version before; null for the first."""
    sha256: str
    mime: str
    """As detected, else as declared."""
    last_modified: str
    """As the server said it."""
    published_at: datetime | None
    fetched_at: datetime
    run_id: str
    available: bool
    """False when the bytes were removed; that they existed stays known."""


class VersionList(Shape):
    """All kept versions of a file, the newest first."""

    model_config = with_example({"total": 1, "items": [_VERSION]})

    total: int
    items: list[Version]


class Sighting(Shape):
    """A page that links to the file."""

    page_url: str
    page_title: str
    anchor: str
    """The text of the link."""
    first_seen: datetime
    last_seen: datetime


class DatasetDetail(File):
    """Everything the catalog knows about a file."""

    model_config = with_example(
        _FILE
        | {
            "removed_at": None,
            "removal_reason": "",
            "dataset_title": "Live births by region, 2025",
            "page_url": "https://stats.example/births",
            "page_title": "Births",
            "language": "en",
            "licence": "https://creativecommons.org/licenses/by/4.0/",
            "publisher": "Statistics Office",
            "published_at": None,
            "citation": "Statistics Office: Live births by region, 2025. https://stats.example/…",
            "check": None,
            "versions": [_VERSION],
            "sightings": [],
            "sightings_total": 0,
            "files": [_FILE],
        }
    )

    removed_at: datetime | None
    removal_reason: str
    dataset_title: str
    page_url: str
    page_title: str
    language: str
    licence: str
    publisher: str
    published_at: datetime | None
    citation: str
    check: Verdict | None
    """The verdict on the newest version with its reasons."""
    versions: list[Version]
    sightings: list[Sighting]
    """The pages, a bounded number of them."""
    sightings_total: int
    """How often a link to it was met, also on pages beyond those listed."""
    files: list[File]
    """The files of the same dataset: other formats, other languages."""


class Site(Shape):
    """A website, and how much of it is in the catalog."""

    model_config = with_example(
        {
            "name": "demo",
            "start_url": "https://stats.example/",
            "datasets": 120,
            "files": 140,
            "bytes": 9182736,
            "gone": 2,
            "formats": {"csv": 100, "excel": 40},
            "verdicts": {"valid": 120, "suspect": 20},
            "last_run": _NOW,
        }
    )

    name: str
    start_url: str
    datasets: int
    files: int
    bytes: int
    """Of the newest versions."""
    gone: int
    formats: dict[str, int]
    """Files by format."""
    verdicts: dict[str, int]
    """Files by the verdict on their newest version; `unchecked` are those without one."""
    last_run: datetime | None
    """When the last run began."""


class SiteList(Shape):
    """All sites of the catalog."""

    total: int
    items: list[Site]


class Run(Shape):
    """One run over a site; without an end it is running, or its process died."""

    model_config = with_example(_RUN)

    id: str
    site: str
    kind: str
    strategy: str
    started_at: datetime
    ended_at: datetime | None
    stop_reason: str
    stop_detail: str
    requests: int
    heads: int
    pages: int
    targets: int
    bytes: int
    """Received, decoded."""
    new_versions: int
    night: str
    """The night that worked on it last, in Airflow the DAG run; empty for a bare crawl."""


class RunList(Shape):
    """One page of the runs, the newest first."""

    model_config = with_example({"total": 1, "limit": 20, "offset": 0, "items": [_RUN]})

    total: int
    limit: int
    offset: int
    items: list[Run]


class Action(Shape):
    """A group of links with like tag paths, and what following them gave."""

    tag_path: str
    selections: int
    mean_reward: float


class RunDetail(Run):
    """A run with what it learned and what it left out."""

    model_config = with_example(
        _RUN
        | {
            "skipped": {"off_site": 40, "dead": 12},
            "curve": [[0, 0], [450, 90], [900, 140]],
            "actions": [{"tag_path": "html body main a", "selections": 40, "mean_reward": 2.5}],
        }
    )

    skipped: dict[str, int]
    """Reason to number of URLs."""
    curve: list[tuple[int, int]]
    """Pairs: requests, and targets found by then."""
    actions: list[Action]


class Health(Shape):
    """Whether the catalog answers."""

    model_config = with_example({"status": "ok"})

    status: str


class Problem(Shape):
    """Why there is no answer."""

    model_config = with_example({"error": "there is no dataset 17", "details": []})

    error: str
    """A sentence for a person."""
    details: list[dict[str, JsonValue]] = Field(default_factory=list)
    """For a wrong parameter: where it is and what is wrong with it."""
