"""`tallyho alerts`, and what `tallyho nightly` sends at its end."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from crawler.cli import app
from tests.pipeline.night.alarm_receivers import HookServer, serving


class AlertDesk:
    """A desk with a folder of alert files."""

    def __init__(self, desk: Any) -> None:
        self.desk = desk
        self.folder: Path = desk.folder / "alerts"
        self.folder.mkdir()

    def add(self, name: str, **values: object) -> None:
        (self.folder / f"{name}.yaml").write_text(yaml.safe_dump(values))

    def run(self, *arguments: str) -> Any:
        environment = self.desk.environment | {"TALLYHO_ALERTS_DIR": str(self.folder)}
        return CliRunner().invoke(app, list(arguments), env=environment)


@pytest.fixture
def alerts(desk: Any) -> AlertDesk:
    return AlertDesk(desk)


def test_check_names_file_line_field_and_reason(alerts: AlertDesk) -> None:
    alerts.add("good", webhook="https://hooks.example.org/secret-token")
    alerts.add("bad", serch="births", webhook="nowhere")
    checked = alerts.run("alerts", "check")
    assert checked.exit_code == 3
    lines = checked.stdout.splitlines()
    assert lines[0].endswith('bad.yaml:1: serch: unknown key; did you mean "search"?')
    assert ": webhook: is neither an https:// address" in lines[1]
    assert lines[-1] == "1 alert is fine"
    assert "secret-token" not in checked.output
    listed = json.loads(alerts.run("alerts", "check", "bad", "--json").stdout)
    assert [one["field"] for one in listed["items"]] == ["serch", "webhook"]
    assert alerts.run("alerts", "check", "good").exit_code == 0
    assert alerts.run("alerts", "check", "god").exit_code == 3


def test_folder_without_alerts_says_where_to_begin(alerts: AlertDesk) -> None:
    assert "There is no alert in" in alerts.run("alerts", "list").stdout
    assert alerts.run("alerts", "send").exit_code == 0


def test_message_that_is_a_test_says_so_and_records_nothing(alerts: AlertDesk) -> None:
    hook = HookServer(200)
    with serving(hook):
        alerts.add("births", search="births", webhook=hook.url, allow_private_hosts=True)
        assert alerts.run("alerts", "test", "births").stdout == "webhook: sent\n"
        hook.status = 500
        failed = alerts.run("alerts", "test", "births", "--json")
    assert failed.exit_code == 7
    assert json.loads(failed.stdout)["sent"] == 0
    assert "secret-token" not in failed.output
    assert hook.received[0]["test"] is True
    [row] = json.loads(alerts.run("alerts", "list", "--json").stdout)["items"]
    assert (row["sent_at"], row["failures"]) == (None, 0)


@pytest.mark.slow
def test_nights_send_each_piece_of_news_once(alerts: AlertDesk, office: Any) -> None:
    hook = HookServer(200)
    with serving(hook):
        alerts.add("all", webhook=hook.url, allow_private_hosts=True)
        alerts.add("odd", search="births period:banana", webhook=hook.url)
        alerts.add("none", search="nothing-of-that-name", webhook=hook.url)
        alerts.add("wrong", webhook="nowhere")
        night = alerts.run("nightly")
        assert night.exit_code == 0, night.output
        new = f"{office.targets} new"
        assert f"alert all, webhook sent: all: {new}" in night.stdout
        assert "wrong.yaml:1: webhook" in night.stderr
        again = alerts.run("nightly", "--json")
        outcomes = json.loads(again.stdout)["alerts"]
        assert {(one["alert"], one["told"]) for one in outcomes} == {
            ("all", "nothing"),
            ("none", "nothing"),
            ("odd", "failed"),
        }
        sent = alerts.run("alerts", "send", "all")
        assert sent.stdout == "alert all, webhook nothing: all: nothing\n"
    [body] = hook.received
    assert body["new"] == office.targets
    [row, _, odd] = json.loads(alerts.run("alerts", "list", "--json").stdout)["items"]
    assert "'banana' is no period" in odd["text"]
    assert "'banana' is no period" in odd["failure"]
    assert (row["alert"], row["sent_items"], row["would_send"]) == ("all", office.targets, 0)
    assert row["sent_at"] is not None
