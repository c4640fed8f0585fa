"""A small catalog that the tests of search, pages and exports share, written by a real ingest."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.models import ResourceRow
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import ActionSummary, RunResult, end_run, start_run
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.pages.kept_file import KeptFile
from crawler.readers.kinds import Kind
from crawler.validation.outcome import (
    ColumnProfile,
    ColumnType,
    Judgement,
    Outcome,
    Profile,
    Reason,
    TableProfile,
)
from tests.kept_files import kept_file

NOW = datetime(2026, 11, 16, 3, 0, tzinfo=UTC)
OFFICE = "https://office.example"
BUREAU = "https://bureau.example"


@dataclass(frozen=True)
class Corpus:
    """A filled catalog, and the IDs of its files by their names."""

    database: Database
    ids: dict[str, int]


def kept(
    name: str,
    anchor: str,
    *,
    base: str = OFFICE,
    page: str = "/data",
    page_title: str = "Data",
    days_ago: float = 30,
    body: bytes | None = None,
    language: str = "en",
    licence: str = "",
    publisher: str = "",
) -> KeptFile:
    """A file as a crawl keeps it; its format is its extension."""
    formats = {"xlsx": "excel", "gz": "archive"}
    extension = name.rpartition(".")[2]
    data = name.encode() if body is None else body
    return kept_file(
        url=f"{base}/files/{name}",
        sha256=sha256(data).hexdigest(),
        size=len(data),
        format=formats.get(extension, extension),
        fetched_at=NOW - timedelta(days=days_ago),
        mime_declared="text/csv" if extension == "csv" else "",
        mime_detected="text/csv" if extension == "csv" else "",
        file_name=name,
        page_url=f"{base}{page}",
        page_title=page_title,
        page_language=language,
        anchor=anchor,
        tag_path="html body main a",
        action=3,
        licence=licence,
        publisher=publisher,
    )


def office_files() -> list[KeptFile]:
    """Files of the statistics office."""
    page = {"page": "/population", "page_title": "Population and births - Statistics Office"}
    return [
        kept(
            "births-2025.csv", "Live births by region", licence=LICENCE, publisher="Office", **page
        ),
        kept(
            "births-2025.xlsx", "Live births by region", licence=LICENCE, publisher="Office", **page
        ),
        kept("deaths-2025.csv", "Deaths by cause", **page),
        kept("Beschäftigung_2024.csv", "Beschäftigung nach Branche", days_ago=3, language="de"),
        kept("naissances2023.csv", "Série longue: naissances à l'étranger", language="fr"),
        kept("MigrationByCountry.json", "Migration", page="/migration", page_title="Migration"),
        kept("report.pdf", "Yearbook <script>alert(1)</script>", page="/yearbook"),
        kept("zalozenia.ods", "Założenia prognozy", days_ago=400, language="pl"),
    ]


def bureau_files() -> list[KeptFile]:
    """Files of another site."""
    births = {"page": "/vital", "page_title": "Vital statistics: births, deaths"}
    return [
        kept("vital.csv", "Vital events", base=BUREAU, days_ago=1, **births),
        kept("births_month.csv", "Monthly table", base=BUREAU, page="/monthly", days_ago=2),
    ]


LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def fill(database: Database) -> dict[str, int]:
    """Put the corpus into a catalog; file name to ID."""
    ids: dict[str, int] = {}
    for site, base, files in (
        ("office", OFFICE, office_files()),
        ("bureau", BUREAU, bureau_files()),
    ):
        run_id = f"run-{site}"
        start_run(
            database,
            run_id=run_id,
            site=site,
            start_url=f"{base}/",
            strategy="sb",
            started_at=NOW - timedelta(days=500),
        )
        ingest = Ingest(database, site, f"{base}/", run_id)
        for file in files:
            ids[file.file_name] = ingest.keep(file).resource_id
        result = RunResult(
            stop_reason="frontier_empty",
            requests=100,
            pages=60,
            targets=len(files),
            skipped={"dead": 2, "off_site": 9},
            curve=[(0, 0), (100, len(files))],
            actions=[ActionSummary(3, "html body main a", 9, 1.5)],
        )
        end_run(database, run_id, result, ended_at=NOW)
    return ids


def new_version(database: Database, site: str, file: KeptFile) -> int:
    """Keep a file once more; its ID."""
    return Ingest(database, site, "", f"run-{site}").keep(file).resource_id


def judge(database: Database, file_id: int, verdict: str, columns: list[str]) -> None:
    """A verdict of validation on the newest version."""
    with database.reading() as session:
        version_id = session.get_one(ResourceRow, file_id).latest_version_id
    assert version_id is not None
    profiles = tuple(
        ColumnProfile(name=name, type=ColumnType.NUMBER, nulls=0.0) for name in columns
    )
    table = TableProfile(name="", rows=10, columns=profiles, width=len(columns))
    reasons = () if verdict == "valid" else (Reason(code="not-empty", sentence="No rows"),)
    outcome = Outcome(
        verdict=Judgement(verdict),
        kind=Kind.DELIMITED,
        reasons=reasons,
        profile=Profile(tables=(table,), table_count=1),
    )
    assert record_verdicts(database, [VerdictRecord(version_id, outcome)]) == 1


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def corpus(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Corpus]:
    """The corpus on both databases, for tests that only read."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('corpus') / 'catalog.db'}"
    else:
        url = request.getfixturevalue("postgres").new_catalog()
    database = open_database(url)
    database.ready()
    ids = fill(database)
    judge(database, ids["deaths-2025.csv"], "not_a_dataset", ["Ämterkennziffer", "OBS_VALUE"])
    judge(database, ids["births-2025.csv"], "valid", [])
    yield Corpus(database, ids)
    database.close()
