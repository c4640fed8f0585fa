"""Labels and navigation patterns as paper 002 writes them, and how links follow them."""

from itertools import pairwise

import pytest

from crawler.learning.link_labels import MAX_LABEL, is_label, label_of
from crawler.learning.navigation_patterns import (
    MAX_STEPS,
    OUTSIDE,
    NavigationPattern,
    PatternTree,
    Step,
)
from crawler.learning.word_pairs import MAX_PAIRS, word_pairs

ROCK_AM_RING = """doc("www.rockamring-blog.de/index.html")
/(/html/body/div[contains(@id,"wrapper")]/div[contains(@id,"navigation")]/a/@href{click/})+
/(/html/body/div[contains(@id,"wrapper")]/div[contains(@id,"post-")]/a/@href{click/})"""
NAVIGATION = label_of("html body div#wrapper div#navigation a", ids=True, classes=False)
POST = label_of("html body div#wrapper.wide div#post-17 a.more", ids=True, classes=False)


@pytest.mark.parametrize(
    ("tag_path", "ids", "classes", "label"),
    [
        ("html body ul li a", True, True, "/html/body/ul/li/a/@href{click/}"),
        ("html body div#main.wide a.x", True, False, '/html/body/div[contains(@id,"main")]/a'),
        ("html body div#main.wide a.x", False, True, "/html/body/div[@class]/a[@class]"),
        (
            "html body div#main.wide a.x",
            True,
            True,
            '/html/body/div[contains(@id,"main")][@class]/a[@class]',
        ),
        ("html body div#post-17 a", True, False, '/html/body/div[contains(@id,"post-")]/a'),
        ("html body div#17 a", True, False, "/html/body/div[@id]/a"),
        ("html body div#0fa8b7-x a", True, False, "/html/body/div[@id]/a"),
        ('html body div#a"b a', True, False, "/html/body/div[@id]/a"),
        ('html body div#list"] a', True, False, '/html/body/div[contains(@id,"list")]/a'),
        ("html body iframe", True, False, "/html/body/iframe/@src{click/}"),
        ("html head meta", True, False, "/html/head/meta/@content{click/}"),
        ("html body o/p a", True, False, "/html/body/*/a"),
        ("html.js body a", False, True, "/html[@class]/body/a"),
    ],
)
def test_label_is_the_path_of_a_link_in_xpath(tag_path, ids, classes, label):
    written = label if label.endswith("{click/}") else f"{label}/@href{{click/}}"
    assert label_of(tag_path, ids=ids, classes=classes) == written
    assert is_label(written)


@pytest.mark.parametrize("path", ["robots sitemap", "urlset url loc", "feed entry link", ""])
def test_url_of_a_sitemap_or_feed_has_no_label(path):
    assert label_of(path, ids=True, classes=True) == ""


def test_very_long_path_keeps_its_end():
    label = label_of("html body " + "div#content " * 500 + "a", ids=True, classes=True)
    assert len(label) <= MAX_LABEL + 1
    assert label.endswith("/a/@href{click/}")
    assert is_label(label)


@pytest.mark.parametrize(
    "text",
    ["", "/", "html/a/@href{click/}", "/html/a", "/html/a b/@href{click/}", "/@href{click/}"],
)
def test_what_is_no_label_is_not_taken_for_one(text):
    assert not is_label(text)


def test_pattern_of_the_paper_reads_and_writes():
    pattern = NavigationPattern.parse(ROCK_AM_RING)
    assert pattern.steps == (Step(NAVIGATION, repeats=True), Step(POST))
    assert pattern.written("www.rockamring-blog.de/index.html") == ROCK_AM_RING.replace("\n", "")
    assert NavigationPattern.parse(pattern.written('https://x.example/a"b')) == pattern


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("/(/html/a/@href{click/})", "does not begin with doc"),
        ('doc("x")', "has 0 steps"),
        ('doc("x")' + "/(/html/a/@href{click/})" * (MAX_STEPS + 1), "has 9 steps"),
        ('doc("x")/(/html/a/@href{click/})*', r"cannot be read: '\*'"),
        ('doc("x")/(/html/a/@href)', "cannot be read"),
        ('doc("x")/html/a', "cannot be read"),
    ],
)
def test_pattern_that_cannot_be_read_says_why(text, reason):
    with pytest.raises(ValueError, match=reason):
        NavigationPattern.parse(text)


def tree_of(*patterns: str) -> PatternTree:
    """Patterns such as `a+ b`."""
    return PatternTree(
        NavigationPattern(tuple(Step(step.rstrip("+"), "+" in step) for step in each.split()))
        for each in patterns
    )


def walk(tree: PatternTree, labels: str) -> int:
    place = tree.start
    for label in labels.split():
        place = tree.follow(place, label)
    return place


def test_links_are_inside_as_far_as_they_are_the_beginning_of_a_pattern():
    tree = tree_of("a+ b", "c")
    assert [walk(tree, labels) > OUTSIDE for labels in ("a", "a a a a a", "a a b", "c")] == [
        True
    ] * 4
    assert [walk(tree, labels) for labels in ("b", "a c", "a b b", "c c", "x a")] == [OUTSIDE] * 5


def test_patterns_with_a_common_beginning_share_its_places():
    tree = tree_of("a", "a b", "a+ c")
    assert walk(tree, "a") == walk(tree, "a a")
    assert len({walk(tree, labels) for labels in ("a", "a b", "a c")}) == 3
    assert tree.pattern(walk(tree, "a a c")).steps == (Step("a", repeats=True), Step("c"))


def test_places_come_in_the_order_of_the_patterns_and_outside_comes_last():
    tree = tree_of("b c", "a", "b d")
    order = [walk(tree, labels) for labels in ("b", "b c", "a", "b d")] + [OUTSIDE]
    for first, second in pairwise(order):
        assert tree.comes_before(first, second)
        assert not tree.comes_before(second, first)
    assert not tree.comes_before(OUTSIDE, OUTSIDE)


def test_word_pairs_are_those_of_neighbours_once_each():
    assert len(word_pairs("Births by region; births BY region")) == 3
    assert len(word_pairs("")) == len(word_pairs("one")) == 0
    assert set(word_pairs("a b")) < set(word_pairs("x a b y"))


def test_word_pairs_of_a_page_are_bounded_and_the_first_ones():
    words = [f"w{number}" for number in range(3 * MAX_PAIRS)]
    long = word_pairs(" ".join(words))
    assert len(long) == MAX_PAIRS
    assert set(long.tolist()) == set(word_pairs(" ".join(words[: MAX_PAIRS + 1])).tolist())
