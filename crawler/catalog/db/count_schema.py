"""The table of counts of files: how many there are by site, format and verdict.

Pages ask for these counts, and to count half a million files takes seconds. Triggers write down how
each change of a file changes them, as rows of their own, so that no two writers wait for each
other; the sum is the count. Upkeep counts anew every night and leaves one row of each kind.
"""

from sqlalchemy import BigInteger, Column, Connection, Integer, String, Table, text
from sqlmodel import SQLModel

FILE_COUNT = Table(
    "file_count",
    SQLModel.metadata,
    Column("id", Integer, primary_key=True),
    Column("site_id", Integer, nullable=False, index=True),
    Column("format", String(31), nullable=False),
    Column("verdict", String(31), nullable=False),
    Column("datasets", Integer, nullable=False),
    Column("files", Integer, nullable=False),
    Column("gone", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
)
UNCHECKED = "unchecked"
"""Stands for the verdict of a file that validation has not seen."""

_COUNT_LOCK = 0x7A11_4001
_INTO = "INSERT INTO file_count (site_id, format, verdict, datasets, files, gone, bytes)"
# A dataset counts with the first of its files that counts, and no more with the last.
_FILE = f"""
SELECT {{row}}.site_id, {{row}}.format, coalesce(verdict.verdict, '{UNCHECKED}'),
       {{sign}} CASE WHEN EXISTS (
           SELECT 1 FROM resource AS other
           WHERE other.dataset_id = {{row}}.dataset_id AND other.id <> {{row}}.id
           AND other.removed_at IS NULL AND other.latest_version_id IS NOT NULL
       ) THEN 0 ELSE 1 END,
       {{sign}} 1, {{sign}} CASE WHEN {{row}}.gone_since IS NULL THEN 0 ELSE 1 END,
       {{sign}} version.size
FROM version LEFT JOIN verdict ON verdict.version_id = version.id
WHERE version.id = {{row}}.latest_version_id AND {{row}}.removed_at IS NULL
"""  # noqa: S608
_JUDGED = """
SELECT resource.site_id, resource.format, {verdict}, 0, {sign} 1,
       {sign} CASE WHEN resource.gone_since IS NULL THEN 0 ELSE 1 END, {sign} version.size
FROM resource JOIN version ON version.id = resource.latest_version_id
WHERE resource.latest_version_id = NEW.version_id AND resource.removed_at IS NULL
"""
_COUNTED = f"""
SELECT site_id, format, verdict, sum(first), count(*), sum(gone), sum(size) FROM (
    SELECT resource.site_id, resource.format, coalesce(verdict.verdict, '{UNCHECKED}') AS verdict,
           CASE WHEN row_number() OVER (PARTITION BY resource.dataset_id ORDER BY resource.id) = 1
           THEN 1 ELSE 0 END AS first,
           CASE WHEN resource.gone_since IS NULL THEN 0 ELSE 1 END AS gone, version.size
    FROM resource
    JOIN version ON version.id = resource.latest_version_id
    LEFT JOIN verdict ON verdict.version_id = version.id
    WHERE resource.removed_at IS NULL
) AS living GROUP BY site_id, format, verdict
"""  # noqa: S608
_CHANGES = {
    "file_changed": (
        "AFTER UPDATE OF latest_version_id, format, gone_since, removed_at ON resource",
        """
        coalesce(OLD.latest_version_id, 0) <> coalesce(NEW.latest_version_id, 0)
        OR OLD.format <> NEW.format OR (OLD.gone_since IS NULL) <> (NEW.gone_since IS NULL)
        OR (OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)
        """,
        (_FILE.format(row="OLD", sign="-"), _FILE.format(row="NEW", sign="+")),
    ),
    "file_judged": (
        "AFTER INSERT ON verdict",
        "NEW.verdict IS NOT NULL",
        (
            _JUDGED.format(verdict=f"'{UNCHECKED}'", sign="-"),
            _JUDGED.format(verdict="NEW.verdict", sign="+"),
        ),
    ),
    "file_judged_anew": (
        "AFTER UPDATE OF verdict ON verdict",
        "OLD.verdict <> NEW.verdict",
        (
            _JUDGED.format(verdict="OLD.verdict", sign="-"),
            _JUDGED.format(verdict="NEW.verdict", sign="+"),
        ),
    ),
}


def create_counts(connection: Connection) -> None:
    """Makes the table and its triggers, and counts what is there."""
    FILE_COUNT.create(connection)
    postgresql = connection.dialect.name == "postgresql"
    for name, (event, condition, parts) in _CHANGES.items():
        change = f"{_INTO} {' UNION ALL '.join(parts)};"
        if postgresql:
            connection.exec_driver_sql(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {change} RETURN NULL; END $$"
            )
            change = f"EXECUTE FUNCTION {name}()"
        else:
            change = f"BEGIN {change} END"
        connection.exec_driver_sql(
            f"CREATE TRIGGER {name} {event} FOR EACH ROW WHEN ({condition}) {change}"
        )
    count_files(connection)


def drop_counts(connection: Connection) -> None:
    """Removes what create_counts made; all of it is derived."""
    for name, (event, _, _) in _CHANGES.items():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"DROP TRIGGER {name} ON {event.rpartition(' ')[2]}")
            connection.exec_driver_sql(f"DROP FUNCTION {name}()")
        else:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
    FILE_COUNT.drop(connection)


def count_files(connection: Connection) -> None:
    """Counts all files anew; what others change meanwhile is added to it.

    On PostgreSQL one statement removes the old counts and sees exactly the files of these.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_COUNT_LOCK})"))
        connection.execute(
            text(f"WITH old AS (DELETE FROM file_count) {_INTO} {_COUNTED}")  # noqa: S608
        )
    else:
        connection.execute(FILE_COUNT.delete())
        connection.execute(text(f"{_INTO} {_COUNTED}"))
