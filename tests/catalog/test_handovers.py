"""Handovers: handed over once, claimed by one lane at a time, taken back when no lane is there."""

from datetime import timedelta

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import HandoverState
from crawler.catalog.write import handovers
from crawler.catalog.write.handovers import Handover
from tests.catalog.recorded import execute

PATIENCE = timedelta(minutes=5)


def handed(database: Database, site: str = "a", run_id: str = "r1") -> Handover:
    return handovers.hand_over(database, site=site, lane="small", run_id=run_id, night="{}")


def state_of(database: Database, site: str = "a") -> HandoverState:
    known, _ = handovers.handover_of(database, site)
    assert known is not None
    return known.state


def test_same_night_is_handed_over_once_and_the_next_one_replaces_it(database: Database) -> None:
    handed(database)
    (claimed,) = handovers.claim(database, "small", 5, ())
    handovers.end(database, claimed, '{"requests": 3}')
    assert handed(database).state is HandoverState.DONE
    again = handed(database, run_id="r2")
    assert (again.state, again.result) == (HandoverState.WAITING, "")


def test_what_waits_is_claimed_once_and_only_by_its_lane(database: Database) -> None:
    for number in range(4):
        handed(database, f"s{number}", f"r{number}")
    assert handovers.claim(database, "other", 9, ()) == []
    first = handovers.claim(database, "small", 2, ["s0"])
    assert sorted(each.site for each in first) == ["s1", "s2"]
    rest = handovers.claim(database, "small", 9, ())
    assert sorted(each.site for each in rest) == ["s0", "s3"]
    assert handovers.claim(database, "small", 9, ()) == []


def test_lane_that_was_thought_dead_has_no_say_any_more(database: Database) -> None:
    handed(database)
    (dead,) = handovers.claim(database, "small", 1, ())
    handovers.free_claims(database, "small")
    (living,) = handovers.claim(database, "small", 1, ())
    handovers.fail(database, dead, "too late", retryable=False)
    handovers.put_back(database, dead)
    assert state_of(database) is HandoverState.WORKING
    handovers.fail(database, living, "no answer", retryable=True)
    known, _ = handovers.handover_of(database, "a")
    assert known is not None
    assert (known.state, known.result) == (HandoverState.FAILED, "no answer")


def test_without_a_sign_of_a_lane_it_is_forgotten_and_can_be_withdrawn(database: Database) -> None:
    handed(database)
    known, now = handovers.handover_of(database, "a")
    assert known is not None
    assert not known.is_forgotten(now, PATIENCE)
    assert known.is_forgotten(now + 2 * PATIENCE, PATIENCE)
    assert handovers.keep_alive(database, "small") == 1
    assert not handovers.withdraw(database, "a", "another run")
    assert handovers.withdraw(database, "a", "r1")
    assert handovers.claim(database, "small", 1, ()) == []
    assert handovers.keep_alive(database, "small") == 0


def test_what_is_over_is_neither_withdrawn_nor_forgotten(database: Database) -> None:
    handed(database)
    (claimed,) = handovers.claim(database, "small", 1, ())
    handovers.end(database, claimed, "{}")
    assert not handovers.withdraw(database, "a", "r1")
    execute(database, "UPDATE handover SET alive_at = '2020-01-01 00:00:00+00'")
    known, now = handovers.handover_of(database, "a")
    assert known is not None
    assert not known.is_forgotten(now, PATIENCE)
