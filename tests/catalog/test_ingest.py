"""Ingest: what a kept file becomes, on both databases."""

import threading
from datetime import timedelta

import pytest

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.lease import acquire_lease
from crawler.errors import SiteBusy
from crawler.pages.kept_file import Link
from tests.catalog.recorded import (
    BIRTHS,
    DAY,
    NIGHT,
    START,
    everything,
    ingest_of,
    kept,
    rows,
)


def test_file_becomes_dataset_resource_version_and_sighting(database: Database) -> None:
    done = ingest_of(database).keep(
        kept(licence="CC BY 4.0", publisher="Office", page_language="en", published_at=NIGHT)
    )
    assert not done.removed
    assert rows(database, "SELECT title, licence, publisher, language FROM dataset") == [
        ("Births by region", "CC BY 4.0", "Office", "en")
    ]
    query = "SELECT id, url, file_name, title, format, versions, sightings, missed FROM resource"
    assert rows(database, query) == [
        (done.resource_id, BIRTHS, "births.csv", "Births by region", "csv", 1, 1, 0)
    ]
    assert rows(database, "SELECT id, number, sha256, run_id FROM version") == [
        (done.version_id, 1, kept().download.sha256, "run-1")
    ]
    assert rows(database, "SELECT page_url, anchor FROM sighting") == [
        (f"{START}population.html", "Births by region (CSV, 12 KB)")
    ]
    assert rows(database, "SELECT count(*) FROM search_document") == [(1,)]
    assert rows(database, "SELECT new_versions FROM crawl_run") == [(1,)]


def test_same_file_of_the_same_run_changes_nothing(database: Database) -> None:
    ingest = ingest_of(database)
    first = ingest.keep(kept())
    before = everything(database)
    again = ingest.keep(kept())
    assert again == first
    assert everything(database) == before


def test_repeated_download_only_moves_last_seen(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    before = everything(database)
    ingest.keep(kept(fetched_at=NIGHT + timedelta(minutes=5)))
    after = everything(database)
    for table in ("version", "crawl_run", "search_document", "site"):
        assert after[table] == before[table]
    query = "SELECT count(*) FROM {} WHERE first_seen < last_seen"
    for table in ("dataset", "resource", "sighting"):
        assert rows(database, query.format(table)) == [(1,)]
    assert rows(database, "SELECT sightings, versions FROM resource") == [(1, 1)]


def test_other_bytes_are_a_new_version_and_going_back_is_one_too(database: Database) -> None:
    for night, content in enumerate([b"a", b"b", b"b", b"a"]):
        at = NIGHT + night * DAY
        ingest = ingest_of(database, f"run-{night}", started_at=at)
        ingest.keep(kept(content, fetched_at=at))
    found = rows(database, "SELECT number, sha256, run_id FROM version ORDER BY number")
    a, b = kept(b"a").download.sha256, kept(b"b").download.sha256
    assert found == [(1, a, "run-0"), (2, b, "run-1"), (3, a, "run-3")]
    latest = "SELECT number FROM version JOIN resource ON resource.latest_version_id = version.id"
    assert rows(database, latest) == [(3,)]
    assert rows(database, "SELECT versions FROM resource") == [(3,)]
    assert rows(database, "SELECT new_versions FROM crawl_run ORDER BY id") == [
        (1,),
        (1,),
        (0,),
        (1,),
    ]


def test_download_that_is_recorded_late_once_more_is_no_new_version(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept(b"a"))
    latest = ingest.keep(kept(b"b", fetched_at=NIGHT + DAY))
    assert ingest.keep(kept(b"a")) == latest
    assert rows(database, "SELECT versions FROM resource") == [(2,)]


def test_spellings_of_a_url_are_one_resource(database: Database) -> None:
    ingest = ingest_of(database)
    first = ingest.keep(kept())
    again = ingest.keep(kept(url=f"{BIRTHS}?utm_source=mail#top"))
    assert again.resource_id == first.resource_id
    assert rows(database, "SELECT url FROM resource") == [(BIRTHS,)]


def test_same_data_in_two_formats_is_one_dataset(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    ingest.keep(
        kept(b"x", url=f"{START}b.xlsx", format="excel", anchor="Births by region (XLSX, 20 KB)")
    )
    ingest.keep(kept(b"y", url=f"{START}d.csv", anchor="Deaths by region (CSV)"))
    assert rows(database, "SELECT count(*) FROM dataset") == [(2,)]
    assert rows(database, "SELECT count(*) FROM resource") == [(3,)]


def test_same_bytes_under_two_urls_are_two_versions(database: Database) -> None:
    ingest = ingest_of(database)
    first = ingest.keep(kept())
    assert ingest.keep(kept(url=f"{START}copy.csv")).version_id != first.version_id
    assert rows(database, "SELECT count(*), count(DISTINCT sha256) FROM version") == [(2, 1)]


def test_same_url_on_two_sites_is_two_resources(database: Database) -> None:
    first = ingest_of(database).keep(kept())
    second = ingest_of(database, "run-2", site="other").keep(kept())
    assert second.resource_id != first.resource_id


def test_what_is_unknown_now_does_not_replace_what_was_known(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept(licence="CC BY", publisher="Office", published_at=NIGHT))
    ingest.keep(kept(publisher="New Office", page_title="", fetched_at=NIGHT + DAY))
    query = "SELECT licence, publisher, page_title, published_at IS NULL FROM dataset"
    assert rows(database, query) == [("CC BY", "New Office", "Population", False)]


def test_name_in_the_url_stands_for_one_that_the_server_does_not_tell(database: Database) -> None:
    ingest_of(database).keep(kept(file_name="", url=f"{START}d%C3%A9c%C3%A8s.csv"))
    assert rows(database, "SELECT file_name FROM resource") == [("décès.csv",)]


def test_sizes_beyond_two_gigabytes_are_kept(database: Database) -> None:
    ingest_of(database).keep(kept(size=5 * 1024**3))
    assert rows(database, "SELECT size FROM version") == [(5 * 1024**3,)]


def test_hostile_texts_are_stored_harmless(database: Database) -> None:
    nasty = "a\x00b\ud800c\u202ed\x1b[31m" + "é" * 5000
    ingest_of(database).keep(
        kept(
            url=f"{START}x\x00\ud800.csv",
            file_name=nasty,
            page_url=f"{START}\x00p\udfff",
            page_title=nasty,
            page_language=nasty,
            anchor=nasty,
            tag_path=nasty,
            mime_declared=nasty,
            mime_detected=nasty,
            etag=nasty,
            last_modified=nasty,
            licence=nasty,
            publisher=nasty,
        )
    )
    assert rows(database, "SELECT etag, last_modified, length(mime_detected) FROM version") == [
        ("", "", 127)
    ]
    assert rows(database, "SELECT length(anchor) FROM sighting") == [(1000,)]


def test_file_without_a_page_is_kept_without_a_sighting(database: Database) -> None:
    ingest_of(database).keep(kept(page_url="", page_title="", anchor=""))
    assert rows(database, "SELECT title, sightings FROM resource") == [("births", 0)]
    assert rows(database, "SELECT count(*) FROM sighting") == [(0,)]


def test_run_must_have_started(database: Database) -> None:
    with pytest.raises(ValueError, match="run-9 was not started"):
        Ingest(database, "stats", START, "run-9")


def test_every_write_of_a_run_that_lost_the_site_is_refused(database: Database) -> None:
    old = acquire_lease(database, "stats", "first machine", seconds=0)
    ingest = ingest_of(database, fence=old.fence)
    ingest.keep(kept())
    acquire_lease(database, "stats", "second machine")
    before = everything(database)
    with pytest.raises(SiteBusy, match="stats: another run took over"):
        ingest.keep(kept(b"new"))
    with pytest.raises(SiteBusy):
        ingest.seen_again(BIRTHS, Link(f"{START}other.html"), NIGHT)
    with pytest.raises(SiteBusy):
        ingest.missing(BIRTHS, NIGHT)
    with pytest.raises(SiteBusy):
        Ingest(database, "stats", "https://moved.example.org/", "run-1", old.fence)
    assert everything(database) == before


def test_two_writers_at_once_lose_nothing_and_double_nothing(
    catalog_url: str, database: Database
) -> None:
    ingest_of(database)
    errors: list[BaseException] = []

    def write() -> None:
        own = open_database(catalog_url)
        try:
            ingest = Ingest(own, "stats", START, "run-1")
            for number in range(15):
                ingest.keep(kept(b"%d" % number, url=f"{START}{number}.csv"))
                ingest.keep(kept(b"%d" % number, fetched_at=NIGHT + number * DAY))
        except BaseException as error:
            errors.append(error)
        finally:
            own.close()

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert rows(database, "SELECT count(*) FROM resource") == [(16,)]
    numbers = rows(database, "SELECT resource_id, number FROM version")
    assert len(numbers) == len(set(numbers)) >= 30
    query = "SELECT count(*) FROM resource WHERE versions <> (SELECT count(*) FROM version"
    assert rows(database, f"{query} WHERE resource_id = resource.id)") == [(0,)]
