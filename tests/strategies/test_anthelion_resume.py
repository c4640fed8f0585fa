"""`anthelion` after a restart, with what `tests/engine/test_exact_resume.py` does not choose."""

import pytest

from crawler.lab.sites.demo import demo_site
from tests.engine.crawl_run import site_config
from tests.engine.nasty_site import NastySite, nasty_config
from tests.engine.resumed_crawl import LoggedDemo, at_random, crawl_with, never


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [
        {"classifier": "hoeffding_tree", "score": "thompson_sampling_best_score"},
        {"groups": "directories", "score": "thompson_sampling", "decay": None},
    ],
    ids=["tree", "directories"],
)
def test_crawl_of_the_demo_site_that_dies_in_most_steps(tmp_path, parameters):
    config = site_config(
        start_url="http://127.0.0.1:8350/",
        allow_private_hosts=True,
        strategy={"name": "anthelion"} | parameters,
    )
    sites = [LoggedDemo(demo_site(60, 3)) for _ in range(2)]
    whole = crawl_with(never, config, sites[0], tmp_path / "whole.db")
    died = crawl_with(at_random(seed=4, share=0.7), config, sites[1], tmp_path / "died.db")
    assert died.requests == whole.requests
    assert died.tables == whole.tables
    assert died.deaths > 5
    assert len(whole.tables["target"]) > 10
    assert len(whole.tables["memory"]) > 10


@pytest.mark.parametrize("seed", range(3))
def test_crawl_of_a_nasty_site_that_dies_anywhere(tmp_path, seed):
    nasty, config = NastySite(seed), nasty_config("anthelion", seed)
    whole = crawl_with(never, config, nasty.served(), tmp_path / "whole.db")
    dying = at_random(seed=4, share=0.8)
    died = crawl_with(dying, config, nasty.served(), tmp_path / "died.db")
    assert died.requests == whole.requests
    assert died.tables == whole.tables
