"""Visits of known pages in the catalog: recorded once, limited, shown, and missed when lost."""

from dataclasses import replace
from datetime import timedelta

import pytest

from crawler.catalog.db.database import Database
from crawler.catalog.read.page_visits import LostListing, lost_listings, visits_of_run
from crawler.catalog.write import page_visits
from crawler.catalog.write.lease import acquire_lease
from crawler.catalog.write.page_visits import PageVisited, record_page_visits
from crawler.errors import SiteBusy
from tests.catalog.recorded import NIGHT, START, ingest_of, rows

RELEASES = PageVisited(
    url=f"{START}releases",
    action=3,
    first_visit=NIGHT - timedelta(days=9),
    visits=4,
    files=140,
    change_rate=0.25,
    visited_at=NIGHT,
    outcome="changed",
    detected_by="other links",
    reason="predicted",
    new_links=3,
    new_files=2,
)
NEWS = replace(RELEASES, url=f"{START}news", outcome="gone", new_links=0, new_files=0, files=12)


def test_visits_of_a_run_are_recorded_once(database: Database) -> None:
    ingest_of(database)
    for _ in range(2):
        record_page_visits(database, "stats", "run-1", 0, [NEWS, RELEASES])
    with database.reading() as session:
        shown = visits_of_run(session, "run-1")
    assert shown.total == 2
    assert [visit.url for visit in shown.items] == [RELEASES.url, NEWS.url]
    first = shown.items[0]
    assert (first.outcome, first.detected_by, first.reason) == (
        "changed",
        "other links",
        "predicted",
    )
    assert (first.new_links, first.new_files, first.files, first.change_rate) == (3, 2, 140, 0.25)


def test_next_visit_changes_the_page_and_keeps_its_first_visit(database: Database) -> None:
    ingest_of(database)
    record_page_visits(database, "stats", "run-1", 0, [RELEASES])
    ingest_of(database, "run-2")
    later = replace(
        RELEASES, visited_at=NIGHT + timedelta(days=1), first_visit=NIGHT, visits=5, files=141
    )
    record_page_visits(database, "stats", "run-2", 0, [later])
    assert rows(database, "SELECT visits, files FROM page") == [(5, 141)]
    assert rows(database, "SELECT count(*) FROM page WHERE first_visit < last_visit") == [(1,)]
    assert rows(database, "SELECT count(*) FROM page_visit") == [(2,)]


def test_only_the_newest_visits_of_a_page_are_kept(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_visits, "MAX_VISITS", 3)
    for number in range(1, 6):
        ingest_of(database, f"run-{number}")
        record_page_visits(database, "stats", f"run-{number}", 0, [RELEASES])
    kept = rows(database, "SELECT run_id FROM page_visit ORDER BY id")
    assert kept == [("run-3",), ("run-4",), ("run-5",)]


def test_listing_pages_that_are_gone_are_named_the_largest_first(database: Database) -> None:
    ingest_of(database)
    larger = replace(NEWS, url=f"{START}archive", files=90)
    empty = replace(NEWS, url=f"{START}about", files=0)
    record_page_visits(database, "stats", "run-1", 0, [RELEASES, NEWS, larger, empty])
    with database.reading() as session:
        lost = lost_listings(session, "run-1", 5)
    assert lost == [LostListing(larger.url, 90), LostListing(NEWS.url, 12)]


def test_worker_whose_site_was_taken_over_records_nothing(database: Database) -> None:
    ingest_of(database)
    acquire_lease(database, "stats", "another machine")
    with pytest.raises(SiteBusy):
        record_page_visits(database, "stats", "run-1", 0, [RELEASES])
    assert rows(database, "SELECT count(*) FROM page") == [(0,)]
