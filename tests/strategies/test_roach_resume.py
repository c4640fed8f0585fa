"""`roach` after a restart: a crawl that dies in most of its steps decides as the living one."""

import pytest

from crawler.lab.sites.demo import demo_site
from tests.engine.crawl_run import site_config
from tests.engine.nasty_site import NastySite, nasty_config
from tests.engine.resumed_crawl import LoggedDemo, assert_resumed_exactly
from tests.engine.scripted_site import HOME, ScriptedSite, file, status
from tests.strategies.styled_site import sheet, styled


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"apprentice": "both", "stack": [["text", "css", "parent"]]},
        {"critic": "similarity", "reinforcement": False, "threshold": 0.05},
    ],
    ids=["defaults", "forest", "similarity"],
)
def test_crawl_of_the_demo_site_that_dies_in_most_steps(tmp_path, parameters):
    config = site_config(
        start_url="http://127.0.0.1:8350/",
        allow_private_hosts=True,
        strategy={"name": "roach", "round": 15, "rounds": 3, **parameters},
    )
    sites = LoggedDemo(demo_site(40, 3)), LoggedDemo(demo_site(40, 3))
    whole = assert_resumed_exactly(config, sites, tmp_path, share=0.7)
    assert len(whole.tables["target"]) > 10
    kept = {name.partition(" ")[0] for name, _ in whole.tables["memory"]}
    assert kept >= {"model", "example", "page", "look"}
    assert "links" not in kept  # nothing waits any more


@pytest.mark.parametrize("seed", range(4))
def test_crawl_of_a_nasty_site_that_dies_anywhere(tmp_path, seed):
    nasty = NastySite(seed)
    assert_resumed_exactly(
        nasty_config("roach", seed), (nasty.served(), nasty.served()), tmp_path, share=0.8
    )


def test_crawl_that_dies_while_a_page_waits_for_its_sheets(tmp_path):
    answers = {
        "/": styled("/data", "/about", sheets=["/a.css", "/lost.css", "/b.css"]),
        "/data": styled("/1.csv", "/2.csv", sheets=["/b.css"]),
        "/about": styled("/3.csv", "/more", sheets=["/a.css", "/c.css"]),
        "/a.css": sheet("@import 'inner.css'; a { color: red }"),
        "/inner.css": [status(503), sheet(".x { left: 9px }")],
        "/b.css": sheet("li { font-size: 20px }"),
        "/c.css": sheet("a { display: block }"),
        "/example": styled("/", text="Births and deaths of the year by region and month."),
        **{f"/{number}.csv": file() for number in (1, 2, 3)},
    }
    similarity = {"critic": "similarity", "examples": [f"{HOME}/example"]}
    config = site_config(strategy={"name": "roach", "round": 10, **similarity})
    sites = ScriptedSite(answers), ScriptedSite(answers)
    whole = assert_resumed_exactly(config, sites, tmp_path, share=1.0)
    asked = [request.url for request in whole.requests]
    assert asked.count(f"{HOME}/a.css") == asked.count(f"{HOME}/b.css") == 1
    assert asked.count(f"{HOME}/inner.css") == 2
    assert len(whole.tables["target"]) == 3
