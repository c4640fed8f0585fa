"""Crawls that sites hand over to a lane."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the table; it fills when a site with a lane plans its night."""
    op.create_table(
        "handover",
        sa.Column("site", sa.String(length=63), nullable=False),
        sa.Column("lane", sa.String(length=63), nullable=False),
        sa.Column("run_id", sa.String(length=63), nullable=False),
        sa.Column("night", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=15), nullable=False),
        sa.Column("claim", sa.Integer(), nullable=False),
        sa.Column("alive_at", TIME, nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("retryable", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("site"),
    )
    op.create_index("ix_handover_lane", "handover", ["lane"])


def downgrade() -> None:
    """Removes it."""
    op.drop_table("handover")
