"""Variants of synthetic sites: the trait is there, and nothing of the site below is lost."""

import re

import pytest

from crawler.config.strategy import EarlyStopping
from crawler.lab.measured_site import open_measured_site
from crawler.lab.replay import replay
from crawler.lab.sites.variants import VARIANTS, variant_site
from crawler.learning.link_features import shape_of
from crawler.pages.html import PageReader
from crawler.pages.mime import UrlClass
from crawler.pages.reasons import SkipReason
from crawler.pipeline.report.wording import stop_sentence
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.stop import StopReason
from tests.lab.sites.variant_crawl import crawl_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", VARIANTS)
def test_every_target_is_reached(name):
    site = variant_site(name, 120, 1)
    state = CrawlState(IN_MEMORY, steps_per_commit=1000)
    crawl = crawl_of(site, state)
    assert replay(crawl, state, site.respond).targets == site.targets()
    state.close()


@pytest.mark.parametrize("name", VARIANTS)
def test_same_seed_is_the_same_site_and_truth_is_what_is_answered(name):
    one, other = (open_measured_site(f"synth:{name}:120:3") for _ in range(2))
    start = one.respond(one.start_url)
    assert start.body == other.respond(other.start_url).body
    reader = PageReader()
    links = [link.url for link in reader.read(start.body, one.start_url, "text/html").links]
    for url in links:
        if url.startswith(one.start_url):
            answered = one.respond(url)
            is_page = answered.status == 200 and "html" in answered.headers["Content-Type"]
            assert (one.url_class(url) is UrlClass.HTML) == is_page or 300 <= answered.status < 400


def test_many_paths_have_hundreds_of_shapes_where_the_kind_has_dozens():
    reader = PageReader()

    def shapes(name: str) -> int:
        site = open_measured_site(f"synth:{name}:120:1")
        below = getattr(site, "site", site)
        found = set()
        for path in below.page_paths():
            body = site.respond(below.base + path).body
            page = reader.read(body, below.base + path, "text/html")
            found |= {shape_of(link.tag_path) for link in page.links}
        return len(found)

    assert shapes("ce") < 60
    assert shapes("many-paths") > 300


def test_dead_links_of_every_pattern_are_dead():
    site = variant_site("dead-links", 120, 1)
    body = site.respond(site.start_url).body.decode()
    tail = body[body.rindex('<ul class="links">') :]
    hrefs = [href.replace("&amp;", "&") for href in re.findall('href="([^"]*)"', tail)]
    assert len(hrefs) == 6
    for href in hrefs:
        assert site.respond(href if "://" in href else site.base + href).status == 404


def test_endless_parts_are_seen_and_left_for_the_end():
    """Print versions are skipped after a few; calendar and facets wait, and are read in the end."""
    site = variant_site("endless", 120, 1)
    state = CrawlState(IN_MEMORY, steps_per_commit=1000)
    crawl = crawl_of(site, state)
    done = replay(crawl, state, site.respond)
    last = done.requests_until(1, site.targets())
    skipped = crawl.totals.skipped
    assert skipped[SkipReason.IDLE_PARAMETER.value] > 60
    asked = [
        (number, url)
        for number, url in state.rows(
            "SELECT step.number, link.url FROM step JOIN link ON link.id = step.link"
        )
    ]
    state.close()
    assert sum("print=1" in url for _, url in asked) < 12
    calendar = [number for number, url in asked if "/events/" in url]
    assert max(calendar) > last
    assert sum(number <= last for number in calendar) < 80


@pytest.mark.parametrize("pages", [120, 400])
def test_early_stopping_keeps_the_targets_of_an_endless_site_and_leaves_the_rest(pages):
    """The smaller one has no ordinary links left, the larger one a few that promise nothing."""
    site = variant_site("endless", pages, 1)
    state = CrawlState(IN_MEMORY, steps_per_commit=1000)
    crawl = crawl_of(site, state, stopping=EarlyStopping())
    done = replay(crawl, state, site.respond)
    waiting = [state.link(link).url for link in state.deferred()]
    state.close()
    assert crawl.stopped is not None
    assert crawl.stopped.reason is StopReason.YIELD_EXHAUSTED
    sentence = stop_sentence(crawl.stopped.reason, crawl.stopped.detail)
    assert "waiting links, so early stopping ended it" in sentence
    if pages == 120:
        assert f" {len(waiting) + 1:,} waiting links" in sentence
    assert all("/events/" in url or "/browse?" in url for url in waiting)
    assert done.targets == site.targets()
    assert done.requests < 2.5 * site.available()
