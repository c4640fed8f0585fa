"""What a server says of its content: validators, sitemaps and feeds, true and untrue ones."""

from dataclasses import replace
from datetime import timedelta

import pytest
from lxml import etree

from crawler.lab.sites.calendar import FIRST_DAY
from crawler.lab.sites.graph import SiteGraph
from crawler.lab.sites.habits import HABITS, FeedStyle, Habits, SitemapStyle, Validators
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from tests.lab.sites.night_truth import truth_of

SPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "a": "http://www.w3.org/2005/Atom"}
VALIDATORS = ("ETag", "Last-Modified")


def site_with(habits: Habits, kind: str = "is") -> SyntheticSite:
    return SyntheticSite(replace(KINDS[kind], habits=habits), 300, 2)


def described(site: SyntheticSite, url: str) -> tuple[str | None, ...]:
    answer = site.respond(url)
    return tuple(answer.headers.get(name) for name in VALIDATORS)


def replaced_file(site: SyntheticSite) -> tuple[str, int]:
    """A file that is replaced, with the night of it; it was the same the two nights before."""
    graph = SiteGraph(site)
    for night in range(2, 60):
        before = truth_of(graph, night - 1)
        changed = truth_of(graph, night).changed.keys() - before.changed.keys() - before.new.keys()
        if changed:
            return min(changed), night
    raise AssertionError("nothing is ever replaced")


@pytest.mark.parametrize(
    ("style", "has", "unchanged_is_same", "replaced_is_same"),
    [
        (Validators.NONE, (False, False), True, True),
        (Validators.STRONG, (True, True), True, False),
        (Validators.WEAK, (True, False), True, False),
        (Validators.DATE, (False, True), True, False),
        (Validators.STUCK, (True, True), True, True),
        (Validators.RESTLESS, (True, True), False, False),
    ],
)
def test_validators_of_files_are_as_true_as_the_habits_say(
    style, has, unchanged_is_same, replaced_is_same
):
    site = site_with(Habits(files=(style,)))
    url, night = replaced_file(site)
    after, before, early = (described(site.on(at), url) for at in (night, night - 1, night - 2))
    assert tuple(value is not None for value in after) == has
    assert (after == before) is replaced_is_same
    assert site.on(night - 1).respond(url).body == site.on(night - 2).respond(url).body
    assert (before == early) is unchanged_is_same


def test_sections_have_their_validators_in_turn():
    site = site_with(HABITS["mixed"])
    shapes = {
        tuple(value is not None for value in described(site, site.url_of(place)))
        for place in (*site.pages(), *site.files())
    }
    assert shapes == {(False, False), (True, True), (True, False), (False, True)}


def lastmods(site: SyntheticSite) -> dict[str, str]:
    index = etree.fromstring(site.respond("/sitemap.xml").body)
    dates = {}
    for part in index.xpath("//s:sitemap/s:loc/text()", namespaces=SPACE):
        for url in etree.fromstring(site.respond(part).body).findall("s:url", SPACE):
            dates[url.findtext("s:loc", "", SPACE)] = url.findtext("s:lastmod", "", SPACE)
    return dates


def test_true_sitemap_lists_every_page_with_the_day_of_its_last_change():
    site = site_with(Habits(sitemap=SitemapStyle.TRUE))
    before, after = lastmods(site.on(20)), lastmods(site.on(21))
    assert set(after) == {site.url_of(page) for page in site.on(21).pages()}
    graph = SiteGraph(site)
    tonight = (FIRST_DAY + timedelta(days=21)).isoformat()
    for url in before.keys() & after.keys():
        if graph.links(20, url) != graph.links(21, url):
            assert after[url] == tonight
    assert 0 < sum(date == tonight for date in after.values()) < len(after) / 2
    assert f"Sitemap: {site.base}/sitemap.xml" in site.respond("/robots.txt").body.decode()


def test_untrue_sitemaps_say_today_or_the_first_day_of_everything():
    today = site_with(Habits(sitemap=SitemapStyle.TODAY)).on(9)
    stale = site_with(Habits(sitemap=SitemapStyle.STALE)).on(9)
    assert set(lastmods(today).values()) == {(FIRST_DAY + timedelta(days=9)).isoformat()}
    assert set(lastmods(stale).values()) == {FIRST_DAY.isoformat()}
    assert set(lastmods(stale)) == {stale.url_of(page) for page in stale.on(0).pages()}


@pytest.mark.parametrize(
    ("style", "query"),
    [(FeedStyle.RSS, "//item/link/text()"), (FeedStyle.ATOM, "//a:entry/a:id/text()")],
)
def test_feed_names_the_newest_pages_first_and_pages_announce_it(style, query):
    site = site_with(Habits(feed=style))
    for night in (10, 11, 30):
        tonight = site.on(night)
        feed = etree.fromstring(tonight.respond("/feed.xml").body)
        urls = [str(url) for url in feed.xpath(query, namespaces=SPACE)]
        assert all(tonight.respond(url).status == 200 for url in urls)
        new = {tonight.url_of(p) for p in tonight.pages()} - {
            site.url_of(p) for p in site.on(night - 1).pages()
        }
        leaves = [url for url in new if tonight.respond(url).status == 200 and "?" not in url]
        assert set(leaves) <= set(urls) or len(leaves) > len(urls)
        assert b"rel='alternate' type='application/" in tonight.respond("/").body
    assert SyntheticSite(KINDS["is"], 300, 2).respond("/feed.xml").status == 404
