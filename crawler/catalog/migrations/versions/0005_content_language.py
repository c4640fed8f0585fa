"""Versions have the Content-Language header of their response."""

import sqlalchemy as sa
from alembic import op

from crawler.catalog.read.views import drop_views

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds the column; it is empty in versions that are there already."""
    column = sa.Column("content_language", sa.String(length=127), nullable=False, server_default="")
    op.add_column("version", column)


def downgrade() -> None:
    """Removes it, and the views that show it: the upgrade makes them again."""
    drop_views(op.get_bind())
    op.drop_column("version", "content_language")
