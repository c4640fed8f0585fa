"""Replicas of the reference implementation: read, written, and distrusted."""

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from crawler.errors import ConfigError
from crawler.lab.replicas.reference_format import export_reference, import_reference, table_name
from crawler.lab.replicas.replica import Replica
from crawler.pages.mime import UrlClass

BASE = "http://office.example"
HTML = repr({b"Content-Type": [b"text/html"]})
EXCEL = repr({b"Content-Type": [b"application/vnd.ms-excel"], b"Vary": [b"a", b"b"]})
PAGE = "<meta charset=iso-8859-1><a href='/été.xls'>été</a>"
XLS = "\x00\x01cut\x00spreadsheet"
ROWS = [
    (f"{BASE}/", "200", HTML, PAGE, len(PAGE.encode())),
    (f"{BASE}/old", "301", repr({b"Location": [b"/"]}), "", 0),
    (f"{BASE}/a.xls", "200", EXCEL, XLS, 7777),
]
TABLE = (
    "CREATE TABLE {} (url TEXT PRIMARY KEY, http_response TEXT, headers TEXT, body TEXT,"
    " content_length INTEGER)"
)


def write(path: Path, rows=ROWS, *tables: str) -> Path:
    with closing(sqlite3.connect(path)) as database, database:
        for table in tables or ("office",):
            database.execute(TABLE.format(table))
            database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", rows)
    return path


def rows_of(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()


def test_import_reads_every_row(tmp_path):
    imported = import_reference(write(tmp_path / "in.db"), tmp_path / "out.db")
    assert (imported.answers, imported.start_url) == (3, f"{BASE}/")
    assert (imported.table, imported.unreadable) == ("office", ())
    with closing(Replica(tmp_path / "out.db")) as replica:
        assert replica.respond(f"{BASE}/").body == PAGE.encode()
        assert replica.respond(f"{BASE}/a.xls").body == XLS.encode()
        assert replica.respond(f"{BASE}/a.xls").size == 7777
        assert replica.respond(f"{BASE}/a.xls").headers["vary"] == "a, b"
        assert replica.url_class(f"{BASE}/a.xls") is UrlClass.TARGET
        assert replica.url_class(f"{BASE}/old") is UrlClass.HTML
        assert replica.respond(f"{BASE}/absent").status == 404


def test_text_is_utf8_whatever_the_page_says(tmp_path):
    import_reference(write(tmp_path / "in.db"), tmp_path / "out.db")
    with closing(Replica(tmp_path / "out.db")) as replica:
        assert replica.respond(f"{BASE}/").headers["content-type"] == "text/html; charset=utf-8"


def test_export_of_an_import_gives_the_same_rows(tmp_path):
    source = write(tmp_path / "in.db")
    import_reference(source, tmp_path / "replica.db")
    with closing(Replica(tmp_path / "replica.db")) as replica:
        assert export_reference(replica, tmp_path / "again.db", table="office") == 3
    assert rows_of(tmp_path / "again.db", "office") == rows_of(source, "office")


def test_start_page_comes_first_in_an_export(tmp_path):
    source = write(tmp_path / "in.db")
    import_reference(source, tmp_path / "replica.db", start_url=f"{BASE}/a.xls")
    with closing(Replica(tmp_path / "replica.db")) as replica:
        export_reference(replica, tmp_path / "again.db", table="office")
    assert [row[0] for row in rows_of(tmp_path / "again.db", "office")] == [
        f"{BASE}/a.xls",
        f"{BASE}/",
        f"{BASE}/old",
    ]


@pytest.mark.parametrize(
    "row",
    [
        (f"{BASE}/x", "200", "__import__('os').system('true')", "", 0),
        (f"{BASE}/x", "200", "(" * 60_000, "", 0),
        (f"{BASE}/x", "200", "-" * 60_000 + "1", "", 0),
        (f"{BASE}/x", "200", repr({b"a": "b" * 100_000}), "", 0),
        (f"{BASE}/x", "200", "[1, 2]", "", 0),
        (f"{BASE}/x", "200", repr({b"a": [3]}), "", 0),
        (f"{BASE}/x", "fine", HTML, "", 0),
        (f"{BASE}/x", "999", HTML, "", 0),
        (f"{BASE}/x", "200", HTML, "", -5),
        ("javascript:alert(1)", "200", HTML, "", 0),
        (None, "200", HTML, "", 0),
    ],
    ids=lambda row: str(row[2])[:12],
)
def test_unreadable_row_is_left_out_and_named(tmp_path, row):
    imported = import_reference(write(tmp_path / "in.db", [*ROWS, row]), tmp_path / "out.db")
    assert imported.answers == 3
    assert len(imported.unreadable) == 1


def test_table_must_be_named_where_there_are_several(tmp_path):
    source = write(tmp_path / "in.db", ROWS, "one", "two")
    with pytest.raises(ConfigError, match="say --table with one of: one, two"):
        import_reference(source, tmp_path / "out.db")
    with pytest.raises(ConfigError, match="no such table as 'three'"):
        import_reference(source, tmp_path / "out.db", table="three")
    assert import_reference(source, tmp_path / "out.db", table="two").table == "two"


def test_views_are_no_tables(tmp_path):
    source = write(tmp_path / "in.db", ROWS, "office")
    with closing(sqlite3.connect(source)) as database, database:
        database.execute("CREATE VIEW trick AS SELECT * FROM office")
    with pytest.raises(ConfigError, match="no such table"):
        import_reference(source, tmp_path / "out.db", table="trick")


def test_database_without_such_a_table_is_refused(tmp_path):
    with closing(sqlite3.connect(tmp_path / "in.db")) as database, database:
        database.execute("CREATE TABLE office (url TEXT)")
    with pytest.raises(ConfigError, match="no table with the columns url, http_response"):
        import_reference(tmp_path / "in.db", tmp_path / "out.db")


def test_compressed_file_is_refused_with_the_command_that_unpacks_it(tmp_path):
    packed = tmp_path / "in.db.xz"
    packed.write_bytes(lzma.compress(b"SQLite format 3\x00"))
    with pytest.raises(ConfigError, match="unpack it first: xz -dk"):
        import_reference(packed, tmp_path / "out.db")
    packed.write_bytes(b"\x28\xb5\x2f\xfd0000")
    with pytest.raises(ConfigError, match="unpack it first: zstd -d --long=27"):
        import_reference(packed, tmp_path / "out.db")
    packed.write_bytes(b"hello")
    with pytest.raises(ConfigError, match="not an SQLite database"):
        import_reference(packed, tmp_path / "out.db")


def test_export_takes_no_name_that_is_not_one(tmp_path):
    import_reference(write(tmp_path / "in.db"), tmp_path / "r.db")
    with closing(Replica(tmp_path / "r.db")) as replica, pytest.raises(ConfigError):
        export_reference(replica, tmp_path / "x.db", table='a"; DROP TABLE b')
    assert table_name("my-office") == "my_office"
    assert table_name("4you").isidentifier()
