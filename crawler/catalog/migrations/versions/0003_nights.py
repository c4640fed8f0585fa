"""Tables of the nights: allotments of the fleet, publications, bookmarks; runs have their night."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables; a run that is there belongs to no night."""
    op.add_column(
        "crawl_run",
        sa.Column("night", sa.String(length=250), nullable=False, server_default=""),
    )
    op.create_table(
        "allotment",
        sa.Column("site", sa.String(length=63), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("allotted_by", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("decided_at", TIME, nullable=False),
        sa.Column("expires_at", TIME),
        sa.PrimaryKeyConstraint("site"),
    )
    op.create_table(
        "publication",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("night", sa.String(length=250), nullable=False),
        sa.Column("after_version", sa.Integer(), nullable=False),
        sa.Column("upto_version", sa.Integer(), nullable=False),
        sa.Column("published_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("site_id", "night"),
    )
    op.create_table(
        "bookmark",
        sa.Column("name", sa.String(length=63), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("moved_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """Removes them."""
    for table in ("bookmark", "publication", "allotment"):
        op.drop_table(table)
    op.drop_column("crawl_run", "night")
