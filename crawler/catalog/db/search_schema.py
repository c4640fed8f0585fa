"""The tables of the search: documents, a full-text index of their tokens, and words to spell by.

SQLite keeps the tokens apart from the rest, so that ten thousand facets are read from few pages.
"""

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Table, Text

from crawler.catalog.db.utc_datetime import UtcDateTime

_TABLES = MetaData()
search_document = Table(
    "search_document",
    _TABLES,
    Column("dataset_id", Integer, primary_key=True),
    Column("changed_at", UtcDateTime(), nullable=False),
    Column("quality", Integer, nullable=False),
    Column("facets", Text, nullable=False),
)
search_word = Table("search_word", _TABLES, Column("word", Text, primary_key=True))
search_spelling = Table(
    "search_spelling",
    _TABLES,
    Column("key", BigInteger, primary_key=True),
    Column("word", Text, primary_key=True),
)

# The tokens are normalised already: `ascii` leaves every letter beyond ASCII as it is. `none` keeps
# no positions, which no search needs. A prefix with an index of its own is read as lazily as a
# word; without, the lists of all its words are merged first (60 ms, not 5, for 250,000 datasets).
_SQLITE = (
    """
    CREATE TABLE search_document (
        dataset_id INTEGER PRIMARY KEY REFERENCES dataset (id) ON DELETE CASCADE,
        changed_at DATETIME NOT NULL,
        quality INTEGER NOT NULL,
        facets TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE search_tokens (
        dataset_id INTEGER PRIMARY KEY REFERENCES search_document (dataset_id) ON DELETE CASCADE,
        tokens TEXT NOT NULL
    )
    """,
    """
    CREATE VIRTUAL TABLE search_index USING fts5(
        tokens, content='search_tokens', content_rowid='dataset_id',
        tokenize='ascii', detail='none', columnsize=0, prefix='2 3 4 5 6'
    )
    """,
    """
    CREATE TRIGGER search_tokens_added AFTER INSERT ON search_tokens BEGIN
        INSERT INTO search_index(rowid, tokens) VALUES (new.dataset_id, new.tokens);
    END
    """,
    """
    CREATE TRIGGER search_tokens_changed AFTER UPDATE OF tokens ON search_tokens
    WHEN old.tokens <> new.tokens BEGIN
        INSERT INTO search_index(search_index, rowid, tokens)
        VALUES ('delete', old.dataset_id, old.tokens);
        INSERT INTO search_index(rowid, tokens) VALUES (new.dataset_id, new.tokens);
    END
    """,
    """
    CREATE TRIGGER search_tokens_removed AFTER DELETE ON search_tokens BEGIN
        INSERT INTO search_index(search_index, rowid, tokens)
        VALUES ('delete', old.dataset_id, old.tokens);
    END
    """,
    "CREATE TABLE search_word (word TEXT PRIMARY KEY) WITHOUT ROWID",
    """
    CREATE TABLE search_spelling (
        key INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (key, word)
    ) WITHOUT ROWID
    """,
)
# Rows of up to a page stay as they are: PostgreSQL would compress each and put it elsewhere, and
# unpack thousands of them for a common word.
_POSTGRESQL = (
    """
    CREATE TABLE search_document (
        dataset_id INTEGER PRIMARY KEY REFERENCES dataset (id) ON DELETE CASCADE,
        changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
        quality INTEGER NOT NULL,
        facets TEXT NOT NULL,
        words TSVECTOR NOT NULL
    ) WITH (toast_tuple_target = 8160)
    """,
    "CREATE INDEX search_index ON search_document USING gin (words)",
    'CREATE TABLE search_word (word TEXT COLLATE "C" PRIMARY KEY)',
    """
    CREATE TABLE search_spelling (
        key BIGINT NOT NULL, word TEXT COLLATE "C" NOT NULL, PRIMARY KEY (key, word)
    )
    """,
)
_NAMES = ("search_index", "search_tokens", "search_document", "search_word", "search_spelling")

TOKENS = {
    "sqlite": "SELECT dataset_id, tokens FROM search_tokens",
    "postgresql": "SELECT dataset_id, array_to_string(tsvector_to_array(words), ' ') AS tokens "
    "FROM search_document",
}
"""How the tokens of documents are read."""
STORE = {
    "sqlite": (
        """
        INSERT INTO search_document (dataset_id, changed_at, quality, facets)
        VALUES (:dataset_id, :changed_at, :quality, :facets)
        ON CONFLICT (dataset_id) DO UPDATE SET changed_at = excluded.changed_at,
        quality = excluded.quality, facets = excluded.facets
        """,
        """
        INSERT INTO search_tokens (dataset_id, tokens) VALUES (:dataset_id, :tokens)
        ON CONFLICT (dataset_id) DO UPDATE SET tokens = excluded.tokens
        """,
    ),
    "postgresql": (
        """
        INSERT INTO search_document (dataset_id, changed_at, quality, facets, words)
        VALUES (:dataset_id, :changed_at, :quality, :facets,
                array_to_tsvector(string_to_array(:tokens, ' ')))
        ON CONFLICT (dataset_id) DO UPDATE SET changed_at = excluded.changed_at,
        quality = excluded.quality, facets = excluded.facets, words = excluded.words
        """,
    ),
}
"""How a document is written."""


def create_search(connection: Connection) -> None:
    """Makes the tables of the search and its full-text index."""
    statements = _POSTGRESQL if connection.dialect.name == "postgresql" else _SQLITE
    for statement in statements:
        connection.exec_driver_sql(statement)


def drop_search(connection: Connection) -> None:
    """Removes what create_search made, of this or an earlier revision; all of it is derived."""
    postgresql = connection.dialect.name == "postgresql"
    for name in _NAMES:
        if not (postgresql and name == "search_index"):
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")
