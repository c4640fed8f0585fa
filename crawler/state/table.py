"""How the rows of one record class go into their table.

Several rows go into one statement: at the end of every statement a thread waits for Python's global
lock, and with two hundred crawls in a process that takes longer than writing the row.
"""

from __future__ import annotations

import dataclasses
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

_SIZES = (32, 8, 3, 1)
"""Rows of one statement. Few sizes, so that the statements are prepared once."""


class Statement:
    """A statement over any number of rows; `text` has `{rows}` where their values stand."""

    def __init__(self, text: str, columns: int) -> None:
        marks = f"({', '.join('?' * columns)})"
        self._texts = [(size, text.format(rows=", ".join([marks] * size))) for size in _SIZES]

    def run(self, db: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
        """All of them, in their order."""
        if len(rows) == 1:
            db.execute(self._texts[-1][1], rows[0])
            return
        start = 0
        for size, text in self._texts:
            while start + size <= len(rows):
                db.execute(text, list(chain.from_iterable(rows[start : start + size])))
                start += size


class Table:
    """The columns of a table are the fields of its record class, but for those that are derived."""

    def __init__(
        self, name: str, row: type, verb: str = "INSERT", *, derived: tuple[str, ...] = ()
    ) -> None:
        names = [field.name for field in dataclasses.fields(row)]
        fields = [name for name in names if name not in derived]
        self.columns = ", ".join(f'"{field}"' for field in fields)
        self.values: Callable[[Any], tuple[Any, ...]] = attrgetter(*fields)
        self._insert = Statement(
            f"{verb} INTO {name} ({self.columns}) VALUES {{rows}}", len(fields)
        )

    def write(self, db: sqlite3.Connection, rows: Sequence[Any]) -> None:
        """Stores these records."""
        self._insert.run(db, [self.values(row) for row in rows])
