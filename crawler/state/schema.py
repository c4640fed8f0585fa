"""The tables of a state file."""

from dataclasses import MISSING, Field, fields
from typing import Any

from crawler.pages.kept_file import Download
from crawler.state.records import LinkStatus

SCHEMA_VERSION = 6
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

ALIVE = """
ALTER TABLE weight ADD COLUMN alive REAL NOT NULL DEFAULT 0.0;
ALTER TABLE weight ADD COLUMN alive_squares REAL NOT NULL DEFAULT 1.0;
ALTER TABLE weight ADD COLUMN published_alive REAL NOT NULL DEFAULT 0.0;
"""

HEADINGS = """
ALTER TABLE link ADD COLUMN headings TEXT NOT NULL DEFAULT '';
"""

MEMORY = """
CREATE TABLE memory (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""

HISTORY = """
CREATE TABLE page_history (
    id INTEGER PRIMARY KEY, template TEXT NOT NULL, first_seen REAL NOT NULL,
    visits BLOB NOT NULL, last_visit REAL, last_try REAL, failures INTEGER NOT NULL,
    missing INTEGER NOT NULL, visit_count INTEGER NOT NULL, observed_days REAL NOT NULL,
    new_targets INTEGER NOT NULL, outlinks BLOB NOT NULL, recent_links BLOB NOT NULL,
    target_links BLOB NOT NULL, targets_listed INTEGER NOT NULL, items INTEGER NOT NULL,
    inlinks INTEGER NOT NULL, depth INTEGER NOT NULL, dates BLOB NOT NULL
);
CREATE TABLE file_history (
    id INTEGER PRIMARY KEY, template TEXT NOT NULL, first_seen REAL NOT NULL,
    checks BLOB NOT NULL, last_check REAL, last_try REAL, failures INTEGER NOT NULL,
    missing INTEGER NOT NULL, gone INTEGER NOT NULL, size INTEGER NOT NULL,
    validators INTEGER NOT NULL, unlinked INTEGER NOT NULL, unproven INTEGER NOT NULL
);
CREATE TABLE validator (
    link INTEGER PRIMARY KEY, etag TEXT NOT NULL, last_modified TEXT NOT NULL,
    body BLOB NOT NULL, not_modified INTEGER NOT NULL, refuted INTEGER NOT NULL
);
CREATE TABLE credit (target INTEGER PRIMARY KEY, page INTEGER NOT NULL);
CREATE TABLE signal (
    link INTEGER NOT NULL, source INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (link, source)
) WITHOUT ROWID;
CREATE TABLE source (
    link INTEGER PRIMARY KEY, kind TEXT NOT NULL, changed_at REAL NOT NULL
);
CREATE TABLE visit (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, link INTEGER NOT NULL, reason TEXT NOT NULL,
    method TEXT NOT NULL, score REAL NOT NULL, outcome TEXT NOT NULL, detected_by TEXT NOT NULL,
    at REAL NOT NULL, new_links INTEGER NOT NULL, new_targets INTEGER NOT NULL
);
CREATE TABLE planner (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
"""

TARGETS_TO_CREDIT = f"""
-- Earlier versions kept no history: the page that showed each target is found by its link. Where a
-- redirection led to the target, that is where the redirection started.
INSERT INTO credit
SELECT target.link, (
    WITH RECURSIVE hop(parent) AS (
        SELECT link.parent FROM link WHERE link.id = target.link
        UNION ALL
        SELECT before.parent FROM hop JOIN link AS before ON before.id = hop.parent
        WHERE before.status = {LinkStatus.REDIRECT:d}
    )
    SELECT min(parent) FROM hop
) AS page FROM target WHERE page > 0;
"""  # noqa: S608 - a number of ours

TABLES = f"""{WEIGHTS}{ALIVE}{MEMORY}{HISTORY}
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
CREATE TABLE link (
    id INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL, url TEXT NOT NULL,
    parent INTEGER NOT NULL, depth INTEGER NOT NULL, tag_path INTEGER NOT NULL,
    anchor TEXT NOT NULL, rel TEXT NOT NULL, status INTEGER NOT NULL,
    action INTEGER NOT NULL, slot INTEGER NOT NULL, reason TEXT NOT NULL,
    headings TEXT NOT NULL DEFAULT ''
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

UPGRADES = {1: WEIGHTS, 2: HISTORY + TARGETS_TO_CREDIT, 3: MEMORY, 4: ALIVE, 5: HEADINGS}
"""What brings a file from a version to the next one."""
