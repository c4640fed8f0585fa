"""`roach` with `styles: computed`: Chromium says what links look like."""

import shutil

import pytest

from crawler.config.roach import RoachConfig
from crawler.errors import ConfigError
from crawler.pipeline.crawl.browser import browser_for
from crawler.strategies.make import make_strategy
from crawler.web.chromium import NAMES
from tests.engine.crawl_run import crawl_all
from tests.engine.scripted_site import HTML, Answer, Script, ScriptedSite, file
from tests.strategies.styled_site import sheet

CONFIG = RoachConfig.model_validate(
    {"styles": "computed", "stack": [["css"]], "apprentice": "ridge", "round": 10}
)
# Neither `var()` nor `calc()` is worked out without a browser.
SHEET = ":root { --large: calc(10px * 3) } a[href^='/file'] { font-size: var(--large) }"


def two_lists() -> dict[str, Script]:
    """Half of the links of the start page are files; only a browser sees which."""
    links = "".join(
        f"<p><a href='/{kind}/{n}'>item</a></p>" for n in range(20) for kind in ("dead", "file")
    )
    head = "<head><link rel='stylesheet' href='/1.css'></head>"
    start = f"<html>{head}<body>{links}</body></html>"
    return {
        "/": Answer(headers={"Content-Type": HTML}, body=start.encode()),
        "/1.css": sheet("@import '2.css';"),
        "/2.css": sheet(SHEET),
        **{f"/file/{n}": file(f"n\n{n}\n") for n in range(20)},
    }


@pytest.mark.slow
@pytest.mark.skipif(not any(map(shutil.which, NAMES)), reason="no chromium on this machine")
def test_links_that_look_like_targets_to_a_browser_go_first() -> None:
    site = ScriptedSite(two_lists())
    run = crawl_all(site, make_strategy(CONFIG, 1, browser=browser_for(CONFIG)), strategy="roach")
    paths = [entry.removeprefix("GET ") for entry in site.asked]
    assert paths[:3] == ["/", "/1.css", "/2.css"]
    assert [path.split("/")[1] for path in paths[3:13]] == ["dead", "file"] * 5
    assert {path.split("/")[1] for path in paths[13:28]} == {"file"}
    # Two sheets, 40 links, the start page and robots.txt: the browser asks for nothing.
    assert run.totals.requests == 44


def test_styles_that_need_a_browser_are_refused_where_there_is_none(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match="none of chromium, chromium-browser"):
        browser_for(CONFIG)
    assert browser_for(RoachConfig()) is None
