"""The replica format of paper 000's reference implementation: one table, headers as a literal.

The columns are url, http_response, headers, body and content_length. Headers are a Python literal:
a dict of bytes to a list of bytes. Bodies are text, those of data files cut; content_length is the
true size. A URL that is absent answers 404.
"""

import ast
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from crawler.errors import ConfigError, StorageError
from crawler.lab.replicas.replica import Replica
from crawler.lab.replicas.schema import About, Headers, Origin, open_readonly
from crawler.lab.replicas.unpacking import unpacked
from crawler.lab.replicas.writer import drafted, new_replica
from crawler.pages.encoding import as_utf8
from crawler.pages.mime import UrlClass
from crawler.pages.urls import resolve

COLUMNS = ("url", "http_response", "headers", "body", "content_length")
MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 100 * 1000**2
CHARSET = "utf-8"
"""SQLite keeps text in it, whatever the pages were in."""

_ROWS_PER_TICK = 200
_SHOWN_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import gave."""

    answers: int
    start_url: str
    table: str
    unreadable: tuple[str, ...]
    """URLs of rows that were left out."""


def import_reference(
    source: Path,
    path: Path,
    *,
    table: str | None = None,
    start_url: str | None = None,
    plain_names: bool = False,
    on_rows: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Read a reference replica into one of ours; the first row is the start page by default.

    A compressed file is unpacked for it, beside the replica. `plain_names` takes off what a
    mirroring tool added to the names of its pages.
    """
    with unpacked(source, path.parent) as file, closing(_opened(file, source)) as database:
        try:
            name = _checked_table(database, source, table)
            start = start_url or _first_url(database, source, name)
            about = About(name, start, Origin.IMPORTED, body_charset=CHARSET)
            rows, unreadable = 0, []
            with new_replica(path, about, plain_names=plain_names) as writer:
                for row in _rows(database, name):
                    try:
                        url, status, headers, size = _read(row)
                    except ValueError:
                        unreadable.append(_shown(row[0]))
                        continue
                    writer.put(url, status, headers, body=row[3] or b"", size=size)
                    rows += 1
                    if rows % _ROWS_PER_TICK == 0:
                        on_rows(rows)
                answers, start = writer.count(), writer.start_url
        except sqlite3.Error as error:
            raise StorageError(f"{source}: {error}") from error
    return Imported(answers, start, name, tuple(unreadable))


def export_reference(replica: Replica, path: Path, *, table: str) -> int:
    """Write a replica as a reference one; says how many rows it has."""
    if not table.isidentifier():
        raise ConfigError(f"'{table}' cannot name a table; use letters, digits and _")
    rows = 0
    try:
        with drafted(path) as draft, closing(sqlite3.connect(draft)) as database, database:
            database.execute(
                f'CREATE TABLE "{table}" (url TEXT PRIMARY KEY, http_response TEXT,'
                " headers TEXT, body TEXT, content_length INTEGER)"
            )
            for row in _exported(replica):
                database.execute(f'INSERT INTO "{table}" VALUES (?, ?, ?, ?, ?)', row)  # noqa: S608
                rows += 1
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"{path}: {error}") from error
    return rows


def table_name(site: str) -> str:
    """A site's name as a table's."""
    name = re.sub(r"\W", "_", site, flags=re.ASCII)
    return name if name[:1].isalpha() else f"site_{name}"


def _exported(replica: Replica) -> Iterator[tuple[str, str, str, str, int]]:
    """A missing URL means 404 there, so errors are not written; the start page comes first."""
    start = replica.find(replica.start_url)
    for entry in chain([start] if start else [], replica.entries()):
        if entry.status >= 400 or (entry is not start and start and entry.id == start.id):
            continue
        body = replica.body(entry.id)
        if replica.class_of(entry) is UrlClass.HTML:
            text = as_utf8(body, entry.headers.get("content-type", "")).decode(errors="replace")
        else:
            text = body.decode(errors="ignore")
        fields: dict[bytes, list[bytes]] = {}
        for name, value in replica.sent_headers(entry.id):
            fields.setdefault(name.encode(), []).append(value.encode())
        yield entry.url, str(entry.status), repr(fields), text, entry.size


def _opened(file: Path, source: Path) -> sqlite3.Connection:
    with file.open("rb") as beginning:
        if not beginning.read(16).startswith(b"SQLite format 3\x00"):
            raise ConfigError(f"{source} is not an SQLite database")
    database = open_readonly(file)
    database.text_factory = bytes
    if database.execute("PRAGMA encoding").fetchone()[0] != b"UTF-8":
        database.close()
        raise ConfigError(f"{source} keeps its text in another encoding than UTF-8")
    return database


def _checked_table(database: sqlite3.Connection, source: Path, table: str | None) -> str:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
    names = [_text(row[0]) for row in database.execute(query)]
    usable = [name for name in names if set(COLUMNS) <= _columns(database, name)]
    if table is None and len(usable) == 1:
        return usable[0]
    if table in usable:
        return table
    if not usable:
        raise ConfigError(f"{source} has no table with the columns {', '.join(COLUMNS)}")
    said = f"has no such table as '{table}'" if table else "has several tables"
    raise ConfigError(f"{source} {said}; say --table with one of: {', '.join(usable)}")


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    rows = database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return {_text(row[0]).lower() for row in rows}


def _quoted(table: str) -> str:
    return '"' + table.replace('"', '""') + '"'


def _first_url(database: sqlite3.Connection, source: Path, table: str) -> str:
    query = (
        f"SELECT url FROM {_quoted(table)} WHERE url NOT LIKE '%/robots.txt'"  # noqa: S608
        " ORDER BY rowid LIMIT 1"
    )
    row = database.execute(query).fetchone()
    if row is None or not isinstance(row[0], bytes):
        raise ConfigError(f"{source}: table {table} is empty")
    return _text(row[0])


def _rows(database: sqlite3.Connection, table: str) -> Iterator[tuple[bytes, ...]]:
    # As bytes: SQLite's own functions on text stop at the first NUL of a cut spreadsheet.
    columns = (
        "url, CAST(http_response AS TEXT),"
        f" substr(CAST(headers AS BLOB), 1, {MAX_HEADER_BYTES}),"
        f" substr(CAST(body AS BLOB), 1, {MAX_BODY_BYTES}), CAST(content_length AS TEXT)"
    )
    query = f"SELECT {columns} FROM {_quoted(table)} ORDER BY rowid"  # noqa: S608
    yield from database.execute(query)


def _read(row: tuple[bytes, ...]) -> tuple[str, int, Headers, int]:
    url = _text(row[0])
    if resolve("", url) is None:
        raise ValueError("no URL")
    status = int(row[1])
    if not 100 <= status <= 599:
        raise ValueError("no HTTP status")
    size = int(row[4]) if row[4] is not None else len(row[3] or b"")
    if not 0 <= size < 2**62:
        raise ValueError("no size")
    return url, status, _headers(row[2]), size


def _headers(literal: bytes | None) -> Headers:
    if not literal:
        return ()
    try:
        fields = ast.literal_eval(literal.decode())
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("headers are no literal") from error
    if not isinstance(fields, dict):
        raise ValueError("headers are no dict")
    return tuple(
        (_text(name), _text(value))
        for name, values in fields.items()
        for value in (values if isinstance(values, list | tuple) else [values])
    )


def _shown(url: bytes | None) -> str:
    return (
        url[:_SHOWN_BYTES].decode(errors="replace")
        if isinstance(url, bytes)
        else "a row without URL"
    )


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, bytes):
        raise ValueError("neither text nor bytes")
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
