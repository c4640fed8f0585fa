"""What a search finds, downloaded as a Frictionless data package."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from crawler.catalog.db.database import open_database
from crawler.catalog.export.package_descriptor import path_in_package
from crawler.catalog.facade import Catalog
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.errors import FileRemoved, NotInCatalog, StorageRefused
from crawler.readers.kinds import Kind
from crawler.readers.ledger import Ledger
from crawler.storage.local_folder import LocalFolder
from crawler.validation.outcome import (
    ColumnProfile,
    ColumnType,
    Judgement,
    Outcome,
    Profile,
    TableProfile,
)
from tests.catalog.recorded import NIGHT, START, ingest_of, kept, rows, stored

pytestmark = pytest.mark.slow

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
BIRTHS = b"region;year;share\nNord;2024;1,5\n"
HOSTILE_NAME = "../../etc/pa ss\\wd\u202e\x00.csv"


@pytest.fixture
def catalog(tmp_path) -> Catalog:
    database = open_database(f"sqlite:///{tmp_path / 'catalog.db'}")
    database.ready()
    store = LocalFolder(tmp_path / "store")
    ingest = ingest_of(database)
    for number in range(3):
        body = f"x\n{number}\n".encode()
        stored(store, body)
        url = f"{START}prices-{number}.csv"
        ingest.keep(
            kept(body, url=url, file_name=HOSTILE_NAME, anchor=f"Prices {number}", licence="Ask us")
        )
    stored(store, BIRTHS)
    births = ingest.keep(kept(BIRTHS, licence=LICENCE, publisher="Statistics Office"))
    record_verdicts(database, [VerdictRecord(births.version_id, outcome())])
    opened = Catalog(database, store)
    yield opened
    opened.close()


def outcome(**changes) -> Outcome:
    columns = tuple(
        ColumnProfile(name=name, type=kind, nulls=0.0)
        for name, kind in (
            ("region", ColumnType.TEXT),
            ("year", ColumnType.INTEGER),
            ("share", ColumnType.NUMBER),
        )
    )
    values = {
        "name": "",
        "rows": 1,
        "columns": columns,
        "width": 3,
        "ledger": Ledger(header=1, data=1),
        "encoding": "utf-8",
        "delimiter": ";",
        "decimal": ",",
    }
    table = TableProfile(**values | changes)
    profile = Profile(tables=(table,), table_count=1)
    return Outcome(verdict=Judgement.VALID, kind=Kind.DELIMITED, profile=profile)


def descriptor(folder: Path) -> dict:
    return json.loads((folder / "datapackage.json").read_text("utf-8"))


def test_every_file_has_path_size_hash_source_licence_and_columns(catalog, tmp_path) -> None:
    made = catalog.package("births", tmp_path / "out")
    assert made.sentence == "The one file that was found."
    package = descriptor(tmp_path / "out")
    assert re.fullmatch(r"[a-z0-9._-]+", package["name"])
    assert package["description"] == made.sentence
    assert package["licenses"] == [{"name": "CC-BY-4.0", "path": LICENCE}]
    (resource,) = package["resources"]
    body = (tmp_path / "out" / resource["path"]).read_bytes()
    assert body == BIRTHS
    assert resource["bytes"] == len(BIRTHS)
    assert resource["hash"] == f"sha256:{hashlib.sha256(BIRTHS).hexdigest()}"
    assert resource["sources"] == [
        {"title": "Statistics Office", "path": "https://stats.example.org/files/births.csv"}
    ]
    assert resource["profile"] == "tabular-data-resource"
    assert resource["dialect"] == {"delimiter": ";"}
    assert resource["encoding"] == "utf-8"
    assert resource["schema"]["fields"] == [
        {"name": "region", "type": "string"},
        {"name": "year", "type": "integer"},
        {"name": "share", "type": "number", "decimalChar": ","},
    ]


def test_a_csv_with_titles_above_its_header_promises_no_plain_table(catalog, tmp_path) -> None:
    (version,) = rows(catalog.database, "SELECT version_id FROM verdict")[0]
    titled = outcome(ledger=Ledger(titles=2, header=1, data=1))
    record_verdicts(catalog.database, [VerdictRecord(version, titled)])
    catalog.package("births", tmp_path / "out")
    (resource,) = descriptor(tmp_path / "out")["resources"]
    assert "profile" not in resource
    assert len(resource["schema"]["fields"]) == 3


def test_names_from_the_web_decide_nothing(catalog, tmp_path) -> None:
    made = catalog.package("prices", tmp_path / "out")
    assert made.files == 3
    paths = sorted(
        str(path.relative_to(tmp_path / "out"))
        for path in (tmp_path / "out").rglob("*")
        if path.is_file() and path.name != "datapackage.json"
    )
    assert len(paths) == 3
    assert all(re.fullmatch(r"data/\d+-v1[a-z0-9-]*\.csv", path) for path in paths)
    assert descriptor(tmp_path / "out")["licenses"] == [{"name": "notspecified", "title": "Ask us"}]


@pytest.mark.parametrize("name", ["", ".", "..", "a" * 400, "CON.csv", "é.CSV", "x.tar.gz;rm"])
def test_any_name_becomes_a_harmless_path(catalog, name: str) -> None:
    file = catalog.show(1).model_copy(update={"file_name": name, "url": "https://x.example/"})
    path = path_in_package(file)
    assert re.fullmatch(r"data/1-v1[a-z0-9-]{0,61}(\.[a-z0-9]{1,8})?", path)


def test_a_limit_is_kept_and_said(catalog, tmp_path) -> None:
    made = catalog.package("prices", tmp_path / "out", limit=2)
    assert (made.files, made.complete) == (2, False)
    assert made.sentence.startswith("The first 2 files of 3 datasets that were found; a larger")
    small = catalog.package("prices", tmp_path / "small", max_bytes=9)
    assert (small.files, small.complete) == (2, False)
    assert "1 are left out" not in small.sentence
    assert "1 is left out: with the next one the package would have more than 9 bytes" in (
        small.sentence
    )


def test_an_interrupted_package_is_continued(catalog, tmp_path) -> None:
    folder = tmp_path / "out"

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        catalog.package("prices", folder, progress=interrupt)
    assert not (folder / "datapackage.json").exists()
    (first,) = (folder / "data").iterdir()
    before = first.stat().st_mtime_ns
    first.with_name(".torn.part").write_bytes(b"half")
    made = catalog.package("prices", folder)
    assert (made.files, made.already_there, made.complete) == (3, 1, True)
    assert first.stat().st_mtime_ns == before


def test_a_file_that_was_changed_since_is_fetched_again(catalog, tmp_path) -> None:
    catalog.package("births", tmp_path / "out")
    path = tmp_path / "out" / descriptor(tmp_path / "out")["resources"][0]["path"]
    path.write_bytes(b"changed by hand")
    assert catalog.package("births", tmp_path / "out").already_there == 0
    assert path.read_bytes() == BIRTHS


def test_one_lost_file_does_not_stop_the_others(catalog, tmp_path) -> None:
    lost = kept(b"x\n1\n").download.sha256
    catalog.store.delete(lost)
    made = catalog.package("prices", tmp_path / "out")
    assert (made.files, made.complete) == (2, False)
    assert len(made.unfetched) == 1
    assert "1 could not be fetched" in made.sentence
    assert len(descriptor(tmp_path / "out")["resources"]) == 2


def test_nothing_found_and_nothing_to_fetch_are_errors(catalog, tmp_path) -> None:
    with pytest.raises(NotInCatalog, match="finds nothing"):
        catalog.package("", tmp_path / "out", site="elsewhere")
    for number in range(3):
        catalog.store.delete(kept(f"x\n{number}\n".encode()).download.sha256)
    with pytest.raises(FileRemoved, match="none of the files"):
        catalog.package("prices", tmp_path / "out")


def test_a_package_of_another_program_is_left_alone(catalog, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "datapackage.json").write_text('{"name": "mine"}')
    with pytest.raises(StorageRefused, match="another program"):
        catalog.package("births", tmp_path / "out")
    assert (tmp_path / "out" / "datapackage.json").read_text() == '{"name": "mine"}'


def test_a_package_as_of_a_day_has_the_versions_of_that_day(catalog, tmp_path) -> None:
    with pytest.raises(NotInCatalog):
        catalog.package("births", tmp_path / "out", as_of="2026-02-01")
    catalog.package("births", tmp_path / "out", as_of=NIGHT.date())
    assert descriptor(tmp_path / "out")["tallyho"]["search"]["as_of"].startswith("2026-03-01")
