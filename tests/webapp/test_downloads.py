"""Downloads: the right bytes, as attachments that no browser runs."""

import hashlib

import pytest
from fastapi.testclient import TestClient

from crawler.catalog.db.models import ResourceRow
from crawler.catalog.facade import Catalog
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.errors import StorageError
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.app import create_app
from tests.webapp.stock import CSV_BEFORE, CSV_NOW, births_outcome


class SigningStore:
    """A store that signs URLs, as S3 does; it is never asked for bytes."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str, int]] = []

    def presigned_url(self, sha256: str, *, file_name: str, mime: str, seconds: int) -> str:
        self.asked.append((sha256, file_name, mime, seconds))
        return f"https://store.example/{sha256}?signature=x"


class LosingStore:
    """A store whose server went away."""

    def presigned_url(self, sha256: str, *, file_name: str, mime: str, seconds: int) -> None:
        return None

    def open(self, sha256: str) -> None:
        raise StorageError("no route to store.example")


def test_newest_version_is_given_with_its_length_and_name(client, stock):
    answer = client.get(f"/files/{stock['births']}/download")
    assert answer.content == CSV_NOW
    assert answer.headers["content-length"] == str(len(CSV_NOW))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment; ")
    assert "filename*=UTF-8''naissances-%C3%A9t%C3%A9.csv" in disposition


def test_older_version_stays_retrievable(client, stock):
    answer = client.get(f"/files/{stock['births']}/versions/1/download")
    assert answer.content == CSV_BEFORE
    assert answer.headers["content-type"] == "text/csv"  # its encoding is not known any more


def test_text_is_sent_in_the_encoding_that_validation_found(catalog, client, stock):
    outcome = births_outcome()
    table = outcome.profile.tables[0].model_copy(update={"encoding": "cp1252"})
    profile = outcome.profile.model_copy(update={"tables": (table,)})
    with catalog.database.reading() as session:
        version = session.get_one(ResourceRow, stock["births"]).latest_version_id
    as_cp1252 = outcome.model_copy(update={"profile": profile})
    record_verdicts(catalog.database, [VerdictRecord(version, as_cp1252)])
    try:
        answer = client.get(f"/files/{stock['births']}/download")
    finally:
        record_verdicts(
            catalog.database, [VerdictRecord(version, outcome, "results/delimited.html")]
        )
    assert answer.headers["content-type"] == "text/csv; charset=windows-1252"


def test_page_is_given_as_bytes_in_a_sandbox(client, stock):
    answer = client.get(f"/files/{stock['page']}/download")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("name", ["script", "reversed"])
def test_file_name_cannot_lie_or_break_out(client, stock, name):
    disposition = client.get(f"/files/{stock[name]}/download").headers["content-disposition"]
    assert disposition.isascii()
    assert disposition.count('"') == 2
    assert "%E2%80%AE" not in disposition
    assert "<" not in disposition


def test_known_bytes_are_not_sent_again(client, stock):
    address = f"/files/{stock['births']}/download"
    tag = client.get(address).headers["etag"]
    assert tag == f'"{hashlib.sha256(CSV_NOW).hexdigest()}"'
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_store_that_signs_urls_gives_the_bytes_itself(catalog, stock):
    store = SigningStore()
    client = TestClient(create_app(Catalog(catalog.database, store)))
    answer = client.get(f"/files/{stock['births']}/download", follow_redirects=False)
    sha256 = hashlib.sha256(CSV_NOW).hexdigest()
    assert answer.status_code == 302
    assert answer.headers["location"] == f"https://store.example/{sha256}?signature=x"
    assert answer.headers["cache-control"] == "no-store"
    assert store.asked == [(sha256, "naissances-été.csv", "text/csv; charset=utf-8", 300)]


def test_store_that_is_away_is_told(catalog, stock):
    client = TestClient(create_app(Catalog(catalog.database, LosingStore())))
    answer = client.get(f"/files/{stock['births']}/download")
    assert answer.status_code == 503
    assert "store.example" not in answer.text


def test_bytes_that_are_missing_in_the_store_are_a_fault_that_waiting_does_not_mend(
    catalog, stock, tmp_path
):
    client = TestClient(create_app(Catalog(catalog.database, LocalFolder(tmp_path))))
    answer = client.get(f"/files/{stock['births']}/download")
    assert answer.status_code == 500
    assert "retry-after" not in answer.headers
    assert str(tmp_path) not in answer.text
    shown = client.get(f"/files/{stock['births']}")
    assert "cannot be fetched from the store" in shown.text
    assert str(tmp_path) not in shown.text


def test_damaged_file_is_an_error_and_not_a_download(catalog, stock, tmp_path):
    store = LocalFolder(tmp_path)
    spool = store.spool()
    spool.write(CSV_NOW)
    path = store.local_path(spool.finish().sha256)
    path.chmod(0o644)
    path.write_bytes(CSV_NOW.replace(b"1", b"2"))
    client = TestClient(create_app(Catalog(catalog.database, store)))
    answer = client.get(f"/files/{stock['births']}/download")
    assert answer.status_code == 500
    assert "etag" not in answer.headers
    assert CSV_NOW[:12] not in answer.content
