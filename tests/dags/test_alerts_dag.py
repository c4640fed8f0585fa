"""Alerts through Airflow: the DAG's own operator sends to a receiver on loopback."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from tests.pipeline.night.alarm_receivers import HookServer, serving

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own

NIGHT, ALERTS = "acquire__demo", "tallyho__alerts"


@pytest.fixture
def alerts(desk: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "alerts"
    folder.mkdir()
    desk.environment["TALLYHO_ALERTS_DIR"] = str(folder)
    return folder


def save(folder: Path, name: str, **values: object) -> None:
    saved = {"webhook": "env:ALERT_HOOK", "allow_private_hosts": True, **values}
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(saved))


def test_one_message_for_a_night_with_news_and_none_when_there_is_none(
    desk: Any, alerts: Path
) -> None:
    save(alerts, "tables", format="csv")
    hook = HookServer(204)
    desk.environment["ALERT_HOOK"] = hook.url
    with running_site(demo_site(20)) as base, serving(hook):
        desk.add_site("demo", f"{base}/")
        assert desk.ask("run", dag_id=NIGHT)["state"] == "success"
        for _ in range(2):  # the second time there is nothing left to tell
            sent = desk.ask("run", dag_id=ALERTS)
            assert (sent["state"], sent["tasks"]) == ("success", {"send": "success"})
        assert desk.ask("run", dag_id=NIGHT)["state"] == "success"  # nothing is new
        assert desk.ask("run", dag_id=ALERTS)["state"] == "success"
    (message,) = hook.received
    assert message["new"] == message["total"] > 0
    assert {item["format"] for item in message["items"]} == {"csv"}
    assert "secret-token" not in desk.airflow.log()
