"""The object store and the catalog that the settings name."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from crawler.catalog.db.database import Database, open_database
from crawler.config.settings import Settings
from crawler.storage.interface import ObjectStore
from crawler.storage.open import open_store


@dataclass(frozen=True, slots=True)
class Services:
    """Where files and facts go."""

    store: ObjectStore
    database: Database


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    """Open both, the catalog's schema ready; StorageError when one cannot be had."""
    store = open_store(
        settings.object_store_url, endpoint=settings.s3_endpoint, spool_dir=settings.spool_dir
    )
    database = open_database(settings.database_url)
    try:
        database.ready()
        yield Services(store, database)
    finally:
        database.close()
