"""Whatever is asked, and however large the site, there is an answer."""

import re
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.kinds import DEMO
from crawler.lab.sites.places import Page, Place
from crawler.lab.sites.plan import sections_of

SITE = demo_site(150)
PATHS = [*SITE.page_paths(), *SITE.target_paths(), "/robots.txt", "/go/0/1/0", "/go/0/1"]


@given(st.text())
def test_any_string_gets_an_answer(text):
    assert SITE.respond(text).status in (200, 301, 302, 404, 410)


@given(st.sampled_from(PATHS), st.integers(0, 90), st.text(max_size=3), st.text(max_size=3))
def test_a_damaged_path_gets_an_answer(path, at, inserted, appended):
    damaged = path[:at] + inserted + path[at + 1 :] + appended
    answer = SITE.respond(damaged)
    assert answer.status in (200, 301, 302, 404, 410)
    assert "\n" not in "".join(answer.headers.values())


@given(
    st.sampled_from(["/files/statistics-en/y-{}-{}.csv", "/download/x-en/{}-{}", "/go/{}/{}",
                     "/go/0/{}/{}", "/en/?page={}", "/en/release-calendar/{}/{}/",
                     "/en/discontinued/{}", "/internal/drafts/{}"]),
    st.integers(0, 10**30),
    st.integers(0, 10**6),
)  # fmt: skip
def test_numbers_beyond_the_site_get_an_answer(pattern, first, second):
    assert SITE.respond(pattern.format(first, second)).status in (200, 301, 302, 404, 410)


def test_an_unknown_path_is_a_page_that_says_404():
    answer = SITE.respond("/nothing/here")
    assert answer.status == 404
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"404" in answer.body


def last_sheets(pages):
    site, total = demo_site(pages), round(pages / (1 - DEMO.profile.density))
    for section in sections_of(DEMO, total):
        if section.flat:
            last = section.sheets(0) - 1
            yield site, site.url_of(Page(Place.FRONT, section.number)), last


def test_a_page_beyond_the_end_of_a_list_is_not_found():
    for site, front, last in last_sheets(150):
        assert site.respond(f"{front}?page={last + 1}").status == 404


def test_a_site_of_a_million_pages_is_made_on_demand():
    site, chance = demo_site(1_000_000), Random(4)
    path, seen = "/", Counter()
    for _ in range(200):
        answer = site.respond(path)
        seen[answer.status] += 1
        local = re.findall(rb'href="(/[^/][^"]*)"', answer.body)
        path = chance.choice(local).decode() if local else "/en/"
    assert seen[200] > 150


def test_the_last_of_a_million_pages_are_there():
    assert demo_site(1_000_000).available() > 1_400_000
    sheets = list(last_sheets(1_000_000))
    assert len(sheets) > 10
    for site, front, last in sheets:
        assert last > 1000
        assert site.respond(f"{front}?page={last}").status == 200
        assert site.respond(f"{front}?page={last + 1}").status == 404
