"""An application that is made when the first request comes, and only once."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from crawler.webapp.app import create_app
from crawler.webapp.late_app import LateApp


def test_application_is_made_once_when_the_first_requests_come():
    made = []
    slowly = threading.Event()

    def make() -> FastAPI:
        slowly.wait(0.2)
        app = FastAPI()
        app.get("/")(lambda: "here")
        made.append(app)
        return app

    outer = FastAPI()
    outer.mount("/late", LateApp(make))
    assert made == []
    with TestClient(outer) as client, ThreadPoolExecutor(4) as askers:
        answers = list(askers.map(lambda _: client.get("/late/").json(), range(8)))
    assert answers == ["here"] * 8
    assert len(made) == 1


@pytest.mark.slow
def test_warmed_up_application_has_its_readers_and_its_document(catalog):
    app = create_app(catalog)
    app.warm_up().join()
    assert app.openapi_schema is not None
    assert gc.get_freeze_count() > 0
    gc.unfreeze()
