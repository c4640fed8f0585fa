"""`tallyho doctor`: every part with its state and its remedy; `tallyho alarm test`."""

import socket
from typing import Any

import pytest

from crawler.cli.doctor import _ask_airflow
from crawler.config.settings import Settings
from crawler.errors import ExitCode
from crawler.pipeline.report.diagnosis import Health, diagnose_airflow
from crawler.validation.cell import Layer, missing_layers
from tests.pipeline.night.alarm_receivers import HookServer, serving


@pytest.fixture(autouse=True)
def no_airflow(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AIRFLOW_HOME", "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"):
        monkeypatch.delenv(name, raising=False)


def well() -> ExitCode:
    return ExitCode.FAILURES if missing_layers() else ExitCode.DONE


def test_every_layer_is_named_with_its_state(desk: Any) -> None:
    desk.add_site("demo", "https://stats.example.org", politeness={})
    missing = set(missing_layers())
    result = desk.run("doctor")
    assert result.exit_code == well()
    for layer in Layer:
        [line] = [line for line in result.stdout.splitlines() if line.startswith(layer.value)]
        assert ("missing" in line) == (layer in missing)
    assert desk.json("doctor")["memory_of_all_readers"] >= 10**9


def test_every_part_is_checked_and_warnings_have_a_remedy(desk: Any) -> None:
    desk.add_site("demo", "https://stats.example.org", politeness={})
    checks = desk.json("doctor")["checks"]
    assert [check["part"] for check in checks] == [
        "versions",
        "sites",
        "disk",
        "disk",
        "store",
        "catalog",
        "clocks",
        "alarms",
        "metrics",
    ]
    by_part = {check["part"]: check for check in checks}
    assert by_part["store"]["health"] == by_part["catalog"]["health"] == "ok"
    assert by_part["alarms"]["health"] == "warning"
    assert "TALLYHO_ALARM_WEBHOOK" in by_part["alarms"]["remedy"]


@pytest.mark.parametrize(
    ("exporter", "health", "told"),
    [
        ("", "ok", "crawls send none; /metrics of `tallyho serve` says how sites stand"),
        ("otlp,console", "ok", "crawls send them with otlp_proto_grpc, console"),
        ("postcard", "warning", "there is no exporter of the name postcard, so none are sent"),
    ],
)
def test_doctor_tells_who_gets_metrics(
    desk: Any, monkeypatch: pytest.MonkeyPatch, exporter: str, health: str, told: str
) -> None:
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", exporter)
    desk.add_site("demo", "https://stats.example.org", politeness={})
    (check,) = [one for one in desk.json("doctor")["checks"] if one["part"] == "metrics"]
    assert (check["health"], check["sentence"], bool(check["remedy"])) == (
        health,
        told,
        health != "ok",
    )


def test_wrong_site_file_exits_3_and_a_store_that_is_away_6(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add_site("demo", "https://stats.example.org", seed="no")
    wrong = desk.run("doctor")
    assert wrong.exit_code == ExitCode.CONFIG
    assert "demo.yaml" in wrong.stdout
    assert "remedy  tallyho sites check" in wrong.stdout
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"postgresql://clerk@127.0.0.1:{closed.getsockname()[1]}/statistics"
        monkeypatch.setenv("TALLYHO_CATALOG_URL", address)
        away = desk.run("doctor")
    assert away.exit_code == ExitCode.STORAGE
    assert "catalog   failed: catalog postgresql://127.0.0.1" in away.stdout
    assert "TALLYHO_CATALOG_URL" in away.stdout


def test_clock_of_the_database_is_compared(
    desk: Any, postgres_catalog_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add_site("demo", "https://stats.example.org", politeness={})
    monkeypatch.setenv("TALLYHO_CATALOG_URL", postgres_catalog_url)
    [clocks] = [check for check in desk.json("doctor")["checks"] if check["part"] == "clocks"]
    assert clocks["health"] == "ok"
    assert "the catalog's server and this machine differ by" in clocks["sentence"]


def test_pool_and_folder_of_airflow_are_looked_for() -> None:
    answers = {"pools": (1, "No pool"), "config": (0, "/nowhere/dags\n")}
    settings = Settings(crawl_pool="tallyho_crawls")
    pool, folder = diagnose_airflow(settings, lambda words: answers[words[0]])
    assert (pool.health, folder.health) == (Health.FAILED, Health.FAILED)
    assert "airflow pools set tallyho_crawls" in pool.remedy
    assert "AIRFLOW__CORE__DAGS_FOLDER" in folder.remedy


@pytest.mark.slow
def test_airflow_itself_is_asked(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path_factory.mktemp("airflow")))
    monkeypatch.setenv("AIRFLOW__CORE__DAGS_FOLDER", "/nowhere/dags")
    assert _ask_airflow(["config", "get-value", "core", "dags_folder"]) == (0, "/nowhere/dags\n")


def test_alarm_test_tells_which_way_took_it(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.run("alarm", "test").exit_code == ExitCode.CONFIG
    hook = HookServer(204)
    monkeypatch.setenv("TALLYHO_ALARM_WEBHOOK", hook.url)
    monkeypatch.setenv("TALLYHO_ALARM_PRIVATE", "true")
    with serving(hook):
        assert desk.run("alarm", "test").stdout == "webhook: sent\n"
    (alarm,) = hook.received
    assert alarm["kind"] == "test"
    assert alarm["text"].startswith("tallyho: a test of the alarms: sent by `tallyho alarm test`")
    refused = desk.run("alarm", "test")
    assert refused.exit_code == ExitCode.FAILURES
    assert "webhook: the webhook gives no answer" in refused.stderr
