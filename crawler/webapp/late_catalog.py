"""A catalog that is opened when it is first asked: the server starts also while it is away."""

import threading
from collections.abc import Callable

from crawler.catalog.db.database import Database
from crawler.catalog.facade import Catalog
from crawler.errors import ConfigError, StorageRefused
from crawler.storage.interface import ObjectStore


class LateCatalog(Catalog):
    """Opens the catalog for the first question; after a failure the next question tries again."""

    def __init__(self, open_it: Callable[[], Catalog]) -> None:
        self._open = open_it
        self._opened: Catalog | None = None
        self._one_at_a_time = threading.Lock()

    @property
    def database(self) -> Database:  # type: ignore[override]
        """The catalog's own."""
        return self._catalog().database

    @property
    def store(self) -> ObjectStore:  # type: ignore[override]
        """The catalog's own."""
        return self._catalog().store

    def _catalog(self) -> Catalog:
        with self._one_at_a_time:
            if self._opened is None:
                try:
                    self._opened = self._open()
                except ConfigError as error:
                    # Only the operator of the server can mend it, so waiting does not help.
                    raise StorageRefused(str(error)) from error
            return self._opened
