"""PostgreSQL knows ten times as many words of the search documents by how often they occur.

Of a word that it does not know it takes one document in two hundred to have it, and then reads
documents from the newest on until it has enough: all of them, where none has it.
"""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Counts more words, now and whenever the table is analysed."""
    _count(1000)


def downgrade() -> None:
    """Counts as many as for any other column."""
    _count(-1)


def _count(target: int) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE search_document ALTER COLUMN words SET STATISTICS {target}")
        op.execute("ANALYZE search_document")
