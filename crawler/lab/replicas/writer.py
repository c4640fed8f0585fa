"""Writing a replica row by row; the same row once more changes nothing."""

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from crawler.errors import ConfigError, StorageError
from crawler.lab.replicas.plain_names import PlainNames
from crawler.lab.replicas.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    TABLES,
    About,
    check_identity,
    headers_text,
)
from crawler.pages.urls import canonical, fingerprint

_LEVEL = 6


class ReplicaWriter(AbstractContextManager["ReplicaWriter"]):
    """An open replica file that takes answers; those of `rows_per_commit` are durable together."""

    def __init__(
        self, path: Path, about: About, *, rows_per_commit: int = 1, plain_names: bool = False
    ) -> None:
        """With `plain_names`, answers lose what a mirroring tool added to their names."""
        self.path = path
        self._plain = PlainNames(about.start_url) if plain_names else None
        if self._plain is not None:
            about = replace(about, start_url=self._plain.url(about.start_url))
        self.start_url = about.start_url
        self._rows_per_commit = rows_per_commit
        self._uncommitted = 0
        with self._storage_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
        try:
            with self._storage_errors():
                self._open(about)
        except BaseException:
            self._db.close()
            raise

    def _open(self, about: About) -> None:
        new = not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not new:
            # Before anything else: WAL would change a file that is not ours.
            known = check_identity(self._db, self.path)
            if (known.start_url, known.origin) != (about.start_url, about.origin):
                raise ConfigError(
                    f"{self.path} is a replica of {known.start_url} ({known.origin}): "
                    "choose another file"
                )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        if new:
            self._db.executescript(
                f"BEGIN; {TABLES} PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
            self.set_meta(about.as_meta())

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StorageError(f"replica {self.path}: {error}") from error

    def set_meta(self, values: dict[str, str]) -> None:
        """Note something about the replica."""
        with self._storage_errors():
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def put(
        self,
        url: str,
        status: int,
        headers: Sequence[tuple[str, str]],
        *,
        body: bytes = b"",
        compressed: bytes | None = None,
        size: int | None = None,
    ) -> None:
        """Keep an answer; `size` is the true one where the body is cut.

        A body that was compressed while it was received is given as `compressed` (zlib).
        """
        if self._plain is not None:
            if self._is_lesser_twin(self._plain, url, status, headers):
                return
            size = len(body) if size is None else size
            headers, url = self._plain.headers(url, headers), self._plain.url(url)
            body = self._plain.body(body) if _is_page(headers) else body
        data = compressed if compressed is not None else _deflated(body)
        with self._storage_errors():
            if not self._uncommitted:
                self._db.execute("BEGIN IMMEDIATE")
            try:
                row = self._db.execute(
                    "INSERT INTO answer (url, identity, status, headers, size)"
                    " VALUES (?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET"
                    " status = excluded.status, headers = excluded.headers, size = excluded.size"
                    " RETURNING id",
                    (
                        url,
                        fingerprint(canonical(url)),
                        status,
                        headers_text(headers),
                        len(body) if size is None else size,
                    ),
                ).fetchone()
                self._db.execute("INSERT OR REPLACE INTO body VALUES (?, ?)", (row[0], data))
            except BaseException:
                self._uncommitted = 0
                self._db.execute("ROLLBACK")
                raise
            self._uncommitted += 1
            if self._uncommitted >= self._rows_per_commit:
                self._commit()

    def _is_lesser_twin(
        self, plain: PlainNames, url: str, status: int, headers: Sequence[tuple[str, str]]
    ) -> bool:
        """Whether another name of the same page has told at least as much already."""
        if 300 <= status <= 399 and plain.leads_to_itself(url, headers):
            return True
        query = "SELECT status FROM answer WHERE url = ?"
        with self._storage_errors():
            known = self._db.execute(query, (plain.url(url),)).fetchone()
        return known is not None and known[0] <= status

    def count(self) -> int:
        """How many answers there are."""
        with self._storage_errors():
            return int(self._db.execute("SELECT count(*) FROM answer").fetchone()[0])

    def _commit(self) -> None:
        if self._uncommitted:
            self._db.execute("COMMIT")
            self._uncommitted = 0

    def close(self) -> None:
        """Make everything durable, in one file without a log beside it."""
        with self._storage_errors():
            try:
                self._commit()
                self._db.execute("PRAGMA journal_mode = DELETE")
            finally:
                self._db.close()

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def new_replica(
    path: Path, about: About, *, rows_per_commit: int = 500, plain_names: bool = False
) -> Iterator[ReplicaWriter]:
    """Write a replica that is complete or absent; ConfigError when the file exists."""
    try:
        with (
            drafted(path) as draft,
            ReplicaWriter(
                draft, about, rows_per_commit=rows_per_commit, plain_names=plain_names
            ) as writer,
        ):
            yield writer
    except OSError as error:
        raise StorageError(f"replica {path}: {error}") from error


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """A database that takes this name once it is complete; ConfigError when the file exists."""
    if path.exists():
        raise ConfigError(f"{path} exists already: choose another file, or remove it")
    draft = path.with_name(f"{path.name}.draft")
    _remove(draft)
    try:
        yield draft
        draft.replace(path)
    finally:
        _remove(draft)


def _remove(draft: Path) -> None:
    for part in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + part).unlink(missing_ok=True)


def _is_page(headers: Sequence[tuple[str, str]]) -> bool:
    return any(
        name.lower() == "content-type" and "html" in value.lower() for name, value in headers
    )


def _deflated(body: bytes) -> bytes:
    return zlib.compress(body, _LEVEL) if body else b""
