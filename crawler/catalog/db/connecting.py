"""How connections to the catalog are made: what SQLite and PostgreSQL need to behave alike."""

import sqlite3
import time
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL

SECONDS_TO_WAIT = 30
"""How long a statement waits for a lock that another process holds."""
WRITES = "tallyho_writes"
"""The execution option of connections that begin their transactions as writers."""

_ATTEMPTS = 100


def postgresql_arguments(url: URL) -> dict[str, Any]:
    """What libpq and the driver are told, unless the URL has it: a dead server hangs no crawl."""
    arguments: dict[str, Any] = {
        "connect_timeout": 10,
        "application_name": "tallyho",
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 60_000,
        # A statement that is prepared is planned without its words, be they common or rare.
        "prepare_threshold": None,
    }
    return {name: value for name, value in arguments.items() if name not in url.query}


def prepare_postgresql(engine: Engine) -> None:
    """Bounds the time that statements wait for locks; prices random reads as disks of today do.

    With the planner's price for a turning disk, a search for a word that few documents have reads
    all documents from the newest on, instead of looking into the index: 1.3 s, not 0.1.
    """

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:
        connection.execute(f"SET lock_timeout = '{SECONDS_TO_WAIT}s'")
        connection.execute("SET random_page_cost = 1.1")
        connection.commit()


def prepare_sqlite(engine: Engine) -> None:
    """WAL, foreign keys, waiting for locks; writers take the lock when they begin.

    A transaction that reads first and writes later would fail at once, without waiting, when
    another process has written in between.
    """

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {SECONDS_TO_WAIT * 1000}")
        _use_wal(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        # Not FULL: `Database.transaction` syncs the log itself, once for all who commit together.
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _use_wal(connection: sqlite3.Connection) -> None:
    """The change needs the file alone and does not wait by itself when several begin at once."""
    for attempt in range(_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or attempt == _ATTEMPTS - 1:
                raise
            time.sleep(SECONDS_TO_WAIT / _ATTEMPTS)
        else:
            return
