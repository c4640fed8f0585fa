"""What a database finds by itself: its own full-text search over the same texts, all words."""

import re

from sqlalchemy import text

from crawler.catalog.db.database import Database

_WORD = re.compile(r"\w+")
_SQLITE = (
    "CREATE VIRTUAL TABLE bare USING fts5(title, anchors, names, columns, pages, "
    "tokenize='unicode61 remove_diacritics 2')",
)
_POSTGRESQL = (
    "CREATE TABLE bare (rowid INTEGER, words TSVECTOR)",
    "CREATE INDEX ON bare USING gin (words)",
)
_TEXTS = """
SELECT dataset.id, dataset.title, dataset.page_title,
       {group}(resource.file_name, ' ') AS names,
       {group}(sighting.anchor, ' ') AS anchors,
       {group}(verdict.column_names{text}, ' ') AS columns
FROM dataset JOIN resource ON resource.dataset_id = dataset.id
JOIN sighting ON sighting.resource_id = resource.id
LEFT JOIN verdict ON verdict.version_id = resource.latest_version_id
GROUP BY dataset.id, dataset.title, dataset.page_title
"""


class BareQuery:
    """An index of a database's own, beside that of the search."""

    def __init__(self, database: Database) -> None:
        self._database = database
        sqlite = database.is_sqlite
        with database.transaction() as session:
            connection = session.connection()
            for statement in _SQLITE if sqlite else _POSTGRESQL:
                connection.exec_driver_sql(statement)
            group, cast = ("group_concat", "") if sqlite else ("string_agg", "::text")
            rows = connection.execute(text(_TEXTS.format(group=group, text=cast))).all()
            insert = (
                "INSERT INTO bare (rowid, title, anchors, names, columns, pages) "
                "VALUES (:id, :title, :anchors, :names, :columns, :page_title)"
                if sqlite
                else "INSERT INTO bare VALUES (:id, setweight(to_tsvector('simple', :title), 'A') "
                "|| to_tsvector('simple', concat_ws(' ', CAST(:anchors AS text), "
                "CAST(:names AS text), CAST(:columns AS text), CAST(:page_title AS text))))"
            )
            connection.execute(text(insert), [dict(row._mapping) for row in rows])

    def ask(self, words: str) -> tuple[list[int], bool]:
        """The ids of the best datasets; a bare query suggests nothing."""
        if self._database.is_sqlite:
            sql = "SELECT rowid FROM bare WHERE bare MATCH :words ORDER BY rank LIMIT 3"
            asked = " ".join(f'"{word}"' for word in _WORD.findall(words))
        else:
            sql = (
                "SELECT rowid FROM bare, plainto_tsquery('simple', :words) AS asked "
                "WHERE words @@ asked ORDER BY ts_rank(words, asked) DESC LIMIT 3"
            )
            asked = words
        with self._database.reading() as session:
            rows = session.connection().execute(text(sql), {"words": asked})
            return [row.rowid for row in rows], False
