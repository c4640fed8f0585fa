"""Every link of the site answers as intended, the odd ones too."""

import re
import statistics

import pytest

from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.places import Page, Place
from crawler.lab.sites.plan import Role
from crawler.lab.sites.site import SyntheticSite
from crawler.pages.html import PageReader


def test_links_that_are_not_meant_to_be_broken_are_not(walked):
    for path, status in walked.dead.items():
        assert status == (410 if "/discontinued/" in path else 404), path
        # Dead pages and files look like the living ones, with numbers that are far too high.
        far_too_high = max(map(int, re.findall("[0-9]+", path))) > 200
        assert far_too_high or "/discontinued/" in path, path


def test_a_few_per_cent_of_the_urls_are_dead(walked):
    assert 0.01 < len(walked.dead) / len(walked.depth) < 0.08
    assert set(walked.dead.values()) == {404, 410}


def test_pages_look_like_those_of_a_real_office(walked):
    counts = [len(links) for path, links in walked.links.items() if path != "/"]
    sizes = [size for path, size in walked.sizes.items() if path != "/"]
    assert min(counts) >= 40
    assert statistics.median(counts) <= 120
    assert min(sizes) >= 3_500
    assert statistics.median(sizes) <= 25_000


def test_pages_carry_mail_fragment_off_site_and_tracking_links(walked):
    links = walked.links["/en/"]
    assert any(link.startswith("mailto:") for link in links)
    assert any(link.startswith("https://") for link in links)
    assert any("utm_source" in link for link in links)
    assert any(";jsessionid=" in link for link in links)
    assert any("#" in link for link in links)


@pytest.mark.parametrize(
    "spelling",
    ["/en/news/?utm_source=x", "/en/news/;jsessionid=AB12", "/en/news/#top", "/en/news/?page=0"],
)
def test_other_spellings_give_the_same_page(site, spelling):
    assert site.respond(spelling) == site.respond("/en/news/")


def test_a_list_without_its_slash_leads_to_the_one_with_it(site):
    answer = site.respond("/en/news")
    assert (answer.status, answer.headers["Location"]) == (301, "/en/news/")


def test_redirects_lead_to_pages_to_files_over_two_hops_and_in_a_loop(site, walked):
    ends = set()
    for path in walked.redirects:
        hops = 0
        while (answer := site.respond(path)).status in (301, 302) and hops < 5:
            path = answer.headers["Location"].removeprefix(site.base)
            hops += 1
        ends.add((min(hops, 3), answer.status, path in walked.targets))
    assert ends == {(1, 200, False), (1, 200, True), (2, 200, False), (3, 302, False)}


def test_some_files_are_reached_by_a_redirect_only(walked):
    linked = {link for links in walked.links.values() for link in links}
    assert walked.targets - linked
    assert (walked.targets - linked) <= set(walked.redirects.values())


def test_a_url_that_ends_in_csv_is_a_page(site, walked):
    paths = [path for path in walked.pages if path.endswith(".csv")]
    assert len(paths) == 2
    for path in paths:
        assert site.respond(path).headers["Content-Type"].startswith("text/html")


def test_an_eighth_of_the_files_have_no_extension_but_a_file_name(site, walked):
    bare = [path for path in walked.targets if path.startswith("/download/")]
    assert 0.08 < len(bare) / len(walked.targets) < 0.17
    for path in bare:
        disposition = site.respond(path).headers["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="[a-z0-9-]+\.[a-z.]+"', disposition)


def test_some_files_are_sent_as_octet_stream(site, walked):
    types = [site.respond(path).headers["Content-Type"] for path in walked.targets]
    assert 0 < types.count("application/octet-stream") < len(types) / 20


def test_robots_txt_names_the_forbidden_area_and_the_sitemap(site):
    lines = site.respond("/robots.txt").body.decode().splitlines()
    assert "Disallow: /internal/" in lines
    assert f"Sitemap: {site.base}/sitemap.xml" in lines
    assert not any(line.startswith("Crawl-delay") for line in lines)
    assert site.respond("/sitemap.xml").body.count(f"<loc>{site.base}/".encode()) > 20


def test_links_to_data_and_links_to_news_have_different_tag_paths(site):
    def tag_paths(role: Role) -> set[str]:
        section = next(each for each in site.sections if each.role is role)
        url = site.url_of(Page(Place.SHEET, section.number, 0, int(section.flat)))
        leaves = {site.url_of(Page(Place.LEAF, section.number, n)) for n in range(section.slots)}
        links = PageReader().read(site.respond(url).body, url).links
        return {link.tag_path for link in links if link.url in leaves and " main" in link.tag_path}

    data, plain = tag_paths(Role.DATA), tag_paths(Role.PLAIN)
    assert data
    assert plain
    assert not data & plain


def test_unique_ids_are_unique_over_the_site():
    site = demo_site(150, unique_ids=True)
    ids = [
        each
        for path in site.page_paths()
        for each in re.findall(rb' id="([^"]+)', _body(site, path))
    ]
    assert len(ids) > 1000
    assert len(ids) == len(set(ids))


def test_there_are_no_ids_otherwise(site):
    assert b' id="' not in _body(site, "/en/news/")


def _body(site: SyntheticSite, path: str) -> bytes:
    return site.respond(path).body
