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

from crawler.catalog.read.recorded_versions import PAGE, recorded_versions
from crawler.pipeline.services import Services
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import KeptTarget, kept_targets
from crawler.storage.interface import ObjectStore
from crawler.storage.local_folder import LocalFolder

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
    state: CrawlState, services: Services, site: str, record: Callable[[int], None]
) -> Reconciled:
    """Compare a state with catalog and store; `record` writes the target of a link anew."""
    recorded, lost = 0, []
    every = kept_targets(state)
    while targets := list(islice(every, PAGE)):
        known = recorded_versions(services.database, site, [target.url for target in targets])
        for target in targets:
            has_bytes = known.get((target.url, target.sha256))
            if has_bytes is False:
                continue  # taken down, or let go by retention
            if _is_lost(services.store, target, in_catalog=bool(has_bytes)):
                lost.append(target)
            elif has_bytes is None:
                record(target.id)
                recorded += 1
    if lost:
        _fetch_again(state, lost)
    done = Reconciled(recorded, len(lost))
    if done:
        log.warning(
            "%s: the state knew %d files that the catalog did not, which were recorded anew, and "
            "%d whose bytes are not in the store, which are fetched again",
            site,
            done.recorded,
            done.to_fetch,
        )
    return done


def _is_lost(store: ObjectStore, target: KeptTarget, *, in_catalog: bool) -> bool:
    if in_catalog and not isinstance(store, LocalFolder):
        # Asking a server for every object would take minutes; upkeep reads them over the month.
        return False
    return store.size(target.sha256) != target.size


def _fetch_again(state: CrawlState, lost: list[KeptTarget]) -> None:
    progress = json.loads(state.progress())
    totals = progress["totals"]
    for target in lost:
        totals["targets"] -= 1
        totals["kept"] -= target.size
        totals["groups"][target.group] -= 1
    state.forget_targets([target.id for target in lost], json.dumps(progress))
