"""What a step writes into the state file, table by table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.pages.kept_file import Download
from crawler.state.history import write_history
from crawler.state.records import (
    ActionRow,
    Changes,
    IndexOperationRow,
    IndexSnapshotRow,
    LinkRow,
    ModelRow,
    PageRow,
    RobotsRow,
    StepRow,
    WeightRow,
)
from crawler.state.schema import DOWNLOAD_COLUMNS
from crawler.state.table import Statement, Table

if TYPE_CHECKING:
    import sqlite3

LINK = Table("link", LinkRow)
ACTION = Table("action", ActionRow, "INSERT OR REPLACE")
PAGE = Table("page", PageRow, "INSERT OR REPLACE")
DOWNLOAD = Table("target", Download)
_ADD_TARGET = (
    f"INSERT OR REPLACE INTO target (link, {DOWNLOAD.columns}) "  # noqa: S608
    f"VALUES (?{', ?' * len(DOWNLOAD_COLUMNS)})"
)
STEP = Table("step", StepRow)
ROBOTS = Table("robots", RobotsRow, "INSERT OR REPLACE")
MODEL = Table("model", ModelRow)
WEIGHT = Table("weight", WeightRow, "INSERT OR REPLACE")
INDEX_OPERATION = Table("index_operation", IndexOperationRow)
INDEX_SNAPSHOT = Table("index_snapshot", IndexSnapshotRow)
_UPDATE_LINKS = Statement(
    "WITH changed (status, action, slot, reason, id) AS (VALUES {rows}) UPDATE link "
    "SET status = changed.status, action = changed.action, slot = changed.slot, "
    "reason = changed.reason FROM changed WHERE link.id = changed.id",
    5,
)


def write_changes(db: sqlite3.Connection, changes: Changes) -> None:
    """Everything that a step changed, inside the step's transaction."""
    many = db.executemany
    for table, rows in (
        (LINK, changes.links),
        (ACTION, changes.actions),
        (PAGE, changes.pages),
        (STEP, changes.steps),
        (ROBOTS, changes.robots),
        (WEIGHT, changes.weights),
    ):
        if rows:
            table.write(db, rows)
    if changes.targets:
        many(
            _ADD_TARGET,
            [(file.id, *DOWNLOAD.values(file.download)) for file in changes.targets],
        )
    if changes.updates:
        # Of several updates of a link, the last one counts.
        last = {u.id: (u.status, u.action, u.slot, u.reason, u.id) for u in changes.updates}
        _UPDATE_LINKS.run(db, list(last.values()))
    if changes.arms:
        many(
            "UPDATE action SET selections = ?, reward = ? WHERE id = ?",
            [(arm.selections, arm.reward, arm.id) for arm in changes.arms],
        )
    if changes.tag_paths:
        many("INSERT OR IGNORE INTO tag_path VALUES (?, ?)", changes.tag_paths.items())
    if changes.ngrams:
        many("INSERT INTO ngram VALUES (?, ?)", changes.ngrams)
    if changes.counters:
        many("INSERT OR REPLACE INTO counter VALUES (?, ?)", changes.counters.items())
    if changes.memory:
        _write_memory(db, changes.memory)
    if changes.model is not None:
        db.execute("DELETE FROM model")
        db.execute(
            f"INSERT INTO model (id, {MODEL.columns}) VALUES (1, ?, ?, ?, ?)",  # noqa: S608
            MODEL.values(changes.model),
        )
    if changes.index_snapshot is not None:
        db.execute("DELETE FROM index_operation")
        db.execute("DELETE FROM index_snapshot")
        INDEX_SNAPSHOT.write(db, [changes.index_snapshot])
    if changes.index_operations:
        INDEX_OPERATION.write(db, changes.index_operations)
    write_history(db, changes.history)
    if changes.progress:
        db.execute("INSERT OR REPLACE INTO progress VALUES (1, ?)", (changes.progress,))


def _write_memory(db: sqlite3.Connection, memory: dict[str, bytes]) -> None:
    """What is empty is forgotten."""
    kept = [(name, value) for name, value in memory.items() if value]
    gone = [(name,) for name, value in memory.items() if not value]
    if kept:
        db.executemany("INSERT OR REPLACE INTO memory VALUES (?, ?)", kept)
    if gone:
        db.executemany("DELETE FROM memory WHERE name = ?", gone)
