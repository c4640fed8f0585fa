"""`acebot` after a restart: in the sample, while patterns are learned, and when it follows them."""

import pytest

from crawler.lab.sites.demo import demo_site
from crawler.strategies.pattern_set import PATTERNS
from tests.engine.crawl_run import site_config
from tests.engine.nasty_site import NastySite, nasty_config
from tests.engine.resumed_crawl import (
    LoggedDemo,
    assert_resumed_exactly,
)


@pytest.mark.slow
@pytest.mark.parametrize("items", ["words", "targets"])
@pytest.mark.parametrize("attributes", ["id", "both"])
def test_crawl_of_the_demo_site_that_dies_in_most_steps(tmp_path, items, attributes):
    config = site_config(
        start_url="http://127.0.0.1:8350/",
        allow_private_hosts=True,
        strategy={"name": "acebot", "items": items, "attributes": attributes},
    )
    sites = LoggedDemo(demo_site(200, 3)), LoggedDemo(demo_site(200, 3))
    whole = assert_resumed_exactly(config, sites, tmp_path, share=0.3)
    memory = dict(whole.tables["memory"])
    assert b'"pattern"' in memory[PATTERNS]
    assert len(whole.tables["action"]) > 3


@pytest.mark.parametrize("seed", range(4))
def test_crawl_of_a_nasty_site_that_dies_anywhere(tmp_path, seed):
    nasty = NastySite(seed)
    assert_resumed_exactly(
        nasty_config("acebot", seed), (nasty.served(), nasty.served()), tmp_path, share=0.8
    )
