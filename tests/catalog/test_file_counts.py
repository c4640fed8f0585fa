"""The counts of files, which triggers keep: always what counting all files would give."""

import random
from pathlib import Path

from crawler.catalog.db.count_schema import count_files
from crawler.catalog.db.database import Database
from crawler.catalog.read.sites import Site, sites
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.upkeep.tidying import refresh_statistics
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.readers.kinds import Kind
from crawler.storage.local_folder import LocalFolder
from crawler.validation.outcome import Judgement, Outcome
from tests.catalog.recorded import DAY, NIGHT, START, ingest_of, kept, rows

FORMATS = ("csv", "excel", "pdf")
STEPS = 100


def counted(database: Database) -> list[Site]:
    with database.reading() as session:
        return sites(session)


def judged(database: Database, version_id: int, verdict: Judgement) -> None:
    outcome = Outcome(verdict=verdict, kind=Kind.DELIMITED, reasons=(), checks=())
    record_verdicts(database, [VerdictRecord(version_id, outcome)])


def something_happens(
    database: Database, ingest: Ingest, store: LocalFolder, chance: random.Random, step: int
) -> None:
    """A file comes, changes, is missed, is there again, is judged, or is taken down."""
    number, at = chance.randrange(6), NIGHT + step * DAY
    url, title = f"{START}files/{number}", f"Table of {number // 2}"
    what = chance.randrange(10)
    if what < 4:
        body, form = str(chance.randrange(3)).encode() * step, chance.choice(FORMATS)
        ingest.keep(kept(body, url=url, format=form, anchor=title, fetched_at=at))
    elif what < 6:
        ingest.missing(url, at)
    elif what < 7:
        ingest.present(url, at)
    elif what < 9:
        versions = rows(database, "SELECT id FROM version ORDER BY id")
        if versions:
            judged(database, chance.choice(versions)[0], chance.choice(list(Judgement)))
    elif chance.random() < 0.3:
        for (file,) in rows(database, "SELECT id FROM resource ORDER BY id LIMIT 1 OFFSET 2"):
            remove(database, store, file, "asked for")


def test_counts_are_what_counting_all_files_gives_whatever_happens(
    database: Database, tmp_path: Path
) -> None:
    chance = random.Random(18)
    store = LocalFolder(tmp_path / "store")
    for step in range(1, STEPS):
        site, at = chance.choice(("stats", "office")), NIGHT + step * DAY
        ingest = ingest_of(database, f"run-{step}", site=site, started_at=at)
        something_happens(database, ingest, store, chance, step)
        if step % 10 == 0:
            found = counted(database)
            with database.transaction() as session:
                count_files(session.connection())
            assert counted(database) == found
    assert all(site.files for site in found)
    assert any(site.gone for site in found)
    assert {"csv", "excel", "pdf"} == {name for site in found for name in site.formats}
    assert rows(database, "SELECT count(*) FROM resource WHERE removed_at IS NOT NULL") != [(0,)]


def test_a_file_that_is_seen_again_unchanged_writes_no_counts(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    before = rows(database, "SELECT count(*) FROM file_count")
    ingest.present(kept().url, NIGHT + DAY)
    ingest.keep(kept(fetched_at=NIGHT + DAY))
    assert rows(database, "SELECT count(*) FROM file_count") == before


def test_upkeep_counts_anew_and_leaves_one_row_of_each_kind(database: Database) -> None:
    ingest = ingest_of(database)
    for night in range(5):
        ingest.keep(kept(b"a" * (night + 1), fetched_at=NIGHT + night * DAY))
    found = counted(database)
    refresh_statistics(database)
    assert counted(database) == found
    assert rows(database, "SELECT datasets, files, bytes FROM file_count") == [(1, 1, 5)]
