"""The recording of a site: a complete, polite crawl whose every answer goes into a replica."""

import time
import zlib
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.config.strategy import BreadthFirstConfig
from crawler.engine.crawl import Crawl
from crawler.engine.events import Stopped
from crawler.lab.replicas.replica import Replica
from crawler.lab.replicas.schema import About, Origin
from crawler.lab.replicas.writer import ReplicaWriter
from crawler.pipeline.crawl.browser import browser_for
from crawler.pipeline.crawl.fetching import agent_of, fetcher_for
from crawler.pipeline.crawl.identity import check_identity
from crawler.pipeline.crawl.watch import View, Watch
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import site_lock
from crawler.state.stop import StopReason
from crawler.strategies.make import make_strategy
from crawler.web.messages import Decision, Method, Reply, Request, StoredFile
from crawler.web.pacer import Interrupted, Pacer

KEPT_BYTES = 2048
"""What is kept of a target by default: enough to tell its type."""

WHOLE_BYTES = 256 * 1024**2
"""The most that is kept of one; SQLite takes no rows over a gigabyte."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recording has so far."""

    stopped: Stopped
    requests: int
    """Of this run."""
    answers: int
    """In the replica, over all runs."""
    pages: int
    targets: int

    @property
    def complete(self) -> bool:
        """Whether nothing is left to record."""
        return self.stopped.reason.complete


class KeptBeginning:
    """A spool that keeps the beginning of a file, compressed, and counts the rest."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._packer = zlib.compressobj()
        self._packed = bytearray()
        self._hash = sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Adds bytes."""
        self._packed += self._packer.compress(data[: self._left])
        self._left = max(self._left - len(data), 0)
        self._hash.update(data)
        self.size += len(data)

    def finish(self) -> StoredFile:
        """Ends the file."""
        self._packed += self._packer.flush()
        return StoredFile(self._hash.hexdigest(), self.size)

    def discard(self) -> None:
        """Forgets what was written."""
        self._packed.clear()

    @property
    def packed(self) -> bytes:
        """What was kept, as zlib."""
        return bytes(self._packed)


def record(
    site: SiteConfig,
    settings: Settings,
    path: Path,
    *,
    keep_bytes: int = KEPT_BYTES,
    plain_names: bool = False,
    watch: Watch | None = None,
) -> Recorded:
    """Record a site until nothing is left, its budget is spent, or somebody asks to stop.

    A recording that was interrupted in whatever way resumes where it was. An answer is in the
    replica before its step is in the state beside it: killed in between, one request is repeated.
    """
    # Everything in the order of its distance, without giving up where nothing is to be had.
    whole = site.model_copy(update={"strategy": BreadthFirstConfig(), "early_stopping": False})
    about = About(site.name, site.start_url, Origin.RECORDED, site.targets, site.scope)
    # The crawl's own lock: a site gets one visitor of ours at a time.
    lock = settings.state_path(site.name).with_suffix(".lock")
    state_path = state_beside(path)
    with site_lock(lock, site.name), ReplicaWriter(path, about, plain_names=plain_names) as replica:
        with closing(CrawlState(state_path)) as state:
            check_identity(whole, state)
            run = _Recording(whole, state, replica, min(keep_bytes, WHOLE_BYTES))
            recorded = run.to_its_end(watch or Watch())
        replica.set_meta(
            {
                "stop_reason": recorded.stopped.reason.value,
                "recorded_until": datetime.now(UTC).isoformat(timespec="seconds"),
                "keep_bytes": str(keep_bytes),
            }
        )
        if recorded.complete:
            for part in ("", "-wal", "-shm"):
                state_path.with_name(state_path.name + part).unlink(missing_ok=True)
    return recorded


def is_complete(path: Path) -> bool:
    """Whether a file is a replica that was recorded to the end."""
    if not path.exists():
        return False
    with closing(Replica(path)) as replica:
        reason = replica.meta().get("stop_reason", "")
    return bool(reason) and StopReason(reason).complete


def state_beside(path: Path) -> Path:
    """Where the crawl's state is until the recording is complete."""
    return path.with_name(f"{path.name}.crawl")


class _Recording:
    def __init__(
        self, site: SiteConfig, state: CrawlState, replica: ReplicaWriter, keep_bytes: int
    ) -> None:
        self._site = site
        self._state = state
        self._replica = replica
        self._keep_bytes = keep_bytes
        self._spool: KeptBeginning | None = None
        """Of the answer that is being received."""
        self._resumed = bool(state.progress())
        self._crawl = Crawl(
            site,
            make_strategy(site.strategy, site.seed, browser=browser_for(site.strategy)),
            state,
            agent=agent_of(site),
            wall_clock=time.time,
            monotonic=time.monotonic,
        )

    def to_its_end(self, watch: Watch) -> Recorded:
        crawl = self._crawl
        pacer = Pacer(on_tick=watch.on_tick, stop_requested=watch.stop_requested)
        if self._resumed:
            # Nobody knows when the last request of the interrupted run went out.
            pacer.hold(urlsplit(self._site.start_url).hostname or "")
        with closing(fetcher_for(self._site, pacer)) as fetcher:
            watch.on_start(View(crawl, self._state))
            while (request := crawl.next_request()) is not None:
                if watch.stop_requested():
                    crawl.stop(StopReason.INTERRUPTED)
                    break
                self._spool = None
                try:
                    reply = fetcher.fetch(request, crawl.on_headers, self._new_spool)
                except Interrupted:
                    crawl.stop(StopReason.INTERRUPTED)
                    break
                self._keep(request, reply)
                events = crawl.receive(reply)
                self._state.commit(crawl.take_changes())
                for event in events:
                    watch.on_event(event)
                watch.on_tick()
        self._state.commit(crawl.take_changes())
        return self._recorded()

    def _new_spool(self) -> KeptBeginning:
        self._spool = KeptBeginning(self._keep_bytes)
        return self._spool

    def _keep(self, request: Request, reply: Reply) -> None:
        """What a GET was answered; an answer that never came is none."""
        if reply.head is None or reply.failure is not None or request.method is not Method.GET:
            return
        # The body is kept decoded, and its length with the row.
        headers = [
            (name, value)
            for name, value in reply.head.headers.items()
            if name not in ("content-encoding", "transfer-encoding", "content-length", "set-cookie")
        ]
        url, status = request.url, reply.head.status
        if reply.decision is Decision.KEEP and self._spool is not None:
            packed, size = self._spool.packed, self._spool.size
            self._replica.put(url, status, headers, compressed=packed, size=size)
        elif reply.decision is Decision.READ:
            self._replica.put(url, status, headers, body=reply.body)
        else:
            length = reply.head.headers.get("content-length", "")
            size = int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0
            self._replica.put(url, status, headers, size=size)

    def _recorded(self) -> Recorded:
        crawl = self._crawl
        if crawl.stopped is None:
            raise RuntimeError("the crawl ended without a reason")
        return Recorded(
            stopped=crawl.stopped,
            requests=crawl.totals.since(crawl.budget.start).requests,
            answers=self._replica.count(),
            pages=crawl.totals.pages,
            targets=crawl.totals.targets,
        )
