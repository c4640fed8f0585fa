"""Can everybody use the pages? axe-core looks at each kind of them in a real browser."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from crawler.config.validation import ValidationConfig
from crawler.validation.data_docs import JudgedFile, build_data_docs
from crawler.validation.suites import load_suites
from tests.webapp.browser import IN_BROWSER, PHONE, addresses
from tests.webapp.stock import births_outcome, hostile_outcome

pytestmark = IN_BROWSER

SUITES = Path("include/expectations")
GRAVE = ("serious", "critical")
VIEWS = {
    "desk": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE, "is_mobile": True, "has_touch": True},
    "dark phone": {"viewport": PHONE, "is_mobile": True, "color_scheme": "dark"},
}


@pytest.fixture(scope="module")
def data_docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Data Docs of a site, as validation writes them."""
    folder = tmp_path_factory.mktemp("docs")
    files = [JudgedFile("births.csv", births_outcome()), JudgedFile("a.csv", hostile_outcome())]
    when = datetime(2026, 3, 2, tzinfo=UTC)
    build_data_docs(folder, "demo", load_suites(SUITES), ValidationConfig(), files, when)
    return folder / "demo"


def grave_violations(page: Page) -> list[str]:
    """What axe calls serious or critical, with the elements that it is about."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {[node['html'][:200] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in GRAVE
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_no_page_shuts_anybody_out(base, stock, open_page, view):
    page = open_page(**VIEWS[view])
    pages = addresses(base, stock) | {
        "nothing found": f"{base}/?q=xylophone",
        "narrowed": f"{base}/?q=births&format=csv&since=2y",
        "preview": f"{base}/files/{stock['births']}?preview=true",
    }
    grave = {}
    for name, address in pages.items():
        page.goto(address)
        if violations := grave_violations(page):
            grave[name] = violations
    assert grave == {}


@pytest.mark.parametrize("view", VIEWS)
def test_neither_do_data_docs(data_docs, open_page, view):
    page = open_page(**VIEWS[view])
    grave = {}
    for path in sorted(data_docs.rglob("*.html")):
        page.goto(path.as_uri())
        if violations := grave_violations(page):
            grave[path.name] = violations
    assert grave == {}


def test_axe_finds_what_is_wrong(open_page):
    page = open_page()
    page.set_content("<html><body><img src=x><input><p style='color:#ccc'>weak")
    found = " ".join(grave_violations(page))
    assert all(name in found for name in ("image-alt", "label", "color-contrast", "html-has-lang"))
