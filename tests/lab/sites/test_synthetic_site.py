"""Synthetic sites: what they promise is what a walk through them finds."""

import re
from random import Random

import pytest

from crawler.lab.site_statistics import site_statistics
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.places import File, Page, Place
from crawler.lab.sites.plan import Role, sections_of
from crawler.lab.sites.site import BASE, SyntheticSite
from crawler.pages.html import PageReader
from crawler.pages.mime import MimeRules, UrlClass
from crawler.pages.styles.cascade import Cascade, PageStyles
from crawler.pages.styles.sheet import sheet_of

PAGES = 900
ANY_PATHS = (
    "",
    "/",
    "//",
    "/?page=1",
    "/?",
    "/x",
    "/go/0/0",
    "/go/99/1",
    "/go/x/1",
    "/go//",
    "/node/",
    "/node/-1",
    "/node/1000",
    "/node/99999999999999999999",
    "/files/",
    "/files/statistics-en/1-999999.pdf",
    "/download/x-en/1-1",
    "/media/1-1/download",
    "/media/99999999999-1/download",
    "/image/7",
    "/en/",
    "/fr",
    "/en/statistics/?page=²",
    "/%00",
    "/../etc",
    "/robots.txt",
    "/statistics/g999999999/",
    "/statistics/999999999/",
    "/news/0?page=0",
    "/\ud800",
)


def sample(site: SyntheticSite, count: int) -> list[Page | File]:
    chance = Random(5)
    found: list[Page | File] = [*site.pages(), *site.files()]
    return chance.sample(found, min(count, len(found)))


@pytest.mark.parametrize("kind", KINDS)
def test_links_lead_to_all_that_is_promised_in_the_shares_of_the_paper(kind):
    site, paper = SyntheticSite(KINDS[kind], PAGES, 3), KINDS[kind].profile
    counted = site_statistics(site)
    assert counted.pages == site.html_pages() == sum(1 for _ in site.pages())
    assert counted.targets == site.targets() == sum(1 for _ in site.files())
    assert site.available() == pytest.approx(PAGES, rel=0.08)
    assert counted.density == pytest.approx(paper.density, rel=0.15)
    assert counted.html_to_target == pytest.approx(paper.html_to_target, rel=0.3)
    assert counted.neither_per_page == pytest.approx(paper.neither_per_page, rel=0.35, abs=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_and_file_is_found_under_its_url(kind):
    site = SyntheticSite(KINDS[kind], PAGES, 3)
    for found in sample(site, 60):
        url = site.url_of(found)
        file = isinstance(found, File)
        assert site.url_class(url) is (UrlClass.TARGET if file else UrlClass.HTML)
        answer = site.respond(url)
        assert answer.status == 200
        detected = MimeRules().classify(url, answer.headers["Content-Type"], "", answer.body[:4096])
        assert detected.url_class is site.url_class(url)


def test_pages_of_every_place_have_one_url_each():
    site = SyntheticSite(KINDS["be"], PAGES, 3)
    urls = [site.url_of(page) for page in site.pages()]
    assert len(set(urls)) == len(urls)


def test_same_seed_gives_the_same_bytes_and_another_one_another_site():
    first, same, other = (SyntheticSite(KINDS["is"], PAGES, seed) for seed in (4, 4, 5))
    urls = [first.url_of(found) for found in sample(first, 40)]
    assert [first.respond(url) for url in urls] == [same.respond(url) for url in urls]
    assert [first.respond(url).body for url in urls] != [other.respond(url).body for url in urls]


def test_volumes_are_the_sizes_of_all_answers():
    site = SyntheticSite(KINDS["cl"], 200, 1)
    sizes = {
        kind: sum(site.respond(site.url_of(found)).size for found in many)
        for kind, many in (("target", site.files()), ("other", site.pages()))
    }
    assert site.volumes().target == sizes["target"]
    assert site.volumes().other == sizes["other"]


def test_file_is_cut_and_its_size_is_true():
    site = SyntheticSite(KINDS["il"], PAGES, 1)
    answers = [site.respond(site.url_of(file)) for file in site.files()]
    assert all(len(answer.body) == min(answer.size, 2048) for answer in answers)
    assert all(answer.headers["Content-Length"] == str(answer.size) for answer in answers)
    assert max(answer.size for answer in answers) > 10 * min(answer.size for answer in answers)


@pytest.mark.parametrize("kind", KINDS)
def test_any_path_has_an_answer(kind):
    site = SyntheticSite(KINDS[kind], 200, 1)
    for path in ANY_PATHS:
        answer = site.respond(BASE + path)
        html = answer.headers["Content-Type"].startswith("text/html")
        found = html and answer.status in (200, 301)
        assert (site.url_class(BASE + path) is UrlClass.HTML) is found, path


def test_other_hosts_have_nothing():
    site = SyntheticSite(KINDS["be"], 200, 1)
    assert site.respond("http://elsewhere.example/").status == 404
    assert site.respond(f"{BASE}.elsewhere.example/").status == 404


def test_unique_ids_stand_on_every_tag_around_links():
    site = SyntheticSite(KINDS["ed"], 200, 1)
    bodies = [site.respond(site.url_of(page)).body.decode() for page in site.pages()]
    ids = [found for body in bodies for found in re.findall(r' id="([^"]+)"', body)]
    assert len(ids) > 20 * len(bodies)
    assert len(set(ids)) == len(ids)


def test_other_kinds_share_their_tag_paths():
    site = SyntheticSite(KINDS["be"], 400, 1)
    reader = PageReader()
    paths = {
        link.tag_path
        for page in site.pages()
        for link in reader.read(site.respond(site.url_of(page)).body, BASE).links
    }
    assert 10 < len(paths) < 120


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_page_is_for_shows_in_its_template(kind):
    site = SyntheticSite(KINDS[kind], 400, 2)
    bodies: dict[Role, set[str]] = {role: set() for role in Role}
    for section in sections_of(KINDS[kind], 400):
        front = site.respond(site.url_of(Page(Place.FRONT, section.number))).body.decode()
        looks_like_data = section.role is Role.PLAIN and section.rank >= 5 - site.kind.lookalikes
        role = Role.DATA if looks_like_data else section.role
        bodies[role].update(re.findall(r"<body class='([^']+)'", front))
    assert len(bodies[Role.DATA]) == len(bodies[Role.MIXED]) == 1
    assert not bodies[Role.DATA] & bodies[Role.MIXED]
    assert not (bodies[Role.DATA] | bodies[Role.MIXED]) & bodies[Role.PLAIN]


def test_languages_have_pages_of_their_own():
    site = SyntheticSite(KINDS["qa"], 400, 1)
    bodies = [site.respond(site.url_of(page)).body for page in site.pages()]
    arabic = [body for body in bodies if b"lang='ar'" in body]
    assert len(bodies) / 4 < len(arabic) < 3 * len(bodies) / 4


def test_extensions_are_rare_where_the_kind_says_so():
    site = SyntheticSite(KINDS["il"], PAGES, 1)
    urls = [site.url_of(file) for file in site.files()]
    named = [url for url in urls if MimeRules().data_extension(url)]
    assert len(named) < 0.3 * len(urls)


@pytest.mark.parametrize("kind", ["in", "is", "ce"])
def test_site_of_a_million_pages_answers_at_once(kind):
    site = SyntheticSite(KINDS[kind], 1_000_000, 1)
    assert site.available() == pytest.approx(1_000_000, rel=0.01)
    reader = PageReader()
    url = site.start_url
    chance = Random(2)
    for _ in range(60):
        answer = site.respond(url)
        if answer.status == 301:
            url = BASE + answer.headers["Location"]
            continue
        pages = [
            link.url
            for link in reader.read(answer.body, url).links
            if site.url_class(link.url) is UrlClass.HTML
        ]
        url = chance.choice(pages)


def test_smallest_site_stands():
    for kind in KINDS.values():
        site = SyntheticSite(kind, 1, 1)
        assert site.respond(site.start_url).status == 200
        assert site.targets() >= 1


def test_style_sheet_of_a_site_tells_its_lists_from_its_files():
    site = SyntheticSite(KINDS["ju"], 300, 1)
    answered = site.respond(f"{site.base}/assets/site.css")
    assert (answered.status, answered.headers["Content-Type"]) == (200, "text/css")
    cascade = Cascade([sheet_of(answered.body.decode())])
    reader, looks = PageReader(), set()
    for path, _ in zip(site.page_paths(), range(60), strict=False):
        page = reader.read(site.respond(site.base + path).body, site.base + path, "text/html")
        styles = PageStyles(cascade)
        looks |= {styles.of(link.element) for link in page.links}
    assert len(looks) > 8
    assert site.url_class(f"{site.base}/assets/site.css") is UrlClass.NEITHER
