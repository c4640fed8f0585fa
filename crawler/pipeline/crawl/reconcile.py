"""What the crawl state knows and catalog or store do not is repaired before a run starts.

The order of writing (store, catalog, state) makes every file of the state known to the others. A
catalog or a store that was restored from a backup, or a disk that lost what it called written,
breaks that; without this those files would never be asked for again.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from crawler.catalog.read.recorded_versions import PAGE, recorded_versions
from crawler.pages.kept_file import KeptFile
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.history_records import VisitKind, VisitOutcome
from crawler.state.kept_files import kept_files
from crawler.storage.interface import ObjectStore

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was repaired."""

    recorded: int = 0
    """Files that are in the store and were recorded in the catalog once more."""
    to_fetch: int = 0
    """Files whose bytes are missing or short, which the crawl fetches again."""

    def __bool__(self) -> bool:
        return bool(self.recorded or self.to_fetch)


def reconcile(
    state: CrawlState, services: Services, site: str, record: Callable[[KeptFile], None]
) -> Reconciled:
    """Compare a state with catalog and store; `record` writes a file to the catalog again."""
    recorded, lost = 0, []
    busy = _in_work(state)
    every = kept_files(state)
    while files := list(islice(every, PAGE)):
        known = recorded_versions(services.database, site, [file.url for file in files])
        for file in files:
            has_bytes = known.get((file.url, file.download.sha256))
            if has_bytes is False:
                continue  # taken down, or let go by retention
            if _is_lost(services.store, file, in_catalog=bool(has_bytes)):
                if file.id not in busy:
                    lost.append(file)
            elif has_bytes is None:
                record(file)
                recorded += 1
    if lost:
        _fetch_again(state, lost)
    done = Reconciled(recorded, len(lost))
    if done:
        log.warning(
            "%s: the state knew %d files that the catalog did not, which were recorded again, and "
            "%d whose bytes are not in the store, which are fetched again",
            site,
            done.recorded,
            done.to_fetch,
        )
    return done


def _is_lost(store: ObjectStore, file: KeptFile, *, in_catalog: bool) -> bool:
    sha256 = file.download.sha256
    if in_catalog and store.local_path(sha256) is None:
        # Asking a server for every object would take minutes; upkeep reads them over the month.
        return False
    return store.size(sha256) != file.download.size


def _in_work(state: CrawlState) -> set[int]:
    """Links of files that a night in progress is about to check; the run after it looks again."""
    progress: dict[str, Any] = json.loads(state.progress() or "{}")
    task, night, run = progress.get("task"), progress.get("night"), state.run()
    busy = {int(task["link"]["id"])} if task else set()
    if night and run is not None and not run.over and night["run_id"] == run.run_id:
        busy.update(
            visit.link
            for visit in state.history.visits()
            if visit.kind is VisitKind.FILE and visit.outcome is VisitOutcome.PLANNED
        )
    return busy


def _fetch_again(state: CrawlState, lost: list[KeptFile]) -> None:
    progress = json.loads(state.progress())
    totals = progress["totals"]
    for file in lost:
        totals["targets"] -= 1
        totals["kept"] -= file.download.size
        totals["groups"][file.download.group] -= 1
    state.forget_targets([file.id for file in lost], json.dumps(progress))
