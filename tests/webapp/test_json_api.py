"""The JSON API: the same data as the pages, and true to its own OpenAPI document."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from crawler.webapp import shapes
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
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", client.app)


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
    found = client.get("/api/v1/datasets?limit=5").json()
    assert found["total"] == 36
    assert found["total_is_exact"] is True
    assert len(found["items"]) == 5
    for item in found["items"]:
        assert set(item) >= ITEM
        for file in item["files"]:
            assert set(file) >= ITEM


def test_pages_of_a_list_are_complete_and_do_not_overlap(client):
    seen = []
    for offset in range(0, 40, 10):
        page = client.get(f"/api/v1/datasets?limit=10&offset={offset}").json()
        seen += [item["id"] for item in page["items"]]
    assert len(seen) == len(set(seen)) == 36


def test_facets_count_what_is_found(client):
    facets = client.get("/api/v1/datasets").json()["facets"]
    assert facets["site"] == [{"value": "demo", "count": 36}]
    assert {"value": "pdf", "count": 1} in facets["format"]
    assert {"value": "not_a_dataset", "count": 1} in facets["verdict"]


def test_every_offered_facet_value_finds_as_many_as_it_says(client):
    for name, values in client.get("/api/v1/datasets").json()["facets"].items():
        for value in values:
            found = client.get("/api/v1/datasets", params={name: value["value"]}).json()
            assert found["total"] == value["count"], (name, value)


def test_dataset_has_versions_verdict_and_sightings(client, stock):
    shown = client.get(f"/api/v1/datasets/{stock['births']}").json()
    assert [version["number"] for version in shown["versions"]] == [2, 1]
    assert shown["versions"][0]["bytes"] == shown["bytes"] == len(CSV_NOW)
    assert shown["check"]["column_names"] == ["region", "year", "births"]
    assert shown["sightings_total"] == 3
    assert {file["format"] for file in shown["files"]} == {"csv", "parquet"}
    versions = client.get(f"/api/v1/datasets/{stock['births']}/versions").json()
    assert versions == {"total": 2, "items": shown["versions"]}


def test_removed_dataset_is_told_but_not_found(client, stock):
    shown = client.get(f"/api/v1/datasets/{stock['removed']}").json()
    assert shown["removal_reason"] == "names of persons"
    assert shown["versions"][0]["available"] is False
    assert client.get("/api/v1/datasets?q=names+list").json()["total"] == 0


def test_sites_and_runs(client):
    sites = client.get("/api/v1/sites").json()
    assert [site["name"] for site in sites["items"]] == ["demo"]
    assert client.get("/api/v1/sites/demo").json() == sites["items"][0]
    runs = client.get("/api/v1/runs?site=demo").json()
    assert [run["id"] for run in runs["items"]] == [RUNNING, LATER_RUN, RUN]
    assert client.get("/api/v1/runs?site=nowhere").json()["total"] == 0
    shown = client.get(f"/api/v1/runs/{RUN}").json()
    assert shown["curve"][-1] == [900, 140]
    assert shown["actions"][0]["mean_reward"] == 2.61


def test_document_describes_every_parameter_with_bounds(client):
    document = client.get("/api/v1/openapi.json").json()
    for path, methods in document["paths"].items():
        assert set(methods) == {"get"}
        for parameter in methods["get"].get("parameters", []):
            assert parameter["description"], path
            bounded = parameter["schema"]
            assert {"maxLength", "pattern", "maximum"} & set(bounded), (path, parameter["name"])


def test_examples_of_the_document_are_complete_and_valid(client):
    described = client.get("/api/v1/openapi.json").json()["components"]["schemas"]
    given = [name for name, schema in described.items() if schema.get("examples")]
    assert len(given) >= 10
    for name in given:
        shape = getattr(shapes, name)
        for example in shape.model_config["json_schema_extra"]["examples"]:
            assert set(example) == set(shape.model_fields), name
            shape.model_validate(example)
