"""Files and runs as a crawl would tell them to the catalog."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import event, text

from crawler.catalog.db.database import Database
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.pages.kept_file import KeptFile
from crawler.storage.local_folder import LocalFolder
from tests.kept_files import kept_file

NIGHT = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)
DAY = timedelta(days=1)
START = "https://stats.example.org/"
BIRTHS = f"{START}files/births.csv"


def kept(content: bytes = b"year,births\n2025,1\n", **changes: Any) -> KeptFile:
    values: dict[str, Any] = {
        "url": BIRTHS,
        "sha256": sha256(content).hexdigest(),
        "size": len(content),
        "format": "csv",
        "fetched_at": NIGHT,
        "mime_declared": "text/csv",
        "mime_detected": "text/csv",
        "file_name": "births.csv",
        "page_url": f"{START}population.html",
        "page_title": "Population",
        "anchor": "Births by region (CSV, 12 KB)",
    }
    return kept_file(**values | changes)


def ingest_of(
    database: Database,
    run_id: str = "run-1",
    *,
    site: str = "stats",
    started_at: datetime = NIGHT,
    fence: int = 0,
) -> Ingest:
    start_run(
        database,
        run_id=run_id,
        site=site,
        start_url=START,
        strategy="sb",
        started_at=started_at,
        fence=fence,
    )
    return Ingest(database, site, START, run_id, fence)


def stored(store: LocalFolder, content: bytes) -> str:
    spool = store.spool()
    spool.write(content)
    return spool.finish().sha256


def rows(database: Database, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with database.reading() as session:
        return [tuple(row) for row in session.connection().execute(text(query), parameters)]


def execute(database: Database, statement: str, **parameters: Any) -> None:
    with database.transaction() as session:
        session.connection().execute(text(statement), parameters)


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """What the database is asked meanwhile, with its parameters."""
    asked: list[tuple[str, Any]] = []

    def note(_connection, _cursor, statement, parameters, *_: Any) -> None:
        asked.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def everything(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables that ingest writes."""
    tables = ("site", "crawl_run", "dataset", "resource", "version", "sighting", "search_document")
    order = {"search_document": "dataset_id"}
    found = {}
    for table in tables:
        selected = rows(database, f"SELECT * FROM {table} ORDER BY {order.get(table, 'id')}")
        found[table] = [tuple(map(str, row)) for row in selected]
    return found
