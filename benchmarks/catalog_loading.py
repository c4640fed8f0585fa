"""A made catalog of any size, loaded in bulk into SQLite or PostgreSQL."""

import sqlite3
from datetime import datetime
from typing import Any

import psycopg

from benchmarks.catalog_rows import batches
from crawler.catalog.db.count_schema import create_counts, drop_counts
from crawler.catalog.db.database import Database
from crawler.catalog.search.document import Document
from crawler.catalog.search.spelling import learn_words


def load(database: Database, versions: int) -> None:
    """Make the tables of an empty database, and fill them."""
    database.upgrade()
    with database.changing_tables() as connection:
        drop_counts(connection)  # counted once at the end, not for every row
    if database.is_sqlite:
        load_sqlite(database.place, versions)
    else:
        url = database.engine.url.set(drivername="postgresql")
        load_postgresql(url.render_as_string(hide_password=False), versions)
    with database.changing_tables() as connection:
        create_counts(connection)
    load_words(database, versions)


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
