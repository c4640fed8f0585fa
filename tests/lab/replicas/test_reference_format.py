"""Replicas of the reference implementation: read, written, and distrusted."""

import bz2
import gzip
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from crawler.errors import ConfigError, StorageError
from crawler.lab.replicas import unpacking
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


def zstandard(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


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


@pytest.mark.parametrize("packed", [lzma.compress, gzip.compress, bz2.compress, zstandard])
def test_compressed_file_is_unpacked_and_nothing_of_that_is_left(tmp_path, packed):
    source = write(tmp_path / "in.db")
    import_reference(source, tmp_path / "plain.db")
    (tmp_path / "any.name").write_bytes(packed(source.read_bytes()))
    imported = import_reference(tmp_path / "any.name", tmp_path / "out.db")
    assert imported.answers > 0
    for url in (f"{BASE}/", f"{BASE}/a.xls"):
        with closing(Replica(tmp_path / "plain.db")) as plain:
            expected = plain.respond(url)
        with closing(Replica(tmp_path / "out.db")) as out:
            assert (out.start_url, out.respond(url).body) == (f"{BASE}/", expected.body)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "any.name",
        "in.db",
        "out.db",
        "plain.db",
    ]


@pytest.mark.parametrize("packed", [lzma.compress, gzip.compress, bz2.compress, zstandard])
def test_damaged_compressed_file_is_refused_by_its_name(tmp_path, packed):
    whole = packed(write(tmp_path / "in.db").read_bytes())
    (tmp_path / "cut.db.xz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ConfigError, match=r"cut\.db\.xz"):
        import_reference(tmp_path / "cut.db.xz", tmp_path / "out.db")
    assert not (tmp_path / "out.db").exists()


def test_compressed_file_that_holds_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MAX_UNPACKED_BYTES", 1000)
    (tmp_path / "in.db.gz").write_bytes(gzip.compress(write(tmp_path / "in.db").read_bytes()))
    with pytest.raises(ConfigError, match=r"in\.db\.gz holds more than"):
        import_reference(tmp_path / "in.db.gz", tmp_path / "out.db")


def test_folder_of_the_replica_is_made_or_named_where_it_cannot_be(tmp_path):
    packed = tmp_path / "in.db.gz"
    packed.write_bytes(gzip.compress(write(tmp_path / "in.db").read_bytes()))
    assert import_reference(packed, tmp_path / "new" / "folder" / "out.db").answers == 3
    with pytest.raises(StorageError, match=r"in\.db/below"):
        import_reference(packed, tmp_path / "in.db" / "below" / "out.db")


def test_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "in.db").write_bytes(b"hello")
    with pytest.raises(ConfigError, match=r"in\.db is not an SQLite database"):
        import_reference(tmp_path / "in.db", tmp_path / "out.db")
    (tmp_path / "in.db.xz").write_bytes(lzma.compress(b"hello"))
    with pytest.raises(ConfigError, match=r"in\.db\.xz is not an SQLite database"):
        import_reference(tmp_path / "in.db.xz", tmp_path / "out.db")
    with pytest.raises(ConfigError, match="cannot be read"):
        import_reference(tmp_path / "nothing.db", tmp_path / "out.db")


def test_export_takes_no_name_that_is_not_one(tmp_path):
    import_reference(write(tmp_path / "in.db"), tmp_path / "r.db")
    with closing(Replica(tmp_path / "r.db")) as replica, pytest.raises(ConfigError):
        export_reference(replica, tmp_path / "x.db", table='a"; DROP TABLE b')
    assert table_name("my-office") == "my_office"
    assert table_name("4you").isidentifier()
