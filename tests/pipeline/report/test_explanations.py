"""Why a URL was fetched or not, in cases that the demo site does not have."""

from pathlib import Path

import pytest

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.robots_gate import Access
from crawler.pages.reasons import SkipReason
from crawler.pages.scope import Place
from crawler.pages.urls import canonical, fingerprint
from crawler.pipeline.report.explain import FoundBy, RobotsVerdict, explain
from crawler.pipeline.report.wording import SKIP_WORDS, skip_words, stop_sentence
from crawler.state.crawl_state import CrawlState
from crawler.state.records import Changes, LinkRow, LinkStatus, RobotsRow
from crawler.state.run import CrawlIdentity
from crawler.state.stop import StopReason

BASE = "https://stats.example.org"


def site(**values: object) -> SiteConfig:
    return SiteConfig.model_validate({"name": "demo", "start_url": f"{BASE}/", **values})


def link(number: int, path: str, status: LinkStatus, reason: str = "", parent: int = 1) -> LinkRow:
    url = BASE + path
    key = fingerprint(canonical(url))
    return LinkRow(number, key, url, parent, 1 if parent else 0, status=status, reason=reason)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def write(settings: Settings, changes: Changes) -> None:
    state = CrawlState(settings.state_path("demo"))
    state.set_identity(CrawlIdentity("demo", f"{BASE}/", "{}", 0))
    state.commit(changes)
    state.close()


@pytest.mark.parametrize(
    ("status", "reason", "why"),
    [
        (LinkStatus.NEW, "", "It is on the page in work, and the strategy has not placed it yet."),
        (LinkStatus.FRONTIER, "", "It was not fetched yet: it waits in the frontier."),
        (
            LinkStatus.DEFERRED,
            "no_answer",
            "It was requested without success (no complete answer came, ",
        ),
        (
            LinkStatus.IN_WORK,
            "",
            "It is in work: it is being retried, or the next to be requested.",
        ),
        (LinkStatus.SKIPPED, "calendar_trap", "It was not fetched: it is one of a long run of"),
    ],
)
def test_every_status_has_its_sentence(
    settings: Settings, status: LinkStatus, reason: str, why: str
) -> None:
    start = link(1, "/", LinkStatus.PAGE, parent=0)
    write(settings, Changes(links=[start, link(2, "/a?x=1", status, reason)]))

    told = explain(settings, site(), f"{BASE}/a?x=1")

    assert told.why.startswith(why)
    assert told.found is not None
    assert (told.found.by, told.found.page_url) == (FoundBy.LINK, f"{BASE}/")
    assert told.as_dict()["status"] == status.name.lower()


def test_a_trap_is_named_also_when_its_counters_are_gone(settings: Settings) -> None:
    trapped = link(2, "/a?x=1", LinkStatus.SKIPPED, "parameter_trap")
    write(settings, Changes(links=[link(1, "/", LinkStatus.PAGE, parent=0), trapped]))

    assert explain(settings, site(), trapped.url).rules.trap is SkipReason.PARAMETER_TRAP


def test_the_counters_of_the_traps_judge_an_unknown_url(settings: Settings) -> None:
    limits = {"traps": {"parameter_combinations": 1}}
    changes = Changes(counters={fingerprint("parameters stats.example.org/list"): 1})
    write(settings, changes)

    told = explain(settings, site(limits=limits), f"{BASE}/list?a=1&b=2")

    assert told.rules.trap is SkipReason.PARAMETER_TRAP
    assert "it would be skipped: too many URLs like it" in told.why


@pytest.mark.parametrize(
    ("access", "body", "verdict"),
    [
        (Access.RULES, b"User-agent: *\nDisallow: /x", RobotsVerdict.FORBIDDEN),
        (Access.RULES, b"User-agent: *\nDisallow: /y", RobotsVerdict.ALLOWED),
        (Access.NO_RULES, b"", RobotsVerdict.ALLOWED),
        (Access.UNAVAILABLE, b"", RobotsVerdict.UNAVAILABLE),
    ],
)
def test_robots_txt_is_read_from_the_state(
    settings: Settings, access: Access, body: bytes, verdict: RobotsVerdict
) -> None:
    row = RobotsRow(f"{BASE}:443", 0.0, access.value, body)
    write(settings, Changes(robots=[row]))

    told = explain(settings, site(), f"{BASE}/x")

    assert told.rules.robots is verdict
    assert ("skipped" in told.why) is (verdict is not RobotsVerdict.ALLOWED)
    ignored = explain(settings, site(politeness={"robots": False}), f"{BASE}/x")
    assert ignored.rules.robots is RobotsVerdict.IGNORED
    assert "followed" in ignored.why


def test_the_scope_says_where_a_url_lies(settings: Settings) -> None:
    scope = {"file_hosts": ["files.example.net"], "exclude": ["/private/"]}

    def place(url: str) -> Place:
        return explain(settings, site(scope=scope), url).rules.place

    assert place(f"{BASE}/a") is Place.SITE
    assert place(f"{BASE}/private/a") is Place.EXCLUDED
    assert place("https://files.example.net/a.csv") is Place.FILE_HOST
    assert place("https://other.example.net/a.csv") is Place.OUTSIDE


def test_every_reason_has_its_words() -> None:
    assert SKIP_WORDS.keys() == set(SkipReason)
    assert skip_words("robots") == "robots.txt forbids it"
    assert skip_words("a reason of another version") == "a reason of another version"
    sentences = {stop_sentence(reason) for reason in StopReason}
    assert len(sentences) == len(StopReason)


def test_a_spent_budget_is_told_with_its_size() -> None:
    budget = site(budget={"requests": 20_000, "bytes": "5 GB", "minutes": 90}).budget

    assert "20,000 requests" in stop_sentence(StopReason.BUDGET_REQUESTS, budget=budget)
    assert "5 GB" in stop_sentence(StopReason.BUDGET_BYTES, budget=budget)
    assert "90 minutes" in stop_sentence(StopReason.BUDGET_MINUTES, budget=budget)
