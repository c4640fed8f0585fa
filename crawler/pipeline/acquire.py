"""The acquisition of one site: choose a link, fetch it, read it, learn from it, keep targets."""

import json
import secrets
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.crawl import Crawl
from crawler.engine.events import Event, TargetKept
from crawler.engine.stop import StopReason
from crawler.errors import ConfigError
from crawler.pipeline.fetching import agent_of, fetcher_for
from crawler.pipeline.manifest import Manifest
from crawler.pipeline.summary import CrawlSummary
from crawler.state.crawl_state import CrawlState
from crawler.state.lock import site_lock
from crawler.state.reports import top_actions
from crawler.storage.local_folder import LocalFolder
from crawler.strategies.make import make_strategy
from crawler.web.pacer import Interrupted, Pacer
from crawler.web.user_agent import product_token

LEAST_FREE_BYTES = 200 * 1000**2
"""A disk with less room than this ends the crawl while its state can still be saved."""


@dataclass(frozen=True, slots=True)
class View:
    """What a display may look at while the crawl runs."""

    crawl: Crawl
    state: CrawlState


@dataclass(frozen=True, slots=True)
class Watch:
    """How a caller follows a crawl and ends it."""

    on_start: Callable[[View], None] = lambda _: None
    on_event: Callable[[Event], None] = lambda _: None
    on_tick: Callable[[], None] = lambda: None
    """Called at every step, and every second of waiting."""
    stop_requested: Callable[[], bool] = lambda: False


def acquire(
    site: SiteConfig,
    settings: Settings,
    *,
    fresh: bool = False,
    watch: Watch | None = None,
    least_free_bytes: int = LEAST_FREE_BYTES,
) -> CrawlSummary:
    """Crawl a site until it is done, its budget is spent, or somebody asks it to stop.

    A crawl that was interrupted in whatever way goes on where it was. `fresh` begins again; files
    that were acquired stay in the store.
    """
    watch = watch or Watch()
    path = settings.state_path(site.name)
    with site_lock(path.with_suffix(".lock"), site.name):
        if fresh:
            _set_aside(path, settings.manifest_path(site.name))
        with closing(CrawlState(path)) as state:
            _check_identity(site, state)
            return _run(site, settings, state, watch, least_free_bytes)


def is_complete(settings: Settings, site: SiteConfig) -> bool:
    """Whether the last run of this site left nothing to go on with."""
    path = settings.state_path(site.name)
    if not path.exists():
        return False
    with closing(CrawlState(path)) as state:
        reason = state.meta().get("stop_reason", "")
    return bool(reason) and StopReason(reason).complete


def _run(
    site: SiteConfig, settings: Settings, state: CrawlState, watch: Watch, least_free_bytes: int
) -> CrawlSummary:
    run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    resumed = bool(state.progress())
    state.set_meta({"run_id": run_id, "stop_reason": "", "stop_detail": ""})
    pacer = Pacer(on_tick=watch.on_tick, stop_requested=watch.stop_requested)
    if resumed:
        # Nobody knows when the last request of the interrupted run went out.
        pacer.hold(urlsplit(site.start_url).hostname or "")
    crawl = Crawl(
        site,
        make_strategy(site.strategy, site.seed),
        state,
        agent=product_token(agent_of(site)),
        wall_clock=time.time,
        monotonic=time.monotonic,
    )
    store = LocalFolder(settings.blob_root)
    with (
        closing(fetcher_for(site, pacer)) as fetcher,
        closing(Manifest(settings.manifest_path(site.name), state)) as manifest,
    ):
        watch.on_start(View(crawl, state))
        while (request := crawl.next_request()) is not None:
            if watch.stop_requested():
                crawl.stop(StopReason.INTERRUPTED)
                break
            if store.free_bytes() < least_free_bytes:
                crawl.stop(StopReason.DISK_FULL, f"less than {least_free_bytes:,} bytes are free")
                break
            try:
                reply = fetcher.fetch(request, crawl.on_headers, store.spool)
            except Interrupted:
                crawl.stop(StopReason.INTERRUPTED)
                break
            events = crawl.receive(reply)
            state.commit(crawl.take_changes())
            for event in events:
                if isinstance(event, TargetKept):
                    manifest.add(event.link)
                watch.on_event(event)
            watch.on_tick()
    state.commit(crawl.take_changes())
    return _finish(site, settings, state, crawl, run_id, resumed)


def _finish(
    site: SiteConfig,
    settings: Settings,
    state: CrawlState,
    crawl: Crawl,
    run_id: str,
    resumed: bool,
) -> CrawlSummary:
    stopped = crawl.stopped
    if stopped is None:
        raise RuntimeError("the crawl ended without a reason")
    run = crawl.totals.since(crawl.budget.start)
    state.set_meta(
        {
            "stop_reason": stopped.reason.value,
            "stop_detail": stopped.detail,
            "stopped_at": datetime.now(UTC).isoformat(),
        }
    )
    return CrawlSummary(
        site=site.name,
        run_id=run_id,
        strategy=site.strategy.name.value,
        stop_reason=stopped.reason,
        stop_detail=stopped.detail,
        requests=run.requests,
        heads=run.heads,
        pages=run.pages,
        targets=run.targets,
        bytes=run.received,
        target_bytes=run.kept,
        retries=run.retries,
        skipped=dict(run.skipped.most_common()),
        formats=dict(run.groups.most_common()),
        minutes=crawl.budget.minutes,
        files=str(settings.blob_root / "blobs"),
        manifest=str(settings.manifest_path(site.name)),
        in_all=crawl.totals.save(),
        top_actions=top_actions(state, 5),
        resumed=resumed,
    )


def _set_aside(*paths: Path) -> None:
    """Begin again, but keep one generation of what was there."""
    for path in paths:
        for part in ("", "-wal", "-shm"):  # the log of a killed run belongs to its database
            old, new = path.name + part, f"{path.stem}.previous{path.suffix}{part}"
            if path.with_name(old).exists():
                path.with_name(old).replace(path.with_name(new))
            else:
                path.with_name(new).unlink(missing_ok=True)


def _check_identity(site: SiteConfig, state: CrawlState) -> None:
    """A crawl goes on only as what it was begun: its decisions depend on these values."""
    wanted = {
        "site": site.name,
        "start_url": site.start_url,
        "strategy": json.dumps(site.strategy.model_dump(mode="json"), sort_keys=True),
        "seed": str(site.seed),
    }
    known = state.meta()
    if "site" not in known:
        state.set_meta(wanted | {"created_at": datetime.now(UTC).isoformat()})
        return
    for key, value in wanted.items():
        if known.get(key) != value:
            raise ConfigError(
                f"the crawl in {state.path} was begun with {key} {known.get(key)}, and now it is "
                f"{value}: set it back, or begin again with --fresh",
                site=site.name,
            )
