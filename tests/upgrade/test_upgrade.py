"""A catalog, a crawl state and a store of the version before: opened, migrated, continued."""

import json
from collections import Counter

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import MetaData, create_engine, insert, select, text

from crawler.catalog import open_catalog
from crawler.catalog.db.database import open_database
from crawler.catalog.db.migrating import MIGRATIONS
from crawler.catalog.facade import Catalog
from crawler.catalog.migrations import HEAD
from crawler.storage.local_folder import LocalFolder
from tests.upgrade.conftest import HERE, VERSION
from tests.upgrade.office import FILES, START_URL, running_office

pytestmark = pytest.mark.slow

CONTINUED = json.loads((HERE / f"{VERSION}-continued.json").read_text())
BIRTHS = f"{START_URL}files/births-2025.csv"
OLD_REVISION = "0003"


def id_of(catalog: Catalog, url: str) -> int:
    files = [file for item in catalog.search(limit=100) for file in item.files]
    return next(file.id for file in files if file.url == url)


def check_catalog(catalog: Catalog) -> None:
    """What the old catalog held is found, shown and read."""
    assert catalog.search(limit=100).total == FILES - 1
    assert catalog.search("births region", valid=True, format="csv").total == 3
    assert catalog.search("energy", valid=True).total > 0
    assert catalog.search("language:en births").total == catalog.search("births").total > 0
    births = catalog.show(id_of(catalog, BIRTHS))
    assert catalog.dataset(births.dataset_id).files == births.files
    assert (births.verdict, births.format, births.title) == (
        "valid",
        "csv",
        "Births by region, 2025",
    )
    assert [version.number for version in births.versions] == [2, 1]
    assert births.versions[0].etag.startswith('"')
    assert (births.publisher, births.language) == ("Office of Example", "en")
    assert births.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert births.sightings[0].page_url == f"{START_URL}births"
    assert catalog.read(births.id)["births"].tolist()[0] == 24
    assert catalog.read(births.id, version=1)["births"].tolist()[0] == 17
    removed = catalog.show(4)
    assert removed.removal_reason == "asked for"


def test_catalog_is_migrated_searched_and_read(old_home):
    home = old_home("complete")
    with open_catalog(home.settings) as catalog:
        assert catalog.database.revision() == HEAD
        check_catalog(catalog)


def test_catalog_on_postgresql_is_migrated_searched_and_read(old_home, postgres_url):
    home = old_home("complete")
    server = create_engine(postgres_url.replace("postgresql://", "postgresql+psycopg://"))
    with server.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, OLD_REVISION)
        copy_rows(home.folder / "home" / "catalog.db", connection)
    server.dispose()
    database = open_database(postgres_url)
    database.upgrade()
    assert database.revision() == HEAD
    with Catalog(database, LocalFolder(home.folder / "home" / "store")) as catalog:
        check_catalog(catalog)


def copy_rows(path, connection) -> None:
    """Every row of a SQLite catalog into the same tables of PostgreSQL."""
    old, new = MetaData(), MetaData()
    source = create_engine(f"sqlite:///{path}")
    with source.connect() as reader:
        old.reflect(source)
        new.reflect(connection)
        for table in new.sorted_tables:
            if table.name == "alembic_version":
                continue
            names = [column.name for column in table.columns if column.computed is None]
            before = old.tables[table.name]
            rows = reader.execute(select(*(before.c[name] for name in names))).mappings().all()
            if rows:
                connection.execute(insert(table), [dict(row) for row in rows])
    for name in ("site", "dataset", "resource", "version", "sighting"):
        last = f"SELECT setval('{name}_id_seq', (SELECT max(id) FROM {name}))"
        connection.execute(text(last))
    source.dispose()


def test_store_holds_what_the_catalog_says_and_exports_work(old_home):
    home = old_home("complete")
    home.run("catalog", "verify", "--deep")
    lines = home.run("catalog", "export", "--format", "csv").stdout.splitlines()
    assert len(lines) == FILES  # one is the header, one file was taken down


def test_complete_crawl_is_complete_and_a_new_one_finds_nothing_new(old_home):
    home = old_home("complete")
    with running_office(edition=2) as office:
        home.describe(office.url, "tallyho")
        assert home.json("status", "office")["state"] == "complete"
        assert home.json("crawl", "office")["requests"] == 0
        assert office.paths == []
        assert home.json("crawl", "office", "--fresh")["targets"] == FILES
    home.run("validate", "office")
    with open_catalog(home.settings) as catalog:
        check_catalog(catalog)
        births = catalog.show(id_of(catalog, BIRTHS))
        assert (len(births.versions), births.last_seen > births.versions[0].fetched_at) == (2, True)


@pytest.mark.parametrize("strategy", ["tallyho", "sb"])
def test_interrupted_crawl_resumes_and_ends_complete(old_home, strategy):
    home = old_home(f"interrupted-{strategy}")
    with running_office() as office:
        home.describe(office.url, strategy)
        summary = home.json("crawl", "office")
    assert (summary["complete"], summary["in_all"]["targets"]) == (True, FILES)
    assert Counter(office.paths) == Counter(CONTINUED[strategy])
    if strategy == "sb":
        # The algorithm of the paper, with its random draws: the same decisions in the same order.
        assert office.paths == CONTINUED[strategy]
    entries = home.manifest()
    assert len({entry["url"] for entry in entries}) == len(entries) == FILES
    assert all(entry["page_url"] and entry["sha256"] for entry in entries)
    home.run("validate", "office")
    found = home.json("catalog", "search", "--valid", "--limit", "100")
    assert found["total"] == 4 * 6
