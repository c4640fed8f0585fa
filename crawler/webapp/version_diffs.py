"""Differences of versions for pages and API: one comparison at a time, the last ones remembered."""

import logging
import threading
from collections import OrderedDict

from crawler.catalog.facade import Catalog
from crawler.catalog.read.versions_to_compare import VersionsToCompare
from crawler.differences.records import Difference, FileDifference
from crawler.errors import StorageError, TallyhoError
from crawler.pipeline.validate.comparing import Comparer
from crawler.readers.bounds import Bounds
from crawler.validation.reader_memory import ReadersBusy

log = logging.getLogger(__name__)

_BOUNDS = Bounds(seconds=20.0, memory=1500 * 1000**2, rows=200_000, pdf_pages=5)
_WAIT = 20.0
_KEPT = 32
_TRY_LATER = "other files are being read; try again in a minute"


class VersionDiffs:
    """Compares versions when somebody asks."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._made: Comparer | None = None
        self._free = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Difference] = OrderedDict()

    def of(self, file_id: int, from_version: int | None, to_version: int | None) -> FileDifference:
        """What two versions of a file differ in, or the reason why that is not known."""
        pair = self._catalog.versions_to_compare(file_id, from_version, to_version)
        key = (pair.old.sha256, pair.new.sha256)
        known = self._known.get(key)
        if known is None:
            if not self._free.acquire(timeout=_WAIT):
                return pair.compared(Difference(reason=_TRY_LATER))
            try:
                known = self._compare(pair)
            finally:
                self._free.release()
            if known.reason == _TRY_LATER:
                return pair.compared(known)
            self._known[key] = known
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return pair.compared(known)

    def warm_up(self) -> None:
        """Starts the process that compares now, as far as it can go before it is asked."""
        try:
            with self._free:
                self._comparer.warm_up()
        except (TallyhoError, OSError) as error:
            log.info("the process that compares did not start: %s", error)

    @property
    def _comparer(self) -> Comparer:
        if self._made is None:
            self._made = Comparer(self._catalog.store, bounds=_BOUNDS, wait_seconds=_WAIT)
        return self._made

    def _compare(self, pair: VersionsToCompare) -> Difference:
        try:
            return self._comparer.compare(pair.old, pair.new, pair.url)
        except (ReadersBusy, StorageError) as error:
            log.warning("versions of file %s were not compared: %s", pair.id, error)
            return Difference(reason=_TRY_LATER)
