"""The catalog's database: SQLite in a file, or PostgreSQL shared by many machines."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy import exc as database_errors
from sqlalchemy.engine import URL, make_url
from sqlmodel import Session

from crawler.catalog.db import connecting
from crawler.catalog.db.group_sync import GroupSync
from crawler.catalog.db.migrating import (
    downgrade_to,
    has_views,
    known_revisions,
    revision_of,
    upgrade_to,
)
from crawler.catalog.migrations import HEAD
from crawler.errors import ConfigError, StorageError, StorageRefused
from crawler.turns import waiting

_INDEXED_AT_ONCE = 5_000
"""Datasets whose search documents are made when an old catalog is opened: some seconds."""
_UPGRADE_LOCK = 0x7A11_4000
# Alembic's context is one per process.
_ONE_UPGRADE = threading.Lock()
_UNAVAILABLE = (
    database_errors.OperationalError,
    database_errors.InterfaceError,
    database_errors.InternalError,
    database_errors.TimeoutError,
)


def _now() -> datetime:
    return datetime.now(UTC)


def open_database(url: str, *, clock: Callable[[], datetime] = _now) -> "Database":
    """The database of a URL; nothing is connected yet, and no file is made."""
    try:
        parsed = make_url(url)
    except (database_errors.ArgumentError, ValueError):
        # The text may hold a password, so it is not repeated.
        raise ConfigError(
            "the catalog's address is no database URL; write postgresql://host/name "
            "or sqlite:////path/to/catalog.db"
        ) from None
    kind = parsed.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return _postgresql(parsed, clock)
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return _sqlite(parsed, clock)
    raise ConfigError(
        f"a catalog cannot be in {kind!r} here; PostgreSQL and SQLite files are possible"
    )


def _postgresql(url: URL, clock: Callable[[], datetime]) -> "Database":
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args=connecting.postgresql_arguments(url),
        pool_pre_ping=True,
        pool_timeout=connecting.SECONDS_TO_WAIT,
    )
    connecting.prepare_postgresql(engine)
    place = URL.create("postgresql", host=url.host, port=url.port, database=url.database)
    # Behind the address: what stands before an @ in one is taken for a secret.
    user = f" (user {url.username})" if url.username else ""
    return Database(engine, f"{place}{user}", clock)


def _sqlite(url: URL, clock: Callable[[], datetime]) -> "Database":
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite"), pool_timeout=connecting.SECONDS_TO_WAIT
    )
    connecting.prepare_sqlite(engine)
    return Database(engine, str(url.database), clock)


def _acquired(lock: threading.Lock) -> bool:
    # Who has the lock may be waiting for our turn.
    with waiting():
        return lock.acquire(timeout=connecting.SECONDS_TO_WAIT)


class Database:
    """Transactions on the catalog; errors of the server come as StorageError with its place."""

    def __init__(self, engine: Engine, place: str, clock: Callable[[], datetime]) -> None:
        self.engine = engine
        self.place = place
        """User, host and name, or the file; never a password."""
        self._clock = clock
        self._writing = engine.execution_options(**{connecting.WRITES: True})
        # SQLite lets one write at a time, and who waits looks again and again; threads queue here.
        self._one_writer = threading.Lock() if self.is_sqlite else None
        self._log = GroupSync(Path(f"{place}-wal")) if self.is_sqlite else None

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a file of one machine."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that may write: committed at the end, rolled back by an exception.

        When it ends, what was written is on the disk: a file that the crawl state knows must be
        known here too, also after a power failure, as nothing would ask for it again.
        """
        with (
            self._naming(),
            self._asking(),
            self._turn_to_write(),
            Session(self._writing, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session
        self._sync()

    def _sync(self) -> None:
        if self._log is None:
            return
        try:
            with waiting():
                self._log.sync()
        except OSError as error:
            # Not to be tried again within this process; the next compares catalog and states.
            told = f"a commit could not be synced: {error.strerror or error}"
            raise StorageRefused(f"catalog {self.place}: {told}") from error

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        lock = self._one_writer
        if lock is None:
            yield
            return
        if not (lock.acquire(blocking=False) or _acquired(lock)):
            raise StorageError(f"catalog {self.place}: other threads write to it for too long")
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads, and keeps no writer waiting."""
        with (
            self._naming(),
            self._asking(),
            Session(self.engine, expire_on_commit=False) as session,
        ):
            yield session

    def _asking(self) -> AbstractContextManager[None]:
        """Every statement waits for a server; SQLite works in this very thread."""
        return nullcontext() if self.is_sqlite else waiting()

    def now(self, session: Session) -> datetime:
        """The time that all machines of this catalog share: the server's where there is one."""
        if self.is_sqlite:
            return self._clock()
        moment: datetime = (
            session.connection().execute(text("SELECT clock_timestamp()")).scalar_one()
        )
        return moment.astimezone(UTC)

    def ready(self) -> None:
        """Makes sure that the tables are there: SQLite is upgraded, PostgreSQL only looked at."""
        if self.is_sqlite:
            self._make_folder()
        revision = self.revision()
        if revision == HEAD:
            return
        if self.is_sqlite:
            self.upgrade()
            return
        self._refuse_newer(revision)
        state = "has no tables yet" if revision is None else f"has revision {revision}, not {HEAD}"
        raise StorageRefused(f"catalog {self.place} {state}: run `tallyho catalog upgrade`")

    def upgrade(self) -> None:
        """Brings the tables to the newest revision in one transaction; others wait for it.

        What the search knew is made anew after it: of a small catalog at once, the rest in upkeep.
        """
        from crawler.catalog.search.reindex import reindex

        with self.changing_tables() as connection:
            revision = revision_of(connection)
            self._refuse_newer(revision)
            # A catalog that a newer version has taken back to this revision has no views.
            if revision != HEAD or not has_views(connection):
                upgrade_to(connection)
        reindex(self, max_datasets=_INDEXED_AT_ONCE)

    def downgrade(self, revision: str) -> None:
        """Takes back every revision after this one, in one transaction, for an older Tallyho.

        What those revisions added is lost; ConfigError when it is no earlier revision.
        """
        with self.changing_tables() as connection:
            present = revision_of(connection)
            self._refuse_newer(present)
            earlier = known_revisions()
            earlier = earlier[: earlier.index(present) + 1] if present else []
            if revision not in earlier:
                listed = ", ".join(earlier) or "none"
                raise ConfigError(f"the catalog cannot go back to {revision!r}, only to: {listed}")
            downgrade_to(connection, revision)

    @contextmanager
    def changing_tables(self) -> Iterator[Connection]:
        """One transaction that changes the tables themselves; others who would do so wait."""
        with _ONE_UPGRADE, self._naming(), self._writing.begin() as connection:
            if not self.is_sqlite:
                connection.execute(text("SET LOCAL lock_timeout = '10min'"))
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
            yield connection
        self._sync()

    def revision(self) -> str | None:
        """The revision of the tables, or None when there are none."""
        with self._naming(), self.engine.connect() as connection:
            return revision_of(connection)

    def close(self) -> None:
        """Gives back all connections."""
        self.engine.dispose()

    @property
    def exists(self) -> bool:
        """Whether there is a file; a server is asked when it is used."""
        return not self.is_sqlite or Path(self.place).exists()

    def _make_folder(self) -> None:
        try:
            Path(self.place).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            told = f"its folder cannot be made: {error.strerror or error}"
            raise StorageRefused(f"catalog {self.place}: {told}") from error

    def _refuse_newer(self, revision: str | None) -> None:
        if revision is not None and revision not in known_revisions():
            raise StorageRefused(
                f"catalog {self.place} has revision {revision}, which this version of Tallyho "
                f"does not know (it knows up to {HEAD}): install a newer Tallyho"
            )

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turns what the driver says of a database that cannot be used into a StorageError."""
        try:
            yield
        except database_errors.SQLAlchemyError as error:
            # "file is not a database" comes as the bare class, mistakes of ours as other ones.
            if not isinstance(error, _UNAVAILABLE) and type(error) is not (
                database_errors.DatabaseError
            ):
                raise
            raise StorageError(f"catalog {self.place}: {self._message(error)}") from error

    def _message(self, error: Exception) -> str:
        said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        password = self.engine.url.password
        return said.replace(password, "***") if password else said
