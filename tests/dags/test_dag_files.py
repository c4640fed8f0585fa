"""The DAG files: one DAG per site, one error for what is wrong, nothing heavy while reading."""

from pathlib import Path
from typing import Any

import pytest

from crawler.config.site import SiteConfig
from tests.dags.conftest import Airflow, NightDesk

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own

HOUSE = ["example_consumer", "tallyho__fleet", "tallyho__upkeep"]
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
    found = desk.ask("bag")
    assert found["dags"] == ["acquire__office", *HOUSE]
    ((file, told),) = found["errors"].items()
    assert file == "invalid_sites.py"
    assert "wrong.yaml:2: budget.requests:" in told
    assert "broken.yaml:" in told


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
    assert dag["strategies"] == [None, "tallyho", "sb", "focused", "bfs", "dfs", "random"]
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
