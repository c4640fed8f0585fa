"""The services as docker-compose.yaml starts them, with the same programs from wheels."""

import json
import os
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from tests.deployment.compose import load, variables
from tests.deployment.docker_script import docker_script
from tests.deployment.env_file import filled_in, read_env
from tests.servers.valkey import ValkeyServer

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yaml").read_text()
ENV = filled_in(
    read_env((ROOT / ".env.example").read_text()),
    {variable.name for variable in variables(COMPOSE) if variable.required}
    | {"S3_ACCESS_KEY", "S3_SECRET_KEY"},
)
SERVICES: dict[str, dict[str, Any]] = load(COMPOSE, ENV)["services"]
SECONDS = 60


def client(endpoint: str, key: str, secret: str, **options: Any) -> Any:
    style: dict[str, Any] = {"s3": {"addressing_style": "path"}}
    config = Config(**style, retries={"total_max_attempts": 1}, **options)
    return boto3.session.Session().client(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        region_name="us-east-1",
        config=config,
    )


def test_valkey_asks_for_the_password() -> None:
    program, *arguments = SERVICES["valkey"]["command"]
    assert program == "valkey-server"
    server = ValkeyServer(arguments, ENV["VALKEY_PASSWORD"])
    try:
        assert server.ask("PING")[0].startswith("-NOAUTH")
        assert server.ask(f"AUTH {ENV['VALKEY_PASSWORD']}", "PING") == ["+OK", "+PONG"]
        *_, policy = server.ask(f"AUTH {server.password}", "CONFIG SET maxmemory-policy noeviction")
        assert policy == "+OK"
    finally:
        server.close()


@contextmanager
def seaweedfs_as_configured(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """SeaweedFS with its arguments, but other ports and another folder."""
    service = SERVICES["seaweedfs"]
    names = ("s3", "master", "volume", "filer")
    ports = {name: str(port) for name, port in zip(names, _ports(), strict=True)}
    elsewhere = ("-dir=", "-s3.port=", "-s3.ip.bind=")
    given = [each for each in service["command"] if not each.startswith(elsewhere)]
    own = ["-s3.ip.bind=127.0.0.1", *(f"-{name}.port={port}" for name, port in ports.items())]
    sockets = [f"-{name}.localSocket={folder / name}.sock" for name in ("s3", "filer")]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **service["environment"]}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                Path(sysconfig.get_path("scripts")) / "weed",
                *given,
                f"-dir={folder}",
                *own,
                *sockets,
            ],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield f"http://127.0.0.1:{ports['s3']}", ports
    finally:
        process.kill()
        process.wait()


def _ports() -> list[int]:
    """Ports whose neighbours 10,000 above, where SeaweedFS puts gRPC, are free as well."""
    found: list[int] = []
    while len(found) < 4:
        with socket.create_server(("127.0.0.1", 0)) as low:
            port = int(low.getsockname()[1])
            with (
                suppress(OSError, OverflowError),
                socket.create_server(("127.0.0.1", port + 10_000)),
            ):
                found.append(port)
    return found


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.slow
def test_seaweedfs_lets_in_only_who_has_the_key(tmp_path: Path) -> None:
    key, secret = ENV["S3_ACCESS_KEY"], ENV["S3_SECRET_KEY"]
    folder = Path(tempfile.mkdtemp(prefix="tallyho-weed-"))  # paths of sockets are short
    try:
        with seaweedfs_as_configured(folder) as (endpoint, ports):
            *_, health = SERVICES["seaweedfs"]["healthcheck"]["test"]
            own = health.replace(":8333", f":{ports['s3']}")
            deadline = time.monotonic() + SECONDS
            while not _answers(own):
                assert time.monotonic() < deadline, (folder / "log").read_text()[-3000:]
                time.sleep(0.1)
            ours = client(endpoint, key, secret)
            while True:
                with suppress(ClientError, BotoCoreError):
                    ours.create_bucket(Bucket="tallyho")
                    ours.put_object(Bucket="tallyho", Key="a", Body=b"x" * 5000)
                    break
                assert time.monotonic() < deadline, (folder / "log").read_text()[-3000:]
                time.sleep(0.1)
            assert ours.get_object(Bucket="tallyho", Key="a")["Body"].read() == b"x" * 5000
            strangers = [
                client(endpoint, key, "wrong"),
                client(endpoint, "wrong", secret),
                client(endpoint, key, secret, signature_version=UNSIGNED),
            ]
            for stranger in strangers:
                with pytest.raises(
                    ClientError, match=r"403|AccessDenied|InvalidAccessKeyId|Signature"
                ):
                    stranger.get_object(Bucket="tallyho", Key="a")
            with pytest.raises(ClientError, match="NoSuchBucket"):
                ours.put_object(Bucket="another", Key="a", Body=b"x")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, {"metadatabase": {"status": "healthy"}}, 0),
        (200, {"metadatabase": {"status": "unhealthy"}}, 1),
        (200, None, 0),
        (503, None, 1),
    ],
)
def test_health_is_told_by_the_exit_code(status: int, body: Any, code: int) -> None:
    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode() if body else b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}/health"
        assert docker_script("healthy").is_healthy(url) is (code == 0)
        server.shutdown()
        thread.join()
    assert docker_script("healthy").is_healthy(url) is False
