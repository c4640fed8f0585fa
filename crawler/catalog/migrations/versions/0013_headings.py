"""Sightings have the headings that a link stands below."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Adds the column; it fills as pages are read again."""
    column = sa.Column("headings", sa.Text(), nullable=False, server_default="")
    op.add_column("sighting", column)


def downgrade() -> None:
    """Removes it."""
    op.drop_column("sighting", "headings")
