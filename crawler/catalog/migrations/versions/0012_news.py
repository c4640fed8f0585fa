"""What happened to files, in one order, and what alerts have told of it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

TIME = sa.DateTime(timezone=True)

# Versions came when they were fetched; a file was known to be gone when it was missed again.
_PAST = """
INSERT INTO news (site_id, resource_id, version_id, what, at)
SELECT site_id, resource_id, version_id, what, at FROM (
    SELECT resource.site_id, resource.id AS resource_id, version.id AS version_id,
           CASE WHEN version.number = 1 THEN 'new' ELSE 'changed' END AS what,
           version.fetched_at AS at, version.id AS place
    FROM version JOIN resource ON resource.id = version.resource_id
    UNION ALL
    SELECT site_id, id, latest_version_id, 'gone', coalesce(missed_at, gone_since), id
    FROM resource WHERE gone_since IS NOT NULL AND latest_version_id IS NOT NULL
) AS past ORDER BY at, place
"""


def upgrade() -> None:
    """Makes the tables and writes down what is known of the past."""
    op.create_table(
        "news",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("resource_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(length=15), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.ForeignKeyConstraint(["resource_id"], ["resource.id"]),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute(_PAST)
    op.create_index("ix_news_site", "news", ["site_id", "id"])
    op.create_index("ix_news_resource", "news", ["resource_id", "id"])
    op.create_index("ix_news_what", "news", ["what", "id"])
    op.create_index("ix_news_at", "news", ["at"])
    op.create_table(
        "alert",
        sa.Column("name", sa.String(length=63), nullable=False),
        sa.Column("way", sa.String(length=15), nullable=False),
        sa.Column("begins_after", sa.Integer(), nullable=False),
        sa.Column("claimed_until", TIME, nullable=True),
        sa.Column("sent_at", TIME, nullable=True),
        sa.Column("sent_items", sa.Integer(), nullable=False),
        sa.Column("failed_at", TIME, nullable=True),
        sa.Column("failure", sa.Text(), nullable=False, server_default=""),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", "way"),
    )
    op.create_table(
        "alert_told",
        sa.Column("name", sa.String(length=63), nullable=False),
        sa.Column("way", sa.String(length=15), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("upto_news", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("name", "way", "site_id"),
    )
    # Documents have a new token for what happened last.
    op.execute("DELETE FROM bookmark WHERE name = 'reindex'")
    op.execute(
        "INSERT INTO bookmark (name, position, moved_at) "
        "SELECT 'reindex', '', CURRENT_TIMESTAMP FROM dataset LIMIT 1"
    )


def downgrade() -> None:
    """Removes them; the past can be written down again from the versions."""
    op.drop_table("alert_told")
    op.drop_table("alert")
    op.drop_table("news")
