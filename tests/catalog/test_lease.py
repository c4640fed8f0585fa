"""The lease: one holder at a time, and a fence that keeps former ones out."""

import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.upkeep.tidying import free_expired_leases
from crawler.catalog.write.heartbeat import Heartbeat
from crawler.catalog.write.lease import acquire_lease, release, renew_all
from crawler.errors import SiteBusy
from tests.catalog.recorded import NIGHT, execute, rows
from tests.servers.postgres import PostgresServer

LONG = 30.0
"""Seconds to wait for something that comes in far less."""


def test_held_site_is_busy_and_says_who_has_it(database: Database) -> None:
    acquire_lease(database, "stats", "machine-1:4711")
    with pytest.raises(SiteBusy, match="stats: held by machine-1:4711 until"):
        acquire_lease(database, "stats", "machine-2")


def test_sites_are_leased_apart(database: Database) -> None:
    assert (
        acquire_lease(database, "one", "a").site_id != acquire_lease(database, "two", "b").site_id
    )


def test_fence_grows_with_every_lease(database: Database) -> None:
    fences = []
    for holder in ("a", "b", "a"):
        lease = acquire_lease(database, "stats", holder)
        fences.append(lease.fence)
        release(database, lease)
    assert fences == [1, 2, 3]


def test_lease_that_ran_out_is_taken_over_and_the_former_holder_is_told(
    database: Database,
) -> None:
    old = acquire_lease(database, "stats", "a", seconds=0)
    new = acquire_lease(database, "stats", "b")
    assert new.fence == old.fence + 1
    assert renew_all(database, [old]) == [None]
    release(database, old)
    assert rows(database, "SELECT holder, fence FROM lease") == [("b", new.fence)]


def test_renewed_lease_lives_longer(database: Database) -> None:
    lease = acquire_lease(database, "stats", "a", seconds=0)
    renew_all(database, [replace(lease, seconds=60)])
    with pytest.raises(SiteBusy):
        acquire_lease(database, "stats", "b")


def test_same_holder_takes_over_at_once_with_a_new_fence(database: Database) -> None:
    old = acquire_lease(database, "stats", "a")
    new = acquire_lease(database, "stats", "a")
    assert new.fence == old.fence + 1
    assert renew_all(database, [old]) == [None]


def test_long_names_that_begin_alike_are_two_holders(database: Database) -> None:
    acquire_lease(database, "stats", "x" * 200 + "1")
    with pytest.raises(SiteBusy):
        acquire_lease(database, "stats", "x" * 200 + "2")


def test_clock_of_sqlite_can_be_given(tmp_path: Path) -> None:
    now = [NIGHT]
    database = open_database(f"sqlite:///{tmp_path / 'c.db'}", clock=lambda: now[0])
    database.ready()
    acquire_lease(database, "stats", "a", seconds=60)
    now[0] += timedelta(seconds=59)
    with pytest.raises(SiteBusy):
        acquire_lease(database, "stats", "b")
    now[0] += timedelta(seconds=1)
    assert acquire_lease(database, "stats", "b").fence == 2
    database.close()


def test_clock_of_the_server_decides(postgres_catalog_url: str) -> None:
    wrong = open_database(postgres_catalog_url, clock=lambda: NIGHT - timedelta(days=9000))
    lease = acquire_lease(wrong, "stats", "a")
    server_time = "SELECT count(*) FROM lease WHERE expires_at > now()"
    assert rows(wrong, server_time) == [(1,)]
    assert lease.expires_at > NIGHT
    wrong.close()


def test_only_one_of_many_gets_it(catalog_url: str, database: Database) -> None:
    acquire_lease(database, "stats", "former", seconds=0)
    got: list[int] = []
    busy: list[SiteBusy] = []

    def take(number: int) -> None:
        own = open_database(catalog_url)
        try:
            got.append(acquire_lease(own, "stats", f"worker-{number}").fence)
        except SiteBusy as error:
            busy.append(error)
        finally:
            own.close()

    threads = [threading.Thread(target=take, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (got, len(busy)) == ([2], 5)


def test_heartbeat_keeps_a_lease_alive(database: Database) -> None:
    lease = acquire_lease(database, "stats", "a", seconds=0.2)
    execute(database, "UPDATE lease SET expires_at = NULL")
    renewed = threading.Event()
    with Heartbeat(database, lease) as heartbeat:
        for _ in range(int(LONG / 0.05)):
            if rows(database, "SELECT count(*) FROM lease WHERE expires_at IS NULL") == [(0,)]:
                renewed.set()
                break
            renewed.wait(0.05)
        assert not heartbeat.lost
        heartbeat.check()
    assert renewed.is_set()


def test_one_thread_renews_all_leases_of_a_process_and_ends_with_the_last(
    database: Database,
) -> None:
    sites = [f"site{number}" for number in range(20)]
    leases = [acquire_lease(database, site, "a", seconds=0.3) for site in sites]
    execute(
        database, "UPDATE lease SET fence = fence + 1 WHERE site_id = :id", id=leases[0].site_id
    )
    with ExitStack() as stack:
        beats = [stack.enter_context(Heartbeat(database, lease)) for lease in leases]
        threads = [thread for thread in threading.enumerate() if thread.name == "leases"]
        assert len(threads) == 1
        assert is_lost(beats[0], LONG)
        for beat in beats[1:]:
            first = beat.lease.expires_at
            end = time.monotonic() + LONG
            while beat.lease.expires_at == first and time.monotonic() < end:
                time.sleep(0.01)
            assert beat.lease.expires_at > first
            assert not beat.lost
    threads[0].join(LONG)
    assert not threads[0].is_alive()


def is_lost(heartbeat: Heartbeat, seconds: float) -> bool:
    """Whether the lease is lost within this time."""
    end = time.monotonic() + seconds
    while not heartbeat.lost and time.monotonic() < end:
        time.sleep(0.01)
    return heartbeat.lost


def test_heartbeat_reports_when_another_has_the_site(database: Database) -> None:
    lease = acquire_lease(database, "stats", "a", seconds=0.2)
    execute(database, "UPDATE lease SET fence = fence + 1, holder = 'b'")
    with Heartbeat(database, lease) as heartbeat:
        assert is_lost(heartbeat, LONG)
        with pytest.raises(SiteBusy):
            heartbeat.check()


def test_lease_that_ran_out_unnoticed_is_renewed_or_lost_before_work_goes_on(
    database: Database,
) -> None:
    """A renewal may hang for longer than the lease lives; here none is made at all."""
    clock = [0.0]
    lease = acquire_lease(database, "stats", "a", seconds=60)
    heartbeat = Heartbeat(database, lease, monotonic=lambda: clock[0])
    clock[0] = 61.0
    heartbeat.check()
    assert heartbeat.remaining() == 60
    clock[0] = 122.0
    execute(database, "UPDATE lease SET fence = fence + 1, holder = 'b'")
    with pytest.raises(SiteBusy, match="lost"):
        heartbeat.check()


def test_heartbeat_without_a_database_counts_as_lost_in_the_end(
    postgres: PostgresServer, postgres_catalog_url: str
) -> None:
    database = open_database(postgres_catalog_url)
    lease = acquire_lease(database, "stats", "a", seconds=0.3)
    postgres.stop()
    with Heartbeat(database, lease) as heartbeat:
        assert is_lost(heartbeat, LONG)
    database.close()


def test_heartbeat_outlives_a_short_outage(
    postgres: PostgresServer, postgres_catalog_url: str
) -> None:
    database = open_database(postgres_catalog_url)
    held = acquire_lease(database, "stats", "a", seconds=600)
    beats: list[float] = []

    def monotonic() -> float:
        beats.append(0.0)
        return 0.0

    postgres.stop()
    with Heartbeat(database, replace(held, seconds=0.2), monotonic=monotonic) as heartbeat:
        while len(beats) < 4:
            is_lost(heartbeat, 0.05)
        postgres.start()
        assert not heartbeat.lost
    assert renew_all(database, [held]) != [None]
    database.close()


def test_lease_written_under_a_clock_that_was_ahead_holds_nobody_up(database: Database) -> None:
    ahead = acquire_lease(database, "stats", "a", seconds=10 * 365 * 24 * 3600)
    assert free_expired_leases(database) == ["stats"]
    again = acquire_lease(database, "stats", "b", seconds=10 * 365 * 24 * 3600)
    new = acquire_lease(database, "stats", "c")
    assert ahead.fence < again.fence < new.fence
