"""The dashboard and the alerts of docker/monitoring name metrics and labels that there are."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from crawler.catalog.search.tokens import UNCHECKED
from crawler.metrics.served import SERVED
from crawler.metrics.working import WORKING
from crawler.pipeline.report.site_view import SiteFile, SiteState
from crawler.validation.outcome import Judgement

FOLDER = Path(__file__).parents[2] / "docker" / "monitoring"
DOCS = Path(__file__).parents[2] / "docs" / "monitoring.md"

LABELS = {name: {*one.labels} for one in (*SERVED, *WORKING) for name in one.series}
LABELS |= {name: labels | {"le"} for name, labels in LABELS.items() if name.endswith("_bucket")}
LABELS["up"] = {"job", "instance"}
VALUES = {
    ("tallyho_site_state", "state"): {*SiteState},
    ("tallyho_site_file", "status"): {*SiteFile},
    ("tallyho_site_files", "verdict"): {*Judgement, UNCHECKED},
}
WORDS = {
    *("and", "unless", "or", "on", "by", "time", "rate", "increase"),
    *("sum", "min", "max", "count", "histogram_quantile"),
}
"""All words of PromQL that the files use: a metric that is misspelt is none of them."""

MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
GROUPING = re.compile(r"\b(?:by|on)\s*\(([^)]*)\)")
NAME = re.compile(r"\b([a-zA-Z_]\w*)\b\s*(\{[^}]*\})?")
RANGE = re.compile(r"\[[^\]]*\]")
NUMBER = re.compile(r"\b\d[\d.]*\b")


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    return json.loads((FOLDER / "dashboard.json").read_text())["panels"]


def expressions() -> Iterator[tuple[str, str]]:
    for rule in alerts():
        yield rule["alert"], rule["expr"]
    for panel in panels():
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]


def problems_of(expression: str) -> Iterator[str]:
    """What the expression names that there is not."""
    rest = RANGE.sub("", expression)
    grouped = {
        label.strip() for found in GROUPING.findall(rest) for label in found.split(",") if label
    }
    rest = NUMBER.sub("", GROUPING.sub("", rest))
    known: set[str] = set()
    for name, selector in NAME.findall(rest):
        if name in WORDS:
            continue
        if name not in LABELS:
            yield f"there is no metric {name}"
            continue
        known |= LABELS[name]
        for label, operator, value in MATCHER.findall(selector):
            if label not in LABELS[name]:
                yield f"{name} has no label {label}"
            allowed = VALUES.get((name, label))
            if allowed is not None and not value.startswith("$"):
                given = value.split("|") if operator.endswith("~") else [value]
                yield from (f"{label} is never {one}" for one in given if one not in allowed)
    yield from (f"nothing here has the label {label}" for label in grouped - known)


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_every_expression_names_what_there_is(where, expression):
    assert list(problems_of(expression)) == []


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("tallyho_site_fils > 0", "there is no metric tallyho_site_fils"),
        ("rat(tallyho_site_files[1d])", "there is no metric rat"),
        ('tallyho_site_files{verdikt="valid"}', "tallyho_site_files has no label verdikt"),
        ('tallyho_site_files{verdict="fine"}', "verdict is never fine"),
        ('tallyho_site_files{verdict=~"valid|fine"}', "verdict is never fine"),
        ('tallyho_site_state{state="asleep"} == 1', "state is never asleep"),
        ("sum by (host) (tallyho_site_files)", "nothing here has the label host"),
        ("sum(tallyho_crawl_wait_duration_seconds)", "there is no metric "),
    ],
)
def test_mistakes_are_found(expression, problem):
    assert any(found.startswith(problem) for found in problems_of(expression))


def test_every_alert_says_what_to_do_and_is_documented():
    page = DOCS.read_text(encoding="utf-8")
    for rule in alerts():
        assert rule["annotations"].keys() == {"summary", "description"}, rule["alert"]
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert f"`{rule['alert']}`" in page, rule["alert"]
        named = re.findall(r"\$labels\.(\w+)", " ".join(rule["annotations"].values()))
        assert set(named) <= {"site", "instance"}


def test_dashboard_covers_what_the_metrics_are_for():
    shown = {name for _, expression in expressions() for name, _ in NAME.findall(expression)}
    every = (*SERVED, *WORKING)
    unused = {one.prometheus_name for one in every if not shown & {*one.series}}
    # Counts that are parts of others, and facts about the page itself.
    assert unused == {
        "tallyho_build_info",
        "tallyho_collected_timestamp_seconds",
        "tallyho_collecting_duration_seconds",
        "tallyho_crawl_file_size_bytes",
        "tallyho_crawl_pages_total",
        "tallyho_crawl_snapshot_age_seconds",
        "tallyho_crawl_visits_total",
        "tallyho_publish_files_total",
        "tallyho_site_budget",
        "tallyho_site_lease_remaining_seconds",
        "tallyho_site_pages_total",
        "tallyho_site_targets_total",
    }


def test_panels_have_places_and_ids_of_their_own():
    shown = panels()
    assert len({panel["id"] for panel in shown}) == len(shown)
    taken = [
        (x, y)
        for panel in shown
        for at in [panel["gridPos"]]
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(set(taken)) == len(taken)
    assert max(x for x, _ in taken) < 24


def test_prometheus_reads_the_alerts_and_the_page_of_serve():
    config = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    assert [(FOLDER / name).is_file() for name in config["rule_files"]] == [True]
    jobs = {
        job["job_name"]: job["static_configs"][0]["targets"] for job in config["scrape_configs"]
    }
    collector = yaml.safe_load((FOLDER / "collector.yml").read_text())
    assert jobs == {
        "tallyho": ["127.0.0.1:8501"],
        "tallyho-crawls": [collector["exporters"]["prometheus"]["endpoint"]],
    }
