"""`acebot`: samples a site, chooses navigation patterns, follows them, and loses nothing."""

from contextlib import closing

import pytest

from crawler.config.strategy import AcebotConfig, PageItems, PathAttributes
from crawler.pages.mime import UrlClass
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.strategies.acebot import MIN_SAMPLE, Acebot
from crawler.strategies.interface import Candidate, Placement
from crawler.strategies.make import make_strategy
from crawler.strategies.pattern_set import (
    LEARNED,
    PATTERNS,
    PatternSet,
    SavedPattern,
    read_pattern_set,
)
from tests.engine.crawl_run import CrawlRun, crawl_all, site_config
from tests.engine.scripted_site import HOME, Answer, ScriptedSite, file, marked_up, robots

LISTS = '/(/html/body/div[contains(@id,"lists")]/a/@href{click/})'
MORE = '/(/html/body/div[contains(@id,"more")]/a/@href{click/})'
POSTS = '/(/html/body/div[contains(@id,"posts")]/a/@href{click/})'
FILES = '/html/body/div[contains(@id,"files")]/a/@href{click/}'


def links(name: str, *hrefs: str) -> str:
    return f'<div id="{name}">' + "".join(f'<a href="{href}">x</a>' for href in hrefs) + "</div>"


def words(prefix: str, count: int) -> str:
    return " ".join(f"{prefix}{number}" for number in range(count))


def blog(posts: int = 120, noise: int = 200) -> ScriptedSite:
    """Lists of ten posts that are flipped through, posts with words and a file, and many tags."""
    last = posts // 10
    tags = [f"/tag/{number}" for number in range(noise)]
    home = marked_up(links("lists", "/list/1") + links("tags", *tags))
    answers: dict[str, Answer] = {"/": home}
    for number in range(1, last + 1):
        shown = [f"/post/{n}" for n in range(10 * number - 10, 10 * number)]
        more = [f"/list/{number + 1}"] if number < last else []
        answers[f"/list/{number}"] = marked_up(links("more", *more) + links("posts", *shown))
    for number in range(posts):
        text = words(f"p{number}w", 50)
        answers[f"/post/{number}"] = marked_up(text + links("files", f"/data/{number}.csv"))
        answers[f"/data/{number}.csv"] = file(f"a,b\n{number},1\n")
    for tag in tags:
        answers[tag] = marked_up("the same page for every tag")
    return ScriptedSite(answers)


def patterns(*written: str, files: tuple[str, ...] = (FILES,)) -> PatternSet:
    return PatternSet(
        start_url=f"{HOME}/",
        attributes=PathAttributes.ID,
        scored_by=PageItems.WORDS,
        patterns=tuple(SavedPattern(pattern=f'doc("{HOME}/"){each}') for each in written),
        files=files,
    )


def learned(run: CrawlRun) -> PatternSet:
    return read_pattern_set(dict(run.state.memory())[PATTERNS])


def acebot(given: PatternSet | None = None, **parameters: object) -> Acebot:
    strategy = make_strategy(AcebotConfig.model_validate(parameters), 1, given)
    assert isinstance(strategy, Acebot)
    return strategy


@pytest.mark.parametrize("items", PageItems)
def test_sample_gives_the_patterns_that_lead_to_the_content(items):
    run = crawl_all(blog(), acebot(items=items.value, sample_share=0.3))
    found = learned(run)
    assert f'doc("{HOME}/"){LISTS}{MORE}+{POSTS}' in [each.pattern for each in found.patterns]
    assert not any("tags" in each.pattern for each in found.patterns[:1])
    assert FILES in found.files
    assert found.sampled_pages >= MIN_SAMPLE
    assert found.scored_by is items


def test_nothing_is_lost_that_is_outside_the_patterns():
    site = blog()
    run = crawl_all(site, acebot(items="targets"))
    assert len(run.targets) == 120
    assert {path for path in site.answers if run.links[path].status.name == "PAGE"} == {
        path for path in site.answers if not path.startswith("/data")
    }


def test_online_phase_follows_the_patterns_before_anything_else():
    site = blog(noise=400)
    run = CrawlRun(site, acebot(items="targets"))
    while PATTERNS not in dict(run.state.memory()):
        run.steps(1)
    start = len(site.asked)
    run.to_end()
    tags = [number for number, asked in enumerate(site.asked) if "/tag/" in asked]
    posts = [number for number, asked in enumerate(site.asked) if "/post/" in asked]
    assert max(posts) < min(number for number in tags if number > start)


def test_sample_is_a_share_of_what_a_small_site_has():
    run = crawl_all(blog(posts=200, noise=300), acebot(sample_share=0.2, items="words"))
    assert MIN_SAMPLE < learned(run).sampled_pages <= 0.2 * len(run.links)
    run = crawl_all(blog(), acebot(sample=30, sample_share=1.0, items="words"))
    assert learned(run).sampled_pages == 30


def test_sample_is_forgotten_when_the_patterns_are_learned():
    run = CrawlRun(blog(), acebot())
    run.steps(20)
    assert any(name.startswith("page/") for name, _ in run.state.memory())
    run.to_end()
    names = {name.partition("/")[0] for name, _ in run.state.memory()}
    assert names == {PATTERNS, LEARNED, "label", "seen"}


def test_sample_is_drawn_from_both_ends_by_the_seed():
    def first(seed: int) -> list[int]:
        home = marked_up(links("tags", *[f"/tag/{number}" for number in range(100)]))
        run = CrawlRun(ScriptedSite({"/": home}), make_strategy(AcebotConfig(), seed))
        run.steps(32)
        return [int(asked.rpartition("/")[2]) for asked in run.site.asked[1:]]

    drawn = first(1)
    assert drawn == first(1) != first(2)
    front, end = [n for n in drawn if n < 50], [n for n in drawn if n >= 50]
    assert front == list(range(len(front)))
    assert end == list(range(99, 99 - len(end), -1))
    assert len(front) > 5 < len(end)


def test_given_patterns_are_followed_without_a_sample():
    site = blog()
    crawl_all(site, acebot(patterns(f"{LISTS}{MORE}+{POSTS}", f"{LISTS}{POSTS}")))
    inside = site.asked[: 1 + 12 + 120 + 120]
    assert not [asked for asked in inside if "/tag/" in asked]
    assert len([asked for asked in inside if asked.endswith(".csv")]) == 120


def test_file_is_fetched_with_the_page_that_links_to_it():
    site = blog()
    crawl_all(site, acebot(patterns(f"{LISTS}{POSTS}")))
    first = site.asked.index("GET /post/0")
    assert site.asked[first + 1] == "GET /data/0.csv"


def test_label_that_leads_to_pages_after_all_is_not_fetched_at_once_any_more():
    strategy = acebot(patterns(LISTS))
    link = Candidate(1, f"{HOME}/a", 1, "html body div#files a")
    assert strategy.place([link]) == [Placement.FETCH]
    before = strategy.opinion
    strategy.learn(link, UrlClass.HTML)
    assert strategy.opinion != before
    assert strategy.place([link]) == [Placement.QUEUE]


def test_known_link_moves_into_the_patterns_when_a_page_of_theirs_shows_it():
    # Every post is known from the start page, outside of the patterns, before its list is read.
    posts = [f"/post/{number}" for number in range(20)]
    site = ScriptedSite(
        {
            "/": marked_up(
                links("tags", *[f"/tag/{n}" for n in range(20)])
                + links("cloud", *posts)
                + links("lists", "/list")
            ),
            "/list": marked_up(links("posts", *posts)),
            **{post: marked_up("text") for post in posts},
            **{f"/tag/{number}": marked_up("tag") for number in range(20)},
        }
    )
    crawl_all(site, acebot(patterns(f"{LISTS}{POSTS}")))
    assert site.asked[:22] == ["GET /", "GET /list", *[f"GET {post}" for post in posts]]


def test_pattern_is_followed_further_than_the_sample_repeated_it():
    site = blog(posts=400, noise=0)
    crawl_all(site, acebot(patterns(f"{LISTS}{MORE}+")))
    assert site.asked[:41] == ["GET /", *[f"GET /list/{number}" for number in range(1, 41)]]


def test_what_only_a_sitemap_names_comes_last():
    site = blog()
    named = [f"{HOME}/alone/{number}" for number in range(30)]
    urls = "".join(f"<url><loc>{url}</loc></url>" for url in named)
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    site.answers |= {  # type: ignore[operator]
        "/robots.txt": robots(f"Sitemap: {HOME}/sitemap.xml"),
        "/sitemap.xml": Answer(headers={"Content-Type": "application/xml"}, body=body.encode()),
        **{url.removeprefix(HOME): marked_up("alone") for url in named},
    }
    crawl_all(site, acebot())
    assert [asked for asked in site.asked[-31:] if "alone" not in asked] == ["GET /sitemap.xml"]


def test_page_behind_a_redirection_is_a_page_of_the_sample():
    site = blog(posts=60, noise=60)
    moved = dict(site.answers)
    for number in range(60):
        moved[f"/new/{number}"] = moved.pop(f"/post/{number}")
        moved[f"/post/{number}"] = Answer(301, {"Location": f"/new/{number}"})
    run = crawl_all(ScriptedSite(moved), acebot(items="targets", sample_share=0.5))
    assert any(each.pattern.endswith(POSTS) for each in learned(run).patterns)


def test_crawl_of_a_page_alone_ends_without_patterns():
    run = crawl_all(ScriptedSite({"/": marked_up("nothing here")}), acebot())
    assert run.totals.pages == 1


def test_site_that_does_not_answer_is_still_to_be_sampled():
    run = crawl_all(ScriptedSite({}), acebot())
    assert PATTERNS not in dict(run.state.memory())


def test_crawl_that_was_started_with_a_sample_goes_on_with_it_whatever_is_given_later():
    with closing(CrawlState(IN_MEMORY)) as state:
        site, config = blog(), site_config()
        CrawlRun(site, acebot(), config=config, state=state).steps(10)
        given = patterns(f"{LISTS}{POSTS}")
        again = CrawlRun(site, acebot(given), config=config, state=state).to_end()
        assert learned(again).sampled_pages >= MIN_SAMPLE
        assert learned(again) != given


def test_patterns_with_other_attributes_than_the_site_file_says_are_read_with_theirs():
    given = patterns("/(/html/body/div[@class]/a/@href{click/})", files=())
    given = given.model_copy(update={"attributes": PathAttributes.CLASS})
    site = ScriptedSite(
        {"/": marked_up('<p id="a"><a href="/a">a</a></p><div class="b"><a href="/b">b</a></div>')}
    )
    crawl_all(site, acebot(given, attributes="id"))
    assert site.asked == ["GET /", "GET /b", "GET /a"]


def test_actions_are_the_places_of_the_patterns():
    run = crawl_all(blog(), acebot(patterns(f"{LISTS}{MORE}+{POSTS}")))
    rows = {row.path: row for row in run.state.actions()}
    assert rows[f'doc("{HOME}/"){LISTS}{MORE}+'].selections == 11
    assert rows[f'doc("{HOME}/"){LISTS}{MORE}+{POSTS}'].reward == 110
    assert "outside the patterns" in rows
