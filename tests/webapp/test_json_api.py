"""The JSON API: the same data as the pages, and true to its own OpenAPI document."""

import json
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from pydantic import TypeAdapter
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from crawler.catalog.read.record import Record
from crawler.webapp.app import create_app
from tests.webapp.stock import CSV_NOW, LATER_RUN, RUN, RUNNING

pytestmark = pytest.mark.slow

ITEM = {
    "id",
    "site",
    "url",
    "title",
    "format",
    "bytes",
    "sha256",
    "first_seen",
    "last_seen",
    "gone_since",
    "verdict",
}


DOCUMENTED = create_app(None).openapi()["paths"]
CASES = [(path, GenerationMode.POSITIVE) for path in DOCUMENTED] + [
    (path, GenerationMode.NEGATIVE)
    for path, methods in DOCUMENTED.items()
    if "parameters" in methods["get"]
]


@pytest.fixture(scope="module")
def described(client):
    return schemathesis.openapi.from_asgi("/api/v2/openapi.json", client.app)


@pytest.mark.parametrize(("path", "mode"), CASES)
def test_every_operation_answers_as_its_document_says(described, path, mode):
    operation = described[path]["GET"]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=40,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case):
        case.call_and_validate(
            checks=[
                not_a_server_error,
                status_code_conformance,
                content_type_conformance,
                response_schema_conformance,
            ]
        )

    ask()


def test_list_has_total_items_and_the_promised_fields(client):
    found = client.get("/api/v2/search?limit=5").json()
    assert found["total"] == 36
    assert (found["more"], found["at_least"]) == (True, False)
    assert len(found["items"]) == 5
    for item in found["items"]:
        assert set(item) >= ITEM
        for file in item["files"]:
            assert set(file) >= ITEM


def test_pages_of_a_list_are_complete_and_do_not_overlap(client):
    seen = []
    for offset in range(0, 40, 10):
        page = client.get(f"/api/v2/search?limit=10&offset={offset}").json()
        seen += [item["id"] for item in page["items"]]
    assert len(seen) == len(set(seen)) == 36


def test_facets_count_what_is_found(client):
    facets = client.get("/api/v2/search").json()["facets"]
    assert facets["site"] == [{"value": "demo", "count": 36}]
    assert {"value": "pdf", "count": 1} in facets["format"]
    assert {"value": "not_a_dataset", "count": 1} in facets["verdict"]


def test_every_offered_facet_value_finds_as_many_as_it_says(client):
    for name, values in client.get("/api/v2/search").json()["facets"].items():
        for value in values:
            found = client.get("/api/v2/search", params={name: value["value"]}).json()
            assert found["total"] == value["count"], (name, value)


def test_dataset_has_versions_verdict_and_sightings(client, stock):
    shown = client.get(f"/api/v2/files/{stock['births']}").json()
    assert [version["number"] for version in shown["versions"]] == [2, 1]
    assert shown["versions"][0]["bytes"] == shown["bytes"] == len(CSV_NOW)
    assert shown["check"]["column_names"] == ["region", "year", "births"]
    assert shown["sightings_total"] == 3
    assert {file["format"] for file in shown["files"]} == {"csv", "parquet"}
    versions = client.get(f"/api/v2/files/{stock['births']}/versions").json()
    assert versions == {"total": 2, "items": shown["versions"]}


def test_removed_dataset_is_told_but_not_found(client, stock):
    shown = client.get(f"/api/v2/files/{stock['removed']}").json()
    assert shown["removal_reason"] == "names of persons"
    assert shown["versions"][0]["available"] is False
    assert client.get("/api/v2/search?q=names+list").json()["total"] == 0


def test_sites_and_runs(client):
    sites = client.get("/api/v2/sites").json()
    assert [site["name"] for site in sites["items"]] == ["demo"]
    assert client.get("/api/v2/sites/demo").json() == sites["items"][0]
    runs = client.get("/api/v2/runs?site=demo").json()
    assert [run["id"] for run in runs["items"]] == [RUNNING, LATER_RUN, RUN]
    assert client.get("/api/v2/runs?site=nowhere").json()["total"] == 0
    shown = client.get(f"/api/v2/runs/{RUN}").json()
    assert shown["curve"][-1] == [900, 140]
    assert shown["actions"][0]["mean_reward"] == 2.61


def test_document_describes_every_parameter_with_bounds(client):
    document = client.get("/api/v2/openapi.json").json()
    for path, methods in document["paths"].items():
        assert set(methods) == {"get"}
        for parameter in methods["get"].get("parameters", []):
            assert parameter["description"], path
            bounded = parameter["schema"]
            if "$ref" in bounded:
                bounded = document["components"]["schemas"][bounded["$ref"].rpartition("/")[2]]
            if bounded["type"] == "array":
                assert "maxItems" in bounded, (path, parameter["name"])
                bounded = bounded["items"]
            bounds = {"maxLength", "pattern", "maximum", "enum"}
            assert bounds & set(bounded), (path, parameter["name"])


def test_every_field_of_the_document_is_explained_and_has_a_valid_example(client):
    records = [*_subclasses(Record)]
    described = client.get("/api/v2/openapi.json").json()["components"]["schemas"]
    documented = [record for record in records if record.__name__ in described]
    assert len(documented) >= 14
    for record in documented:
        for name, field in record.model_fields.items():
            assert described[record.__name__]["properties"][name]["description"], (record, name)
            made_of_records = described[record.__name__]["properties"][name]
            if "$ref" in str(made_of_records):
                continue
            assert field.examples, (record, name)
            TypeAdapter(field.annotation).validate_json(json.dumps(field.examples[0]))


def _subclasses(kind: type[Record]) -> Iterator[type[Record]]:
    for below in kind.__subclasses__():
        yield below
        yield from _subclasses(below)


def test_dataset_has_its_own_id_and_leads_to_its_files(client, stock):
    file = client.get(f"/api/v2/files/{stock['births parquet']}").json()
    assert file["dataset_id"] != file["id"]
    dataset = client.get(f"/api/v2/datasets/{file['dataset_id']}").json()
    assert (dataset["id"], dataset["file_count"]) == (file["dataset_id"], 2)
    assert [one["id"] for one in dataset["files"]] == [stock["births"], stock["births parquet"]]
    assert client.get("/api/v2/datasets/999999").json()["error"] == (
        "The catalog has no dataset 999999."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("datasets?q=births&limit=5", "search?q=births&limit=5"),
        ("datasets/{id}", "files/{id}"),
        ("datasets/{id}/versions", "files/{id}/versions"),
        ("sites/demo", "sites/demo"),
        ("runs?site=demo", "runs?site=demo"),
    ],
)
def test_first_version_of_the_api_leads_to_this_one(client, stock, old, new):
    old, new = (path.format(id=stock["births"]) for path in (old, new))
    answer = client.get(f"/api/v1/{old}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (308, f"/api/v2/{new}")
    assert client.get(f"/api/v1/{old}").json() == client.get(f"/api/v2/{new}").json()


def test_language_of_a_page_is_a_filter_in_words(client):
    assert client.get("/api/v2/search", params={"q": "language:fr"}).json()["total"] == 0
    assert client.get("/api/v2/search", params={"q": "births language:fr"}).json()["total"] == 0


def test_first_rows_of_a_file_name_its_table(client, stock):
    found = client.get("/api/v2/search", params={"q": "births"}).json()["items"][0]
    shown = client.get(f"/api/v2/files/{found['id']}/preview").json()
    assert shown["columns"] == ["region", "year", "births"]
    assert len(shown["rows"]) >= 2
    missing = client.get(f"/api/v2/files/{found['id']}/preview", params={"table": "none"}).json()
    assert (missing["rows"], bool(missing["sentence"])) == ([], True)
