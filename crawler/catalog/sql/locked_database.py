"""A DuckDB in memory that can do nothing but answer: no files, no network, limits of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crawler.errors import QueryRefused

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

MEMORY = "2GB"
SECONDS = 60.0
MAX_ROWS = 1_000_000
"""Rows of an answer; a query that gives more is refused."""

_NO_EXTENSIONS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
_LOCKS = (
    "SET max_temp_directory_size = '0KB'",
    # A name in a query must not be a variable of the process that asks.
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
_NOT_ALLOWED = "a query reads files of the catalog by file(ID) and its views, and nothing else"


class LockedDatabase:
    """Takes tables, is locked, and then answers SELECT statements."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def add(self, name: str, rows: "pa.Table") -> None:
        """Makes a table of these rows; before it is locked."""
        self._connection.register("given", rows)
        self._connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM given')  # noqa: S608
        self._connection.unregister("given")

    def execute(self, statement: str) -> None:
        """Runs a statement of ours; before it is locked."""
        self._connection.execute(statement)

    def lock(self, memory: str = MEMORY) -> None:
        """From now on no file can be read or written, and no setting changed."""
        for statement in (f"SET memory_limit = '{memory}'", *_LOCKS):
            self._connection.execute(statement)

    def answer(self, query: str, *, seconds: float = SECONDS) -> "pd.DataFrame":
        """The rows of one SELECT; QueryRefused with a sentence for everything else."""
        import duckdb

        timer = threading.Timer(seconds, self._connection.interrupt)
        timer.start()
        try:
            _check_is_select(query)
            rows = self._connection.sql(query).limit(MAX_ROWS + 1).df()
        except duckdb.InterruptException as error:
            raise QueryRefused(f"the query took longer than {seconds:g} seconds") from error
        except duckdb.OutOfMemoryException as error:
            raise QueryRefused("the query needs more memory than it may have") from error
        except duckdb.PermissionException as error:
            raise QueryRefused(_NOT_ALLOWED) from error
        except duckdb.Error as error:
            raise QueryRefused(str(error).strip()) from error
        finally:
            timer.cancel()
        if len(rows) > MAX_ROWS:
            raise QueryRefused(f"the answer has more than {MAX_ROWS:,} rows: use LIMIT")
        return rows


@contextmanager
def open_locked_database() -> Iterator[LockedDatabase]:
    """A database for one question; it is gone afterwards."""
    import duckdb

    connection = duckdb.connect(":memory:", config=dict(_NO_EXTENSIONS))
    try:
        yield LockedDatabase(connection)
    finally:
        connection.close()


def _check_is_select(query: str) -> None:
    import duckdb

    statements = duckdb.extract_statements(query)
    if len(statements) != 1 or statements[0].type is not duckdb.StatementType.SELECT:
        raise QueryRefused("write one SELECT: a query reads, and changes nothing")
