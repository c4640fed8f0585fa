"""Pages that were visited again, and their visits."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes both tables; they fill with the next revisits."""
    op.create_table(
        "page",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("url_key", sa.String(length=32), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("action", sa.Integer()),
        sa.Column("first_visit", TIME, nullable=False),
        sa.Column("last_visit", TIME, nullable=False),
        sa.Column("visits", sa.Integer(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("change_rate", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("site_id", "url_key"),
    )
    op.create_index("ix_page_site_id", "page", ["site_id"])
    op.create_table(
        "page_visit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=63), nullable=False),
        sa.Column("visited_at", TIME, nullable=False),
        sa.Column("outcome", sa.String(length=15), nullable=False),
        sa.Column("detected_by", sa.String(length=31), nullable=False),
        sa.Column("reason", sa.String(length=31), nullable=False),
        sa.Column("new_links", sa.Integer(), nullable=False),
        sa.Column("new_files", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"]),
        sa.ForeignKeyConstraint(["run_id"], ["crawl_run.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("page_id", "run_id"),
    )
    op.create_index("ix_page_visit_page_id", "page_visit", ["page_id"])
    op.create_index("ix_page_visit_run_id", "page_visit", ["run_id"])


def downgrade() -> None:
    """Removes them."""
    op.drop_table("page_visit")
    op.drop_table("page")
