"""`tallyho` after a restart: a crawl that dies in most of its steps decides as the living one."""

import pytest

from crawler.lab.sites.demo import demo_site
from tests.engine.crawl_run import site_config
from tests.engine.nasty_site import NastySite, nasty_config
from tests.engine.resumed_crawl import LoggedDemo, assert_resumed_exactly


@pytest.mark.slow
@pytest.mark.parametrize("exploration", [0.05, 0.5])
def test_crawl_of_the_demo_site_that_dies_in_most_steps(tmp_path, exploration):
    config = site_config(
        start_url="http://127.0.0.1:8350/",
        allow_private_hosts=True,
        strategy={"name": "tallyho", "exploration": exploration},
    )
    sites = LoggedDemo(demo_site(40, 3)), LoggedDemo(demo_site(40, 3))
    whole = assert_resumed_exactly(config, sites, tmp_path, share=0.7)
    assert len(whole.tables["weight"]) > 100
    assert len(whole.tables["target"]) > 10


@pytest.mark.parametrize("seed", range(4))
def test_crawl_of_a_nasty_site_that_dies_anywhere(tmp_path, seed):
    nasty = NastySite(seed)
    assert_resumed_exactly(
        nasty_config("tallyho", seed), (nasty.served(), nasty.served()), tmp_path, share=0.8
    )
