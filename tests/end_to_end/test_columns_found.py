"""From a crawl over validation to a search: datasets are found by the names of their columns."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import html

from crawler.catalog import open_catalog
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.validate.batches import pending_batches, validate_versions
from crawler.webapp.app import create_app
from tests.end_to_end.desk import SITE, Desk


@pytest.mark.slow
def test_dataset_is_found_by_a_column_with_the_command_the_api_and_the_page(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path)
    with running_site(demo_site(60)) as base:
        desk.describe(base, politeness={"delay": 0})
        targets = desk.acquire().targets
    batches = pending_batches(desk.settings, SITE)
    summary = sum(
        (validate_versions(desk.settings, batch) for batch in batches[1:]),
        validate_versions(desk.settings, batches[0]),
    )
    assert (summary.checked, summary.failures) == (targets, ())

    with open_catalog(desk.settings) as catalog:
        column, file_id = rare_column(catalog)
        client = TestClient(create_app(catalog))
        by_api = client.get("/api/v2/search", params={"q": column}).json()["items"]
        assert file_id in files_of(by_api)
        page = html.fromstring(client.get("/", params={"q": column}).text)
        assert f"/files/{file_id}" in page.xpath("//article//a/@href")
        shown = html.fromstring(client.get(f"/files/{file_id}").text)
        assert column in shown.xpath("//section[h2[@id='profile']]//th/bdi/text()")
        [docs] = shown.xpath("//a[text()='Data Docs of these checks']/@href")
        assert client.get(docs).status_code == 200
        assert file_id in files_of([item.model_dump() for item in catalog.search(column)])
    by_command = desk.json("catalog", "search", column)["items"]
    assert file_id in files_of(by_command)


def rare_column(catalog) -> tuple[str, int]:
    """A column whose name stands in no title, and a file that has it."""
    for item in catalog.search("", limit=100):
        check = catalog.show(item.id).check
        for name in check.column_names:
            words = name.lower().replace("_", " ").split()
            if name.isalpha() and not any(word in item.title.lower() for word in words):
                return name, item.id
    raise AssertionError("every column is part of a title")


def files_of(items) -> set[int]:
    return {file["id"] for item in items for file in item["files"]}
