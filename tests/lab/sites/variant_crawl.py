"""A crawl of a variant with `tallyho`, without limits."""

import time

from crawler.config.strategy import EarlyStopping, TallyhoConfig
from crawler.engine.crawl import Crawl
from crawler.lab.measured_run import site_for
from crawler.lab.sites.variants.variant import Variant
from crawler.state.crawl_state import CrawlState
from crawler.strategies.make import make_strategy


def crawl_of(
    site: Variant, state: CrawlState, seed: int = 1, stopping: EarlyStopping | None = None
) -> Crawl:
    """Ready to be replayed."""
    config = site_for(site.start_url, seed, targets=site.target_types, scope=site.scope)
    config = config.model_copy(update={"early_stopping": stopping or False})
    return Crawl(
        config,
        make_strategy(TallyhoConfig(), seed),
        state,
        agent="Tallyho",
        wall_clock=time.time,
        monotonic=time.monotonic,
    )
