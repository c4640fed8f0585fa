"""The newest crawl state of a site, wherever it was crawled last: this machine's, or a snapshot."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from crawler.config.settings import Settings
from crawler.pipeline.crawl.snapshots import Snapshots
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
    with ExitStack() as opened:
        state = _opened(settings.state_path(site), opened)
        if settings.is_shared:
            snapshots = Snapshots(store_of(settings), site, _NOT_A_HOLDER)
            newer = snapshots.newer_than(state)
            if newer is not None:
                path = Path(opened.enter_context(tempfile.TemporaryDirectory())) / "state.db"
                snapshots.restore(newer, path)
                state = _opened(path, opened)
        yield state


def _opened(path: Path, opened: ExitStack) -> CrawlState | None:
    state = open_for_reading(path)
    return state and opened.enter_context(closing(state))
