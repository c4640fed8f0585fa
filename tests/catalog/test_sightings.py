"""Sightings, and files that vanish and come back."""

from datetime import timedelta
from pathlib import Path

from crawler.catalog.db.database import Database
from crawler.catalog.db.search_schema import TOKENS
from crawler.catalog.facade import Catalog
from crawler.catalog.write.ingest import Link
from crawler.catalog.write.sightings import MAX_SIGHTINGS
from crawler.storage.local_folder import LocalFolder
from tests.catalog.recorded import BIRTHS, DAY, NIGHT, START, everything, ingest_of, kept, rows


def link(number: int) -> Link:
    return Link(f"{START}page-{number}.html", f"Page {number}", "Births")


def test_pages_are_bounded_and_all_are_counted(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    for number in range(MAX_SIGHTINGS + 5):
        assert ingest.seen_again(BIRTHS, link(number), NIGHT)
    assert rows(database, "SELECT count(*) FROM sighting") == [(MAX_SIGHTINGS,)]
    assert rows(database, "SELECT sightings FROM resource") == [(MAX_SIGHTINGS + 6,)]


def test_page_counts_once_per_run(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    for _ in range(3):
        ingest.seen_again(BIRTHS, link(1), NIGHT + timedelta(minutes=1))
    assert rows(database, "SELECT sightings FROM resource") == [(2,)]
    later = ingest_of(database, "run-2", started_at=NIGHT + DAY)
    for _ in range(3):
        later.seen_again(BIRTHS, link(1), NIGHT + DAY)
    assert rows(database, "SELECT sightings FROM resource") == [(3,)]


def test_page_beyond_those_that_are_kept_counts_once_after_a_crash(database: Database) -> None:
    """A crash between catalog and state makes the last step, later, once more."""
    ingest = ingest_of(database)
    ingest.keep(kept())
    for number in range(MAX_SIGHTINGS + 3):
        ingest.seen_again(BIRTHS, link(number), NIGHT)
    counted = rows(database, "SELECT sightings FROM resource")
    ingest.seen_again(BIRTHS, link(MAX_SIGHTINGS + 2), NIGHT + timedelta(minutes=1))
    assert rows(database, "SELECT sightings FROM resource") == counted
    beyond = f"{START}beyond.html"
    ingest.keep(kept(page_url=beyond, fetched_at=NIGHT + timedelta(minutes=2)))
    ingest.keep(kept(page_url=beyond, fetched_at=NIGHT + timedelta(minutes=3)))
    assert rows(database, "SELECT sightings FROM resource") == [(counted[0][0] + 1,)]


def test_file_of_many_pages_is_kept_again_without_a_change(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    for number in range(MAX_SIGHTINGS):
        ingest.seen_again(BIRTHS, link(number), NIGHT)
    beyond = kept(page_url=f"{START}beyond.html", fetched_at=NIGHT + timedelta(hours=1))
    ingest.keep(beyond)
    before = everything(database)
    ingest.keep(beyond)
    assert everything(database) == before


def test_sighting_follows_the_words_of_the_page(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    page = f"{START}population.html"
    ingest.seen_again(BIRTHS, Link(page, "People", "Newborns", "html a", 7), NIGHT + DAY)
    query = "SELECT page_title, anchor, tag_path, action FROM sighting"
    assert rows(database, query) == [("People", "Newborns", "html a", 7)]
    query = TOKENS[database.engine.dialect.name].replace("dataset_id, ", "")
    assert "2newborn" in rows(database, query)[0][0].split()


def test_unknown_file_is_not_made_by_a_sighting(database: Database) -> None:
    assert not ingest_of(database).seen_again(BIRTHS, link(1), NIGHT)
    assert rows(database, "SELECT count(*) FROM resource") == [(0,)]


def test_file_is_gone_after_two_nights(database: Database) -> None:
    ingest_of(database).keep(kept())
    first, second = NIGHT + DAY, NIGHT + 2 * DAY
    assert not ingest_of(database, "run-2", started_at=first).missing(BIRTHS, first)
    assert rows(database, "SELECT missed, gone_since FROM resource") == [(1, None)]
    assert ingest_of(database, "run-3", started_at=second).missing(BIRTHS, second)
    query = "SELECT missed FROM resource WHERE gone_since = missed_at"
    assert rows(database, query) == []
    assert rows(database, "SELECT missed FROM resource WHERE gone_since < missed_at") == [(2,)]


def test_one_night_counts_once_also_when_the_run_is_repeated(database: Database) -> None:
    ingest_of(database).keep(kept())
    at = NIGHT + DAY
    ingest = ingest_of(database, "run-2", started_at=at)
    for hours in (0, 1, 30):
        assert not ingest.missing(BIRTHS, at + timedelta(hours=hours))
    retried = ingest_of(database, "run-3", started_at=at + timedelta(hours=2))
    assert not retried.missing(BIRTHS, at + timedelta(hours=3))
    assert rows(database, "SELECT missed FROM resource") == [(1,)]


def test_file_that_is_back_is_neither_gone_nor_missed(database: Database) -> None:
    first = ingest_of(database).keep(kept())
    for night in (1, 2):
        at = NIGHT + night * DAY
        ingest_of(database, f"gone-{night}", started_at=at).missing(BIRTHS, at)
    back = NIGHT + 3 * DAY
    done = ingest_of(database, "back", started_at=back).keep(kept(fetched_at=back))
    assert done == first
    query = "SELECT missed, missed_at, gone_since, versions FROM resource"
    assert rows(database, query) == [(0, None, None, 1)]


def test_one_miss_between_two_answers_is_forgotten(database: Database) -> None:
    ingest_of(database).keep(kept())
    for night in range(1, 5):
        at = NIGHT + night * DAY
        ingest = ingest_of(database, f"run-{night + 1}", started_at=at)
        if night % 2:
            assert not ingest.missing(BIRTHS, at)
        else:
            ingest.keep(kept(fetched_at=at))


def test_unknown_file_cannot_be_missing(database: Database) -> None:
    assert not ingest_of(database).missing(BIRTHS, NIGHT)


def test_a_file_is_found_by_the_headings_above_its_link(database: Database, tmp_path: Path) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept(anchor="CSV", file_name="t14.csv", headings="Livestock › Sheep and goats"))
    catalog = Catalog(database, LocalFolder(tmp_path / "store"))
    (hit,) = catalog.search("goats")
    assert [(match.where, match.text) for match in hit.matches] == [
        ("heading", "Livestock › Sheep and goats")
    ]
    assert catalog.show(hit.id).sightings[0].headings == "Livestock › Sheep and goats"
    link = Link(f"{START}population.html", "Population", "CSV", "html a", 7, headings="Horses")
    ingest.seen_again(BIRTHS, link, NIGHT + DAY)
    assert catalog.search("horses").total == 1
    assert not any(
        "goats" in match.text for hit in catalog.search("goats") for match in hit.matches
    )
