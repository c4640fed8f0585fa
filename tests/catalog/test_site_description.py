"""What a site file says of its site is used where pages say nothing."""

from datetime import timedelta

import pytest
from sqlalchemy import inspect

from crawler.catalog.db.database import Database
from crawler.catalog.facade import Catalog
from crawler.catalog.search.reindex import is_indexing, reindex
from crawler.catalog.write.site_description import describe_site
from crawler.config.site import SiteConfig
from crawler.storage.local_folder import LocalFolder
from tests.catalog.recorded import NIGHT, START, ingest_of, kept, rows

pytestmark = pytest.mark.slow

OFFICE = {
    "title": "Office for Nowhere",
    "publisher": "National Statistics",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
    "homepage": "https://stats.example.org/about",
}


@pytest.fixture
def catalog(database, tmp_path) -> Catalog:
    return Catalog(database, LocalFolder(tmp_path / "store"))


def described(database: Database, **said: str) -> None:
    describe_site(database, SiteConfig(start_url=START, name="stats", **said))


def test_publisher_and_licence_stand_for_files_whose_pages_name_none(catalog) -> None:
    ingest = ingest_of(catalog.database)
    described(catalog.database, **OFFICE)
    silent = ingest.keep(kept())
    own = kept(b"x", url=f"{START}own.csv", publisher="Bank", licence="Ask us", anchor="Rates")
    telling = ingest.keep(own)
    file = catalog.show(silent.resource_id)
    assert (file.publisher, file.licence) == (OFFICE["publisher"], OFFICE["licence"])
    assert file.site_title == OFFICE["title"]
    own_facts = catalog.show(telling.resource_id)
    assert (own_facts.publisher, own_facts.licence) == ("Bank", "Ask us")
    dataset = catalog.dataset(file.dataset_id)
    assert (dataset.publisher, dataset.licence) == (OFFICE["publisher"], OFFICE["licence"])
    views = rows(catalog.database, "SELECT publisher, licence FROM datasets ORDER BY id")
    assert views[0] == (OFFICE["publisher"], OFFICE["licence"])
    site = catalog.site("stats")
    assert {name: getattr(site, name) for name in OFFICE} == OFFICE


def test_publisher_and_title_of_the_site_are_searched(catalog) -> None:
    ingest = ingest_of(catalog.database)
    described(catalog.database, **OFFICE)
    ingest.keep(kept())
    assert catalog.search("", publisher="National Statistics").total == 1
    assert catalog.search("nowhere births").total == 1


def test_datasets_are_indexed_again_when_the_site_file_changed(catalog) -> None:
    ingest_of(catalog.database).keep(kept())
    described(catalog.database)
    with catalog.database.reading() as session:
        assert not is_indexing(session.connection())
    described(catalog.database, publisher="National Statistics")
    assert catalog.search("", publisher="National Statistics").total == 0
    reindex(catalog.database)
    assert catalog.search("", publisher="National Statistics").total == 1


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("Sun, 01 Feb 2026 10:00:00 GMT", True),
        ("yesterday", False),
        ("", False),
        ("Thu, 01 Jan 1970 00:00:00 GMT", False),
        ((NIGHT - timedelta(seconds=5)).strftime("%a, %d %b %Y %H:%M:%S GMT"), False),
        ("Sun, 01 Feb 2043 10:00:00 GMT", False),
    ],
)
def test_last_modified_is_a_date_of_the_file_only_where_it_says_something(
    catalog, header: str, known: bool
) -> None:
    made = ingest_of(catalog.database).keep(kept(last_modified=header))
    file = catalog.show(made.resource_id)
    assert (file.modified_at is not None) is known
    assert file.versions[0].modified_at == file.modified_at
    assert ("by its Last-Modified header" in file.citation) is known
    assert file.published_at is None


def test_an_older_catalog_gets_its_dates_from_the_headers_it_has(catalog) -> None:
    ingest = ingest_of(catalog.database)
    dated = ingest.keep(kept(last_modified="Sun, 01 Feb 2026 10:00:00 GMT"))
    other = kept(b"x", url=f"{START}other.csv", anchor="Rates", last_modified="yesterday")
    undated = ingest.keep(other)
    before = catalog.show(dated.resource_id).modified_at
    assert before is not None
    catalog.database.downgrade("0009")
    assert "modified_at" not in column_names(catalog.database, "version")
    catalog.database.upgrade()
    assert catalog.show(dated.resource_id).modified_at == before
    assert catalog.show(undated.resource_id).modified_at is None
    assert catalog.site("stats").publisher == ""


def column_names(database: Database, table: str) -> set[str]:
    with database.reading() as session:
        return {column["name"] for column in inspect(session.connection()).get_columns(table)}
