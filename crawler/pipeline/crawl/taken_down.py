"""Files that were taken down: a revisit does not fetch them again."""

import time
from collections.abc import Callable

from crawler.catalog.write.titles import url_key

SECONDS_BETWEEN_READS = 60.0


class TakenDown:
    """Knows the files of a site that were taken down, also those of the last minutes."""

    def __init__(
        self,
        read_keys: Callable[[], frozenset[str]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read_keys = read_keys
        self._monotonic = monotonic
        self._keys: frozenset[str] = frozenset()
        self._read_at: float | None = None

    def __call__(self, url: str) -> bool:
        """Whether the file at a URL was taken down."""
        now = self._monotonic()
        if self._read_at is None or now - self._read_at >= SECONDS_BETWEEN_READS:
            self._keys, self._read_at = self._read_keys(), now
        # Hashing a hundred thousand URLs for nothing takes longer than planning them.
        return bool(self._keys) and url_key(url) in self._keys
