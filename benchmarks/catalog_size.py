"""Search and file page over a large catalog: milliseconds, and the plans on request.

    python -m benchmarks.catalog_size [--versions 1000000] [--url postgresql://...] [--plan]

A generator loads the tables in bulk: half as many files as versions, half as many datasets as
files. Without --url it is a SQLite file in a temporary folder. Printed are the first call, for
which nothing of that question is cached, and the median of five more.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import bindparam, text
from sqlalchemy.orm import Session

from benchmarks.catalog_rows import batches
from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.models import UtcDateTime
from crawler.catalog.read.files import file_detail
from crawler.catalog.read.moments import moment
from crawler.catalog.search.question import (
    ANYWHERE,
    NAMES,
    TITLES,
    format_group,
    question,
    verdict_asked,
)
from crawler.catalog.search.search import search, statement

SEARCHES: dict[str, dict[str, Any]] = {
    "everything": {},
    "word of every title (statistics)": {"words": "statistics"},
    "common word (births)": {"words": "births"},
    "one letter (b)": {"words": "b"},
    "word of page titles only (office)": {"words": "office"},
    "rare word (series12345)": {"words": "series12345"},
    "a word that is nowhere": {"words": "xylophone"},
    "three common words": {"words": "births region monthly"},
    "common word, format csv": {"words": "statistics", "format": "csv"},
    "common word, rare format": {"words": "statistics", "format": "sdmx"},
    "common word, one site": {"words": "statistics", "site": "site007"},
    "common word, valid csv": {"words": "statistics", "format": "csv", "valid": True},
    "common word, since 7d": {"words": "statistics", "since": "7d"},
    "everything since 6h": {"since": "6h"},
    "page 500 of a common word": {"words": "statistics", "offset": 9980},
}


def load_sqlite(path: str, versions: int) -> None:
    """Fill a SQLite catalog."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-200000")
    for batch in batches(versions):
        for table, rows in batch.items():
            places = ",".join("?" * len(rows[0]))
            names = ",".join(f'"{name}"' for name in rows[0])
            insert = f"INSERT INTO {table} ({names}) VALUES ({places})"
            connection.executemany(insert, map(_as_text, rows))
        connection.commit()
    connection.execute("ANALYZE")
    connection.close()


def load_postgresql(url: str, versions: int) -> None:
    """Fill a PostgreSQL catalog."""
    with psycopg.connect(url, autocommit=True) as connection:
        with connection.cursor() as cursor:
            for batch in batches(versions):
                for table, rows in batch.items():
                    names = ",".join(f'"{name}"' for name in rows[0])
                    with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                        for row in rows:
                            copy.write_row(tuple(row.values()))
        connection.execute("VACUUM ANALYZE")


def _as_text(row: dict[str, Any]) -> list[Any]:
    """As SQLAlchemy stores times on SQLite."""
    return [
        f"{value:%Y-%m-%d %H:%M:%S.%f}" if isinstance(value, datetime) else value
        for value in row.values()
    ]


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """The result, and milliseconds of the first call and of those after it."""
    taken = []
    for _ in range(6):
        begin = time.perf_counter()
        result = work()
        taken.append((time.perf_counter() - begin) * 1e3)
    return result, taken[0], statistics.median(taken[1:])


def measure(database: Database, *, plan: bool) -> None:
    """Print the table."""
    print(f"{'':36} {'found':>9} {'first ms':>9} {'later ms':>9}")
    for name, options in SEARCHES.items():
        with database.reading() as session:
            page, first, later = timed(lambda o=options, s=session: search(s, **o))
            found = f"{page.total:,}{'+' if page.more else ''}"
            print(f"{name:36} {found:>9} {first:9.1f} {later:9.1f}", flush=True)
            if plan:
                print_plan(session, options)
    with database.reading() as session:
        for resource in (1, 77_777):
            _, first, later = timed(lambda r=resource, s=session: file_detail(s, r))
            print(f"{f'file page {resource}':36} {'':>9} {first:9.1f} {later:9.1f}")


def print_plan(session: Session, options: dict[str, Any]) -> None:
    """What the database does for a search."""
    wanted = options.get("format")
    asked = question(
        options.get("words", ""),
        site_id=8 if "site" in options else None,
        file_format=format_group(wanted) if wanted else None,
        verdict=verdict_asked(options.get("valid"), None),
        since=moment(options["since"]) if "since" in options else None,
    )
    connection = session.connection()
    explain = "EXPLAIN (ANALYZE, BUFFERS)"
    if connection.dialect.name == "sqlite":
        explain = "EXPLAIN QUERY PLAN"
    for tier in (ANYWHERE, TITLES, NAMES) if asked else ():
        sql, values = statement(connection.dialect.name, asked, tier)
        query = text(f"{explain} {sql}")
        if "since" in values:
            query = query.bindparams(bindparam("since", type_=UtcDateTime()))
        for row in connection.execute(
            query, {**values, "limit": 10_001 if tier == ANYWHERE else 20}
        ):
            print("       ", row[-1])


def main() -> None:
    """Load and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", type=int, default=1_000_000)
    parser.add_argument("--url", help="an empty PostgreSQL database, or one loaded before")
    parser.add_argument("--keep", type=Path, help="keep the SQLite file here, or use it again")
    parser.add_argument("--plan", action="store_true", help="print the plans")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "catalog.db"
        url = options.url or f"sqlite:///{path}"
        database = open_database(url)
        if database.revision() is None:
            begin = time.monotonic()
            database.upgrade()
            if options.url:
                load_postgresql(url, options.versions)
            else:
                load_sqlite(str(path), options.versions)
            print(f"{options.versions:,} versions loaded in {time.monotonic() - begin:.0f} s")
        measure(database, plan=options.plan)
        database.close()


if __name__ == "__main__":
    main()
