"""Which revision the tables have, and the ways up and down between revisions."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from crawler.catalog.migrations import HEAD

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parents[1] / "migrations"
NO_TABLES = "base"
"""What Alembic calls the revision of a database without tables."""


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables, or None when there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if revision is None else str(revision)


def known_revisions() -> list[str]:
    """Every revision that this version of Tallyho knows, the first one first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    return [script.revision for script in scripts][::-1]


def has_views(connection: Connection) -> bool:
    """Whether the SQL views are there."""
    return "files" in inspect(connection).get_view_names()


def upgrade_to(connection: Connection, revision: str = HEAD) -> None:
    """Bring the tables up to a revision; the views are there when it is the newest."""
    from alembic import command

    from crawler.catalog.read.views import create_views, drop_views

    drop_views(connection)
    command.upgrade(_config(connection), revision)
    if revision == HEAD:
        create_views(connection)


def downgrade_to(connection: Connection, revision: str) -> None:
    """Take back every revision after this one; the views, which show the newest, go."""
    from alembic import command

    from crawler.catalog.read.views import drop_views

    drop_views(connection)
    command.downgrade(_config(connection), revision)


def _config(connection: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
