"""What alerts have told is kept in the catalog, the same on both databases."""

from datetime import timedelta

import pytest

from crawler.catalog.db.database import Database
from crawler.catalog.search.filters import SearchFilters
from crawler.catalog.search.untold import MAX_COUNTED, Untold, untold
from crawler.catalog.write.alert_state import (
    CLAIM,
    alert_state,
    claim_alert,
    note_failure,
    note_told,
)
from tests.catalog.recorded import DAY, NIGHT, START, ingest_of, kept, statements

NAMES = ("births", "webhook")


def found(
    database: Database, words: str = "", max_counted: int = MAX_COUNTED, **filters: str
) -> Untold:
    now = NIGHT + 3 * DAY  # nothing waits for its verdict any more
    with database.reading() as session:
        state = alert_state(session, *NAMES, now)
        return untold(
            session.connection(),
            words,
            SearchFilters(**filters),
            state,
            now=now,
            max_items=10,
            max_counted=max_counted,
        )


def test_each_piece_of_news_is_told_once(database: Database) -> None:
    assert claim_alert(database, *NAMES, NIGHT) is not None
    ingest = ingest_of(database)
    ingest.keep(kept())
    ingest_of(database, "run-2", site="other").keep(kept(b"x", url=f"{START}other.csv"))
    first = found(database)
    assert (first.total, len(first.upto)) == (2, 2)
    note_told(database, *NAMES, first.upto, first.total, NIGHT)
    assert found(database).total == 0
    ingest.keep(kept(b"changed", fetched_at=NIGHT + DAY))
    again = found(database, "births")
    assert [(one.what.value, one.version) for one in again.items] == [("changed", 2)]
    # What a search does not find is not told later either.
    nothing = found(database, "wages")
    note_told(database, *NAMES, nothing.upto, nothing.total, NIGHT)
    assert found(database, "births").total == 0


def test_counting_ends_at_a_bound_and_says_whether_there_is_more(database: Database) -> None:
    assert claim_alert(database, *NAMES, NIGHT) is not None
    ingest = ingest_of(database)
    for number in range(4):
        ingest.keep(kept(b"%d" % number, url=f"{START}{number}.csv"))
    counted = {most: found(database, "births", max_counted=most) for most in (1, 3, 4, 9)}
    assert [one.total for one in counted.values()] == [1, 3, 4, 4]
    assert [one.at_least for one in counted.values()] == [True, True, False, False]
    assert [one.url[-5:] for one in counted[9].items] == ["3.csv", "2.csv", "1.csv", "0.csv"]


@pytest.mark.parametrize("directly", [True, False])
def test_much_news_takes_as_many_questions_as_little(
    database: Database, directly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not directly:
        monkeypatch.setattr("crawler.catalog.search.news.MAX_DATASETS", -1)
    assert claim_alert(database, *NAMES, NIGHT) is not None
    ingest = ingest_of(database)
    needed = []
    for number in range(40):
        ingest.keep(kept(b"%d" % number, url=f"{START}{number}.csv", anchor=f"Births {number}"))
        if number in (0, 39):
            with statements(database) as asked:
                assert found(database, "births").total == number + 1
            needed.append(len(asked))
    assert needed[0] == needed[1] < 12


def test_one_process_at_a_time_and_a_dead_one_only_for_a_while(database: Database) -> None:
    assert claim_alert(database, *NAMES, NIGHT) is not None
    assert claim_alert(database, *NAMES, NIGHT + timedelta(minutes=1)) is None
    assert claim_alert(database, "births", "email", NIGHT) is not None
    assert claim_alert(database, *NAMES, NIGHT + CLAIM) is not None
    note_told(database, *NAMES, {}, 0, NIGHT)
    assert claim_alert(database, *NAMES, NIGHT + timedelta(minutes=1)) is not None


def test_failure_is_counted_until_it_is_sent(database: Database) -> None:
    claim_alert(database, *NAMES, NIGHT)
    for _ in range(2):
        note_failure(database, *NAMES, "no answer", NIGHT)
    with database.reading() as session:
        state = alert_state(session, *NAMES, NIGHT)
    assert (state.failures, state.failure, state.failed_at) == (2, "no answer", NIGHT)
    note_told(database, *NAMES, {}, 3, NIGHT + DAY)
    with database.reading() as session:
        state = alert_state(session, *NAMES, NIGHT)
    assert (state.failures, state.failure, state.failed_at) == (0, "", None)
    assert (state.sent_at, state.sent_items) == (NIGHT + DAY, 3)


def test_new_alert_begins_with_the_last_day_also_after_a_failure(database: Database) -> None:
    ingest = ingest_of(database)
    ingest.keep(kept())
    ingest.keep(kept(b"late", fetched_at=NIGHT + 5 * DAY))
    now = NIGHT + 5 * DAY + timedelta(hours=1)
    state = claim_alert(database, *NAMES, now)
    assert state is not None
    note_failure(database, *NAMES, "no answer", now)
    with database.reading() as session:
        later = alert_state(session, *NAMES, now + 9 * DAY)
    assert later.begins_after == state.begins_after == 1
