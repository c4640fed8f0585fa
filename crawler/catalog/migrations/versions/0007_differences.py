"""What a version says otherwise than the one before it."""

import sqlalchemy as sa
from alembic import op

from crawler.catalog.read.views import drop_views

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Makes the table; it fills as versions are validated."""
    op.create_table(
        "difference",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("change_summary", sa.Text(), nullable=False),
        sa.Column("compared_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"]),
        sa.PrimaryKeyConstraint("version_id"),
    )


def downgrade() -> None:
    """Removes it, and the views that show it: the upgrade makes them again."""
    drop_views(op.get_bind())
    op.drop_table("difference")
