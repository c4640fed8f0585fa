"""What a new crawl of a site takes over from the one before: what `tallyho` has learned of it."""

import logging
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from crawler.config.site import SiteConfig
from crawler.config.strategy import TallyhoConfig
from crawler.errors import TallyhoError
from crawler.state.crawl_state import CrawlState
from crawler.state.records import Changes

log = logging.getLogger(__name__)


def inherit(state: CrawlState, site: SiteConfig, previous: Path) -> None:
    """Begin with the weights of the site's last crawl; links, pages and totals begin anew.

    Weights of other sites would mislead: nothing is taken over unless site and start page are the
    same. A file that cannot be read is no obstacle.
    """
    if not isinstance(site.strategy, TallyhoConfig) or not previous.exists():
        return
    try:
        with closing(CrawlState(previous)) as before:
            known = before.identity()
            if known is None or (known.site, known.start_url) != (site.name, site.start_url):
                return
            weights = list(before.weights())
            # Features name actions by their number, so the numbers stay; what they gave does not.
            actions = [replace(row, selections=0, reward=0.0) for row in before.actions()]
    except TallyhoError as error:
        log.warning("%s: nothing is taken over from the last crawl: %s", site.name, error)
        return
    if weights:
        state.commit(Changes(weights=weights, actions=actions))
