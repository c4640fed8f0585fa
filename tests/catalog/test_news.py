"""News: every new, changed and gone file once, in one order, and what a search finds of it."""

import threading
from datetime import timedelta

import pytest

from crawler.catalog.db.database import Database
from crawler.catalog.db.migrating import downgrade_to
from crawler.catalog.db.news_tables import What
from crawler.catalog.read.news import News
from crawler.catalog.search import news as news_module
from crawler.catalog.search.news import news
from crawler.catalog.search.search import search
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.write.news import record_news
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.readers.kinds import Kind
from crawler.storage.local_folder import LocalFolder
from crawler.validation.outcome import Judgement, Outcome
from tests.catalog.recorded import BIRTHS, DAY, NIGHT, START, ingest_of, kept, rows

DEATHS = f"{START}files/deaths.xlsx"


def told(database: Database, words: str = "", **more: object) -> list[News]:
    with database.reading() as session:
        return list(news(session, words, **more).items)  # type: ignore[arg-type]


def brief(found: list[News]) -> list[tuple[str, str, int]]:
    return [(one.what.value, one.url, one.version) for one in found]


@pytest.fixture
def filled(database: Database) -> Database:
    """Births came, deaths came, births changed, deaths are gone."""
    first = ingest_of(database)
    first.keep(kept())
    first.keep(
        kept(b"x", url=DEATHS, anchor="Deaths by cause", file_name="deaths.xlsx", format="excel")
    )
    second = ingest_of(database, "run-2", started_at=NIGHT + DAY)
    second.keep(kept(b"other", fetched_at=NIGHT + DAY))
    assert not second.missing(DEATHS, NIGHT + DAY)
    third = ingest_of(database, "run-3", started_at=NIGHT + 2 * DAY)
    assert third.missing(DEATHS, NIGHT + 2 * DAY)
    return database


def test_each_event_is_told_once_the_latest_first(filled: Database) -> None:
    assert brief(told(filled)) == [
        ("gone", DEATHS, 1),
        ("changed", BIRTHS, 2),
        ("new", DEATHS, 1),
        ("new", BIRTHS, 1),
    ]
    again = ingest_of(filled, "run-4", started_at=NIGHT + 3 * DAY)
    again.missing(DEATHS, NIGHT + 3 * DAY)
    again.keep(kept(b"other", fetched_at=NIGHT + 3 * DAY))
    assert len(told(filled)) == 4


def test_file_that_is_back_and_goes_again_is_told_again(filled: Database) -> None:
    later = ingest_of(filled, "run-4", started_at=NIGHT + 3 * DAY)
    later.present(DEATHS, NIGHT + 3 * DAY)
    assert search_of(filled, what="gone") == []
    for nights in (4, 5):
        at = NIGHT + nights * DAY
        ingest_of(filled, f"run-{nights + 1}", started_at=at).missing(DEATHS, at)
    assert brief(told(filled, what="gone")) == [("gone", DEATHS, 1)] * 2


def search_of(database: Database, words: str = "", **more: object) -> list[tuple[str, str]]:
    with database.reading() as session:
        found = search(session, words, **more)  # type: ignore[arg-type]
    return [(hit.title, hit.what.value) for hit in found]


def test_search_says_what_happened_last_and_can_ask_for_it(filled: Database) -> None:
    births, deaths = ("Births by region", "changed"), ("Deaths by cause", "gone")
    assert sorted(search_of(filled)) == [births, deaths]
    assert search_of(filled, what="changed") == [births]
    assert search_of(filled, what="gone") == [deaths]
    assert search_of(filled, what="new") == []
    assert search_of(filled, "what:changed") == [births]
    since = NIGHT + timedelta(hours=1)
    assert sorted(search_of(filled, since=since)) == [births, deaths]
    assert search_of(filled, since=NIGHT + DAY + timedelta(hours=1)) == []


@pytest.mark.parametrize("directly", [True, False])
def test_news_of_a_search(
    filled: Database, directly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not directly:
        monkeypatch.setattr(news_module, "MAX_DATASETS", 0)
    assert brief(told(filled, "births")) == [("changed", BIRTHS, 2), ("new", BIRTHS, 1)]
    assert brief(told(filled, format="excel", what="new")) == [("new", DEATHS, 1)]
    assert brief(told(filled, "births", what="changed,gone")) == [("changed", BIRTHS, 2)]
    assert brief(told(filled, since=NIGHT + timedelta(hours=1), what="gone")) == [
        ("gone", DEATHS, 1)
    ]
    assert told(filled, "wages") == []
    assert told(filled, site="elsewhere") == []
    assert brief(told(filled, DEATHS)) == [("gone", DEATHS, 1), ("new", DEATHS, 1)]
    with pytest.raises(ValueError, match="none of new, changed and gone"):
        told(filled, what="odd")


@pytest.mark.parametrize("chunk", [1, 2, 200])
def test_short_pages_of_a_common_word_lose_nothing(
    filled: Database, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news_module, "MAX_DATASETS", 0)
    monkeypatch.setattr(news_module, "_CHUNK", chunk)
    monkeypatch.setattr(news_module, "_MAX_CHUNKS", 1)
    found, before = [], None
    for _ in range(20):
        with filled.reading() as session:
            page = news(session, "births", before=before, limit=1)
        found += page.items
        before = page.next
        if before is None:
            break
    assert brief(found) == [("changed", BIRTHS, 2), ("new", BIRTHS, 1)]


def test_files_taken_down_have_no_news(filled: Database, tmp_path) -> None:
    [births, *_] = [one.id for one in told(filled) if one.url == BIRTHS]
    remove(filled, LocalFolder(tmp_path), births, "a test")
    assert {one.url for one in told(filled)} == {DEATHS}


def test_verdict_asked_for_is_that_of_the_version(filled: Database) -> None:
    [(version,)] = rows(filled, "SELECT latest_version_id FROM resource WHERE url = :u", u=BIRTHS)
    outcome = Outcome(verdict=Judgement.VALID, kind=Kind.DELIMITED)
    record_verdicts(filled, [VerdictRecord(version, outcome, "")])
    assert brief(told(filled, verdict="valid")) == [("changed", BIRTHS, 2)]


def test_news_appears_in_the_order_of_its_numbers(filled: Database) -> None:
    """A number that appears late would never be told to who has read the next one."""
    first = told(filled)[0]
    [(site, resource, version)] = rows(
        filled, "SELECT site_id, resource_id, version_id FROM news WHERE id = :n", n=first.number
    )
    ids = {"site": site, "resource": resource, "version": version}
    ingest = ingest_of(filled, "run-9", started_at=NIGHT + 9 * DAY)
    other = kept(b"third", fetched_at=NIGHT + 9 * DAY)
    done = threading.Event()
    seen: list[int] = []

    def keep() -> None:
        ingest.keep(other)
        done.set()

    writer = threading.Thread(target=keep)
    with filled.transaction() as session:
        record_news(session, What.CHANGED, **ids, at=NIGHT)
        writer.start()
        assert not done.wait(0.5)
        seen += [one.number for one in told(filled)]
    writer.join()
    after = [one.number for one in told(filled)]
    assert after[2:] == seen
    assert min(after[:2]) > max(seen)


def test_old_catalog_gets_its_past_written_down(filled: Database) -> None:
    before = brief(told(filled))
    old = {one.number: (one.what, one.url, one.at) for one in told(filled)}
    with filled.changing_tables() as connection:
        downgrade_to(connection, "0011")
    filled.upgrade()
    assert brief(told(filled)) == before
    assert {one.number: (one.what, one.url, one.at) for one in told(filled)} == old
    assert search_of(filled, what="gone") == [("Deaths by cause", "gone")]


@pytest.mark.parametrize(
    "words",
    [
        "births",
        "birth",
        '"births by region"',
        "deaths OR births",
        "births -deaths",
        "-births",
        "naissances",
        "dea*",
        "births site:stats",
        "births format:excel",
        "xylophone",
    ],
)
def test_news_is_the_same_whichever_way_it_is_found(
    filled: Database, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    by_datasets = told(filled, words)
    monkeypatch.setattr(news_module, "MAX_DATASETS", -1)
    assert told(filled, words) == by_datasets


def test_since_asks_for_the_time_and_not_for_the_number_alone(filled: Database) -> None:
    late = ingest_of(filled, "run-late", started_at=NIGHT - DAY)
    late.keep(kept(b"z", url=f"{START}late.csv", anchor="Late", fetched_at=NIGHT - DAY))
    found = told(filled, since=(NIGHT + DAY).isoformat())
    assert brief(found) == [("gone", DEATHS, 1), ("changed", BIRTHS, 2)]
    assert told(filled, since=(NIGHT + 9 * DAY).isoformat()) == []
