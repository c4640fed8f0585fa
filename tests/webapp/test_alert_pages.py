"""The pages of alerts: what is saved, when it was sent, what it would send, and no address."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import html

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import Catalog
from crawler.catalog.write.alert_state import claim_alert, note_failure, note_told
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.app import create_app
from tests.webapp.stock import DAY, SCRIPT_TITLE, fill

SECRET = "secret-token"
BIRTHS = f"search: births\nwhat: [changed]\nwebhook: https://hooks.example.org/{SECRET}\n"
EVERYTHING = "webhook: env:HOOK\nemail: [me@example.org, you@example.org]\n"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("alerts")
    database = open_database(f"sqlite:///{folder / 'catalog.db'}")
    database.ready()
    store = LocalFolder(folder / "store")
    fill(database, store)
    for name, text in {
        "births": BIRTHS,
        "everything": EVERYTHING,
        "odd": f"{BIRTHS}period: '2019'\nenabled: false\n",
        "wrong": "search: births period:banana\nwebhook: env:HOOK\n",
        "broken": f"serch: <script>x</script>\nwebhook: ftp://{SECRET}\n",
    }.items():
        (folder / f"{name}.yaml").write_text(text)
    # Both were asked before anything came; then one receiver failed, and another was told.
    for name, way in (("births", "webhook"), ("everything", "email"), ("everything", "webhook")):
        claim_alert(database, name, way, DAY.replace(year=2020))
    with database.transaction() as session:
        session.connection().exec_driver_sql("UPDATE alert SET begins_after = 0")
    note_failure(database, "births", "webhook", "the webhook answers with status 500", DAY)
    note_told(database, "everything", "email", {1: 40}, 12, datetime(2026, 3, 11, tzinfo=UTC))
    yield TestClient(create_app(Catalog(database, store), alerts_dir=folder))
    database.close()


def text(shown: html.HtmlElement) -> str:
    return " ".join(shown.text_content().split())


def page(client: TestClient, address: str) -> html.HtmlElement:
    answer = client.get(address)
    assert answer.status_code == 200
    assert SECRET not in answer.text
    assert "example.org" not in answer.text
    return html.fromstring(answer.text)


def test_list_has_what_is_saved_and_when_it_was_sent(pages: TestClient) -> None:
    shown = page(pages, "/alerts")
    rows = [[text(cell) for cell in row] for row in shown.xpath("//tbody/tr")]
    assert [row[0] for row in rows] == ["births", "everything", "everything", "odd (off)", "wrong"]
    assert rows[0][1:] == [
        "births",
        "changed",
        "webhook",
        "never",
        "2 March 2026, 01:00 UTC: the webhook answers with status 500",
    ]
    assert rows[2][1:5] == [
        "everything",
        "new, changed, gone",
        "e-mail to 2 addresses",
        "11 March 2026, 00:00 UTC, 12 files",
    ]
    [problem, other] = [text(one) for one in shown.xpath("//p[@class='notice bad']")]
    assert 'broken.yaml:1: serch: unknown key; did you mean "search"?' in problem
    assert "webhook" in other
    assert [text(one) for one in shown.xpath("//nav//a[@aria-current='page']")] == ["Alerts"]


def test_page_has_what_would_be_sent_now(pages: TestClient) -> None:
    shown = page(pages, "/alerts/births")
    [row] = shown.xpath("//section[@aria-labelledby='now']//tbody/tr")
    assert [text(cell) for cell in row][:2] == ["Live births by region", "changed"]
    receivers = text(shown.xpath("//section[@aria-labelledby='receivers']//tbody")[0])
    assert "1 changed" in receivers
    assert "1 time, 2 March 2026, 01:00 UTC: the webhook answers with status 500" in receivers
    feeds = shown.xpath("//p[@class='actions']//a/@href")
    assert feeds[0] == "/?q=births"
    assert feeds[1] == "/feed.atom?q=births&what=changed"
    assert pages.get(feeds[1]).status_code == 200


def test_each_receiver_has_its_own_news_and_titles_are_text(pages: TestClient) -> None:
    shown = page(pages, "/alerts/everything")
    receivers = shown.xpath("//section[@aria-labelledby='receivers']//tbody/tr")
    would = [text(row[2]) for row in receivers]
    assert would == ["37 new, 1 changed, 1 gone", "nothing"]
    listed = shown.xpath("//section[@aria-labelledby='now']//tbody/tr")
    assert len(listed) == 20
    assert "and 19 more pieces of news" in text(shown)
    assert SCRIPT_TITLE in [text(row[0]) for row in listed]
    assert shown.xpath("//script") == []


def test_alert_that_is_off_or_cannot_be_asked_says_so(pages: TestClient) -> None:
    assert "This alert is off" in text(page(pages, "/alerts/odd"))
    assert "'banana' is no period" in text(page(pages, "/alerts/wrong"))


def test_unknown_alerts_and_no_folder_have_pages(pages: TestClient, client: TestClient) -> None:
    assert pages.get("/alerts/unknown").status_code == 404
    assert pages.get("/alerts/broken").status_code == 404
    assert "There are none yet" in client.get("/alerts").text


def test_folder_that_cannot_be_read_is_told(catalog: Catalog, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    client = TestClient(create_app(catalog, alerts_dir=tmp_path / "file"))
    assert "cannot read the alerts" in client.get("/alerts").text


def test_page_ends_to_count_and_says_so(pages: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.webapp.alerts._COUNTED", 10)
    said = text(page(pages, "/alerts/everything"))
    assert "at least" in said
    assert "at least" not in text(page(pages, "/alerts/births"))
