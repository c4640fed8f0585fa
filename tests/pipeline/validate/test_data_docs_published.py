"""Data Docs in the store: made when verdicts or rules have changed, and only then."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from crawler.catalog import open_catalog
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.config.validation import ValidationConfig
from crawler.pipeline.validate import data_docs as module
from crawler.pipeline.validate.data_docs import publish_data_docs
from crawler.validation.suites import load_suites
from crawler.webapp.app import create_app
from tests.pipeline.acquired import Acquired, acquired_in
from tests.webapp.stock import births_outcome, hostile_outcome

pytestmark = pytest.mark.slow

SUITES = load_suites(Path("include/expectations"))


@pytest.fixture
def acquired(tmp_path: Path) -> Acquired:
    return acquired_in(tmp_path)


def judge(acquired: Acquired, version_id: int) -> None:
    record = VerdictRecord(version_id, births_outcome(), "results/delimited.html")
    with acquired.services() as services:
        record_verdicts(services.database, [record])


def publish(acquired: Acquired, **rules: object) -> bool:
    config = ValidationConfig.model_validate(rules)
    with acquired.services() as services:
        return publish_data_docs(services, "office", SUITES, config)


def keys(acquired: Acquired) -> list[str]:
    with acquired.services() as services:
        return list(services.store.objects("data-docs/office/"))


def test_pages_are_made_anew_when_something_has_changed(acquired: Acquired) -> None:
    first = acquired.keep("a.csv", b"a")
    assert not publish(acquired)
    assert keys(acquired) == []
    judge(acquired, first)
    assert publish(acquired)
    made = keys(acquired)
    assert {"data-docs/office/index.html", "data-docs/office/results/delimited.html"} <= set(made)
    assert not publish(acquired)
    assert publish(acquired, required_columns=["x"])
    judge(acquired, acquired.keep("b.csv", b"b"))
    assert publish(acquired, required_columns=["x"])
    assert keys(acquired) == made


def test_page_that_is_not_made_any_more_goes(acquired: Acquired) -> None:
    judge(acquired, acquired.keep("a.csv", b"a"))
    with acquired.services() as services:
        services.store.put_object("data-docs/office/results/old-suite.html", b"old")
    publish(acquired)
    assert "data-docs/office/results/old-suite.html" not in keys(acquired)


def test_pages_that_cannot_be_made_harm_nothing(
    acquired: Acquired, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(acquired, acquired.keep("a.csv", b"a"))

    def fail(*_: object) -> None:
        raise KeyError("a renderer's mistake")

    with monkeypatch.context() as patch:
        patch.setattr(module, "build_data_docs", fail)
        assert not publish(acquired)
    assert publish(acquired)


def test_page_of_a_file_is_linked_and_served(acquired: Acquired) -> None:
    version_id = acquired.keep("a.csv", b"a")
    record = VerdictRecord(version_id, hostile_outcome(), "results/delimited.html")
    with acquired.services() as services:
        record_verdicts(services.database, [record])
    publish(acquired)
    with open_catalog(acquired.settings) as catalog:
        client = TestClient(create_app(catalog))
        shown = client.get("/files/1").text
        assert 'href="/data-docs/office/results/delimited.html"' in shown
        page = client.get("/data-docs/office/results/delimited.html")
    assert page.status_code == 200
    assert "<script" not in page.text
