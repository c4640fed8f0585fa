"""What the catalog says of all sites, where there is a catalog that can be asked."""

from collections.abc import Callable
from pathlib import Path

from crawler.catalog.db.database import open_database
from crawler.catalog.read.standings import Standing, standings
from crawler.config.settings import Settings
from crawler.errors import StorageError


def look_into_catalog(
    settings: Settings, on_trouble: Callable[[str], None] = lambda _: None
) -> dict[str, Standing]:
    """Every site of the catalog by name; nothing, and a sentence, when it cannot be asked.

    A catalog in a file that is not there yet is not made for a look.
    """
    database = open_database(settings.database_url)
    try:
        if database.is_sqlite and not Path(database.place).exists():
            return {}
        database.ready()
        return standings(database)
    except StorageError as error:
        on_trouble(f"{error.message}; what follows is what this machine knows")
        return {}
    finally:
        database.close()
