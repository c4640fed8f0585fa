"""Whatever is asked, and however large the site, there is an answer."""

import re
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from crawler.lab.demo import DemoSite
from crawler.lab.demo.plan import Section

SITE = DemoSite(150)
PATHS = [*SITE.page_paths(), *SITE.target_paths(), "/robots.txt", "/r/file/1", "/r/moved/en/1"]


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
    st.sampled_from(["/files/x/y-d{}-{}.csv", "/en/download/{}{}", "/r/file/{}{}", "/r/moved/fr/{}",
                     "/en/news/?page={}", "/en/release-calendar/{}/{}/", "/en/discontinued/{}"]),
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


def test_a_page_beyond_the_end_of_a_list_is_not_found():
    assert SITE.respond("/en/news/?page=999").status == 404


def test_a_site_of_a_million_pages_is_made_on_demand():
    site, chance = DemoSite(1_000_000), Random(4)
    path, seen = "/", Counter()
    for _ in range(200):
        answer = site.respond(path)
        seen[answer.status] += 1
        assert answer.status != 404 or "/former/" in path or "/withdrawn/" in path
        local = re.findall(rb'href="(/[^/][^"]*|[?]page=[0-9]+)"', answer.body)
        href = chance.choice(local).decode() if local else "/en/"
        path = path.partition("?")[0] + href if href.startswith("?") else href
    assert seen[200] > 150


def test_the_last_of_a_million_pages_and_files_are_there():
    site = DemoSite(1_000_000)
    plan = site.plan
    assert sum(plan.items.values()) + plan.datasets > 400_000
    lists = {"news": Section.NEWS, "press": Section.PRESS, "bulk-downloads": Section.BULK}
    for name, section in lists.items():
        last = plan.section_sheets(section)
        assert site.respond(f"/en/{name}/?page={last}").status == 200
        assert site.respond(f"/en/{name}/?page={last + 1}").status == 404
