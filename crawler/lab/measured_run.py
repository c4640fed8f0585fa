"""One crawl over a measured site: what it cost, what it gave, and how that came."""

import resource
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from crawler.config.scope import ScopeConfig
from crawler.config.site import SiteConfig
from crawler.config.strategy import BreadthFirstConfig, StrategyConfig
from crawler.engine.crawl import Crawl
from crawler.engine.events import Event, TargetKept
from crawler.lab.confusion import Confusion, GuessWatch
from crawler.lab.entrant import Entrant
from crawler.lab.measured_site import MeasuredSite, open_measured_site
from crawler.lab.oracles.config import DomOffConfig, OmniscientConfig, OracleName
from crawler.lab.oracles.make import make_lab_strategy
from crawler.lab.replay import Replayed, Volumes, replay
from crawler.pages.mime_groups import DEFAULT_TARGETS
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.strategies.interface import Strategy

Answer = TypeVar("Answer")

SHARE = 0.9
"""The share of targets, and of their volume, that Tables II and III of paper 000 count to."""

MILESTONES = (0.5, 0.8, 0.9, 0.99)
"""The shares of the targets that comparisons count requests to."""

TOP_GROUPS = 10
"""The groups that Figure 4 shows."""

_CURVE_POINTS = 1000
_STEPS_PER_COMMIT = 1000
_SMALL_SITE_SAMPLE = 5
"""dom-off may sample one fifth of a site: of a smaller one it would otherwise see everything."""


@dataclass(frozen=True, slots=True)
class SiteTruth:
    """What there is to be found on a site."""

    spec: str
    name: str
    targets: int
    available: int
    volumes: Volumes


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl to be made."""

    site: SiteTruth
    entrant: Entrant
    seed: int
    to_the_end: bool = True
    """Or only until it has all targets: what comes after changes no share, volume or curve."""

    def __str__(self) -> str:
        return f"{self.site.name} {self.entrant.label} {self.seed}"


@dataclass(frozen=True, slots=True)
class Point:
    """Where a crawl stood after a number of requests."""

    requests: int
    targets: int
    target_bytes: int
    other_bytes: int


@dataclass(frozen=True, slots=True)
class GroupReward:
    """What following links of one group of tag paths gave on average."""

    path: str
    selections: int
    mean: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What one crawl came to."""

    requests: int
    heads: int
    targets: int
    requests_to_share: int | None
    """Until 90% of the targets; None when it never got there."""
    other_bytes_to_share: int | None
    """Bytes of non-targets until 90% of the target volume."""
    milestones: tuple[int | None, ...]
    """Requests until each of `MILESTONES` of the targets; None for one that it never got to."""
    area: float
    """Area under the curve of targets over requests, up to as many requests as the site has pages
    and targets: 1 if all targets came at once."""
    curve: tuple[Point, ...]
    confusion: Confusion | None
    """None where the strategy does not guess classes, or knows them."""
    groups: tuple[GroupReward, ...]
    """The best first."""
    cpu_seconds: float
    """Of engine, strategy and state; making the site's answers is not in it."""
    peak_bytes: int
    """Of the whole process, which made this run alone."""

    @property
    def cpu_per_request(self) -> float:
        """Seconds of processor time per request."""
        return self.cpu_seconds / max(self.requests, 1)


def truth_of(spec: str) -> SiteTruth:
    """Count what a site has; reads or makes all of it once."""
    with closing(open_measured_site(spec)) as site:
        return SiteTruth(spec, site.name, site.targets(), site.available(), site.volumes())


def measure(run: Run) -> Measured:
    """Crawl a site from its start to its end."""
    with closing(open_measured_site(run.site.spec)) as site:
        config = _config(site, run.seed)
        if isinstance(run.entrant.config, OmniscientConfig):
            config = config.model_copy(update={"start_also": tuple(_target_urls(site))})
        return _measure(run, site, config)


def _measure(run: Run, site: MeasuredSite, config: SiteConfig) -> Measured:
    respond, oracle = _Clocked(site.respond), _Clocked(site.url_class)
    chosen = _fitted(run.entrant.config, run.site)
    strategy = make_lab_strategy(chosen, run.seed, oracle)
    guesses = GuessWatch(strategy, oracle)
    with closing(CrawlState(IN_MEMORY, steps_per_commit=_STEPS_PER_COMMIT)) as state:
        begin = time.process_time()
        enough = None if run.to_the_end else run.site.targets
        replayed = replay(_crawl(config, strategy, state), state, respond, enough=enough)
        spent = time.process_time() - begin - respond.seconds - oracle.seconds
        groups = _groups(state)
    truth = run.site
    return Measured(
        requests=replayed.requests,
        heads=replayed.heads,
        targets=replayed.targets,
        requests_to_share=replayed.requests_until(SHARE, truth.targets),
        other_bytes_to_share=replayed.other_bytes_until(SHARE, truth.volumes.target),
        milestones=tuple(replayed.requests_until(share, truth.targets) for share in MILESTONES),
        area=_area(replayed, truth),
        curve=_curve(replayed),
        confusion=None if isinstance(chosen.name, OracleName) else guesses.confusion(),
        groups=groups,
        cpu_seconds=spent,
        peak_bytes=peak_bytes(),
    )


def _crawl(config: SiteConfig, strategy: Strategy, state: CrawlState) -> Crawl:
    return Crawl(
        config,
        strategy,
        state,
        agent="Tallyho",
        wall_clock=time.time,
        monotonic=time.monotonic,
    )


class _Clocked(Generic[Answer]):
    """Asks the site about a URL, and knows how long that took."""

    def __init__(self, function: Callable[[str], Answer]) -> None:
        self._function = function
        self.seconds = 0.0

    def __call__(self, url: str) -> Answer:
        begin = time.process_time()
        url_class = self._function(url)
        self.seconds += time.process_time() - begin
        return url_class


def site_for(
    start_url: str,
    seed: int,
    *,
    targets: Sequence[str] = tuple(DEFAULT_TARGETS),
    scope: ScopeConfig | None = None,
) -> SiteConfig:
    """A site file without limits, for a crawl that costs nobody anything."""
    return SiteConfig.model_validate(
        {
            "name": "replay",
            "start_url": start_url,
            "targets": tuple(targets),
            "scope": scope or ScopeConfig(),
            "allow_private_hosts": True,
            "seed": seed,
            "early_stopping": False,
            "budget": {"requests": 10**9, "bytes": None, "minutes": 500_000.0},
        }
    )


def _config(site: MeasuredSite, seed: int) -> SiteConfig:
    return site_for(site.start_url, seed, targets=site.target_types, scope=site.scope)


def _fitted(config: StrategyConfig, site: SiteTruth) -> StrategyConfig:
    if not isinstance(config, DomOffConfig):
        return config
    limit = max(1, site.available // _SMALL_SITE_SAMPLE)
    return config.model_copy(update={"sample": min(config.sample, limit)})


def _target_urls(site: MeasuredSite) -> list[str]:
    """Every target that links lead to, by a crawl that is not counted."""
    kept_urls: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, TargetKept):
            kept_urls.append(event.file.url)

    config = _config(site, seed=0)
    strategy = make_lab_strategy(BreadthFirstConfig(), config.seed, site.url_class)
    with closing(CrawlState(IN_MEMORY, steps_per_commit=_STEPS_PER_COMMIT)) as state:
        replay(_crawl(config, strategy, state), state, site.respond, note)
    return kept_urls


def _curve(replayed: Replayed) -> tuple[Point, ...]:
    last = replayed.requests - 1
    picked = sorted({round(i * last / _CURVE_POINTS) for i in range(_CURVE_POINTS + 1)})
    return tuple(
        Point(
            at + 1,
            replayed.targets_after[at],
            replayed.target_bytes_after[at],
            replayed.other_bytes_after[at],
        )
        for at in picked
        if 0 <= at < len(replayed.targets_after)
    )


def _area(replayed: Replayed, truth: SiteTruth) -> float:
    after = replayed.targets_after[: truth.available]
    if not after or not truth.targets:
        return 0.0
    missing = max(truth.available - len(after), 0)
    return (sum(after) + missing * after[-1]) / (truth.targets * max(truth.available, 1))


def _groups(state: CrawlState) -> tuple[GroupReward, ...]:
    rewards = [
        GroupReward(row.path, row.selections, row.reward / row.selections)
        for row in state.actions()
        if row.selections
    ]
    return tuple(sorted(rewards, key=lambda group: -group.mean)[:TOP_GROUPS])


def peak_bytes() -> int:
    """The most memory that this process has had."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    # What getrusage says includes the process that started this one.
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
