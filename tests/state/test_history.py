"""The history of pages and files: stored as the planner has it, also in files of older versions."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from crawler.pages.kept_file import Download, KeptFile, Link
from crawler.revisit.page_history import FileHistory, PageHistory, Validators
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.history_records import (
    CreditRow,
    Evidence,
    HistoryChanges,
    SignalRow,
    SourceKind,
    SourceRow,
    ValidatorRow,
    VisitKind,
    VisitOutcome,
    VisitRow,
)
from crawler.state.records import Changes, LinkRow, LinkStatus, PageRow
from crawler.state.reports import open_for_reading
from crawler.state.run import CrawlIdentity
from crawler.state.schema import ALIVE, HISTORY, MEMORY, SCHEMA_VERSION, TABLES, WEIGHTS

PAGE = PageHistory(
    3, "1 /news", 1.5, b"v", 2.5, None, 1, 2, 3, 4.5, 5, b"o", b"r", b"t", 6, 7, 8, 9
)
FILE = FileHistory(
    4, "csv", 1.5, b"c", None, 2.5, 1, 2, True, 17, Validators.ETAG, unlinked=True, unproven=3
)
DOWNLOAD = Download("ab" * 32, 17, "text/csv", "csv", "header", "", "", '"e"', "Mon", 1.5)
TARGET = KeptFile(4, "", DOWNLOAD, Link())


def written(**fields: object) -> CrawlState:
    state = CrawlState(IN_MEMORY)
    links = [LinkRow(3, 30, "https://stat.example/news"), LinkRow(4, 40, "https://x.example/a", 3)]
    state.commit(Changes(links=links, targets=[TARGET], history=HistoryChanges(**fields)))
    return state


def test_histories_come_back_as_they_were():
    state = written(pages=[PAGE], files=[FILE])
    assert state.history.page(3) == PAGE
    assert list(state.history.pages()) == [PAGE]
    known = state.history.known_file(4)
    assert known is not None
    assert known.history == FILE
    assert isinstance(known.history.gone, bool)
    assert known.page_template == "1 /news"


def test_file_without_a_check_has_what_its_download_showed():
    state = written()
    (known,) = state.history.known_files()
    assert known.history is None
    assert (known.sha256, known.size, known.fetched_at) == ("ab" * 32, 17, 1.5)
    assert (known.etag, known.last_modified, known.refuted) == ('"e"', "Mon", False)


def test_validators_of_a_later_check_replace_those_of_the_download():
    state = written(validators=[ValidatorRow(4, '"f"', "", b"", 2, refuted=True)])
    known = state.history.known_file(4)
    assert known is not None
    assert (known.etag, known.last_modified) == ('"f"', "")
    assert (known.not_modified, known.refuted) == (2, True)


def test_sources_are_no_pages():
    source = SourceRow(3, SourceKind.FEED, 7.5)
    state = written(pages=[PAGE], sources=[source], signals=[SignalRow(4, 3, 8.5)])
    assert list(state.history.pages()) == []
    assert list(state.history.sources()) == [(source, PAGE)]
    assert state.history.source(3) == source
    assert state.history.source(4) is None
    assert list(state.history.signals()) == [(SignalRow(4, 3, 8.5), "https://stat.example/news")]


def test_plan_is_replaced_and_its_visits_are_updated():
    first = VisitRow(1, VisitKind.PAGE, 3, "sweep", score=2.0)
    state = written(visits=[first, VisitRow(2, VisitKind.FILE, 4, "change rate", "full")])
    made = VisitRow(
        1,
        VisitKind.PAGE,
        3,
        "sweep",
        "",
        2.0,
        VisitOutcome.CHANGED,
        Evidence.OTHER_LINKS,
        9.5,
        4,
        1,
    )
    state.commit(Changes(history=HistoryChanges(visits=[made])))
    assert [visit.outcome for visit in state.history.visits()] == ["changed", ""]
    assert next(state.history.visits()) == made
    state.commit(Changes(history=HistoryChanges(visits=[first], new_plan=True)))
    assert list(state.history.visits()) == [first]


def test_credits_are_emptied_once_they_are_counted():
    state = written(credits=[CreditRow(4, 3)])
    assert state.history.credits() == [(CreditRow(4, 3), 40)]
    state.commit(Changes(history=HistoryChanges(credited=True, planner='{"nights":1}')))
    assert state.history.credits() == []
    assert state.history.planner() == '{"nights":1}'


def _as_of_version(path: Path, version: int) -> None:
    """Take off what later versions added."""
    added = MEMORY + HISTORY + (WEIGHTS if version == 1 else "")
    with closing(sqlite3.connect(path)) as db:
        for name in re.findall(r"CREATE TABLE (\w+)", added):
            db.execute(f"DROP TABLE {name}")
        for name in re.findall(r"ADD COLUMN (\w+)", ALIVE) if version > 1 else ():
            db.execute(f"ALTER TABLE weight DROP COLUMN {name}")
        if version < 6:
            db.execute("ALTER TABLE link DROP COLUMN headings")
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("reading", [False, True], ids=["writing", "reading"])
def test_file_of_an_earlier_version_is_upgraded(tmp_path, version, reading):
    path = tmp_path / "stat.db"
    with closing(CrawlState(path)) as state:
        links = [
            LinkRow(1, 10, "https://stat.example/", status=LinkStatus.PAGE),
            LinkRow(2, 20, "https://stat.example/latest", 1, 1, status=LinkStatus.REDIRECT),
            LinkRow(3, 30, "https://stat.example/a", 2, 1, status=LinkStatus.REDIRECT),
            LinkRow(4, 40, "https://stat.example/a.csv", 3, 1, status=LinkStatus.TARGET),
        ]
        pages = [PageRow(1, "Start", "en", -1, 9, 3)]
        state.commit(Changes(links=links, pages=pages, targets=[TARGET], progress="{}"))
        state.set_identity(CrawlIdentity("stat", "https://stat.example/", "{}", 0))
    _as_of_version(path, version)
    opened = open_for_reading(path) if reading else CrawlState(path)
    assert opened is not None
    with closing(opened) as state:
        assert state.history.credits() == [(CreditRow(4, 1), 40)]
        assert list(state.history.pages()) == []
        assert list(state.history.unrecorded_pages()) == [(1, "https://stat.example/", -1, 0, 3)]
        assert state.history.first_time() == DOWNLOAD.fetched_at
        assert list(state.weights()) == []
        assert list(state.memory()) == []
        assert next(state.rows("PRAGMA user_version"))[0] == SCHEMA_VERSION


def test_every_field_of_a_history_has_its_column():
    for name, fields in (("page_history", PAGE), ("file_history", FILE)):
        columns = re.search(rf"CREATE TABLE {name} \((.*?)\n\);", TABLES, re.S)
        assert columns is not None
        named = re.findall(r"(?:^|,)\s*(\w+) ", columns[1])
        assert named == [name for name in fields.__dataclass_fields__ if name != "modified"]
