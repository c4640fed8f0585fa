"""What tables are about (periods, places, values), and a new search index."""

import sqlalchemy as sa
from alembic import op

from crawler.catalog.db.search_schema import create_search, drop_search
from crawler.catalog.migrations.first_search import create_first_search
from crawler.catalog.read.views import drop_views

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Adds the columns and makes an empty index, which catalog/search/reindex.py fills."""
    for name in ("period_start", "period_end", "frequency"):
        op.add_column("verdict", sa.Column(name, sa.String(31), nullable=False, server_default=""))
    for name in ("places", "dimension_values"):
        op.add_column("verdict", sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))
    connection = op.get_bind()
    drop_search(connection)
    create_search(connection)
    op.execute(
        "INSERT INTO bookmark (name, position, moved_at) "
        "SELECT 'reindex', '', CURRENT_TIMESTAMP FROM dataset LIMIT 1"
    )


def downgrade() -> None:
    """Removes the columns; an older version finds nothing until its files are ingested again."""
    connection = op.get_bind()
    drop_views(connection)
    drop_search(connection)
    create_first_search(connection)
    for name in ("period_start", "period_end", "frequency", "places", "dimension_values"):
        op.drop_column("verdict", name)
    # Otherwise the next way up could not set it again.
    op.execute("DELETE FROM bookmark WHERE name = 'reindex'")
