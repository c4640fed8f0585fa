"""`focused` after a restart: the whole crawl, killed in every step, decides as the living one."""

import pytest

from crawler.config.site import SiteConfig
from crawler.lab.sites.demo import demo_site
from tests.engine.crawl_run import site_config
from tests.engine.nasty_site import NastySite, nasty_config
from tests.engine.resumed_crawl import LoggedDemo, assert_resumed_exactly


def focused(config: SiteConfig, period: int) -> SiteConfig:
    strategy = config.strategy.model_copy(update={"period": period})
    return config.model_copy(update={"strategy": strategy})


@pytest.mark.slow
@pytest.mark.parametrize("period", [1, 25])
def test_crawl_of_the_demo_site_that_dies_in_most_steps(tmp_path, period):
    config = site_config(
        start_url="http://127.0.0.1:8350/", allow_private_hosts=True, strategy="focused"
    )
    sites = LoggedDemo(demo_site(40, 3)), LoggedDemo(demo_site(40, 3))
    whole = assert_resumed_exactly(focused(config, period), sites, tmp_path, share=0.7)
    # It was trained, and more than once.
    assert whole.tables["model"][0][-1] >= 2
    assert len(whole.tables["target"]) > 10


@pytest.mark.parametrize("seed", range(3))
def test_crawl_of_a_nasty_site_that_dies_anywhere(tmp_path, seed):
    config = focused(nasty_config("focused", seed), period=3)
    nasty = NastySite(seed)
    assert_resumed_exactly(config, (nasty.served(), nasty.served()), tmp_path, share=0.8)
