"""A worker dies: what the settings add up to is what the documents promise."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from crawler.catalog.write import lease

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TIMEOUT = "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT"
DETECTION_SECONDS = 10
"""Airflow's task_instance_heartbeat_timeout_detection_interval, which we leave alone."""
START_SECONDS = 30
"""For the scheduler to see it, and for a task to start."""
PROMISED = 90
PROMISE = re.compile(r"within (\d+) seconds of the end of (?:the dead worker's|their) lease")

# Airflow is not imported into the process of the tests.
DELAYS = """
import json, sys
sys.path.append("scripts")
from airflow_home import _HABITS
from crawler.nights.retry_delays import AFTER_A_DEATH, GrowingDelay
delays = [GrowingDelay().evaluate(OSError(), number, 9).retry_delay for number in (1, 2, 3, 9, 99)]
told = {
    "habits": _HABITS,
    "after_a_death": AFTER_A_DEATH.total_seconds(),
    "after_errors": [delay.total_seconds() / 60 for delay in delays],
}
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("airflow")
    environment = {**os.environ, "AIRFLOW_HOME": str(home), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", DELAYS],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_another_worker_goes_on_within_the_promised_time(told: dict[str, Any]) -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yaml").read_text())
    for environment in (compose["x-environment"], told["habits"]):
        noticed = int(environment[TIMEOUT]) + DETECTION_SECONDS
        going_on = noticed + told["after_a_death"] + START_SECONDS
        renewed_before = lease.SECONDS / 3
        assert going_on - (lease.SECONDS - renewed_before) <= PROMISED


@pytest.mark.parametrize("page", ["nights.md", "operations.md"])
def test_documents_promise_the_same(page: str) -> None:
    text = " ".join((ROOT / "docs" / page).read_text().split())
    assert PROMISE.findall(text) == [str(PROMISED)]


def test_errors_of_the_world_get_more_and_more_time(told: dict[str, Any]) -> None:
    assert told["after_errors"] == [5, 10, 20, 60, 60]
