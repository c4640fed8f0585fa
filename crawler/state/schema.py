"""The tables of a state file."""

from dataclasses import MISSING, Field, fields
from typing import Any

from crawler.pages.kept_file import Download

SCHEMA_VERSION = 2
APPLICATION_ID = 0x7A11140

_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL"}


def _column(field: Field[Any]) -> str:
    default = "" if field.default is MISSING else f" DEFAULT {field.default!r}"
    return f'"{field.name}" {_TYPES[field.type]} NOT NULL{default}'  # type: ignore[index]


DOWNLOAD_COLUMNS = {field.name: _column(field) for field in fields(Download)}
"""The columns of a kept file beside its link: name to definition."""

WEIGHTS = """
CREATE TABLE weight (
    id INTEGER PRIMARY KEY, target REAL NOT NULL, target_squares REAL NOT NULL,
    yielded REAL NOT NULL, yielded_squares REAL NOT NULL,
    published_target REAL NOT NULL, published_yield REAL NOT NULL
);
"""

TABLES = f"""{WEIGHTS}CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
CREATE TABLE link (
    id INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL, url TEXT NOT NULL,
    parent INTEGER NOT NULL, depth INTEGER NOT NULL, tag_path INTEGER NOT NULL,
    anchor TEXT NOT NULL, rel TEXT NOT NULL, status INTEGER NOT NULL,
    action INTEGER NOT NULL, slot INTEGER NOT NULL, reason TEXT NOT NULL
);
CREATE TABLE tag_path (fingerprint INTEGER PRIMARY KEY, path TEXT NOT NULL);
CREATE TABLE ngram (position INTEGER PRIMARY KEY, ngram TEXT NOT NULL);
CREATE TABLE action (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, buckets BLOB NOT NULL, sums BLOB NOT NULL,
    square REAL NOT NULL, selections INTEGER NOT NULL, reward REAL NOT NULL
);
CREATE TABLE page (
    link INTEGER PRIMARY KEY, title TEXT NOT NULL, language TEXT NOT NULL,
    action INTEGER NOT NULL, links INTEGER NOT NULL, new_links INTEGER NOT NULL,
    licence TEXT NOT NULL, publisher TEXT NOT NULL, published TEXT NOT NULL
);
CREATE TABLE target (link INTEGER PRIMARY KEY, {", ".join(DOWNLOAD_COLUMNS.values())});
CREATE TABLE step (
    number INTEGER PRIMARY KEY, link INTEGER NOT NULL, method TEXT NOT NULL,
    status INTEGER NOT NULL, outcome TEXT NOT NULL,
    targets INTEGER NOT NULL, received INTEGER NOT NULL
);
CREATE TABLE robots (
    origin TEXT PRIMARY KEY, fetched_at REAL NOT NULL, verdict TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE counter (fingerprint INTEGER PRIMARY KEY, count INTEGER NOT NULL);
CREATE TABLE model (
    id INTEGER PRIMARY KEY CHECK (id = 1), coefficients BLOB NOT NULL, intercept REAL NOT NULL,
    steps INTEGER NOT NULL, trainings INTEGER NOT NULL
);
CREATE TABLE index_operation (
    number INTEGER PRIMARY KEY, action INTEGER NOT NULL, buckets BLOB NOT NULL, sums BLOB NOT NULL
);
CREATE TABLE index_snapshot (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
"""
