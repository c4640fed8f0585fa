"""The newest crawl state of a site, wherever it was crawled last: this machine's, or a snapshot."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from crawler.config.settings import Settings
from crawler.pipeline.crawl.snapshots import Pointer, Snapshots
from crawler.pipeline.services import store_of
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import open_for_reading

_NOT_A_HOLDER = 0
"""The fence of who only reads."""


@contextmanager
def newest_state(settings: Settings, site: str) -> Iterator[CrawlState | None]:
    """Open it for reading; None where nobody has crawled the site.

    A running crawl is not disturbed. Where machines share a store, a snapshot that another machine
    wrote later is fetched and read.
    """
    local = open_for_reading(settings.state_path(site))
    try:
        newer = _newer_snapshot(settings, site, local)
        if newer is None:
            yield local
            return
        snapshots, pointer = newer
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.db"
            snapshots.restore(pointer, path)
            state = open_for_reading(path)
            if state is None:
                yield None
                return
            with closing(state):
                yield state
    finally:
        if local is not None:
            local.close()


def _newer_snapshot(
    settings: Settings, site: str, local: CrawlState | None
) -> tuple[Snapshots, Pointer] | None:
    if not settings.is_shared:
        return None
    snapshots = Snapshots(store_of(settings), site, _NOT_A_HOLDER)
    pointer = snapshots.newer_than(local)
    return None if pointer is None else (snapshots, pointer)
