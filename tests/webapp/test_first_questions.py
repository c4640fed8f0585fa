"""What is asked before the first visitor comes: what pages ask; a failure stops nobody."""

import gc
import re

import pytest
from fastapi.testclient import TestClient

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.storage.local_folder import LocalFolder
from crawler.webapp import rendering
from crawler.webapp.app import create_app
from crawler.webapp.first_questions import ask_first_questions
from tests.catalog.recorded import statements


def kinds(asked) -> set[str]:
    """Statements without their lists, which are as long as what was found."""
    return {re.sub(r"IN \([^()]*\)", "IN ()", statement) for statement, _ in asked}


@pytest.mark.slow
def test_pages_ask_nothing_that_was_not_asked_before(catalog: Catalog) -> None:
    app = create_app(catalog)
    with statements(catalog.database) as before:
        app.warm_up().join()
    gc.unfreeze()
    [hit] = catalog.search(limit=1).items
    [run] = catalog.runs(hit.site, limit=1).items
    client = TestClient(app)
    with statements(catalog.database) as asked:
        for address in (
            "/",
            "/?q=births",
            f"/files/{hit.id}",
            f"/datasets/{hit.dataset_id}",
            "/sites",
            f"/sites/{hit.site}",
            f"/runs/{run.id}",
            "/feed.atom",
            f"/feed.json?site={hit.site}",
        ):
            assert client.get(address).status_code == 200
    assert asked
    assert kinds(asked) - kinds(before) == set()


def test_templates_are_compiled_before_a_page_is_shown(catalog: Catalog) -> None:
    rendering._environment.cache_clear()
    ask_first_questions(catalog)
    compiled = {name for _, name in rendering._environment().cache}
    assert {"search.html", "file.html", "diff.html", "alert.html"} <= compiled


@pytest.mark.parametrize("url", ["postgresql://nobody@127.0.0.1:1/none", "sqlite:///{}/catalog.db"])
def test_catalog_that_is_away_or_empty_keeps_nobody_from_serving(url: str, tmp_path) -> None:
    database = open_database(url.format(tmp_path))
    if database.is_sqlite:
        database.ready()
    ask_first_questions(Catalog(database, LocalFolder(tmp_path / "store")))
    database.close()
