"""The object store and the catalog that the settings name."""

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from crawler.catalog.db.database import Database, open_database
from crawler.config.settings import Settings
from crawler.storage.interface import ObjectStore
from crawler.storage.open import open_store


@dataclass(frozen=True, slots=True)
class Services:
    """Where files and facts go; several threads may use them at once."""

    store: ObjectStore
    database: Database


@dataclass(slots=True)
class _Shared:
    """Services of this process, and how many use them."""

    opening: threading.Lock = field(default_factory=threading.Lock)
    services: Services | None = None
    users: int = 0


_OPEN: dict[Hashable, _Shared] = {}
"""By what makes two settings mean the same store and catalog."""
_OPEN_LOCK = threading.Lock()


def store_of(settings: Settings) -> ObjectStore:
    """The object store alone, where the catalog is not needed."""
    return open_store(
        settings.object_store_url, endpoint=settings.s3_endpoint, spool_dir=settings.spool_dir
    )


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    """Open both, the catalog's schema ready; StorageError when one cannot be had.

    Those who have them open at the same time share them: two hundred crawls in a process must not
    have two hundred pools of connections.
    """
    store = settings.object_store_url, settings.s3_endpoint, settings.spool_dir
    place = *store, settings.database_url
    with _OPEN_LOCK:
        shared = _OPEN.setdefault(place, _Shared())
        shared.users += 1
    try:
        with shared.opening:
            if shared.services is None:
                shared.services = _opened(settings)
        yield shared.services
    finally:
        with _OPEN_LOCK:
            shared.users -= 1
            last = not shared.users
            if last:
                del _OPEN[place]
        if last and shared.services is not None:
            shared.services.database.close()


def _opened(settings: Settings) -> Services:
    store, database = store_of(settings), open_database(settings.database_url)
    try:
        database.ready()
    except BaseException:
        database.close()
        raise
    return Services(store, database)
