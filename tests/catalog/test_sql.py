"""SQL over acquired files: what it answers, and what it refuses with a sentence."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

from crawler.catalog import open_catalog
from crawler.catalog.facade import Catalog
from crawler.catalog.sql import locked_database
from crawler.catalog.sql.file_tables import READINGS, FileTable, tables_of
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.config.settings import Settings
from crawler.errors import NotATable, NotInCatalog, QueryRefused
from tests.kept_files import kept_file

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def workbook() -> bytes:
    out = io.BytesIO()
    with pd.ExcelWriter(out) as writer:
        for year in (2024, 2023):
            frame = pd.DataFrame({"region": ["Nord", "Ost"], "births": [year, year + 1]})
            frame.to_excel(writer, sheet_name=f"it's {year}", index=False)
    return out.getvalue()


FILES = {
    "births.csv": b"region,births\nNord,10\nOst,20\n",
    "deaths.csv": b"region,deaths\nNord,1.5\nOst,2.5\n",
    "years.xlsx": workbook(),
    "page.csv": b"<html><body>sorry</body></html>",
}


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    opened = open_catalog(Settings(home=tmp_path), create=True)
    start_run(
        opened.database,
        run_id="run",
        site="demo",
        start_url="https://x.example/",
        strategy="sb",
        started_at=NOW,
    )
    ingest = Ingest(opened.database, "demo", "https://x.example/", "run")
    for name, body in [*FILES.items(), ("births.csv", b"region,births\nNord,11\n")]:
        spool = opened.store.spool()
        spool.write(body)
        blob = spool.finish()
        ingest.keep(
            kept_file(
                url=f"https://x.example/{name}",
                sha256=blob.sha256,
                size=blob.size,
                format="csv",
                fetched_at=NOW,
                file_name=name,
                page_url="https://x.example/data",
                page_title="Data",
                anchor=name,
            )
        )
    yield opened
    opened.close()


def test_files_are_joined_in_their_versions_and_parts(catalog: Catalog):
    query = "select b.births, d.deaths from file(1, version := 1) b join file(2) d using (region)"
    assert catalog.sql(query + " order by region").to_numpy().tolist() == [[10, 1.5], [20, 2.5]]
    assert catalog.sql("select births from FILE( 1 )").births.tolist() == [11]
    parts = "select births from file(3, part := 'it''s 2023') order by births"
    assert catalog.sql(parts).births.tolist() == [2023, 2024]


def test_ten_tables_are_joined(catalog: Catalog):
    joined = " ".join(f"join file(2) as t{number} using (region)" for number in range(9))
    assert len(catalog.sql(f"select * from file(1, version := 1) {joined}")) == 2


def test_views_of_the_catalog_are_tables(catalog: Catalog):
    assert catalog.sql("select site, count(*) n from files group by site").n.tolist() == [4]
    new = catalog.sql("select what, count(*) n from new_since group by what order by what")
    assert new.to_numpy().tolist() == [["changed", 1], ["new", 4]]


def test_reading_is_kept_and_goes_with_the_file(catalog: Catalog):
    catalog.sql("select * from file(2)")
    sha256 = catalog.show(2).sha256
    [key] = catalog.store.objects(f"{READINGS}/{sha256}/")
    kept = io.BytesIO()
    pd.DataFrame({"region": ["from the store"]}).to_parquet(kept)
    catalog.store.put_object(key, kept.getvalue())
    assert catalog.sql("select region from file(2)").region.tolist() == ["from the store"]
    remove(catalog.database, catalog.store, 2, "a mistake")
    assert list(catalog.store.objects(f"{READINGS}/{sha256}/")) == []


@pytest.mark.parametrize(
    "query",
    [
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/passwd')",
        "select * from '/etc/passwd'",
        "select * from glob('/etc/*')",
        "copy (select 1) to '/tmp/tallyho-sql-test.csv'",
        "attach '/tmp/tallyho-sql-test.db'",
        "export database '/tmp/tallyho-sql-test'",
        "install httpfs",
        "load httpfs",
        "set memory_limit = '90GB'",
        "pragma memory_limit = '90GB'",
        "create table t as select 1",
        "drop table file_1",
        "insert into files select * from files",
        "select 1; select 2",
        "select * from catalog",
        "select * from duckdb_secrets()",
        "selec 1",
        "",
    ],
)
def test_everything_else_is_refused_with_a_sentence(catalog: Catalog, query: str):
    with pytest.raises(QueryRefused) as refused:
        catalog.sql(query)
    assert str(refused.value)
    assert not list(Path("/tmp").glob("tallyho-sql-test*"))


def test_query_that_takes_all_memory_time_or_rows_is_refused():
    with locked_database.open_locked_database() as locked:
        locked.lock(memory="50MB")
        distinct = "select distinct range a, random() b from range(9000000)"
        with pytest.raises(QueryRefused, match="more memory than it may have"):
            locked.answer(f"select count(*) from ({distinct})")
    with locked_database.open_locked_database() as locked:
        locked.lock()
        with pytest.raises(QueryRefused, match=r"longer than 0.2 seconds"):
            locked.answer("select count(*) from range(100000000) a, range(10000) b", seconds=0.2)
        with pytest.raises(QueryRefused, match="use LIMIT"):
            locked.answer("select * from range(1000001)")


def test_files_that_are_not_there_are_named(catalog: Catalog):
    with pytest.raises(NotInCatalog, match="file 99"):
        catalog.sql("select * from file(99)")
    with pytest.raises(NotATable):
        catalog.sql("select * from file(4)")
    with pytest.raises(NotATable, match="no table 'nowhere'"):
        catalog.sql("select * from file(3, part := 'nowhere')")
    many = " union all ".join(f"select 1 from file({number})" for number in range(1, 30))
    with pytest.raises(QueryRefused, match="at most 20 files"):
        catalog.sql(many)


def test_named_files_are_found_in_the_text():
    query = "from file(1) join FILE(1, version := 2) join file ( 3 , part := 'a''b' )"
    assert tables_of(query) == [FileTable(1), FileTable(1, 2), FileTable(3, 0, "a'b")]
