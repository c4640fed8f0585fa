"""The tables of a replica file, and what it tells about itself."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from crawler.config.scope import ScopeConfig
from crawler.errors import ConfigError
from crawler.pages.mime_groups import DEFAULT_TARGETS

APPLICATION_ID = 0x54485250
"""THRP: Tallyho replica."""

SCHEMA_VERSION = 1

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- Bodies apart: counts and classes are read without them.
CREATE TABLE answer (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    identity INTEGER NOT NULL,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    size INTEGER NOT NULL
);
CREATE INDEX answer_identity ON answer (identity);
CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
"""

Headers = tuple[tuple[str, str], ...]
"""Names and values in the order they were sent."""

_HEADERS = TypeAdapter(Headers)


class Origin(StrEnum):
    """How a replica came to be."""

    RECORDED = "recorded"
    IMPORTED = "imported"
    SYNTHETIC = "made"
    """Spelt as in the replicas of earlier versions."""


@dataclass(frozen=True, slots=True)
class About:
    """What a replica tells about itself."""

    name: str
    start_url: str
    origin: Origin
    targets: tuple[str, ...] = tuple(DEFAULT_TARGETS)
    scope: ScopeConfig = field(default_factory=ScopeConfig)
    body_charset: str = ""
    """What pages are stored in, where that is not what their headers say."""

    def as_meta(self) -> dict[str, str]:
        """Ready for the table, with when and by which version."""
        return {
            "name": self.name,
            "start_url": self.start_url,
            "origin": self.origin.value,
            "targets": json.dumps(self.targets),
            "scope": self.scope.model_dump_json(),
            "body_charset": self.body_charset,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "made_by": f"tallyho {version('tallyho')}",
        }


def about(meta: dict[str, str]) -> About:
    """Back from the table; ValueError or KeyError when it is not what we wrote."""
    return About(
        name=meta["name"],
        start_url=meta["start_url"],
        origin=Origin(meta["origin"]),
        targets=TypeAdapter(tuple[str, ...]).validate_json(meta["targets"]),
        scope=ScopeConfig.model_validate_json(meta["scope"]),
        body_charset=meta["body_charset"],
    )


def headers_text(headers: Sequence[tuple[str, str]]) -> str:
    """Headers as the table keeps them."""
    return json.dumps(headers, separators=(",", ":"))


def read_headers(text: str) -> dict[str, str]:
    """Headers by name in lower case; what was sent twice is joined, except where to go."""
    joined: dict[str, str] = {}
    for name, value in _HEADERS.validate_json(text):
        key = name.lower()
        if key not in joined:
            joined[key] = value
        elif key != "location":
            joined[key] = f"{joined[key]}, {value}"
    return joined


def read_pairs(text: str) -> Headers:
    """Headers as they were sent."""
    return _HEADERS.validate_json(text)


def open_readonly(path: Path) -> sqlite3.Connection:
    """Open a database that may come from anywhere, so that nothing in it can act."""
    database = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
    try:
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA mmap_size = 0")
    except sqlite3.Error:
        database.close()
        raise
    return database


def check_identity(database: sqlite3.Connection, path: Path) -> About:
    """What the replica tells about itself; ConfigError when it is none."""
    try:
        application = database.execute("PRAGMA application_id").fetchone()[0]
        written = database.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION_ID:
            raise ConfigError(
                f"{path} is not a replica; one of the reference implementation is read with: "
                f"tallyho lab import {path} -o NEW"
            )
        if written != SCHEMA_VERSION:
            raise ConfigError(
                f"{path} has schema version {written}, this Tallyho reads {SCHEMA_VERSION}"
            )
        return about(read_meta(database))
    except (sqlite3.Error, KeyError, ValueError, ValidationError) as error:
        raise ConfigError(f"{path} cannot be read as a replica: {error}") from error


def read_meta(database: sqlite3.Connection) -> dict[str, str]:
    """All that a replica tells about itself."""
    with closing(database.execute("SELECT key, value FROM meta")) as rows:
        return {str(key): str(value) for key, value in rows}
