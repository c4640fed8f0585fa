"""One SELECT over files and over the catalog's own views."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import text

from crawler.catalog.db.database import Database
from crawler.catalog.read.records import Version
from crawler.catalog.sql.file_tables import MACRO, reading_of, tables_of
from crawler.catalog.sql.locked_database import LockedDatabase, open_locked_database
from crawler.errors import QueryRefused
from crawler.storage.interface import ObjectStore

if TYPE_CHECKING:
    import pandas as pd

VIEWS = ("files", "datasets", "new_since")
MAX_VIEW_ROWS = 500_000
"""Rows of a view; larger catalogs are asked with the SQL of their own database."""

VersionOf = Callable[[int, int | None], Version]
"""From the ID of a file and the number of a version, or none, to that version."""


def answer(
    query: str, database: Database, store: ObjectStore, version_of: VersionOf
) -> "pd.DataFrame":
    """The rows of a query; QueryRefused says what is wrong with it."""
    with open_locked_database() as locked:
        locked.execute(MACRO)
        for table in tables_of(query):
            version = version_of(table.id, table.version or None)
            locked.add(table.name, reading_of(store, version, table.part))
        for view in VIEWS:
            if re.search(rf"\b{view}\b", query, re.IGNORECASE):
                _add_view(locked, database, view)
        locked.lock()
        return locked.answer(query)


def _add_view(locked: LockedDatabase, database: Database, view: str) -> None:
    import pandas as pd
    import pyarrow as pa

    statement = text(f"SELECT * FROM {view} LIMIT {MAX_VIEW_ROWS + 1}")  # noqa: S608 - ours
    with database.reading() as session:
        rows = pd.read_sql(statement, session.connection())
    if len(rows) > MAX_VIEW_ROWS:
        raise QueryRefused(
            f"the view {view} has more than {MAX_VIEW_ROWS:,} rows: ask the catalog's own database"
        )
    locked.add(view, pa.Table.from_pandas(rows, preserve_index=False))
