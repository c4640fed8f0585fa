"""The state file of one site: written step by step, read back whole."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from crawler.errors import StateUnreadable, StorageError
from crawler.state.changes import LINK, write_changes
from crawler.state.kept_files import download_columns
from crawler.state.records import Changes, LinkRow, LinkStatus
from crawler.state.run import CrawlIdentity, RunRecord
from crawler.state.saved import SavedState
from crawler.state.schema import (
    APPLICATION_ID,
    DOWNLOAD_COLUMNS,
    SCHEMA_VERSION,
    TABLES,
    UPGRADES,
)
from crawler.state.totals import Totals

IN_MEMORY = Path(":memory:")

_LINK_BY_ID = f"SELECT {LINK.columns} FROM link WHERE id = ?"  # noqa: S608


class CrawlState(SavedState):
    """A step is one transaction: after a crash the file holds the state after the last one.

    WAL without a sync at every commit survives the death of the process at any moment; if the
    machine itself dies, the last steps may be missing, and their requests are repeated. The catalog
    syncs every commit, so it never knows less than this file.
    """

    def __init__(self, path: Path, *, steps_per_commit: int = 1) -> None:
        self.path = path
        self._steps_per_commit = steps_per_commit
        self._uncommitted = 0
        with self._storage_errors():
            if path != IN_MEMORY:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            try:
                self._open()
                self._add_new_columns()
            except BaseException:
                self._db.close()
                raise

    def _open(self) -> None:
        new = not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not new:
            # Before anything else: WAL would change a file that is not ours.
            self._check_identity()
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        # A checkpoint syncs the disk: every 64 MB of log instead of every 4 MB.
        self._db.execute("PRAGMA wal_autocheckpoint = 16000")
        if new:
            self._db.executescript(
                f"BEGIN; {TABLES} PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )

    def _check_identity(self) -> None:
        application, version = self._pragma("application_id"), self._pragma("user_version")
        if application != APPLICATION_ID:
            raise StateUnreadable(f"{self.path} is not a crawl state")
        if version in UPGRADES:
            self._upgrade(version)
        elif version != SCHEMA_VERSION:
            raise StateUnreadable(
                f"{self.path} has schema version {version}, this Tallyho reads {SCHEMA_VERSION}: "
                "resume with the version that wrote it, or start again with --fresh"
            )

    def _upgrade(self, version: int) -> None:
        """Bring a file of an earlier version to the present one, whole or not at all."""
        steps = "".join(UPGRADES[number] for number in range(version, SCHEMA_VERSION))
        try:
            self._db.executescript(
                f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _add_new_columns(self) -> None:
        """A field that came to `Download` after this file was made has its default in old rows."""
        known = download_columns(self)
        for name, definition in DOWNLOAD_COLUMNS.items():
            if name not in known:
                self._db.execute(f"ALTER TABLE target ADD COLUMN {definition}")

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            kind = StateUnreadable if "not a database" in str(error) else StorageError
            raise kind(f"crawl state {self.path}: {error}") from error

    # Writing

    def commit(self, changes: Changes) -> None:
        """Store one step; with `steps_per_commit` over 1 (replays), steps are flushed in groups."""
        with self.step(changes):
            pass

    @contextmanager
    def step(self, changes: Changes) -> Iterator[None]:
        """Store one step after what the block does: written before it, committed behind it.

        The block sees the step's rows; what it records elsewhere is durable before the step is.
        """
        with self._storage_errors():
            if not self._uncommitted:
                self._db.execute("BEGIN IMMEDIATE")
            try:
                write_changes(self._db, changes)
                yield
            except BaseException:
                # A full disk, or Ctrl-C in the middle: half a step must never be committed.
                self._uncommitted = 0
                self._roll_back()
                raise
            self._uncommitted += 1
            if self._uncommitted >= self._steps_per_commit:
                self.flush()

    def flush(self) -> None:
        """Make everything written so far durable."""
        if self._uncommitted:
            self._uncommitted = 0
            with self._storage_errors():
                try:
                    self._db.execute("COMMIT")
                except BaseException:
                    self._roll_back()
                    raise

    def _roll_back(self) -> None:
        # On a full disk SQLite has often done it already, and then the reason would be hidden.
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def forget_targets(self, links: Iterable[int], progress: str) -> None:
        """The files of these links are lost: they are asked for again when all else is done."""
        with self._storage_errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for link in links:
                    self._db.execute("DELETE FROM target WHERE link = ?", (link,))
                    self._db.execute("DELETE FROM validator WHERE link = ?", (link,))
                    self._db.execute(
                        "UPDATE link SET status = ? WHERE id = ?", (LinkStatus.DEFERRED, link)
                    )
                self._db.execute("INSERT OR REPLACE INTO progress VALUES (1, ?)", (progress,))
                self._db.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    def copy_to(self, path: Path) -> None:
        """Write a copy of everything that is committed, for a snapshot."""
        with self._storage_errors(), closing(sqlite3.connect(path)) as copy:
            self._db.backup(copy)

    def close(self) -> None:
        """Make everything durable and let go of the file."""
        self.flush()
        self._db.close()

    # Reading

    def identity(self) -> CrawlIdentity | None:
        """What the crawl was started with; None when no crawl was started here."""
        return CrawlIdentity.from_rows(self._meta())

    def set_identity(self, identity: CrawlIdentity) -> None:
        """Record what the crawl is started with."""
        self._set_meta(identity.to_rows())

    def run(self) -> RunRecord | None:
        """The last run; None when there was none."""
        return RunRecord.from_rows(self._meta(), self.totals)

    def set_run(self, run: RunRecord) -> None:
        """Record a run in the place of the last one."""
        self._set_meta(run.to_rows())

    def _meta(self) -> dict[str, str]:
        return dict(self.rows("SELECT key, value FROM meta"))

    def _set_meta(self, values: dict[str, str]) -> None:
        """All of them, or after a crash none."""
        with self._storage_errors():
            alone = not self._db.in_transaction
            if alone:
                self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())
            if alone:
                self._db.execute("COMMIT")

    def totals(self) -> Totals:
        """The counts of the crawl after its last committed step."""
        text = self.progress()
        return Totals.load(json.loads(text)["totals"]) if text else Totals()

    def link(self, link_id: int) -> LinkRow:
        """One known URL."""
        with self._storage_errors():
            return self._link(self._db.execute(_LINK_BY_ID, (link_id,)).fetchone())

    def find(self, fingerprint: int) -> LinkRow | None:
        """A known URL by the fingerprint of its canonical form (reads the whole table)."""
        query = f"SELECT {LINK.columns} FROM link WHERE fingerprint = ?"  # noqa: S608
        return next((self._link(row) for row in self.rows(query, (fingerprint,))), None)

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        """The rows of a query, for the reports beside this file."""
        with self._storage_errors():
            yield from self._db.execute(query, values)
