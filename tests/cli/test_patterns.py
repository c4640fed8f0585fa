"""`tallyho patterns`, and crawls that follow saved patterns without a sample."""

import json
from contextlib import closing
from typing import Any

import pytest

from crawler.learning.navigation_patterns import NavigationPattern
from crawler.state.crawl_state import CrawlState

pytestmark = pytest.mark.slow

ACEBOT = {"name": "acebot", "items": "targets"}


@pytest.fixture
def learned(desk: Any, office: Any) -> dict[str, Any]:
    """The patterns of the demo site after its first crawl."""
    desk.add_site("demo", office.base, strategy=ACEBOT)
    desk.json("crawl", "demo")
    return dict(desk.json("patterns", "demo"))


def _patterns_in_use(desk: Any, site: str) -> Any:
    with closing(CrawlState(desk.home / "state" / f"{site}.db")) as state:
        rows = dict(state.memory())
    assert not [name for name in rows if name.startswith("page/")]
    return json.loads(rows["patterns"]), "learned" in rows


def test_patterns_are_printed_as_the_paper_writes_them(desk, learned):
    printed = desk.run("patterns", "demo").stdout
    assert learned["patterns"]
    assert learned["sampled_pages"] >= 1
    for each in learned["patterns"]:
        steps = NavigationPattern.parse(each["pattern"]).steps
        assert "\n".join(map(str, steps)) in printed
        assert f"{each['score']:,.1f} new files per page" in printed
    assert printed.count('doc("') == len(learned["patterns"])


def test_later_crawl_of_the_site_follows_its_patterns_without_a_sample(desk, office, learned):
    desk.json("crawl", "demo", "--fresh")
    in_use, is_learned = _patterns_in_use(desk, "demo")
    assert in_use == learned
    assert not is_learned
    assert desk.json("patterns", "demo") == learned


@pytest.mark.parametrize("named_by", ["site", "file"])
def test_other_site_follows_the_patterns_that_its_file_names(desk, office, learned, named_by):
    path = desk.folder / "demo-patterns.json"
    path.write_text(json.dumps(learned))
    source = "demo" if named_by == "site" else str(path)
    desk.add_site("other", office.base, strategy={**ACEBOT, "patterns": source})
    assert desk.json("patterns", "other") == learned
    summary = desk.json("crawl", "other")
    assert summary["targets"] == office.targets
    in_use, is_learned = _patterns_in_use(desk, "other")
    assert in_use == learned
    assert not is_learned
    # What was learned elsewhere does not become the site's own.
    desk.add_site("other", office.base, strategy=ACEBOT)
    assert not (desk.home / "store" / "patterns" / "other.json").exists()


def test_forgotten_patterns_are_learned_again(desk, office, learned):
    assert "the patterns are gone" in desk.run("patterns", "demo", "--forget").stdout
    assert "it had no patterns" in desk.run("patterns", "demo", "--forget").stdout
    desk.json("crawl", "demo", "--fresh")
    assert _patterns_in_use(desk, "demo")[1]


def test_patterns_of_other_parameters_are_not_followed(desk, office, learned):
    desk.add_site("demo", office.base, strategy={"name": "acebot", "items": "words"})
    desk.json("crawl", "demo", "--fresh")
    assert desk.json("patterns", "demo")["scored_by"] == "words"


def test_site_without_patterns_says_how_to_get_some(desk, office):
    desk.add_site("demo", office.base)
    refused = desk.run("patterns", "demo")
    assert refused.exit_code == 3
    assert "demo: no patterns are known yet: a crawl with --strategy acebot" in refused.stderr


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file or directory"),
        ("{", "EOF while parsing"),
        ("{}", "start_url: Field required"),
        (
            '{"start_url": "x", "attributes": "id", "scored_by": "words", '
            '"patterns": [{"pattern": "//a"}]}',
            'patterns.0.pattern: does not begin with doc("URL")',
        ),
    ],
)
def test_bad_pattern_file_is_a_problem_of_the_site_file(desk, office, content, reason):
    path = desk.folder / "patterns.json"
    if content is not None:
        path.write_text(content)
    desk.add_site("demo", office.base, strategy={**ACEBOT, "patterns": str(path)})
    problem = desk.json("sites", "check", "demo")["items"][0]
    assert problem["field"] == "strategy.patterns"
    assert problem["reason"].startswith(f"{path}: {reason}")
    refused = desk.run("crawl", "demo")
    assert refused.exit_code == 3
    assert f"demo: strategy.patterns: {path}: {reason}" in refused.stderr


def test_patterns_of_a_site_that_has_none_are_refused(desk, office):
    desk.add_site("demo", office.base, strategy={**ACEBOT, "patterns": "elsewhere"})
    refused = desk.run("crawl", "demo")
    assert refused.exit_code == 3
    assert "strategy.patterns: elsewhere has no patterns yet" in refused.stderr
