"""The state file: whole steps or none, readable beside its writer, and nobody else's file."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from crawler.errors import StateUnreadable, StorageError
from crawler.pages.kept_file import Download, KeptFile, Link
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.kept_files import kept_file, kept_files
from crawler.state.records import (
    ActionRow,
    ArmRow,
    Changes,
    LinkRow,
    LinkStatus,
    LinkUpdate,
    ModelRow,
    PageRow,
    RobotsRow,
    StepRow,
)
from crawler.state.reports import open_for_reading
from crawler.state.run import CrawlIdentity
from crawler.state.schema import SCHEMA_VERSION

LINK = LinkRow(3, -(2**63), "https://stat.example/é", 1, 2, 2**63 - 1, "Births", "next")
DOWNLOAD = Download(
    "ab" * 32, 17, "text/csv", "csv", "header", "text/csv", "attachment", '"e"', "Mon", 1.5
)
TARGET = KeptFile(3, LINK.url, DOWNLOAD, Link())


def step(number: int, **more: object) -> Changes:
    """A small step: one new link and its number."""
    changes = Changes(
        links=[LinkRow(number, number * 7, f"https://stat.example/{number}")],
        steps=[StepRow(number, number, "GET", 200, "page", 0, 0)],
        progress=json.dumps({"step": number}),
    )
    for name, value in more.items():
        setattr(changes, name, value)
    return changes


def steps_in(path: Path) -> list[int]:
    with closing(CrawlState(path)) as state:
        return [row[0] for row in state.rows("SELECT number FROM step ORDER BY number")]


def links_in(path: Path) -> list[int]:
    with closing(CrawlState(path)) as state:
        return [row.id for row in state.links(0, 1000)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sites" / "stat.db"


def test_new_file_and_its_folder_are_made(path):
    with closing(CrawlState(path)) as state:
        assert state.progress() == ""
        assert state.model() is None
        assert state.identity() is None
        assert state.run() is None
    assert path.exists()


def test_file_with_another_schema_version_names_both_versions(path):
    CrawlState(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 41}")
    with pytest.raises(StateUnreadable) as refused:
        CrawlState(path)
    told = str(refused.value)
    assert f"version {SCHEMA_VERSION + 41}" in told
    assert f"reads {SCHEMA_VERSION}" in told
    assert "--fresh" in told
    assert not refused.value.retryable


@pytest.mark.parametrize("content", [b"year,births\n2024,17\n" * 100, b"\x00" * 4096, b"SQLite f"])
def test_file_that_is_no_database_is_refused_and_left_as_it_is(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StateUnreadable):
        CrawlState(path)
    assert path.read_bytes() == content


def test_database_of_another_program_is_refused_and_left_as_it_is(path):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")
    content = path.read_bytes()
    with pytest.raises(StateUnreadable, match="not a crawl state"):
        CrawlState(path)
    assert path.read_bytes() == content


def test_path_that_cannot_be_opened_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError) as folder:
        CrawlState(tmp_path)
    assert not isinstance(folder.value, StateUnreadable)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError):
        CrawlState(tmp_path / "file" / "stat.db")


def test_links_round_trip(path):
    with closing(CrawlState(path)) as state:
        state.commit(Changes(links=[LINK], tag_paths={LINK.tag_path: "html body a"}))
    with closing(CrawlState(path)) as state:
        assert state.link(3) == LINK
        assert state.links(3, 4) == [LINK]
        assert state.links(4, 9) == []
        assert state.find(LINK.fingerprint) == LINK
        assert state.find(12345) is None
        assert state.tag_path(LINK.tag_path) == "html body a"
        assert state.tag_path(1) == ""
        assert list(state.fingerprints()) == [(LINK.fingerprint, 3)]
        assert isinstance(state.link(3).status, LinkStatus)


def test_other_records_round_trip(path):
    action = ActionRow(0, "html body a", b"\x01\x00", b"\x00\x00\x80?", 2.25, 4, 3.0)
    model = ModelRow(b"\x00" * 16, -0.1, 41.0, 4)
    robots = RobotsRow("https://stat.example:443", 0.1, "rules", b"Disallow: /\xff")
    page = PageRow(3, "Titre", "fr", 0, 12, 5)
    with closing(CrawlState(path)) as state:
        state.commit(
            Changes(
                links=[LINK],
                actions=[action],
                model=model,
                robots=[robots],
                pages=[page],
                targets=[TARGET],
                ngrams=[(1, "body a"), (0, "html body")],
                counters={-5: 3},
                progress='{"a":1}',
            )
        )
    with closing(CrawlState(path)) as state:
        assert list(state.actions()) == [action]
        assert state.model() == model
        assert list(state.robots()) == [robots]
        assert list(state.rows("SELECT * FROM page")) == [tuple(_values(page))]
        assert list(state.rows("SELECT * FROM target")) == [(3, *_values(DOWNLOAD))]
        assert list(state.ngrams()) == [(0, "html body"), (1, "body a")]
        assert list(state.counters()) == [(-5, 3)]
        assert state.progress() == '{"a":1}'


def _values(row: PageRow | Download) -> list[object]:
    return [getattr(row, field.name) for field in fields(row)]


def test_later_changes_replace_what_they_are_about(path):
    with closing(CrawlState(path)) as state:
        first = ActionRow(0, "a", b"", b"", 1.0, 0, 0.0)
        state.commit(step(1, actions=[first], model=ModelRow(b"1", 0.0, 1.0, 1), counters={1: 1}))
        state.commit(
            Changes(
                updates=[LinkUpdate(1, LinkStatus.SKIPPED, 5, 2, "dead")],
                arms=[ArmRow(0, 7, 3.0)],
                model=ModelRow(b"2", 0.5, 2.0, 2),
                counters={1: 0, 2: 4},
                progress="2",
            )
        )
        link = state.link(1)
        assert (link.status, link.action, link.slot, link.reason) == (
            LinkStatus.SKIPPED,
            5,
            2,
            "dead",
        )
        assert list(state.actions()) == [ActionRow(0, "a", b"", b"", 1.0, 7, 3.0)]
        assert state.model() == ModelRow(b"2", 0.5, 2.0, 2)
        assert dict(state.counters()) == {1: 0, 2: 4}
        assert state.progress() == "2"


def test_last_of_several_updates_of_one_link_holds(path):
    updates = [LinkUpdate(1, LinkStatus.FRONTIER, 0, 0), LinkUpdate(1, LinkStatus.PAGE, 0)]
    with closing(CrawlState(path)) as state:
        state.commit(step(1, updates=updates))
        assert state.link(1).status is LinkStatus.PAGE
        assert list(state.frontier()) == []


def test_frontier_comes_back_by_action_and_slot_and_the_deferred_by_id(path):
    updates = [
        LinkUpdate(1, LinkStatus.FRONTIER, 1, 1),
        LinkUpdate(2, LinkStatus.DEFERRED, 0),
        LinkUpdate(3, LinkStatus.FRONTIER, 1, 0),
        LinkUpdate(4, LinkStatus.FRONTIER, 0, 0),
        LinkUpdate(5, LinkStatus.DEFERRED, 1),
    ]
    links = [LinkRow(number, number, "") for number in range(1, 7)]
    with closing(CrawlState(path)) as state:
        state.commit(Changes(links=links, updates=updates))
        assert list(state.frontier()) == [(4, 0), (3, 1), (1, 1)]
        assert state.deferred() == [2, 5]


def test_steps_are_committed_in_groups_and_an_open_group_dies_with_its_process(path):
    state = CrawlState(path, steps_per_commit=3)
    for number in range(1, 6):
        state.commit(step(number))
    state._db.close()
    assert steps_in(path) == links_in(path) == [1, 2, 3]
    with closing(CrawlState(path)) as state:
        assert state.progress() == '{"step": 3}'


def test_flush_and_close_make_an_open_group_durable(path):
    state = CrawlState(path, steps_per_commit=100)
    state.commit(step(1))
    state.flush()
    state.commit(step(2))
    assert _committed(path) == [1]
    state.close()
    assert steps_in(path) == [1, 2]


def _committed(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT number FROM step ORDER BY number")]


def test_step_that_cannot_be_written_leaves_nothing_behind(path):
    state = CrawlState(path)
    state.commit(step(1, targets=[TARGET]))
    with pytest.raises(StorageError):
        state.commit(step(2, targets=[TARGET], steps=[StepRow(1, 2, "GET", 200, "page", 0, 0)]))
    state.close()
    assert steps_in(path) == links_in(path) == [1]


def test_step_of_what_no_database_takes_leaves_nothing_behind(path):
    state = CrawlState(path)
    state.commit(step(1))
    with pytest.raises(UnicodeEncodeError):
        state.commit(step(2, tag_paths={1: "html a.\ud800"}))
    state.commit(step(3))
    state.close()
    assert steps_in(path) == links_in(path) == [1, 3]


def test_full_disk_is_named_and_the_next_step_is_stored(path):
    state = CrawlState(path)
    state.commit(step(1))
    (pages,) = state._db.execute("PRAGMA page_count").fetchone()
    state._db.execute(f"PRAGMA max_page_count = {pages}")
    # SQLite undoes the step by itself here; undoing it again must not hide the reason.
    with pytest.raises(StorageError, match="database or disk is full"):
        state.commit(step(2, tag_paths={1: "html " + "p" * 100_000}))
    state._db.execute("PRAGMA max_page_count = 1000000")
    state.commit(step(3))
    state.close()
    assert steps_in(path) == links_in(path) == [1, 3]


def test_readers_see_what_is_committed_while_a_writer_is_open(path):
    with closing(CrawlState(path, steps_per_commit=2)) as writer:
        writer.set_identity(CrawlIdentity("stat", "https://stat.example/", "{}", 0))
        writer.commit(step(1))
        writer.commit(step(2))
        writer.commit(step(3))
        reader = open_for_reading(path)
        assert reader is not None
        assert [row.id for row in reader.links(0, 99)] == [1, 2]
        assert reader.progress() == '{"step": 2}'
        writer.commit(step(4))
        assert [row.id for row in reader.links(0, 99)] == [1, 2, 3, 4]
        reader.close()


def test_reading_one_moment_is_not_disturbed_by_the_writer(path):
    with closing(CrawlState(path)) as writer, closing(CrawlState(path)) as reader:
        for number in range(1, 4):
            writer.commit(step(number))
        rows = reader.rows("SELECT number FROM step ORDER BY number")
        assert next(rows) == (1,)
        writer.commit(step(4))
        assert list(rows) == [(2,), (3,)]


def test_second_writer_that_meets_an_open_step_is_told_and_writes_nothing(path):
    first = CrawlState(path, steps_per_commit=2)
    first.commit(step(1))
    second = CrawlState(path)
    second._db.execute("PRAGMA busy_timeout = 1")
    with pytest.raises(StorageError, match="locked"):
        second.commit(step(2))
    second.close()
    first.close()
    assert steps_in(path) == [1]


KILLED = """
import os, signal, sys
from pathlib import Path
from crawler.state.crawl_state import CrawlState
from crawler.state.records import Changes, LinkRow, StepRow

state = CrawlState(Path(sys.argv[1]), steps_per_commit=int(sys.argv[2]))
for number in range(1, 9):
    state.commit(
        Changes(
            links=[LinkRow(number, number, "https://stat.example/")],
            steps=[StepRow(number, number, "GET", 200, "page", 0, 0)],
            progress=str(number),
        )
    )
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("group", "kept"), [(1, 8), (3, 6), (9, 0)])
def test_killed_process_leaves_the_steps_that_it_committed(path, group, kept):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(group)], env=environment, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert steps_in(path) == links_in(path) == list(range(1, kept + 1))
    with closing(CrawlState(path)) as state:
        assert state.progress() == (str(kept) if kept else "")


def test_state_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with closing(CrawlState(IN_MEMORY)) as state:
        state.commit(step(1))
        assert state.link(1).id == 1
    assert list(tmp_path.iterdir()) == []


def without_licence_column(path):
    """A state of a version whose downloads had one field less."""
    with closing(CrawlState(path)) as state:
        state.commit(Changes(links=[LINK], targets=[TARGET]))
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE target DROP COLUMN licence")


def test_field_that_came_later_has_its_default_in_old_rows(path):
    without_licence_column(path)
    with closing(CrawlState(path)) as state:
        assert [file.download for file in kept_files(state)] == [DOWNLOAD]
        licensed = KeptFile(4, "https://stat.example/4", replace(DOWNLOAD, licence="CC0"), Link())
        state.commit(step(4, targets=[licensed]))
        assert kept_file(state, 4) == licensed


def test_old_file_that_is_only_read_is_not_changed(path):
    without_licence_column(path)
    with closing(CrawlState(path)) as state:
        state.set_identity(CrawlIdentity("stat", "https://stat.example/", "{}", 0))
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE target DROP COLUMN licence")
    with closing(open_for_reading(path)) as state:
        assert kept_file(state, 3).download == DOWNLOAD
        assert "licence" not in [row[1] for row in state.rows("PRAGMA table_info(target)")]


def test_memory_of_a_strategy_is_kept_under_names_and_forgotten_when_empty(tmp_path):
    path = tmp_path / "stat.db"
    with closing(CrawlState(path)) as state:
        state.commit(step(1, memory={"b": b"2", "a": b"1"}))
        state.commit(step(2, memory={"b": b"3", "c": b"4"}))
        state.commit(step(3, memory={"c": b""}))
    with closing(CrawlState(path)) as state:
        assert list(state.memory()) == [("a", b"1"), ("b", b"3")]
