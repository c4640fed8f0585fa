"""The Content-Language of a file, from its response to every place that shows it."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from crawler.catalog import open_catalog
from crawler.lab.server import running_site
from crawler.lab.sites.answer import answer
from crawler.webapp.app import create_app
from tests.end_to_end.desk import Desk
from tests.end_to_end.made_site import CSV, MadeSite, file, page

FRENCH = answer(b"an,naissances\n2024,17\n", CSV, headers={"Content-Language": "fr-CA, en"})


@pytest.mark.slow
def test_content_language_is_kept_shown_exported_and_searched(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    site = MadeSite(
        {
            "/": page("/naissances.csv", "/other.csv"),
            "/naissances.csv": FRENCH,
            "/other.csv": file("1"),
        }
    )
    with running_site(site) as base:
        desk.describe(base, politeness={"delay": 0, "robots": False})
        desk.acquire()
    [line] = [line for line in desk.manifest() if "naissances" in line["url"]]
    assert line["content_language"] == "fr-CA, en"

    found = desk.json("catalog", "search", "language:fr")
    assert [item["content_language"] for item in found["items"]] == ["fr-CA, en"]
    assert desk.json("catalog", "search", "naissances language:fr-ca")["total"] == 1
    assert desk.json("catalog", "search", "language:de")["total"] == 0
    file_id = found["items"][0]["id"]
    assert desk.json("catalog", "history", str(file_id))["items"][0]["content_language"]
    assert "content-language  fr-CA, en" in desk.run("catalog", "show", str(file_id))
    assert '"fr-CA, en"' in desk.run("catalog", "export", "--format", "csv")
    exported = json.loads(desk.run("catalog", "export", "--format", "dcat"))
    languages = [
        [language["@id"][-3:] for language in distribution.get("dct:language", [])]
        for dataset in exported["dcat:dataset"]
        for distribution in dataset["dcat:distribution"]
    ]
    assert languages == [["FRA", "ENG"], []]

    with open_catalog(desk.settings) as catalog:
        assert catalog.show(file_id).content_language == "fr-CA, en"
        client = TestClient(create_app(catalog))
        assert client.get(f"/api/v2/files/{file_id}").json()["content_language"] == "fr-CA, en"
        assert "fr-CA, en" in client.get(f"/files/{file_id}").text
        with catalog.database.reading() as session:
            rows = session.connection().exec_driver_sql("SELECT content_language FROM files")
            assert sorted(row[0] for row in rows) == ["", "fr-CA, en"]
