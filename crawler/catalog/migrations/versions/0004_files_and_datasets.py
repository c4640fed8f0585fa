"""A view `files` beside `datasets`; datasets can be searched by the language of their page."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_BATCH = 1000


def upgrade() -> None:
    """Adds the tokens of languages to the search documents; the views are made by themselves."""
    connection = op.get_bind()
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
        for row in rows:
            tokens = "".join(f" {token}" for token in _tokens(row.language))
            connection.execute(add, {"dataset": row.id, "tokens": tokens})


def downgrade() -> None:
    """Nothing to do: an older version looks up none of the tokens."""


def _tokens(tag: str) -> list[str]:
    """As the search of this revision spells them: `0len` and `0lengb` for `en-GB`."""
    parts = tag.lower().split("-")
    plain = ["".join(mark for mark in part if mark.isascii() and mark.isalnum()) for part in parts]
    return sorted({f"0l{plain[0]}", f"0l{''.join(plain)}"}) if plain[0] else []
