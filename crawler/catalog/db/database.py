"""The catalog's database: SQLite in a file, or PostgreSQL shared by many machines."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy import exc as database_errors
from sqlalchemy.engine import URL, make_url
from sqlmodel import Session

from crawler.catalog.db import connecting
from crawler.catalog.migrations import HEAD
from crawler.errors import ConfigError, StorageError

MIGRATIONS = Path(__file__).parents[1] / "migrations"

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
    return Database(engine, str(place), clock)


def _sqlite(url: URL, clock: Callable[[], datetime]) -> "Database":
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite"), pool_timeout=connecting.SECONDS_TO_WAIT
    )
    connecting.prepare_sqlite(engine)
    return Database(engine, str(url.database), clock)


class Database:
    """Transactions on the catalog; errors of the server come as StorageError with its place."""

    def __init__(self, engine: Engine, place: str, clock: Callable[[], datetime]) -> None:
        self.engine = engine
        self.place = place
        """Host and name, or the file; never a password."""
        self._clock = clock
        self._writing = engine.execution_options(**{connecting.WRITES: True})

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a file of one machine."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that may write: committed at the end, rolled back by an exception."""
        with (
            self._naming(),
            Session(self._writing, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads, and keeps no writer waiting."""
        with self._naming(), Session(self.engine, expire_on_commit=False) as session:
            yield session

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
        raise _not_by_waiting(f"catalog {self.place} {state}: run `tallyho catalog upgrade`")

    def upgrade(self) -> None:
        """Brings the tables to the newest revision in one transaction; others wait for it."""
        with _ONE_UPGRADE, self._naming(), self._writing.begin() as connection:
            if not self.is_sqlite:
                connection.execute(text("SET LOCAL lock_timeout = '10min'"))
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
            revision = _revision(connection)
            self._refuse_newer(revision)
            if revision != HEAD:
                _migrate(connection)

    def revision(self) -> str | None:
        """The revision of the tables, or None when there are none."""
        with self._naming(), self.engine.connect() as connection:
            return _revision(connection)

    def close(self) -> None:
        """Gives back all connections."""
        self.engine.dispose()

    def _make_folder(self) -> None:
        try:
            Path(self.place).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"catalog {self.place}: {error.strerror or error}") from error

    def _refuse_newer(self, revision: str | None) -> None:
        if revision is not None and revision not in _known_revisions():
            raise _not_by_waiting(
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


def _not_by_waiting(message: str) -> StorageError:
    error = StorageError(message)
    error.retryable = False
    return error


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if revision is None else str(revision)


def _known_revisions() -> set[str]:
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    from crawler.catalog.read.views import create_views, drop_views

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    drop_views(connection)
    command.upgrade(config, "head")
    create_views(connection)
