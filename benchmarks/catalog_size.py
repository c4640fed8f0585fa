"""Search and file page over a large catalog: milliseconds, and the plans on request.

    python -m benchmarks.catalog_size [--versions 1000000] [--url postgresql://...] [--plan]

A generator loads the tables in bulk: half as many files as versions, half as many datasets as
files. Without --url it is a SQLite file in a temporary folder. Printed are the first call, for
which nothing of that question is cached, and the median of five more; and of those the processor
time of this process, which tells more on a busy machine (but nothing of PostgreSQL's own).
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
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.read.files import file_detail
from crawler.catalog.read.moments import moment
from crawler.catalog.search.document import Document
from crawler.catalog.search.filters import NAMES, SearchFilters
from crawler.catalog.search.matching import statement
from crawler.catalog.search.news import news
from crawler.catalog.search.search import MAX_COUNTED, asked_for, search
from crawler.catalog.search.spelling import learn_words
from crawler.catalog.search.thesaurus import load_thesaurus
from crawler.catalog.search.tokens import ANYWHERE, TITLES

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
    "a sentence (births, Corsica, 2012)": {
        "words": "how many births were there in Corsica in 2012"
    },
    "a synonym in French (naissances)": {"words": "naissances"},
    "a spelling mistake (migratoin)": {"words": "migratoin"},
    "words that are nowhere together": {"words": "series12345 series777 births"},
    "a phrase (fishing by region)": {"words": '"fishing by region"'},
    "a place and a year as filters": {"place": "Corsica", "period": "2012"},
    "everything but one word": {"words": "statistics -births"},
    "page 500 of a common word": {"words": "statistics", "offset": 9980},
}
FEEDS: dict[str, dict[str, Any]] = {
    "feed of everything": {},
    "feed of a site": {"site": "site007"},
    "feed of a search (births)": {"words": "births"},
}


def load_sqlite(path: str, versions: int) -> None:
    """Fill a SQLite catalog."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-200000")
    connection.execute("DROP TRIGGER search_tokens_added")
    for batch, documents in batches(versions):
        batch["search_document"] = [_document(*one) for one in documents]
        batch["search_tokens"] = [
            {"dataset_id": number, "tokens": document.tokens} for number, document in documents
        ]
        for table, rows in batch.items():
            if rows:
                places = ",".join("?" * len(rows[0]))
                names = ",".join(f'"{name}"' for name in rows[0])
                insert = f"INSERT INTO {table} ({names}) VALUES ({places})"
                connection.executemany(insert, map(_as_text, rows))
        connection.commit()
    # To index every row by itself would take thirty times as long as all together.
    connection.execute("INSERT INTO search_index(search_index) VALUES ('rebuild')")
    connection.execute(
        "CREATE TRIGGER search_tokens_added AFTER INSERT ON search_tokens BEGIN INSERT INTO "
        "search_index(rowid, tokens) VALUES (new.dataset_id, new.tokens); END"
    )
    connection.commit()
    connection.execute("ANALYZE")
    connection.close()


def load_postgresql(url: str, versions: int) -> None:
    """Fill a PostgreSQL catalog."""
    with psycopg.connect(url, autocommit=True) as connection:
        with connection.cursor() as cursor:
            for batch, documents in batches(versions):
                batch["search_document"] = [
                    _document(number, document) | {"words": _tsvector(document.tokens)}
                    for number, document in documents
                ]
                for table, rows in batch.items():
                    if not rows:
                        continue
                    names = ",".join(f'"{name}"' for name in rows[0])
                    with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                        for row in rows:
                            copy.write_row(tuple(row.values()))
        connection.execute("VACUUM ANALYZE")


def load_words(database: Database, versions: int) -> None:
    """Teach the spelling of what was loaded, as ingest does."""
    for _, documents in batches(min(versions, 40_000)):
        words = {word for _, document in documents for word in document.words}
        with database.transaction() as session:
            learn_words(session.connection(), words)


def _document(number: int, document: Document) -> dict[str, Any]:
    return {
        "dataset_id": number,
        "changed_at": document.changed_at,
        "quality": document.quality,
        "facets": document.facets,
    }


def _tsvector(tokens: str) -> str:
    return " ".join(f"'{token}'" for token in tokens.split())


def _as_text(row: dict[str, Any]) -> list[Any]:
    """As SQLAlchemy stores times on SQLite."""
    return [
        f"{value:%Y-%m-%d %H:%M:%S.%f}" if isinstance(value, datetime) else value
        for value in row.values()
    ]


def timed(work: Callable[[], Any]) -> tuple[Any, str]:
    """The result, and milliseconds of the first call and of those after it."""
    taken, used = [], []
    for _ in range(6):
        begin, worked = time.perf_counter(), time.process_time()
        result = work()
        taken.append((time.perf_counter() - begin) * 1e3)
        used.append((time.process_time() - worked) * 1e3)
    later = statistics.median(taken[1:]), statistics.median(used[1:])
    return result, f"{taken[0]:9.1f} {later[0]:9.1f} {later[1]:9.1f}"


def measure(database: Database, *, plan: bool) -> None:
    """Print the table."""
    print(f"{'':36} {'found':>9} {'first ms':>9} {'later ms':>9} {'processor':>9}")
    for name, options in SEARCHES.items():
        with database.reading() as session:
            page, times = timed(lambda o=options, s=session: search(s, **o))
            found = f"{page.total:,}{'+' if page.at_least else ''}"
            print(f"{name:36} {found:>9} {times}", flush=True)
            if plan:
                print_plan(session, options)
    with database.reading() as session:
        for resource in (1, 77_777):
            _, times = timed(lambda r=resource, s=session: file_detail(s, r))
            print(f"{f'file page {resource}':36} {'':>9} {times}")
        for name, options in FEEDS.items():
            page, times = timed(lambda o=options, s=session: news(s, **o))
            print(f"{name:36} {len(page.items):>9} {times}")


def print_plan(session: Session, options: dict[str, Any]) -> None:
    """What the database does for a search."""
    connection = session.connection()
    named = {name: options[name] for name in NAMES if name in options}
    chosen = SearchFilters.of(named, options.get("valid"))
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
            load_words(database, options.versions)
            print(f"{options.versions:,} versions loaded in {time.monotonic() - begin:.0f} s")
        else:
            database.upgrade()  # a file that was kept may be older than the code
        measure(database, plan=options.plan)
        database.close()


if __name__ == "__main__":
    main()
