"""A real browser for the tests of pages, and the pages that it looks at.

Screenshots go to $TALLYHO_SCREENSHOTS, or else to the test's own folder.
"""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from crawler.webapp.app import create_app
from tests.webapp.stock import RUN

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
IN_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="no chromium on the PATH; on Debian: apt-get install chromium"
    ),
]

ARGUMENTS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCRIPTS = 'script:not([type="application/ld+json"])'
"""What a browser could run; descriptions for search engines are data."""
BIRTHS_ALERT = "search: births\nformat: csv\nwebhook: env:HOOK\nemail: [me@example.org]\n"
DESK = {"width": 1200, "height": 900}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def base(catalog, tmp_path_factory) -> Iterator[str]:
    alerts = tmp_path_factory.mktemp("alerts")
    (alerts / "births.yaml").write_text(BIRTHS_ALERT)
    (alerts / "wrong.yaml").write_text("serch: births\n")
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(create_app(catalog, alerts_dir=alerts), log_level="error")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM, chromium_sandbox=False, args=ARGUMENTS
        )
        yield opened
        opened.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser's console said; the policy speaks there when it has to stop something."""
    return []


@pytest.fixture
def open_page(browser: Browser, complaints: list[str]):
    opened = []

    def with_settings(**settings: object) -> Page:
        context = browser.new_context(**({"viewport": DESK} | settings))
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        opened.append(context)
        return page

    yield with_settings
    for context in opened:
        context.close()


@pytest.fixture
def shoot(tmp_path: Path):
    folder = Path(os.environ.get("TALLYHO_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)

    def take(page: Page, name: str) -> None:
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        assert (folder / f"{name}.png").stat().st_size > 1000

    return take


def addresses(base: str, stock) -> dict[str, str]:
    return {
        "search": f"{base}/",
        "found": f"{base}/?q=births",
        "dataset": f"{base}/files/{stock['births']}",
        "hostile": f"{base}/files/{stock['script']}",
        "table": f"{base}/files/{stock['births']}/table?filter=births>=0",
        "group": f"{base}/datasets/1",
        "diff": f"{base}/files/{stock['births']}/diff",
        "removed": f"{base}/files/{stock['removed']}",
        "sites": f"{base}/sites",
        "site": f"{base}/sites/demo",
        "run": f"{base}/runs/{RUN}",
        "alerts": f"{base}/alerts",
        "alert": f"{base}/alerts/births",
        "guide": f"{base}/api",
        "missing": f"{base}/files/999999",
    }
