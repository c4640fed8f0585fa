"""The tables of a state file."""

SCHEMA_VERSION = 2
APPLICATION_ID = 0x7A11140

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
CREATE TABLE target (
    link INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mime TEXT NOT NULL,
    "group" TEXT NOT NULL, detected_by TEXT NOT NULL, declared TEXT NOT NULL,
    disposition TEXT NOT NULL, etag TEXT NOT NULL, last_modified TEXT NOT NULL,
    fetched_at REAL NOT NULL, licence TEXT NOT NULL
);
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
