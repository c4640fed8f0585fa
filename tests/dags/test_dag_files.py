"""The DAG files: one DAG per site, one error for what is wrong, nothing heavy while reading."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyName
from tests.dags.conftest import Airflow, NightDesk

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own

HOUSE = ["example_consumer", "tallyho__alerts", "tallyho__fleet", "tallyho__upkeep"]
START = "https://office.example/"


def test_project_as_it_is_has_no_import_errors(desk: Any) -> None:
    desk.environment.update(TALLYHO_SITES_DIR="", TALLYHO_HOME="")
    found = desk.ask("bag")
    assert (found["errors"], "acquire__demo" in found["dags"]) == ({}, True)


def test_every_enabled_site_is_a_dag(desk: Any) -> None:
    desk.write("office", f"start_url: {START}\n")
    desk.write("other", "start_url: https://other.example/\nname: renamed\n")
    desk.write("off", "start_url: https://off.example/\nenabled: false\n")
    found = desk.ask("bag")
    assert found["dags"] == ["acquire__office", "acquire__renamed", *HOUSE]
    assert found["errors"] == {}


def test_new_file_is_a_dag_the_next_time(desk: Any) -> None:
    assert desk.ask("bag")["dags"] == HOUSE
    desk.write("office", f"start_url: {START}\n")
    assert desk.ask("bag")["dags"] == ["acquire__office", *HOUSE]


def test_invalid_file_is_one_error_and_hides_nobody(desk: Any) -> None:
    desk.write("office", f"start_url: {START}\n")
    desk.write("wrong", f"start_url: {START}\nbudget: {{requests: many}}\n")
    desk.write("broken", "start_url: [\n")
    desk.write("secret", "start_url: https://bob:hunter2@office.example/\n")
    desk.write("mistyped", "start_url: https://bob:hunter2/x@office.example/\n")
    found = desk.ask("bag")
    assert found["dags"] == ["acquire__office", *HOUSE]
    ((file, told),) = found["errors"].items()
    assert file == "invalid_sites.py"
    assert "wrong.yaml:2: budget.requests:" in told
    assert "broken.yaml:" in told
    assert "secret.yaml:1: start_url:" in told
    assert "mistyped.yaml:1: start_url:" in told
    assert "hunter2" not in told


def test_dag_is_what_its_file_says(desk: Any) -> None:
    desk.write(
        "office",
        f"start_url: {START}\nschedule: '30 2 * * 1-5'\nowner: data team\nretries: 5\n"
        "tags: [france]\n",
    )
    dag = desk.ask("structure", dag_id="acquire__office")
    assert dag["schedule"] == "30 2 * * 1-5"
    assert (dag["catchup"], dag["runs"], dag["paused"]) == (False, 1, False)
    assert dag["tags"] == ["france", "tallyho"]
    assert START in dag["doc"]
    assert dag["params"] == {"budget": None, "fresh": False, "strategy": None}
    assert dag["strategies"] == [None, *StrategyName]
    assert {task["owner"] for task in dag["tasks"].values()} == {"data team"}
    assert {task["retries"] for task in dag["tasks"].values()} == {5}


def test_form_offers_only_strategies_that_can_crawl_a_live_site(desk: Any) -> None:
    desk.write("office", f"start_url: {START}\n")
    offered = desk.ask("structure", dag_id="acquire__office")["strategies"]
    assert {None, "tallyho", "sb", "bfs"} <= set(offered)
    for name in filter(None, offered):
        SiteConfig.model_validate({"start_url": START, "name": "office", "strategy": name})


def test_night_has_its_steps_in_order(desk: Any) -> None:
    desk.write("office", f"start_url: {START}\n")
    dag = desk.ask("structure", dag_id="acquire__office")
    tasks = dag["tasks"]
    assert {name: task["after"] for name, task in tasks.items()} == {
        "plan": [],
        "crawl": ["plan"],
        "batches": ["crawl"],
        "validate": ["batches"],
        "publish": ["validate"],
        "close": ["crawl", "publish", "validate"],
    }
    assert [name for name, task in tasks.items() if task["mapped"]] == ["validate"]
    assert tasks["batches"]["rule"] == tasks["publish"]["rule"] == "all_done"
    assert tasks["publish"]["outlets"] == ["tallyho_office"]
    # Airflow judges a run by its leaves: this one cannot begin when a step has failed.
    assert (dag["leaves"], tasks["close"]["rule"]) == (["close"], "none_failed")


@pytest.mark.parametrize("pool", ["", "tallyho_crawls"])
def test_crawls_take_their_slots_from_the_pool_that_is_configured(desk: Any, pool: str) -> None:
    desk.environment["TALLYHO_CRAWL_POOL"] = pool
    desk.write("office", f"start_url: {START}\n")
    tasks = desk.ask("structure", dag_id="acquire__office")["tasks"]
    pools = {name: task["pool"] for name, task in tasks.items()}
    assert pools["crawl"] == (pool or "default_pool")
    assert {pools[name] for name in pools if name != "crawl"} == {"default_pool"}


@pytest.mark.parametrize("dag_id", ["acquire__office", *HOUSE])
def test_reading_twice_makes_one_version(desk: Any, dag_id: str) -> None:
    desk.write("office", f"start_url: {START}\n")
    assert desk.ask("serialized", dag_id=dag_id)["same"]


def test_site_file_with_every_preset_can_be_scheduled(desk: Any) -> None:
    presets = ("@once", "@hourly", "@daily", "@weekly", "@monthly", "@quarterly", "@yearly")
    for number, preset in enumerate(presets):
        desk.write(f"site{number}", f"start_url: {START}{number}\nschedule: '{preset}'\n")
    found = desk.ask("bag")
    assert len(found["dags"]) == len(presets) + len(HOUSE)
    for number in range(len(presets)):
        desk.ask("serialized", dag_id=f"acquire__site{number}")


def test_secrets_of_the_environment_are_not_in_what_the_scheduler_gets(desk: Any) -> None:
    desk.environment["TALLYHO_CATALOG_URL"] = "postgresql://me:hunter2@host/name"
    desk.environment["TALLYHO_ALARM_WEBHOOK"] = "https://hooks.example/hunter2"
    desk.write("office", f"start_url: {START}\n")
    assert "hunter2" not in desk.ask("serialized", dag_id="acquire__office")["text"]


def test_reading_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    fresh = Airflow(tmp_path)
    desk = NightDesk(fresh, tmp_path)
    desk.write("office", f"start_url: {START}\n")
    try:
        assert desk.ask("modules") == {"heavy": [], "ours": []}
    finally:
        fresh.close()


def test_every_task_and_the_whole_night_have_a_deadline(desk: Any) -> None:
    desk.environment["TALLYHO_SLICE_MINUTES"] = "10"
    desk.write("office", f"start_url: {START}\nbudget: {{minutes: 3000}}\n")
    dag = desk.ask("structure", dag_id="acquire__office")
    minutes = {name: task["minutes"] for name, task in dag["tasks"].items()}
    assert minutes["crawl"] == 10 + 30 + 30
    assert {name for name, limit in minutes.items() if limit} == set(dag["tasks"])
    assert dag["hours"] == 2 * 50 + 12
    for daily in ("tallyho__alerts", "tallyho__fleet", "tallyho__upkeep"):
        told = desk.ask("structure", dag_id=daily)
        assert (told["hours"], {task["minutes"] for task in told["tasks"].values()}) == (23, {720})


@pytest.mark.parametrize("how", ["removed", "disabled", "broken"])
def test_site_that_ended_keeps_its_dag_until_its_night_is_over(desk: Any, how: str) -> None:
    desk.write("office", f"start_url: {START}\n")
    assert "acquire__office" in desk.ask("bag")["dags"]
    file = desk.folder / "sites" / "office.yaml"
    if how == "removed":
        file.unlink()
    else:
        extra = "enabled: false\n" if how == "disabled" else "enabled: perhaps\n"
        file.write_text(f"start_url: {START}\n{extra}")
    assert "acquire__office" in desk.ask("bag")["dags"]
    assert desk.ask("structure", dag_id="acquire__office")["schedule"] == "None"
    memory = desk.home / "dags" / "sites.json"
    (since,) = json.loads(memory.read_text()).values()
    earlier = datetime.fromisoformat(since) - timedelta(days=3)
    memory.write_text(json.dumps({"office": earlier.isoformat()}))
    assert "acquire__office" not in desk.ask("bag")["dags"]
    desk.write("office", f"start_url: {START}\n")
    assert desk.ask("structure", dag_id="acquire__office")["schedule"] != "None"


def test_night_of_a_site_that_ended_publishes_and_ends(desk: Any) -> None:
    desk.write("office", f"start_url: {START}\n")
    desk.ask("bag")
    desk.write("office", f"start_url: {START}\nenabled: false\n")
    night = desk.ask("run", dag_id="acquire__office")
    assert night["state"] == "success"
    assert (night["tasks"]["plan"], night["tasks"]["crawl"]) == ("skipped", "skipped")
    assert night["tasks"]["batches"] == "success"
    assert "its site file says enabled: false" in desk.airflow.log()
