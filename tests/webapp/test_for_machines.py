"""What machines read: JSON-LD, sitemap, DCAT page by page, CORS, examples of the API."""

import json
import re
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from crawler.catalog.export.dcat import write_dcat
from crawler.webapp import sitemap
from crawler.webapp.app import create_app
from crawler.webapp.cors import readable_elsewhere
from tests.webapp.stock import SCRIPT_TITLE

BLOCK = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def json_ld(page: str) -> dict:
    (block,) = BLOCK.findall(page)
    return json.loads(block)


def test_a_file_is_described_for_search_engines(client, catalog, stock):
    file = catalog.show(stock["births"])
    node = json_ld(client.get(f"/files/{file.id}").text)
    assert (node["@context"], node["@type"]) == ("https://schema.org/", "Dataset")
    assert node["name"] == file.title
    assert 50 <= len(node["description"]) <= 5000
    assert node["license"] == file.licence
    assert node["variableMeasured"] == ["region", "year", "births"]
    (download,) = node["distribution"]
    assert download["sha256"] == file.sha256
    assert client.get(download["contentUrl"]).headers["etag"] == f'"{file.sha256}"'
    assert node["isPartOf"]["url"].endswith(f"/datasets/{file.dataset_id}")


def test_a_dataset_is_described_with_all_its_files(client, catalog, stock):
    dataset = catalog.dataset(catalog.show(stock["births"]).dataset_id)
    node = json_ld(client.get(f"/datasets/{dataset.id}").text)
    assert node["@id"].endswith(f"/datasets/{dataset.id}")
    assert {one["sha256"] for one in node["distribution"]} == {
        file.sha256 for file in dataset.files
    }


def test_a_title_cannot_end_the_block(client, stock):
    page = client.get(f"/files/{stock['script']}").text
    node = json_ld(page)
    assert node["name"] == SCRIPT_TITLE
    (block,) = BLOCK.findall(page)
    assert not set("<>&") & set(block)


def test_the_sitemap_has_the_page_of_every_dataset(client, catalog):
    answer = client.get("/sitemap.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    root = ElementTree.fromstring(answer.content)
    pages = [element.text for element in root.findall(".//s:loc", NAMES)]
    total = client.get("/api/v2/search").json()["total"]
    assert len(pages) == len(set(pages)) == total
    assert client.get(pages[0]).status_code == 200
    again = client.get("/sitemap.xml", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "Sitemap: http://testserver/sitemap.xml" in client.get("/robots.txt").text


def test_a_large_sitemap_is_an_index_of_parts(client, monkeypatch):
    monkeypatch.setattr(sitemap, "PART", 10)
    index = ElementTree.fromstring(client.get("/sitemap.xml").content)
    assert index.tag.endswith("sitemapindex")
    parts = [element.text for element in index.findall(".//s:loc", NAMES)]
    pages = []
    for part in parts:
        listed = ElementTree.fromstring(client.get(part).content).findall(".//s:loc", NAMES)
        assert len(listed) <= 10
        pages += [element.text for element in listed]
    assert len(pages) == len(set(pages)) == client.get("/api/v2/search").json()["total"]
    assert client.get(f"/sitemap-{len(parts) + 1}.xml").status_code == 404


def test_dcat_by_http_has_the_same_datasets_as_the_export(client, catalog, tmp_path):
    found, address = [], "/api/v2/dcat?limit=7"
    while address:
        answer = client.get(address)
        assert answer.headers["content-type"] == "application/ld+json"
        page = answer.json()
        found += page["dcat:dataset"]
        address = answer.links["next"]["url"] if "next" in answer.links else ""
        assert address == page.get("hydra:next", {}).get("@id", "")
    with (tmp_path / "all.jsonld").open("w+b") as target, catalog.database.reading() as session:
        write_dcat(session, target)
        target.seek(0)
        assert found == json.load(target)["dcat:dataset"]


def test_a_harvester_that_has_a_page_gets_304(client):
    tag = client.get("/api/v2/dcat").headers["etag"]
    assert client.get("/api/v2/dcat", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/api/v2/dcat", headers={"If-None-Match": f"W/{tag}"}).status_code == 304
    assert client.get("/api/v2/dcat", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("head", ["HEAD", "GET"])
def test_other_websites_read_only_where_it_was_asked_for(catalog, head):
    asked = {"Origin": "https://notebooks.example.org"}
    app = create_app(catalog)

    def answer(*origins: str):
        return TestClient(readable_elsewhere(app, origins)).request(
            head, "/api/v2/search", headers=asked
        )

    assert "access-control-allow-origin" not in answer().headers
    assert "access-control-allow-origin" not in answer("https://other.example.org").headers
    named = answer("https://notebooks.example.org/")
    assert named.headers["access-control-allow-origin"] == asked["Origin"]
    assert "origin" in named.headers["vary"].lower()
    everyone = answer("*")
    assert everyone.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in everyone.headers


def test_a_browser_is_told_beforehand_that_reading_is_all(catalog):
    client = TestClient(readable_elsewhere(create_app(catalog), ["*"]))
    asked_for = "Access-Control-Request-Method"
    asked = {"Origin": "https://x.example", asked_for: "DELETE"}
    answer = client.options("/api/v2/search", headers=asked)
    assert answer.status_code == 400
    allowed = client.options("/api/v2/search", headers=asked | {asked_for: "GET"})
    assert allowed.status_code == 200
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD"
    assert client.post("/api/v2/search", headers=asked).status_code == 405


def test_every_operation_has_an_example_that_its_schema_allows(client):
    document = client.get("/api/v2/openapi.json").json()
    examples = 0
    for path, methods in document["paths"].items():
        for parameter in methods["get"].get("parameters", ()):
            schema = parameter["schema"]
            shown = parameter.get("examples") or schema.get("examples")
            assert shown or schema.get("default") not in (None, ""), (path, parameter["name"])
        content = methods["get"]["responses"]["200"]["content"].get("application/json")
        if content is None:
            continue
        examples += 1
        whole = {**content["schema"], "components": document["components"]}
        Draft202012Validator(whole).validate(content["example"])
    assert examples > 12
