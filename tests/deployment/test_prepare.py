"""docker/prepare.py: what it makes before the services start, on real servers."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.deployment.compose import load, variables
from tests.deployment.docker_script import docker_script
from tests.deployment.dockerfile import environment
from tests.deployment.env_file import filled_in, read_env
from tests.deployment.installation import Installation
from tests.servers.seaweedfs import SeaweedServer

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yaml").read_text()
ENV = filled_in(
    read_env((ROOT / ".env.example").read_text()),
    {variable.name for variable in variables(COMPOSE) if variable.required},
)
SERVICES: dict[str, dict[str, Any]] = load(COMPOSE, ENV)["services"]


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1"])
def test_bucket_is_made_once(
    region: str, seaweedfs: SeaweedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seaweedfs.start()
    for name, value in seaweedfs.credentials.environment.items():
        monkeypatch.setenv(name, value)
    # Outside of us-east-1 Amazon wants to be told where.
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    bucket = f"made-{secrets.token_hex(4)}"
    for _ in range(2):
        docker_script("prepare").make_bucket(f"s3://{bucket}/store", seaweedfs.endpoint)
    known = seaweedfs.client.list_buckets()["Buckets"]
    assert [each["Name"] for each in known].count(bucket) == 1


def test_store_that_refuses_ends_the_start(
    seaweedfs: SeaweedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seaweedfs.start()
    for name, value in seaweedfs.credentials.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with pytest.raises(ClientError):
        docker_script("prepare").make_bucket("s3://never/store", seaweedfs.endpoint)


def test_logins_are_written_for_one_pair_of_eyes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = docker_script("prepare")
    file = tmp_path / "passwords.json"
    for password in ("first", "second"):
        monkeypatch.setenv("AIRFLOW_ADMIN_PASSWORD", password)
        monkeypatch.setenv("AIRFLOW_VIEWER_PASSWORD", "another")
        prepare.write_logins(file)
        assert json.loads(file.read_text()) == {"admin": password, "viewer": "another"}
        assert file.stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("AIRFLOW_VIEWER_PASSWORD", "")
    with pytest.raises(SystemExit, match="AIRFLOW_VIEWER_PASSWORD"):
        prepare.write_logins(file)
    users = SERVICES["init"]["environment"]["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS"]
    assert {user.split(":")[0] for user in users.split(",")} == set(prepare.LOGINS)


@pytest.mark.slow
def test_everything_is_made_at_every_start(
    installation: Installation, seaweedfs: SeaweedServer, tmp_path: Path
) -> None:
    """With the variables of the service `init`, but for where the servers are."""
    seaweedfs.start()
    inside = environment((ROOT / "Dockerfile").read_text()) | SERVICES["init"]["environment"]
    here = {
        "postgres:5432": f"127.0.0.1:{installation.server.port}",
        "http://seaweedfs:8333": seaweedfs.endpoint,
        "/opt/airflow": str(tmp_path),
        "/var/lib/tallyho": str(tmp_path / "home"),
        "/opt/tallyho": str(ROOT),
        f"s3://{ENV['S3_BUCKET']}/": f"s3://start-{secrets.token_hex(4)}/",
    }
    for name, value in inside.items():
        for there, place in here.items():
            value = value.replace(there, place)
        inside[name] = value
    inside |= seaweedfs.credentials.environment
    inside["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    inside["PYTHONPATH"] = str(ROOT)
    (tmp_path / "login").mkdir()
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, ROOT / "docker" / "prepare.py"],
            env=inside,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        assert done.stdout.rstrip().endswith("prepare: ready")
    pools = installation.query("SELECT pool, slots FROM slot_pool", "airflow", "airflow")
    assert (inside["TALLYHO_CRAWL_POOL"], int(ENV["CRAWLS_AT_ONCE"])) in pools
    assert installation.query("SELECT count(*) FROM site", "tallyho", "tallyho") == [(0,)]
    logins = json.loads((tmp_path / "login" / "passwords.json").read_text())
    assert logins["admin"] == ENV["AIRFLOW_ADMIN_PASSWORD"]
    bucket = inside["TALLYHO_STORE_URL"].split("/")[2]
    assert bucket in [each["Name"] for each in seaweedfs.client.list_buckets()["Buckets"]]
