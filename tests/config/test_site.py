"""What a site file means, and the shipped examples."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from crawler.config.limits import Budget, Limits
from crawler.config.load import load_site, load_sites
from crawler.config.politeness import Http, Politeness
from crawler.config.schedule import check_schedule
from crawler.config.scope import ScopeConfig
from crawler.config.site import SiteConfig
from crawler.config.sizes import parse_size, write_size
from crawler.config.strategy import EarlyStopping, StrategyName
from crawler.config.web_address import check_web_url, is_private
from crawler.config.wording import models_in
from crawler.described import docstrings

EXAMPLES = Path(__file__).parents[2] / "include" / "sites"


def site(**values: object) -> SiteConfig:
    return SiteConfig.model_validate({"start_url": "https://stats.example.org/", **values})


def test_a_start_url_is_enough_and_the_file_gives_the_name(tmp_path: Path) -> None:
    path = tmp_path / "norvenia.yaml"
    path.write_text("start_url: https://stats.example.org/\n")

    loaded = load_site(path)

    assert loaded == site(name="norvenia")
    assert loaded.budget.requests == 20_000
    assert loaded.politeness.delay == 1.0
    assert loaded.strategy.name is StrategyName.TALLYHO
    assert loaded.early_stopping == EarlyStopping()


def test_numbers_may_be_written_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "sizes.yaml"
    path.write_text(
        "start_url: https://stats.example.org/\n"
        "budget: {bytes: 20 GB, requests: 5_000}\n"
        "limits: {file_bytes: 2GiB, page_bytes: 500000}\n"
        "early_stopping: {floor: 2e-3}\n"
    )

    loaded = load_site(path)

    assert (loaded.budget.bytes, loaded.budget.requests) == (20 * 10**9, 5000)
    assert (loaded.limits.file_bytes, loaded.limits.page_bytes) == (2 * 2**30, 500_000)
    assert isinstance(loaded.early_stopping, EarlyStopping)
    assert loaded.early_stopping.floor == 0.002


def test_a_strategy_may_be_a_name_alone() -> None:
    assert site(strategy="bfs").strategy.name is StrategyName.BFS
    assert site(strategy={"name": "sb", "theta": 0.9}).strategy.theta == 0.9


def test_early_stopping_can_be_off() -> None:
    assert site(early_stopping=False).early_stopping is False
    assert site(early_stopping=True).early_stopping == EarlyStopping()
    with pytest.raises(ValidationError):
        site(early_stopping="no")


def test_files_may_come_from_any_host() -> None:
    assert site(scope={"file_hosts": "any"}).scope.file_hosts == ("any",)
    named = site(scope={"file_hosts": ["Data.Example.ORG", "127.0.0.1:8351"]})
    assert named.scope.file_hosts == ("data.example.org", "127.0.0.1:8351")


def test_no_delay_is_for_private_servers_only() -> None:
    own = {"start_url": "http://192.168.1.5/", "allow_private_hosts": True}

    assert site(**own, politeness={"delay": 0}).politeness.delay == 0
    with pytest.raises(ValidationError, match=r"at least 0\.2 s"):
        site(politeness={"delay": 0.1})


def test_every_entry_page_on_a_private_host_needs_permission() -> None:
    with pytest.raises(ValidationError, match="allow_private_hosts: true"):
        site(start_also=["http://localhost/"])


def test_a_configuration_survives_writing_and_reading() -> None:
    config = site(strategy="dfs", early_stopping=False, scope={"file_hosts": "any"})

    assert SiteConfig.model_validate(config.model_dump(exclude_unset=True)) == config
    assert SiteConfig.model_validate_json(config.model_dump_json(exclude_unset=True)) == config


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.org/",
        "https://",
        "//a.org",
        "https://a.org:99999/",
        "https://a.org/a b",
        "https://me:secret@a.org/",
        "https://[::1/",
        "javascript:alert(1)",
    ],
)
def test_a_url_that_cannot_be_crawled_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|http|host"):
        check_web_url(url)


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("http://localhost:80/", True),
        ("http://demo.localhost/", True),
        ("http://127.8.8.8/", True),
        ("http://[::1]/", True),
        ("http://10.0.0.1/", True),
        ("http://8.8.8.8/", False),
        ("https://localhost.example.org/", False),
    ],
)
def test_private_addresses_are_recognised(url: str, private: bool) -> None:
    assert is_private(url) is private


@pytest.mark.parametrize("schedule", ["@daily", "30 2 * * 1-5", "*/15 0,12 1 jan-mar sun"])
def test_schedules_that_can_be_followed(schedule: str) -> None:
    assert check_schedule(schedule) == schedule


@pytest.mark.parametrize(
    "schedule",
    [
        "daily",
        "@nightly",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "* * * * mo",
        "5-1 * * * *",
        "5-5 * * * *",
        "*/0 * * * *",
        "R * * * *",
        "H * * * *",
        "0 3 L * *",
        "0 3 * * 5#2",
        "1,,2 * * * *",
        "\u0663 * * * *",
    ],
)
def test_schedules_that_cannot_be_followed(schedule: str) -> None:
    with pytest.raises(ValueError, match=r"preset|from \d+ to \d+"):
        check_schedule(schedule)


@pytest.mark.parametrize("schedule", ["0 0 31 2 *", "0 0 30 feb *", "0 3 31 4,6,9,11 *"])
def test_schedule_that_never_comes_is_refused(schedule: str) -> None:
    with pytest.raises(ValueError, match="never comes: there is no such day"):
        check_schedule(schedule)


@pytest.mark.parametrize(
    ("text", "size"),
    [("200 MB", 200_000_000), ("2GiB", 2**31), ("1.5 kB", 1500), ("12", 12), ("1 t", 10**12)],
)
def test_sizes_with_units(text: str, size: int) -> None:
    assert parse_size(text) == size
    assert parse_size(write_size(size)) == size


@pytest.mark.parametrize(
    ("size", "text"),
    [(2**31, "2 GiB"), (50 * 1000**3, "50 GB"), (200_000_000, "200 MB"), (12, "12"), (0, "0")],
)
def test_size_is_written_the_shortest_way(size: int, text: str) -> None:
    assert write_size(size) == text


@pytest.mark.parametrize("text", ["", "MB", "5 QB", "-5 MB", "5 iB", "1.0000001 kB", "0.5", "²"])
def test_texts_that_are_no_sizes(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_size(text)


def test_every_key_is_explained() -> None:
    def silent(model: type[BaseModel]) -> list[str]:
        keys = sorted(model.model_fields.keys() - docstrings(model).keys())
        inner = [one for f in model.model_fields.values() for one in models_in(f.annotation)]
        return keys + [key for section in inner for key in silent(section)]

    assert silent(SiteConfig) == []


def test_the_schema_refuses_unknown_keys_in_every_section() -> None:
    schema = SiteConfig.model_json_schema()
    sections = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]

    assert len(sections) > 8
    assert all(section["additionalProperties"] is False for section in sections)
    assert schema["required"] == ["start_url"]


def test_the_schema_knows_the_short_forms() -> None:
    schema = json.dumps(SiteConfig.model_json_schema()["properties"])

    assert '"#/$defs/StrategyName"' in schema
    assert '{"type": "boolean"}, {"$ref": "#/$defs/EarlyStopping"}' in schema


@pytest.mark.parametrize("section", [Budget, Limits, Politeness, Http, ScopeConfig, EarlyStopping])
def test_defaults_obey_their_own_rules(section: type[BaseModel]) -> None:
    assert section.model_validate(section().model_dump()) == section()


def test_the_shipped_examples_are_fine_and_only_the_demo_is_enabled() -> None:
    sites, problems = load_sites(EXAMPLES)

    assert problems == []
    assert [found.name for found in sites if found.enabled] == ["demo"]
    assert len(sites) >= 4
