"""A lane in Airflow itself: many sites in one task, killed, and missing.

One test, because one Airflow takes a minute to start: its steps tell what each of them shows.
"""

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from crawler.lab.sites.demo import demo_site
from tests.end_to_end.killed_crawl import seen_by, served
from tests.servers.airflow_standalone import NEVER, Standalone, wait_for

pytestmark = pytest.mark.slow

SITES = ("east", "north", "west")
LANE = "tallyho__lane__small"


def test_lane_crawls_for_its_sites_and_they_crawl_by_themselves_without_it(
    standalone: Standalone, tmp_path: Path
) -> None:
    standalone.more["TALLYHO_LANE_PATIENCE_MINUTES"] = "0.5"
    logs = {name: tmp_path / f"{name}.jsonl" for name in SITES}
    with ExitStack() as stack:
        for seed, (name, log) in enumerate(logs.items()):
            base = stack.enter_context(served(demo_site(12, seed), log))
            standalone.add_site(
                name,
                start_url=f"{base}/",
                schedule=NEVER,
                lane="small",
                validation=False,
                politeness={"delay": 0.2},
            )
        standalone.start()

        # All of them in one task: their own tasks wait without a worker.
        runs = {name: standalone.trigger(f"acquire__{name}") for name in SITES}
        wait_for(lambda: all(seen_by(log) > 3 for log in logs.values()), "three crawls at once")
        crawlers = {_crawler(standalone, name) for name in SITES}
        assert len(crawlers) == 1
        wait_for(
            lambda: all(_state(standalone, *run) == "deferred" for run in runs.items()),
            "their tasks to wait without a worker",
        )

        # The lane is killed; Airflow tries it again, and it goes on where it was.
        os.kill(crawlers.pop(), signal.SIGKILL)
        cut = {name: seen_by(log) for name, log in logs.items()}
        for name, run_id in runs.items():
            tasks = standalone.finished(f"acquire__{name}", run_id)
            assert tasks["crawl"]["try_number"] == 1
        assert all(seen_by(log) > cut[name] for name, log in logs.items())

        # No lane is at work: the site waits for a while, then it crawls by itself.
        standalone.ask(f"/api/v2/dags/{LANE}", {"is_paused": True}, method="PATCH")
        first = seen_by(logs["east"])
        run_id = standalone.trigger("acquire__east", {"fresh": True})
        tasks = standalone.finished("acquire__east", run_id)
        assert tasks["crawl"]["state"] == "success"
        assert seen_by(logs["east"]) > first


def _crawler(standalone: Standalone, site: str) -> int:
    return int((standalone.home / "state" / f"{site}.lock").read_text())


def _state(standalone: Standalone, site: str, run_id: str) -> str:
    place = f"/api/v2/dags/acquire__{site}/dagRuns/{run_id}/taskInstances/crawl"
    return str(standalone.ask(place).json["state"])
