"""Strategies side by side on one made site: how many requests until 90% of its targets."""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context

from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyName
from crawler.engine.crawl import Crawl
from crawler.lab.demo import DemoSite
from crawler.lab.replay import Replayed, replay
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.strategies.make import make_strategy

SHARE = 0.9
"""The share of targets that Table II of paper 000 counts to."""

_DRAWS = {StrategyName.SB, StrategyName.RANDOM}
"""Strategies that draw random numbers; the others decide alike in every run."""

_STEPS_PER_COMMIT = 1000


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl to be replayed."""

    strategy: StrategyName
    seed: int
    pages: int
    site_seed: int
    unique_ids: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one strategy needed, over all its runs."""

    strategy: str
    requests: tuple[int, ...]
    """Until 90% of the targets, for each run."""
    whole: int
    """Until the end."""
    targets: int
    available: int
    """Pages and targets that the site has."""

    @property
    def mean(self) -> float:
        """Mean requests until 90% of the targets."""
        return statistics.fmean(self.requests)

    @property
    def deviation(self) -> float:
        """Standard deviation over the runs."""
        return statistics.pstdev(self.requests)

    @property
    def percent(self) -> float:
        """The mean as a percentage of what the site has, as in Table II."""
        return 100 * self.mean / self.available

    def as_dict(self) -> dict[str, object]:
        """The same for `--json`."""
        return {
            "strategy": self.strategy,
            "runs": list(self.requests),
            "requests_to_90_percent": self.mean,
            "deviation": self.deviation,
            "percent_of_site": self.percent,
            "requests_in_all": self.whole,
            "targets": self.targets,
        }


def compare(
    strategies: Sequence[StrategyName],
    *,
    runs: int,
    pages: int,
    site_seed: int,
    unique_ids: bool = False,
    on_run: Callable[[int, int], None] | None = None,
) -> list[Comparison]:
    """Replay every strategy, in several processes; `on_run` is told how many runs are done."""
    site = DemoSite(pages, site_seed, unique_ids=unique_ids)
    targets = sum(1 for _ in site.target_paths())
    available = targets + sum(1 for _ in site.page_paths())
    planned = [
        Run(strategy, seed, pages, site_seed, unique_ids)
        for strategy in strategies
        for seed in range(runs if strategy in _DRAWS else 1)
    ]
    replayed: dict[Run, Replayed] = {}
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(replay_run, run): run for run in planned}
        for done, future in enumerate(as_completed(waiting), 1):
            replayed[waiting[future]] = future.result()
            if on_run is not None:
                on_run(done, len(planned))
    return [
        _summed_up(
            strategy,
            [replayed[run] for run in planned if run.strategy is strategy],
            targets,
            available,
        )
        for strategy in strategies
    ]


def _summed_up(
    strategy: StrategyName, replays: Sequence[Replayed], targets: int, available: int
) -> Comparison:
    return Comparison(
        strategy=strategy.value,
        # Who never gets there has needed all its requests at least.
        requests=tuple(r.requests_until(SHARE, targets) or r.requests for r in replays),
        whole=max(r.requests for r in replays),
        targets=min(r.targets for r in replays),
        available=available,
    )


def replay_run(run: Run) -> Replayed:
    """One crawl over a made site, from its start to its end."""
    demo = DemoSite(run.pages, run.site_seed, unique_ids=run.unique_ids)
    site = site_for(f"{demo.base}/", run.strategy, run.seed)
    state = CrawlState(IN_MEMORY, steps_per_commit=_STEPS_PER_COMMIT)
    crawl = Crawl(
        site,
        make_strategy(site.strategy, site.seed),
        state,
        agent="Tallyho",
        wall_clock=time.time,
        monotonic=time.monotonic,
    )
    return replay(crawl, state, demo.respond)


def site_for(start_url: str, strategy: StrategyName, seed: int) -> SiteConfig:
    """A site file without limits, for a crawl that costs nobody anything."""
    return SiteConfig.model_validate(
        {
            "name": "replay",
            "start_url": start_url,
            "allow_private_hosts": True,
            "politeness": {"delay": 0.0},
            "strategy": strategy.value,
            "seed": seed,
            "early_stopping": False,
            "budget": {"requests": 10**9, "minutes": 10.0**6},
        }
    )
