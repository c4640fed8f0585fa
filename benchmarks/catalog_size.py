"""Every first page of the web application over a large catalog, on SQLite and on PostgreSQL.

    python -m benchmarks.catalog_size [--versions 1000000] [--keep FOLDER] [--url postgresql://...]
        [--only sqlite|postgresql] [--pages TEXT] [--plan]

A generator loads the tables in bulk: half as many files as versions, half as many datasets as
files, 100 sites with a run every night for three years. The pages are asked for through the
application itself, without a network. Printed are milliseconds of the first call, for which nothing
of that question is cached, and the median of five more; of both also the processor time of this
process and of PostgreSQL's, which tells more on a busy machine (readers of files and the disk are
not in it); at the end, the pages above 200 ms. PostgreSQL is one of the tests', unless --url names
another on this machine.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import bindparam, text
from sqlalchemy.orm import Session

from benchmarks.catalog_loading import load
from benchmarks.catalog_pages import SEARCHES, addresses, catalog_of, furnish
from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.read.moments import moment
from crawler.catalog.search.filters import NAMES, SearchFilters
from crawler.catalog.search.matching import statement
from crawler.catalog.search.search import MAX_COUNTED, asked_for
from crawler.catalog.search.thesaurus import load_thesaurus
from crawler.catalog.search.tokens import ANYWHERE, TITLES
from crawler.webapp.app import create_app

LIMIT = 200
"""Milliseconds that the first page of anything may take."""
TIMES = 5
WARM_UP = 10
"""Seconds that the readers of files get to start, as they do when `tallyho serve` begins."""
SHARED_BUFFERS = "256MB"


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds of one page."""

    first: float
    later: float
    first_processor: float
    later_processor: float

    @property
    def is_over(self) -> bool:
        """Whether the first page takes too long."""
        return max(self.first, self.later) > LIMIT

    def __str__(self) -> str:
        return (
            f"{self.first:7.1f} {self.later:7.1f} "
            f"{self.first_processor:7.1f} {self.later_processor:7.1f}"
        )


def measure(database: Database, folder: Path, pages: str) -> dict[str, Taken]:
    """Print the table of a database."""
    folders = furnish(database, folder)
    app = create_app(
        catalog_of(database, folders), sites_dir=folders.sites, alerts_dir=folders.alerts
    )
    app.warm_up().join()
    time.sleep(WARM_UP)
    taken: dict[str, Taken] = {}
    print(f"\n{'':44} {'':6} {'milliseconds':>15} {'processor':>15}")
    heads = f"{'first':>7} {'later':>7} {'first':>7} {'later':>7}"
    print(f"{database.engine.dialect.name:44} {'KB':>6} {heads}")
    clock = Processor(database)
    with TestClient(app, headers={"host": "localhost"}) as client:
        client.get("/health")
        for name, address in addresses(database).items():
            if pages not in name:
                continue
            size, one = timed(client, address, clock)
            taken[name] = one
            print(f"{name:44} {size / 1000:6.1f} {one}{' over' if one.is_over else ''}", flush=True)
    return taken


class Processor:
    """The processor time of this process and of the one that answers it in PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._backend: Path | None = None
        if not database.is_sqlite:
            with database.reading() as session:
                pid = session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one()
            # One connection of the pool serves one question after the other.
            self._backend = Path(f"/proc/{pid}/schedstat")

    def seconds(self) -> float:
        """All that was used so far."""
        used = int(self._backend.read_text().split()[0]) if self._backend else 0
        return time.process_time() + used / 1e9


def timed(client: TestClient, address: str, clock: Processor) -> tuple[int, Taken]:
    """The bytes of an answer, and how long the first one and those after it took."""
    taken, used = [], []
    for _ in range(1 + TIMES):
        begin, worked = time.perf_counter(), clock.seconds()
        answer = client.get(address)
        taken.append((time.perf_counter() - begin) * 1e3)
        used.append((clock.seconds() - worked) * 1e3)
        assert answer.status_code == 200, f"{address}: {answer.status_code} {answer.text[:300]}"
    later = statistics.median(taken[1:]), statistics.median(used[1:])
    return len(answer.content), Taken(taken[0], later[0], used[0], later[1])


def print_plans(session: Session) -> None:
    """What the database does for each search."""
    for name, options in SEARCHES.items():
        print(name)
        _print_plan(session, options)


def _print_plan(session: Session, options: dict[str, Any]) -> None:
    connection = session.connection()
    named = {name: options[name] for name in NAMES if name in options}
    chosen = SearchFilters.of(named, None)  # type: ignore[arg-type]
    begin = moment(options["since"]) if "since" in options else None
    asked, _, _ = asked_for(connection, options.get("words", ""), chosen, begin, load_thesaurus())
    explain = "EXPLAIN (ANALYZE, BUFFERS)"
    if connection.dialect.name == "sqlite":
        explain = "EXPLAIN QUERY PLAN"
    for tier in (ANYWHERE, TITLES) if asked else ():
        sql, values = statement(connection.dialect.name, asked, tier)
        query = text(f"{explain} {sql}")
        if "since" in values:
            query = query.bindparams(bindparam("since", type_=UtcDateTime()))
        for row in connection.execute(
            query, {**values, "limit": MAX_COUNTED + 1 if tier == ANYWHERE else 300}
        ):
            print("       ", row[-1])


@contextmanager
def opened(url: str, versions: int) -> Iterator[Database]:
    """A catalog of that size, loaded now or before."""
    database = open_database(url)
    if database.revision() is None:
        begin = time.monotonic()
        load(database, versions)
        print(f"{versions:,} versions loaded in {time.monotonic() - begin:.0f} s", flush=True)
    else:
        database.upgrade()  # a catalog that was kept may be older than the code
    yield database
    database.close()


@contextmanager
def server() -> Iterator[str]:
    """An empty database of a PostgreSQL of its own."""
    from tests.servers.postgres import SETTINGS, PostgresServer

    SETTINGS.update(shared_buffers=SHARED_BUFFERS, max_wal_size="4GB")
    running = PostgresServer()
    try:
        yield running.new_database()
    finally:
        running.destroy()


def main() -> None:
    """Load and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path, help="keep the SQLite file here, or use it again")
    parser.add_argument("--url", help="an empty PostgreSQL database, or one loaded before")
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--pages", default="", help="only pages whose name has this")
    parser.add_argument("--plan", action="store_true", help="print the plans of the searches")
    options = parser.parse_args()
    results: dict[str, dict[str, Taken]] = {}

    def look(url: str, folder: Path) -> None:
        with opened(url, options.versions) as database:
            name = database.engine.dialect.name
            results[name] = measure(database, folder, options.pages)
            if options.plan:
                with database.reading() as session:
                    print_plans(session)

    with tempfile.TemporaryDirectory() as folder:
        kept = options.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        if options.only != "postgresql":
            look(f"sqlite:///{kept / 'catalog.db'}", Path(folder))
        if options.only != "sqlite" and options.url:
            look(options.url, Path(folder))
        elif options.only != "sqlite":
            with server() as url:
                look(url, Path(folder))
    _print_over(results)


def _print_over(results: dict[str, dict[str, Taken]]) -> None:
    print(f"\nabove {LIMIT} ms:")
    for database, taken in results.items():
        for name, one in taken.items():
            if one.is_over:
                print(f"{database}: {name}: {one}")


if __name__ == "__main__":
    main()
