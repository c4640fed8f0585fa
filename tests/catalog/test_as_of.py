"""As of a day: what the catalog held then, on both databases."""

from datetime import date, timedelta

import pytest
from sqlalchemy import update

from crawler.catalog.db.models import VERDICT
from crawler.catalog.facade import Catalog
from crawler.catalog.read.moments import end_of
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.errors import NotInCatalog
from crawler.readers.kinds import Kind
from crawler.storage.local_folder import LocalFolder
from crawler.validation.outcome import Judgement, Outcome
from tests.catalog.recorded import DAY, NIGHT, START, ingest_of, kept, stored

OLD, NEW = b"year,births\n2024,1\n", b"year,births\n2025,2\n"


@pytest.fixture
def catalog(database, tmp_path) -> Catalog:
    """Births came on 1 March, rates on the 3rd; births changed on the 5th and went on the 8th."""
    store = LocalFolder(tmp_path / "store")
    for body in (OLD, NEW):
        stored(store, body)
    ingest = ingest_of(database)
    first = ingest.keep(kept(OLD))
    _judge(database, first.version_id, NIGHT + timedelta(hours=1))
    ingest.keep(
        kept(NEW, url=f"{START}rates.csv", anchor="Interest rates", fetched_at=NIGHT + 2 * DAY)
    )
    second = ingest.keep(kept(NEW, fetched_at=NIGHT + 4 * DAY))
    _judge(database, second.version_id, NIGHT + 6 * DAY)
    for night in (7, 8):
        at = NIGHT + night * DAY
        ingest_of(database, f"run-{night}", started_at=at).missing(kept().url, at)
    return Catalog(database, store)


def _judge(database, version_id: int, at) -> None:
    record_verdicts(
        database,
        [VerdictRecord(version_id, Outcome(verdict=Judgement.VALID, kind=Kind.DELIMITED))],
    )
    with database.transaction() as session:
        session.connection().execute(
            update(VERDICT).where(VERDICT.c.version_id == version_id).values(decided_at=at)
        )


def births(catalog: Catalog) -> int:
    return next(hit.id for hit in catalog.search("births"))


def test_a_file_is_shown_with_the_version_of_that_day(catalog) -> None:
    id_ = births(catalog)
    then = catalog.show(id_, as_of="2026-03-04")
    assert then.version == 1
    assert [version.number for version in then.versions] == [1]
    assert then.gone_since is None
    assert then.last_seen <= end_of("2026-03-04")
    assert catalog.show(id_, as_of=date(2026, 3, 5)).version == 2
    assert catalog.show(id_).gone_since is not None


def test_a_day_is_meant_to_its_end_and_a_time_as_it_is(catalog) -> None:
    id_ = births(catalog)
    assert catalog.show(id_, as_of="2026-03-05").version == 2
    assert catalog.show(id_, as_of="2026-03-05T01:00").version == 1


def test_a_verdict_counts_from_the_day_it_was_decided(catalog) -> None:
    id_ = births(catalog)
    first = catalog.show(id_, as_of="2026-03-02")
    assert first.verdict == "valid"
    assert first.check is not None
    undecided = catalog.show(id_, as_of="2026-03-06")
    assert undecided.verdict is None
    assert undecided.check is None
    assert [version.verdict for version in undecided.versions] == [None, "valid"]
    assert catalog.show(id_, as_of="2026-03-07").verdict == "valid"


def test_what_came_later_is_not_there(catalog) -> None:
    id_ = births(catalog)
    with pytest.raises(NotInCatalog, match="as of 2026-02-28"):
        catalog.show(id_, as_of="2026-02-28")
    with pytest.raises(NotInCatalog):
        catalog.history(id_, as_of="2026-02-28")
    rates = next(hit for hit in catalog.search("rates"))
    with pytest.raises(NotInCatalog):
        catalog.dataset(rates.dataset_id, as_of="2026-03-02")


def test_a_search_finds_what_was_there(catalog) -> None:
    assert catalog.search("", as_of="2026-02-28").total == 0
    assert [hit.title for hit in catalog.search("", as_of="2026-03-02")] == ["Births by region"]
    assert catalog.search("", as_of="2026-03-03").total == 2
    assert catalog.search("rates", as_of="2026-03-02").total == 0
    assert catalog.search("births", as_of="2026-03-04")[0].version == 1
    assert catalog.search("births")[0].version == 2
    assert catalog.search(kept().url, as_of="2026-02-28").total == 0


def test_bytes_are_those_of_that_day(catalog, tmp_path) -> None:
    id_ = births(catalog)
    saved = catalog.get(id_, tmp_path / "births.csv", as_of="2026-03-04")
    assert saved.read_bytes() == OLD
    assert list(catalog.read(id_, as_of="2026-03-04")["births"]) == [1]
    assert list(catalog.read(id_)["births"]) == [2]


def test_a_day_that_is_none_is_refused_with_a_sentence(catalog) -> None:
    with pytest.raises(ValueError, match="'banana' is no time"):
        catalog.search("", as_of="banana")
