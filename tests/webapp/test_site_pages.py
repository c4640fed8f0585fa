"""The pages of sites: schedule, state and last error, also of sites that were never crawled."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import html

from crawler.catalog.facade import Catalog
from crawler.webapp.app import create_app
from tests.webapp.stock import RUNNING

START = "start_url: https://stats.example.org/\n"


@pytest.fixture
def client(catalog: Catalog, tmp_path: Path) -> TestClient:
    (tmp_path / "new.yaml").write_text(START + "schedule: 30 2 * * *\n")
    (tmp_path / "off.yaml").write_text(START + "enabled: false\n")
    (tmp_path / "wrong.yaml").write_text(START + "seed: <b>no</b>\n")
    return TestClient(create_app(catalog, sites_dir=tmp_path))


def texts(client: TestClient, path: str) -> list[str]:
    answer = client.get(path)
    assert answer.status_code == 200
    found = html.fromstring(answer.text).xpath("//tbody/tr | //dl/div")
    return [" ".join(" ".join(each.itertext()).split()) for each in found]


def test_sites_page_lists_also_what_was_never_crawled(client: TestClient) -> None:
    rows = texts(client, "/sites")
    assert any(row.startswith("demo ") and "missing" in row for row in rows)
    assert any(row.startswith("new never crawled 0") and "02:30" in row for row in rows)
    assert any(row.startswith("off never crawled, disabled") for row in rows)
    assert any(row.startswith("wrong never crawled, invalid") for row in rows)


def test_page_of_a_site_that_was_never_crawled_tells_when_it_will_be(client: TestClient) -> None:
    facts = texts(client, "/sites/new")
    assert "State never crawled" in facts
    assert "Site file enabled" in facts
    assert any(fact.startswith("Schedule 30 2 * * *, next ") for fact in facts)
    assert "Last run none yet" in facts
    assert "Budget 20,000 requests a night" in facts


def test_page_of_a_wrong_file_tells_what_is_wrong_with_it(client: TestClient) -> None:
    answer = client.get("/sites/wrong")
    assert "seed: must be a whole number, not &#39;&lt;b&gt;no&lt;/b&gt;&#39;" in answer.text


def test_page_of_a_crawled_site_tells_its_last_run(client: TestClient) -> None:
    facts = texts(client, "/sites/demo")
    (last,) = [fact for fact in facts if fact.startswith("Last run ")]
    assert RUNNING in last
    assert any("new or changed files in the last runs" in fact for fact in facts)


def test_site_that_nobody_knows_is_not_found(client: TestClient) -> None:
    assert client.get("/sites/nobody").status_code == 404
