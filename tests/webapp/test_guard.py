"""The application with a host: nothing is seen before the host lets one in, and links lead back."""

import re
from urllib.parse import quote

import pytest
from fastapi import FastAPI, HTTPException, Request
from fastapi.testclient import TestClient
from lxml import html
from starlette.routing import Mount
from starlette.websockets import WebSocketDisconnect

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.catalog.write.runs import start_run
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.app import create_app
from crawler.webapp.headers import POLICY
from tests.webapp.stock import DAY

LET_IN = {"Authorization": "Bearer friend"}
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")


class Inn:
    """A host that knows its friends by one word."""

    name = "the Inn"

    async def admit(self, request: Request) -> None:
        if request.headers.get("Authorization") != LET_IN["Authorization"]:
            raise HTTPException(401, "who are you?")

    def login_address(self, request: Request) -> str:
        return f"/door?next={quote(str(request.url.path))}"

    def night_address(self, site: str, night: str) -> str | None:
        return f"/inn/{site}/{night}" if night.startswith("n-") else None


@pytest.fixture(scope="module")
def app(catalog) -> FastAPI:
    return create_app(catalog, Inn())


@pytest.fixture(scope="module")
def client(app) -> TestClient:
    outer = FastAPI()
    outer.mount("/catalog", app)
    return TestClient(outer)


def addresses(app: FastAPI) -> list[str]:
    """One of every route, of every file below a mount, and some that lead nowhere."""
    found = ["/nowhere", "/api/v2/nowhere", "/static/none.css"]
    for route in app.routes:
        if isinstance(route, Mount):
            found += [f"{route.path}/{name}" for name in ("style.css", "icon.svg", "")]
        else:
            found.append(re.sub(r"\{[^}]+\}", "1", route.path))
    return found


def test_nothing_is_answered_before_the_host_lets_one_in(app, client):
    asked = addresses(app)
    assert {"/", "/api/v2/openapi.json", "/health", "/metrics", "/feed.atom"} <= set(asked)
    for address in asked:
        for method in METHODS:
            refused = client.request(method, f"/catalog{address}", follow_redirects=False)
            assert refused.status_code == 401, (method, address)
            assert "births" not in refused.text
            assert refused.headers["x-content-type-options"] == "nosniff"
            assert refused.headers["www-authenticate"] == "Bearer"


def test_websocket_is_refused(client):
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/catalog/"):
        pass
    assert refused.value.code == 1008


def test_refusal_is_a_page_with_the_way_in_or_json_for_scripts(client):
    page = client.get("/catalog/files/1")
    (way_in,) = html.fromstring(page.text).xpath("//a/@href")
    assert way_in == "/door?next=/catalog/files/1"
    assert client.get("/catalog/api/v2/search").json()["error"].endswith("logged in to the Inn.")


@pytest.mark.parametrize("address", ["/", "/sites", "/static/style.css", "/api/v2/openapi.json"])
def test_friends_of_the_host_see_everything(client, address):
    assert client.get(f"/catalog{address}", headers=LET_IN).status_code == 200


def test_run_of_a_night_of_the_host_leads_to_it(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    client = TestClient(create_app(Catalog(database, LocalFolder(tmp_path / "store")), Inn()))
    for run, night in (("hosted", "n-17"), ("other", "by hand"), ("bare", "")):
        start_run(
            database,
            run_id=run,
            site="demo",
            start_url="https://stats.example/",
            strategy="sb",
            started_at=DAY,
            night=night,
        )

    def links(run: str) -> list[str]:
        page = client.get(f"/runs/{run}", headers=LET_IN)
        assert page.status_code == 200
        return html.fromstring(page.text).xpath("//dl//a/@href")

    assert "/inn/demo/n-17" in links("hosted")
    assert not [link for link in links("other") + links("bare") if link.startswith("/inn")]
    shown = client.get("/api/v2/runs/hosted", headers=LET_IN).json()
    assert shown["night"] == "n-17"
    database.close()


def test_only_the_one_script_may_run_and_only_with_a_host(catalog, client):
    hosted = client.get("/catalog/", headers=LET_IN)
    policy = hosted.headers["content-security-policy"]
    assert policy.startswith(POLICY)
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'$", policy)
    (script,) = html.fromstring(hosted.text).xpath("//script")
    assert script.attrib == {}
    alone = TestClient(create_app(catalog)).get("/")
    assert alone.headers["content-security-policy"] == POLICY
    assert "<script" not in alone.text


def test_data_docs_keep_their_origin_behind_a_login_but_run_nothing(client):
    docs = client.get("/catalog/data-docs/demo/results/delimited.html", headers=LET_IN)
    assert docs.status_code == 200
    policy = docs.headers["content-security-policy"]
    assert policy.endswith("sandbox allow-same-origin")
    assert "default-src 'none'" in policy
    assert "script" not in policy
