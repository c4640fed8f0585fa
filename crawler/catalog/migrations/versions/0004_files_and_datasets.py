"""A view `files` beside `datasets`; datasets can be searched by the language of their page."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_BATCH = 5000
_TRIGGER = "search_document_changed"


def upgrade() -> None:
    """Adds the tokens of languages to the search documents; the views are made by themselves."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        _add_languages(connection)
        return
    # To index every row once more by itself would take thirty times as long as all together.
    created = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name")
    trigger = connection.execute(created, {"name": _TRIGGER}).scalar_one()
    connection.exec_driver_sql(f"DROP TRIGGER {_TRIGGER}")
    _add_languages(connection)
    connection.exec_driver_sql("INSERT INTO search_index(search_index) VALUES ('rebuild')")
    connection.exec_driver_sql(trigger)


def downgrade() -> None:
    """Nothing to do: an older version looks up none of the tokens."""


def _add_languages(connection: sa.Connection) -> None:
    languages = sa.text(
        "SELECT id, language FROM dataset WHERE language <> '' AND id > :last "
        "ORDER BY id LIMIT :batch"
    )
    add = sa.text(
        "UPDATE search_document SET tokens = tokens || :tokens WHERE dataset_id = :dataset"
    )
    last = 0
    while rows := connection.execute(languages, {"last": last, "batch": _BATCH}).all():
        last = rows[-1].id
        connection.execute(
            add, [{"dataset": row.id, "tokens": _tokens(row.language)} for row in rows]
        )


def _tokens(tag: str) -> str:
    """As the search of this revision spells them: ` 0len 0lengb` for `en-GB`."""
    parts = tag.lower().split("-")
    plain = ["".join(mark for mark in part if mark.isascii() and mark.isalnum()) for part in parts]
    tokens = {f"0l{plain[0]}", f"0l{''.join(plain)}"} if plain[0] else set()
    return "".join(f" {token}" for token in sorted(tokens))
