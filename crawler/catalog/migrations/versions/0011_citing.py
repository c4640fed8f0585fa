"""Sites say their title, publisher, licence and homepage; versions when they were modified."""

import sqlalchemy as sa
from alembic import op

from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.read.views import drop_views
from crawler.pages.publication_date import modification_date

revision = "0011"
down_revision = "0009"

_SAID = ("title", "publisher", "licence", "homepage")
_BATCH = 5_000


def upgrade() -> None:
    """Adds the columns; Last-Modified headers that are there already are read as times."""
    for name in _SAID:
        op.add_column("site", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("version", sa.Column("modified_at", UtcDateTime(), nullable=True))
    version = sa.table(
        "version",
        sa.column("id", sa.Integer()),
        sa.column("last_modified", sa.Text()),
        sa.column("fetched_at", UtcDateTime()),
        sa.column("modified_at", UtcDateTime()),
    )
    connection = op.get_bind()
    dated = (
        sa.select(version.c.id, version.c.last_modified, version.c.fetched_at)
        .where(version.c.last_modified != "")
        .order_by(version.c.id)
        .limit(_BATCH)
    )
    write = (
        sa.update(version)
        .where(version.c.id == sa.bindparam("key"))
        .values(modified_at=sa.bindparam("when"))
    )
    last = 0
    while rows := connection.execute(dated.where(version.c.id > last)).all():
        last = rows[-1].id
        times = ((row.id, modification_date(row.last_modified, row.fetched_at)) for row in rows)
        if known := [{"key": key, "when": when} for key, when in times if when is not None]:
            connection.execute(write, known)


def downgrade() -> None:
    """Removes them, and the views that show them: the upgrade makes them again."""
    drop_views(op.get_bind())
    op.drop_column("version", "modified_at")
    for name in _SAID:
        op.drop_column("site", name)
