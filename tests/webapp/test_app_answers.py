"""Every answer: its headers, HEAD, and what comes when there is no answer."""

from urllib.parse import urljoin

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from lxml import html

from crawler.errors import StorageError
from crawler.webapp.app import create_app
from crawler.webapp.headers import POLICY
from crawler.webapp.rendering import web_link
from tests.webapp.stock import RUN

ADDRESSES = [
    "/",
    "/sites",
    "/sites/demo",
    f"/runs/{RUN}",
    "/files/1",
    "/files/1/download",
    "/feed.atom",
    "/feed.json",
    "/alerts",
    "/api/v2/news",
    "/data-docs/demo/index.html",
    "/data-docs/demo/none.html",
    "/api",
    "/api/v2/search",
    "/api/v2/openapi.json",
    "/health",
    "/static/style.css",
    "/static/icon.svg",
    "/static/none.css",
    "/files/999999",
    "/files/x",
    "/?page=0",
    "/nowhere",
    "/api/v2/nowhere",
    "/api/v2/search?limit=0",
]


class BrokenCatalog:
    """A catalog whose every part fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getattr__(self, name: str) -> object:
        raise self.error


def broken_client(error: Exception) -> TestClient:
    return TestClient(create_app(BrokenCatalog(error)), raise_server_exceptions=False)


def check_headers(answer):
    headers = answer.headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers
    assert "server" not in headers


@pytest.mark.parametrize("address", ADDRESSES)
def test_safe_headers_are_on_every_answer(client, address):
    check_headers(client.get(address))
    check_headers(client.head(address))
    check_headers(client.post(address))


@pytest.mark.parametrize("address", ["/", "/api/v2/search", "/feed.atom", "/nowhere"])
def test_pages_allow_styles_and_pictures_of_their_own_only(client, address):
    assert client.get(address).headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("address", ADDRESSES)
def test_head_is_get_without_its_body(client, address):
    full, head = client.get(address), client.head(address)
    assert head.status_code == full.status_code
    assert head.content == b""
    assert head.headers["content-type"] == full.headers["content-type"]
    assert head.headers.get("content-length") == full.headers.get("content-length")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nowhere", 404),
        ("/files/999999", 404),
        ("/files/99999999999999999999", 422),
        ("/files/x", 422),
        ("/files/1/versions/7/download", 404),
        ("/sites/unknown", 404),
        ("/sites/..%2f..", 404),
        ("/sites/UPPER", 422),
        ("/runs/none", 404),
        ("/runs/%00", 422),
        ("/?page=0", 422),
        ("/?page=x", 422),
        ("/?since=2026-02-31", 422),
        ("/?site=<script>", 422),
        (f"/?q={'x' * 201}", 422),
        ("/feed.atom?format=%0d%0aX:y", 422),
    ],
)
def test_wrong_address_gets_a_page_that_says_so(client, address, status):
    answer = client.get(address)
    assert answer.status_code == status
    shown = html.fromstring(answer.text)
    assert len(shown.xpath("//h1")) == 1
    assert shown.xpath("//main//a[@href='/']")
    assert "<script>" not in answer.text


def test_api_tells_errors_as_json(client):
    missing = client.get("/api/v2/files/999999")
    assert missing.status_code == 404
    assert missing.json() == {"error": "The catalog has no file 999999.", "details": []}
    wrong = client.get("/api/v2/search?limit=1000&since=soon").json()
    assert {detail["where"] for detail in wrong["details"]} == {"query.limit", "query.since"}
    banana = client.get("/?since=banana&period=apple")
    assert banana.status_code == 422
    assert "&#39;banana&#39; is no time: write 12h, 7d" in banana.text
    assert "&#39;apple&#39; is no period: write a year" in banana.text
    refused = client.post("/api/v2/search")
    assert refused.status_code == 405
    assert refused.headers["allow"] == "GET"
    assert "error" in refused.json()


@pytest.mark.parametrize("address", ["/", "/files/1", "/sites", "/feed.atom"])
def test_catalog_that_is_away_is_told_on_a_page(address):
    answer = broken_client(StorageError("catalog db.example: refused")).get(address)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "30"
    assert "Try again" in answer.text
    assert "db.example" not in answer.text
    check_headers(answer)


@pytest.mark.parametrize("address", ["/health", "/api/v2/search", "/api/v2/runs"])
def test_catalog_that_is_away_is_told_as_json(address):
    answer = broken_client(StorageError("away")).get(address)
    assert answer.status_code == 503
    assert "Try again" in answer.json()["error"]


@pytest.mark.parametrize("address", ["/", "/api/v2/search"])
def test_mistake_of_ours_tells_nothing_of_the_inside_and_keeps_the_headers(address):
    answer = broken_client(KeyError("secret")).get(address)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    check_headers(answer)


def test_health_is_ok(client):
    assert client.get("/health").json() == {"status": "ok"}


@pytest.mark.slow
def test_application_works_under_a_prefix(catalog, stock):
    outer = FastAPI()
    outer.mount("/catalog", create_app(catalog))
    client = TestClient(outer)
    visited, waiting = set(), ["/catalog/"]
    while waiting and len(visited) < 150:
        address = waiting.pop()
        if address in visited:
            continue
        visited.add(address)
        answer = client.get(address, follow_redirects=False)
        assert answer.status_code == 200, address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        shown = html.fromstring(answer.text)
        addresses = shown.xpath("//@href | //@action")
        inside = [
            urljoin(address, found.partition("#")[0])
            for found in addresses
            # Every view of a table leads to many more.
            if not web_link(found) and not found.startswith("#") and "/table?" not in found
        ]
        assert all(found.startswith("/catalog") for found in inside if found)
        waiting += [found for found in inside if found]
    kinds = {address.split("/")[2].partition("?")[0] for address in visited}
    assert {"", "files", "datasets", "sites", "static", "feed.atom", "api", "data-docs"} <= kinds
    failed = client.get("/catalog/api/v2/files/999999")
    assert failed.json()["error"] == "The catalog has no file 999999."
    assert client.get("/catalog/api/v2/openapi.json").json()["servers"] == [{"url": "/catalog"}]
    check_headers(client.get("/catalog/nowhere"))


def test_prefix_of_a_proxy_is_respected(catalog):
    shown = html.fromstring(TestClient(create_app(catalog), root_path="/data").get("/").text)
    assert all(link.startswith(("/data/", "#")) for link in shown.xpath("//a/@href"))


@pytest.mark.parametrize(
    ("url", "followed"),
    [
        ("https://stats.example/a?b=c#d", True),
        ("http://stats.example:8080/", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("data:text/html,x", False),
        ("java\nscript:alert(1)", False),
        ("//stats.example/", False),
        ("https:///nowhere", False),
        ("https://[broken", False),
        ("https://stats.example/\u202e", False),
        ("https://stats.example/ a", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(url, followed):
    assert web_link(url) == (url if followed else None)
