"""robots.txt is read as RFC 9309 says, and never raises."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protego import Protego

from crawler.pages.robots import ALLOW_ALL, FORBID_ALL, RobotsRules, product_token
from crawler.pages.robots_rule_table import MAX_WILDCARD_RULES

SITE = "https://stat.example"
AGENT = "Tallyho"


def allowed(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return RobotsRules.from_text(text, agent).allows(SITE + path)


def test_the_group_that_names_us_counts_alone() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: tallyHO\nDisallow: /private/\n"
    assert allowed(text, "/data/")
    assert not allowed(text, "/private/a")


def test_the_group_for_all_counts_otherwise() -> None:
    text = "User-agent: otherbot\nAllow: /\n\nUser-agent: *\nDisallow: /data/\n"
    assert not allowed(text, "/data/")
    assert allowed(text, "/news/")


def test_only_the_whole_product_token_names_us() -> None:
    for name in ("tally", "ho", "tallyhobot", "t"):
        assert allowed(f"User-agent: {name}\nDisallow: /\n", "/a")
    assert not allowed("User-agent: Tallyho/2.0\nDisallow: /\n", "/a")


def test_groups_of_one_name_are_taken_together() -> None:
    text = (
        "User-agent: a\nUser-agent: tallyho\nDisallow: /x\n"
        "User-agent: b\nDisallow: /z\n"
        "User-agent: tallyho\nDisallow: /y\n"
    )
    assert not allowed(text, "/x")
    assert not allowed(text, "/y")
    assert allowed(text, "/z")


def test_an_empty_group_of_ours_allows_everything() -> None:
    assert allowed("User-agent: tallyho\nDisallow:\n\nUser-agent: *\nDisallow: /", "/a")
    assert allowed("User-agent: *\nDisallow: /\n\nUser-agent: tallyho", "/a")


def test_the_longest_match_wins_and_wildcards_work() -> None:
    text = "User-agent: *\nDisallow: /a/\nAllow: /a/b\nDisallow: /*.pdf$\nDisallow: /*?sort=\n"
    assert not allowed(text, "/a/c")
    assert allowed(text, "/a/b/c")
    assert not allowed(text, "/x/y.pdf")
    assert allowed(text, "/x/y.pdf?z")
    assert not allowed(text, "/list?sort=a")


def test_robots_txt_itself_may_always_be_read() -> None:
    assert allowed("User-agent: *\nDisallow: /", "/robots.txt")
    assert FORBID_ALL.allows(f"{SITE}/robots.txt")


def test_a_bom_and_wrong_bytes_do_no_harm() -> None:
    assert not allowed(b"\xef\xbb\xbfUser-agent: *\nDisallow: /a", "/a")
    assert not allowed(b"# \xff\xfe\nUser-agent: *\r\nDisallow: /a\r\n", "/a")
    assert not allowed("\ufeffUser-agent: *\nDisallow: /a", "/a")


def test_only_the_first_500_kib_count() -> None:
    rest = "# ".ljust(99, "x") + "\n"
    text = "User-agent: *\nDisallow: /a\n" + rest * 5200 + "Disallow: /b\n"
    assert len(text) > 500 * 1024
    assert not allowed(text, "/a")
    assert allowed(text, "/b")
    assert not allowed(text.replace(rest * 5200, rest * 5000), "/b")


@pytest.mark.parametrize(
    ("value", "delay"),
    [
        ("10", 10.0),
        ("0.5", 0.5),
        ("1e9", 3600.0),
        ("-1", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
    ],
)
def test_crawl_delay_is_obeyed_up_to_an_hour(value: str, delay: float | None) -> None:
    rules = RobotsRules.from_text(f"User-agent: *\nCrawl-delay: {value}\n", AGENT)
    assert rules.crawl_delay == delay


def test_a_crawl_delay_for_others_is_not_ours() -> None:
    text = "User-agent: slowbot\nCrawl-delay: 60\n\nUser-agent: *\nDisallow: /x\n"
    assert RobotsRules.from_text(text, AGENT).crawl_delay is None


def test_sitemaps_are_told_wherever_they_stand() -> None:
    text = f"Sitemap: {SITE}/1.xml\nUser-agent: x\nSitemap: {SITE}/2.xml\nDisallow: /\n"
    rules = RobotsRules.from_text(text, AGENT)
    assert rules.sitemaps == [f"{SITE}/1.xml", f"{SITE}/2.xml"]
    assert rules.allows(f"{SITE}/a")


def test_a_sitemap_line_does_not_end_a_group() -> None:
    text = f"User-agent: *\nSitemap: {SITE}/1.xml\nUser-agent: x\nDisallow: /a\n"
    assert not allowed(text, "/a")


def test_the_two_answers_without_a_file() -> None:
    assert ALLOW_ALL.allows(f"{SITE}/a")
    assert not FORBID_ALL.allows(f"{SITE}/a")
    assert not FORBID_ALL.allows(f"{SITE}/x?y=/robots.txt")
    assert ALLOW_ALL.crawl_delay is None
    assert FORBID_ALL.sitemaps == []


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("Tallyho", "tallyho"),
        ("Tallyho/0.1 (+https://stat.example/bot)", "tallyho"),
        ("Mozilla/5.0 (compatible; My-Bot/1.0; +https://a.example)", "my-bot"),
        ("Mozilla/5.0 (X11)", "mozilla"),
        ("stat-bot", "stat-bot"),
        ("Stat_Bot/2", "stat_bot"),
        ("", "tallyho"),
    ],
)
def test_the_product_token_is_the_name_of_the_agent(agent: str, token: str) -> None:
    assert product_token(agent) == token


@given(st.one_of(st.binary(), st.text()), st.text(), st.text())
def test_no_file_raises(text: bytes | str, agent: str, url: str) -> None:
    rules = RobotsRules.from_text(text, agent)
    assert rules.allows(url) in (True, False)
    assert rules.allows(f"{SITE}/robots.txt")


_LINES = st.one_of(
    st.sampled_from(["User-agent: *", "User-agent: tallyho", "User-agent:", "user agent tallyho"]),
    st.sampled_from(["Disallow: /", "Allow: /a", "Crawl-delay: 1", "Sitemap: x", "Disallow:"]),
    st.sampled_from(["Host: a", "nonsense", "# x", ""]),
)


@given(st.lists(_LINES, max_size=12))
def test_without_a_rule_for_us_everything_is_allowed(lines: list[str]) -> None:
    others = [line.replace("tallyho", "other").replace("*", "other") for line in lines]
    assert allowed("\n".join(others), "/b")


PIECES = st.lists(
    st.sampled_from(
        ["/", "a", "b", "*", "$", "%61", "%2F", "%2f", "%C3%A9", "é", " ", ".", "?", "="]
    ),
    max_size=8,
).map("".join)

ROBOTS_LINES = st.lists(
    st.one_of(
        st.builds("Disallow: {}".format, PIECES),
        st.builds("Allow: {}".format, PIECES),
        st.builds("Allow: {}/index.html".format, PIECES),
        st.sampled_from(
            ["Disallow:", "Crawl-delay: 2", "Disallow /ab", "noindex: /c", "dissallow: /b"]
        ),
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=400)
@given(ROBOTS_LINES, PIECES)
def test_the_answer_is_that_of_protego(lines: list[str], path: str) -> None:
    text = "\n".join(["User-agent: *", *lines])
    url = f"https://stat.example/{path}"
    rules, oracle = RobotsRules.from_text(text, "tallyho"), Protego.parse(text)
    assert rules.allows(url) == (path == "robots.txt" or oracle.can_fetch(url, "*"))
    assert rules.crawl_delay == oracle.crawl_delay("*")


def test_a_bomb_of_wildcard_rules_is_matched_against_a_limited_number_of_them() -> None:
    bomb = "User-agent: *\n" + "\n".join(f"Allow:/*{number:x}" for number in range(33_000))
    rules = RobotsRules.from_text(bomb, AGENT)
    assert len(rules._table._wildcards) == MAX_WILDCARD_RULES
    assert rules.allows(f"{SITE}/a")


def test_rules_over_the_limit_are_read_strictly() -> None:
    many = [f"Disallow: /x{number}*y" for number in range(MAX_WILDCARD_RULES)]
    text = "\n".join(["User-agent: *", *many, "Disallow: /late*z", "Allow: /late/ok*"])
    assert not allowed(text, "/x7/y")
    assert allowed(text, "/x7/z")
    assert not allowed(text, "/late/anything")
    assert not allowed(text, "/late/ok")
    assert allowed(text, "/other")


def test_a_rule_given_twice_counts_once() -> None:
    many = ["Disallow: /x*y"] * (2 * MAX_WILDCARD_RULES)
    text = "\n".join(["User-agent: *", *many, "Disallow: /late*z"])
    assert allowed(text, "/late/anything")


def test_many_plain_rules_are_looked_up_and_not_compared_one_by_one() -> None:
    text = "User-agent: *\n" + "\n".join(f"Disallow: /{number:05}" for number in range(30_000))
    rules = RobotsRules.from_text(text, AGENT)
    assert rules._table._lengths == (6,)
    assert not rules.allows(f"{SITE}/00007")
    assert rules.allows(f"{SITE}/99999")
