"""Counts of files that pages need not make, and the last runs of a site by an index."""

from alembic import op

from crawler.catalog.db.count_schema import create_counts, drop_counts

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Counts every file once; triggers keep the counts from then on."""
    op.create_index("ix_crawl_run_site_started", "crawl_run", ["site_id", "started_at"])
    create_counts(op.get_bind())


def downgrade() -> None:
    """Removes them; they can be counted again."""
    drop_counts(op.get_bind())
    op.drop_index("ix_crawl_run_site_started", "crawl_run")
