"""A site on its nights: the same whenever it is asked, and its listings are what it serves."""

from collections import deque
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest

from crawler.lab.sites.calendar import Pace
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.graph import SiteGraph
from crawler.lab.sites.kinds import DEMO, KINDS
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import Role
from crawler.lab.sites.site import SyntheticSite
from crawler.lab.sites.tempo import Tempo
from crawler.pages.html import PageReader
from tests.lab.sites.night_truth import truth_of

pytestmark = pytest.mark.slow

LIVELY = ("be", "is", "ju", "il", "qa")
"""One kind of every tempo."""


def small(kind: str, seed: int = 3) -> SyntheticSite:
    return demo_site(150, seed) if kind == "demo" else SyntheticSite(KINDS[kind], 400, seed)


def listing(site: SyntheticSite, *, pages: bool = True) -> dict[str, str]:
    """Every page and file of a night, with a digest of what is served there."""
    digests = {}
    for place in (*(site.pages() if pages else ()), *site.files()):
        answer = site.respond(site.url_of(place))
        assert answer.status == 200, site.url_of(place)
        digests[site.url_of(place)] = sha256(answer.body + str(answer.size).encode()).hexdigest()
    return digests


@pytest.mark.parametrize("kind", [*KINDS, "demo"])
def test_night_0_is_the_site_as_it_was_built(kind):
    site = small(kind)
    assert listing(site.on(9).on(0)) == listing(site)


@pytest.mark.parametrize("kind", [*LIVELY, "demo"])
def test_any_night_is_the_same_in_whatever_order_nights_are_asked_for(kind):
    straight, jumping = small(kind), small(kind)
    nights = list(range(0, 40, 8))
    forwards = {night: listing(straight.on(night)) for night in nights}
    for night in Random(4).sample(nights, len(nights)):
        assert listing(jumping.on(night)) == forwards[night]
    assert len({tuple(sorted(pages.items())) for pages in forwards.values()}) == len(nights)


@pytest.mark.parametrize("kind", [*LIVELY, "demo"])
def test_truth_is_the_difference_of_what_two_nights_serve(kind):
    site = small(kind)
    graph = SiteGraph(site)
    served = listing(site, pages=False)
    events = 0
    for night in range(1, 25):
        before, served = served, listing(site.on(night), pages=False)
        truth = truth_of(graph, night)
        assert set(truth.new) == served.keys() - before.keys()
        assert set(truth.gone) == before.keys() - served.keys()
        same_urls = served.keys() & before.keys()
        assert set(truth.changed) == {url for url in same_urls if served[url] != before[url]}
        events += len(truth.new) + len(truth.gone) + len(truth.changed)
        for url, pages in truth.new.items():
            assert pages, url
            assert all(url in graph.links(night, page) for page in pages)
            assert site.on(night - 1).respond(url).status == 404
        for url in truth.gone:
            assert site.on(night).respond(url).status in (404, 410)
    assert events > 10


@pytest.mark.parametrize("kind", [*LIVELY, "ce", "demo"])
def test_links_lead_to_everything_that_is_there_on_a_late_night(kind):
    site = small(kind).on(50)
    reader = PageReader()
    known, waiting = {site.start_url}, deque([site.start_url])
    pages, files = set(), set()
    while waiting:
        url = waiting.popleft()
        place = site.follow(url.removeprefix(site.base))
        if isinstance(place, File):
            files.add(site.url_of(place))
        if not isinstance(place, Page) or site.url_of(place) in pages:
            continue
        pages.add(site.url_of(place))
        for link in reader.read(site.html(place), site.url_of(place)).links:
            if link.url.startswith(site.start_url) and link.url not in known:
                known.add(link.url)
                waiting.append(link.url)
    assert pages == {site.url_of(page) for page in site.pages()}
    assert files == {site.url_of(file) for file in site.files()}


@pytest.mark.parametrize("kind", [*LIVELY, "ed", "demo"])
def test_graph_has_the_links_that_a_parser_reads_from_the_pages(kind):
    site = small(kind)
    graph, reader, chance = SiteGraph(site), PageReader(), Random(7)
    for night in chance.sample(range(60), 6):
        tonight = site.on(night)
        pages = list(tonight.pages())
        for page in chance.sample(pages, 40):
            url = tonight.url_of(page)
            hrefs = [link.url for link in reader.read(tonight.html(page), url).links]
            ours = [href for href in hrefs if href.startswith(site.start_url)]
            ends = [site.end_of(href.removeprefix(site.base)) for href in ours]
            pairs = zip(ends, ours, strict=True)
            expected = {site.url_of(end) if end else href for end, href in pairs}
            without_twin = expected - {_twin(tonight, page)}
            assert without_twin <= set(graph.links(night, url)) <= expected, (night, url)


def _twin(site: SyntheticSite, page: Page) -> str:
    """The alternate in the head of a page: the graph knows it from the switch of languages."""
    twin = site.addresses.twin(page)
    return site.url_of(twin) if twin else ""


def test_links_change_only_when_the_graph_is_said_to_have_changed():
    site = small("be")
    bodies: dict[tuple[Page, int], bytes] = {}
    redesign = site.history.redesign or 1000
    for night in range(0, min(40, redesign)):
        tonight = site.on(night)
        for page in tonight.pages():
            body = tonight.html(page)
            assert bodies.setdefault((page, tonight.edition.changed_on(page)), body) == body


def test_lists_show_the_newest_first_and_shift_the_others():
    site = SyntheticSite(KINDS["be"], 2000, 1)
    shifted = 0
    for section in site.sections:
        if section.role is Role.DATA:
            for number in range(section.lists):
                before = _shown(site, section, number)
                after = _shown(site.on(60), section, number)
                new = [slot for slot in after if slot not in before]
                alive = [slot for slot in before if site.on(60).edition.has(section, slot)]
                assert after == new + alive
                births = [site.history.birth(section, slot, 60) for slot in new]
                assert births == sorted(births, reverse=True)
                shifted += bool(new)
    assert shifted > 5


def _shown(site, section, number):
    sheets = range(site.edition.sheets(section, number))
    return [slot for sheet in sheets for slot in site.edition.slots(section, number, sheet)]


def test_one_redesign_changes_tag_paths_and_no_links():
    site = small("be")
    night = site.history.redesign
    page = next(page for page in site.pages() if page.place is Place.LEAF)
    reader = PageReader()
    read = {
        at: reader.read(site.on(at).html(page), site.base).links for at in (0, night - 1, night, 59)
    }
    paths = {at: [link.tag_path for link in links] for at, links in read.items()}
    assert set(paths[0]) >= set(paths[night - 1])
    assert set(paths[night]) >= set(paths[59])
    assert set(paths[night - 1]) != set(paths[night])
    if site.on(night).edition.changed_on(page) == site.on(night - 1).edition.changed_on(page):
        assert [link.url for link in read[night - 1]] == [link.url for link in read[night]]


def test_some_files_are_replaced_by_others_of_the_same_length():
    for site in (small("is"), small("demo")):
        lengths = []
        for night in range(1, 40):
            before, after = site.on(night - 1), site.on(night)
            for file in after.files():
                if len(after.edition.replaced(file)) > len(before.edition.replaced(file)) > -1:
                    old, new = (each.respond(site.url_of(file)) for each in (before, after))
                    if old.status == 200:
                        assert (old.body, old.size) != (new.body, new.size)
                        lengths.append(old.size == new.size)
        assert 0 < sum(lengths) < len(lengths)


def test_site_of_a_million_pages_has_nights_too():
    site = SyntheticSite(KINDS["is"], 1_000_000, 1).on(40)
    section = site.sections[0]
    [slot, *_] = site.edition.slots(section, 0, 0)
    assert site.respond(site.url_of(Page(Place.LEAF, section.number, slot))).status == 200
    assert site.respond(site.start_url).status == 200


def test_site_that_never_changes_never_changes():
    never = (Pace.NEVER,)
    losses = {"correction": 0.0, "file_loss": 0.0, "page_loss": 0.0}
    still = Tempo(never, never, never, never, redesign=False, **losses)
    site = SyntheticSite(replace(KINDS["be"], tempo=still), 300, 1)
    assert listing(site.on(300)) == listing(site)


def test_calendar_of_the_demo_gets_a_new_month():
    site = demo_site(600)
    language = 0
    before, after = site.edition.months(language), site.on(60).edition.months(language)
    assert after[-len(before) :] == before
    assert len(after) > len(before)
    newest = Page(Place.RELEASES, language, after[0])
    assert site.on(60).respond(site.url_of(newest)).status == 200
    assert site.respond(site.url_of(newest)).status == 404


@pytest.mark.parametrize("kind", [*KINDS.values(), DEMO], ids=lambda kind: kind.name)
def test_every_kind_is_lively_at_5000_pages(kind):
    graph = SiteGraph(SyntheticSite(kind, 5000, 1))
    nights = [0, 1, 8, 15, 30, 45, 60]
    new = [len(graph.files(night).keys() - graph.files(0).keys()) for night in nights]
    assert new == sorted(new)
    assert new[-1] > 30
    assert len(set(new)) >= 6
