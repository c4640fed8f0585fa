"""Every setting reaches every deployment, and the other files of a deployment fit the first."""

import configparser
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from crawler.config.settings import PREFIX, Settings
from tests.deployment.command_lines import ask_airflow
from tests.deployment.compose import load, merged, problems, variables
from tests.deployment.docker_script import docker_script
from tests.deployment.dockerfile import environment
from tests.deployment.env_file import filled_in, read_env

ROOT = Path(__file__).parents[2]
TEXTS = {
    name: (ROOT / name).read_text()
    for name in ("docker-compose.yaml", "docker-compose.cluster.yaml", "docker-compose.worker.yaml")
}
IMAGE = environment((ROOT / "Dockerfile").read_text())
EXAMPLE = read_env((ROOT / ".env.example").read_text())
NAMES = {each.name for text in TEXTS.values() for each in variables(text) if each.required}
ENV = filled_in(EXAMPLE, NAMES) | {
    "PRIVATE_ADDRESS": "10.88.0.1",
    "MAIN_ADDRESS": "10.88.0.1",
    "S3_ACCESS_KEY": "key",
    "S3_SECRET_KEY": "secret",
}
MAIN, CLUSTER, WORKER = (load(text, ENV) for text in TEXTS.values())
HELM: dict[str, Any] = yaml.safe_load((ROOT / "helm" / "values.yaml").read_text())
HELM_ENV = {each["name"]: str(each["value"]) for each in HELM["env"]}
HELM_SECRETS = {each["envName"]: each for each in HELM["secret"]}


def environments() -> dict[str, set[str]]:
    """The variables that each deployment sets, those of the image among them."""
    files = {
        "docker-compose.yaml": set(MAIN["services"]["worker"]["environment"]),
        "docker-compose.worker.yaml": set(WORKER["services"]["worker"]["environment"])
        | {name.upper() for name in WORKER["services"]["worker"]["secrets"]},
        "helm/values.yaml": set(HELM_ENV) | set(HELM_SECRETS),
    }
    return {name: found | set(IMAGE) for name, found in files.items()}


@pytest.mark.parametrize("file", sorted(environments()))
def test_every_setting_is_passed_on(file: str) -> None:
    wanted = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    if file == "docker-compose.worker.yaml":
        wanted.discard("TALLYHO_AIRFLOW_DATABASE_URL")  # its tasks have no business there
    missing = sorted(wanted - environments()[file])
    assert missing == [], f"{file} lacks {missing}: run `make reference`"


def deployment_settings() -> ModuleType:
    place = ROOT / "scripts" / "deployment_settings.py"
    spec = importlib.util.spec_from_file_location("deployment_settings", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_are_as_make_reference_writes_them() -> None:
    script = deployment_settings()
    stale = [name for name in script.FILES if script.renewed(name) != (ROOT / name).read_text()]
    assert stale == [], f"{stale}: run `make reference`"


def test_settings_of_all_deployments_are_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in (
        MAIN["services"]["worker"]["environment"],
        WORKER["services"]["worker"]["environment"],
        HELM_ENV,
    ):
        with monkeypatch.context() as patch:
            for name, value in (IMAGE | given).items():
                patch.setenv(name, value)
            settings = Settings()
        assert settings.crawl_pool == "tallyho_crawls"
        assert settings.store_url == "s3://tallyho/store"


def test_cluster_opens_what_workers_need_on_the_private_address_only() -> None:
    both = merged(MAIN, CLUSTER)
    assert problems(both) == []
    opened = {name: each["ports"] for name, each in both["services"].items() if "ports" in each}
    assert opened == {
        "postgres": ["10.88.0.1:5432:5432"],
        "valkey": ["10.88.0.1:6379:6379"],
        "seaweedfs": ["10.88.0.1:8333:8333"],
        "api-server": ["127.0.0.1:8080:8080", "10.88.0.1:8080:8080"],
    }
    # No port of a container is published by an internal network.
    assert all("outside" in both["services"][name]["networks"] for name in opened)
    with pytest.raises(ValueError, match="set PRIVATE_ADDRESS"):
        load(TEXTS["docker-compose.cluster.yaml"], ENV | {"PRIVATE_ADDRESS": ""})


def test_worker_file_is_sound_and_does_as_the_other_workers() -> None:
    assert problems(WORKER) == []
    here, there = MAIN["services"]["worker"], WORKER["services"]["worker"]
    for key in ("image", "volumes", "stop_grace_period", "healthcheck", "deploy", "cap_drop"):
        assert here[key] == there[key], key
    same = set(here["environment"]) & set(there["environment"])
    assert {
        name for name in same if here["environment"][name] != there["environment"][name]
    } == set()
    reached = {entry.partition(":")[0] for entry in there["extra_hosts"]}
    assert reached == {"api-server", "postgres", "valkey", "seaweedfs"}
    assert {entry.partition(":")[2] for entry in there["extra_hosts"]} == {"10.88.0.1"}


@pytest.fixture(scope="module")
def secrets_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As the command writes it, on the machine of the services."""
    folder = tmp_path_factory.mktemp("main")
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in ENV.items()))
    command = [sys.executable, str(ROOT / "docker" / "worker_secrets.py")]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "secrets"


def test_secrets_of_a_worker_are_those_of_the_services(
    secrets_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert secrets_folder.stat().st_mode & 0o077 == 0
    files = {path.name for path in secrets_folder.iterdir()}
    assert files == set(WORKER["secrets"]) == set(WORKER["services"]["worker"]["secrets"])
    here, there = (each["services"]["worker"]["environment"] for each in (MAIN, WORKER))
    commands = {name: value for name, value in there.items() if name.endswith("_CMD")}
    assert len(commands) == 6
    for name, value in commands.items():
        file = value.removeprefix("cat /run/secrets/")
        assert (secrets_folder / file).read_text() == here[name.removesuffix("_CMD")], name
    for name in os.environ:
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)
    settings = Settings(_secrets_dir=secrets_folder)
    assert settings.database_url == here["TALLYHO_CATALOG_URL"]
    credentials = configparser.ConfigParser()
    credentials.read(secrets_folder / "aws_credentials")
    assert credentials["default"]["aws_access_key_id"] == here["AWS_ACCESS_KEY_ID"]
    assert credentials["default"]["aws_secret_access_key"] == here["AWS_SECRET_ACCESS_KEY"]


def test_missing_secret_is_named() -> None:
    with pytest.raises(SystemExit, match="set FERNET_KEY"):
        docker_script("worker_secrets").secrets_of(ENV | {"FERNET_KEY": ""})


def test_role_of_the_machine_is_found_where_there_is_no_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """IAM: keys that are empty, as variables and as a file, keep boto3 from looking nowhere."""
    import boto3

    without = ENV | {"S3_ACCESS_KEY": "", "S3_SECRET_KEY": "", "TALLYHO_S3_ENDPOINT": ""}
    without |= {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_EC2_METADATA_DISABLED": "false"}
    own = load(TEXTS["docker-compose.yaml"], without)["services"]["worker"]["environment"]
    assert own["TALLYHO_S3_ENDPOINT"] == ""
    assert own["AWS_EC2_METADATA_DISABLED"] == "false"
    given = docker_script("worker_secrets").secrets_of(without)["aws_credentials"]
    (tmp_path / "aws_credentials").write_text(given)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, own[name])
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "aws_credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")  # nobody is asked from a test
    session = boto3.session.Session()
    assert session.get_credentials() is None
    assert session.region_name == "eu-central-1"


def test_services_elsewhere_need_no_service_here() -> None:
    own = ENV | {"DATABASE_HOST": "db.example", "DATABASE_OPTIONS": "?sslmode=require"}
    document = load(TEXTS["docker-compose.yaml"], own)
    urls = [
        value
        for value in document["services"]["worker"]["environment"].values()
        if "postgresql" in value
    ]
    assert len(urls) == 4
    assert all(re.search(r"@db\.example:5432/\w+\?sslmode=require$", url) for url in urls)
    waiting = {
        (name, other)
        for name, service in document["services"].items()
        for other, how in service.get("depends_on", {}).items()
        if document["services"][other].get("profiles") and how.get("required", True)
    }
    assert waiting == set()
    assert EXAMPLE["COMPOSE_PROFILES"].split(",") == ["postgres", "seaweedfs"]


def test_object_store_without_a_key_does_not_start(tmp_path: Path) -> None:
    shell, *words = MAIN["services"]["seaweedfs"]["entrypoint"]
    (tmp_path / "weed").write_text("#!/bin/sh\necho started $*\n")
    (tmp_path / "weed").chmod(0o755)
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    for given, told in (
        (keys, "started server -dir=/data"),
        (keys | {"AWS_ACCESS_KEY_ID": ""}, ""),
    ):
        done = subprocess.run(
            [shell, *words, "server", "-dir=/data"],
            env={"PATH": f"{tmp_path}:{os.environ['PATH']}", **given},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.strip() == told
        assert bool(done.returncode) is not bool(told)
        assert told or "S3_ACCESS_KEY" in done.stderr


CHART = {
    *("executor", "airflowVersion", "images", "uid", "gid", "airflowHome", "dags", "data", "env"),
    *("fernetKeySecretName", "apiSecretKeySecretName", "jwtSecretName", "postgresql", "redis"),
    *("secret", "volumes", "volumeMounts", "workers", "scheduler", "dagProcessor", "triggerer"),
    "webserver",
}
"""The keys of the official chart that we use."""


def test_helm_values_are_those_of_the_chart_and_of_the_image() -> None:
    assert set(HELM) == CHART
    lock = (ROOT / "requirements.txt").read_text()
    assert f"apache-airflow=={HELM['airflowVersion']} " in lock
    assert HELM["images"]["airflow"]["tag"] == EXAMPLE["IMAGE"].rpartition(":")[2]
    assert HELM["uid"] == 50000
    for name in set(HELM_ENV) & set(IMAGE):
        assert HELM_ENV[name] == IMAGE[name]
    here = MAIN["services"]["worker"]["environment"]
    differ = {name for name in set(HELM_ENV) & set(here) if HELM_ENV[name] != here[name]}
    assert differ == {"TALLYHO_S3_ENDPOINT"}
    mounted = {each["mountPath"] for each in HELM["volumeMounts"]}
    folders = {value for name, value in IMAGE.items() if re.fullmatch(r"TALLYHO_\w+_DIR", name)}
    assert folders <= mounted
    named = {each["name"] for each in HELM["volumes"]}
    assert {each["name"] for each in HELM["volumeMounts"]} == named
    minutes = float(HELM_ENV["TALLYHO_SLICE_MINUTES"])
    assert HELM["workers"]["terminationGracePeriodSeconds"] > minutes * 60


def test_no_secret_stands_in_the_helm_values() -> None:
    secret = re.compile(r"PASSWORD|SECRET|KEY|TOKEN|FERNET|URL", re.IGNORECASE)
    told = {name: value for name, value in HELM_ENV.items() if secret.search(name) and value}
    assert set(told) == {
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE",
        "TALLYHO_STORE_URL",
    }


@pytest.mark.slow
def test_options_of_all_deployments_exist_in_the_installed_airflow(tmp_path: Path) -> None:
    names = set(HELM_ENV) | set(WORKER["services"]["worker"]["environment"])
    options = sorted(name.removesuffix("_CMD") for name in names if name.startswith("AIRFLOW__"))
    line = WORKER["services"]["worker"]["command"]
    told = ask_airflow(tmp_path, options=options, commands=[line])
    assert told == {"options": [], "commands": [""]}


@pytest.mark.slow
def test_airflow_reads_every_secret_of_a_worker_from_its_file(
    secrets_folder: Path, tmp_path: Path
) -> None:
    """Of most options Airflow ignores _CMD; of secret ones it runs the command."""
    there = WORKER["services"]["worker"]["environment"]
    commands = {name: value for name, value in there.items() if name.endswith("_CMD")}
    places = [name.removesuffix("_CMD").lower().split("__")[1:] for name in commands]
    ask = f"""
import json
from airflow.configuration import conf
print(json.dumps([conf.get(*place) for place in {places!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={
            **{name: value for name, value in os.environ.items() if "AIRFLOW" not in name},
            "AIRFLOW_HOME": str(tmp_path),
            **{n: v.replace("/run/secrets", str(secrets_folder)) for n, v in commands.items()},
        },
        capture_output=True,
        text=True,
        check=True,
    )
    here = MAIN["services"]["worker"]["environment"]
    read = yaml.safe_load(done.stdout.splitlines()[-1])
    assert read == [here[name.removesuffix("_CMD")] for name in commands]
