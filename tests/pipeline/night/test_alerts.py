"""Alerts: one message for a night with news, none without, none twice, nothing lost."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email import message_from_string, policy
from pathlib import Path
from typing import Any

import pytest

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.news_tables import ALERT_TOLD
from crawler.catalog.write.alert_state import claim_alert
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.config.alert import AlertConfig
from crawler.config.settings import Settings
from crawler.pipeline.night.alerts import AlertOutcome, Told, Way, pending, send_alerts
from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement, Outcome
from tests.catalog.recorded import START, ingest_of, kept, rows
from tests.pipeline.night.alarm_receivers import HookServer, MailServer, serving

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
DAY = timedelta(days=1)


class Desk:
    """A catalog that files come to, and a clock."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings(home=folder, alarm_private=True, pages_url="https://data.example")
        self.database: Database = open_database(self.settings.database_url)
        self.database.ready()
        self.now = NOW
        self.nights = 0

    def night(self, *names: str, site: str = "stats", validated: bool = True) -> None:
        """A night that brings files of these names, or new versions of them."""
        self.nights += 1
        at = self.now - timedelta(hours=3)
        ingest = ingest_of(self.database, f"run-{self.nights}", site=site, started_at=at)
        made = [
            ingest.keep(
                kept(
                    f"{name} {self.nights}".encode(),
                    url=f"{START}{site}/{name}.csv",
                    anchor=f"Table of {name}",
                    file_name=f"{name}.csv",
                    page_url=f"{START}{site}/{name}.html",
                    fetched_at=at,
                )
            )
            for name in names
        ]
        if validated:
            self.judge(*(one.version_id for one in made))

    def judge(self, *versions: int) -> None:
        outcome = Outcome(verdict=Judgement.VALID, kind=Kind.DELIMITED)
        record_verdicts(self.database, [VerdictRecord(one, outcome, "") for one in versions])

    def send(self, *alerts: AlertConfig) -> list[AlertOutcome]:
        return send_alerts(self.settings, alerts, clock=lambda: self.now)

    def sleep(self, time: timedelta = DAY) -> None:
        self.now += time


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    made = Desk(tmp_path / "home")
    yield made
    made.database.close()


def alert(name: str = "births", **values: Any) -> AlertConfig:
    given = {"search": "births", "allow_private_hosts": True, "name": name, **values}
    return AlertConfig.model_validate({key: value for key, value in given.items() if value != ""})


def told(outcomes: list[AlertOutcome]) -> list[tuple[str, str, int]]:
    return [(one.way.value, one.told.value, one.items) for one in outcomes]


def test_webhook_for_a_night_with_news_none_without_none_when_repeated(desk: Desk) -> None:
    hook = HookServer(204)
    with serving(hook):
        saved = alert(webhook=hook.url)
        desk.night("births", "deaths")
        assert told(desk.send(saved)) == [("webhook", "sent", 1)]
        assert told(desk.send(saved)) == [("webhook", "nothing", 0)]  # repeated
        desk.sleep()
        desk.night("deaths")
        assert told(desk.send(saved)) == [("webhook", "nothing", 0)]  # other news
        desk.sleep()
        desk.night("births", "births-by-region")
        assert told(desk.send(saved)) == [("webhook", "sent", 2)]
    first, second = hook.received
    assert first["text"] == "births: 1 new"
    assert second["text"] == "births: 1 new, 1 changed"
    assert (second["new"], second["changed"], second["gone"]) == (1, 1, 0)
    assert (second["total"], second["more"], second["test"]) == (2, False, False)
    assert second["search"] == {"q": "births"}
    [region, births] = second["items"]
    assert (region["what"], region["version"]) == ("new", 1)
    assert (births["what"], births["version"]) == ("changed", 2)
    assert births["page"] == f"https://data.example/files/{births['id']}"
    assert births["number"] > first["items"][0]["number"]


def test_receiver_that_fails_is_told_everything_the_next_night(desk: Desk) -> None:
    hook = HookServer(503)
    with serving(hook):
        saved = alert(webhook=hook.url)
        desk.night("births")
        [failed] = desk.send(saved)
        assert failed.told is Told.FAILED
        assert "status 503" in failed.sentence
        assert "secret-token" not in failed.sentence
        desk.sleep(2 * DAY)
        desk.night("births-by-region")
        assert desk.send(saved)[0].told is Told.FAILED
        state, found = pending(desk.database, saved, Way.WEBHOOK, desk.now)
        assert (state.failures, found.total) == (2, 2)
        assert "503" in state.failure
        hook.status = 200
        desk.sleep()
        assert told(desk.send(saved)) == [("webhook", "sent", 2)]
        state, found = pending(desk.database, saved, Way.WEBHOOK, desk.now)
        assert (state.failures, state.failure, found.total) == (0, "", 0)
    assert [body["total"] for body in hook.received] == [1, 2, 2]


def test_broken_alert_stops_no_other(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = HookServer(200)
    monkeypatch.setenv("GOOD_HOOK", hook.url)
    desk.night("births")
    with serving(hook):
        outcomes = desk.send(
            alert("a", webhook="http://127.0.0.1:9/secret-token"),
            alert("b", webhook="env:NO_SUCH_VARIABLE"),
            alert("c", webhook="file:/nowhere/at/all"),
            alert("d", webhook=hook.url, allow_private_hosts=False),
            alert("e", webhook=hook.url, search="births period:banana"),
            alert("f", email=["me@example.org"]),
            alert("off", webhook=hook.url, enabled=False),
            alert("z", webhook="env:GOOD_HOOK"),
        )
    assert [(one.alert, one.told) for one in outcomes] == [
        *((name, Told.FAILED) for name in "abcdef"),
        ("z", Told.SENT),
    ]
    said = [one.sentence for one in outcomes]
    for sentence, word in zip(
        said,
        ("no answer", "NO_SUCH_VARIABLE", "cannot be read", "https", "banana", "TALLYHO_SMTP_URL"),
        strict=False,
    ):
        assert word in sentence
    assert not any("secret-token" in sentence for sentence in said)
    assert len(hook.received) == 1


def test_two_receivers_of_an_alert_are_told_on_their_own(desk: Desk) -> None:
    hook, mail = HookServer(500), MailServer()
    with serving(hook), serving(mail):
        desk.settings = desk.settings.model_copy(
            update={"smtp_url": Settings(smtp_url=f"smtp://{mail.place}").smtp_url}
        )
        saved = alert(webhook=hook.url, email=["me@example.org", "you@example.org"])
        desk.night("births", "births-by-region")
        assert told(desk.send(saved)) == [("webhook", "failed", 0), ("email", "sent", 2)]
        hook.status = 200
        desk.sleep()
        assert told(desk.send(saved)) == [("webhook", "sent", 2), ("email", "nothing", 0)]
    [message] = mail.received
    parsed = message_from_string(message, policy=policy.default)
    assert parsed["To"] == "me@example.org, you@example.org"
    assert parsed["Subject"] == "births: 2 new"
    assert parsed.get_content_type() == "text/plain"
    lines = parsed.get_content().splitlines()
    assert "- New: Table of births-by-region" in lines
    assert any(line.strip().startswith("https://data.example/files/") for line in lines)


def test_password_of_the_mail_server_may_be_in_a_file(desk: Desk, tmp_path: Path) -> None:
    mail = MailServer()
    secret = tmp_path / "password"
    secret.write_text("from the file\n")
    with serving(mail):
        address = Settings(smtp_url=f"smtp://bob@{mail.place}").smtp_url
        desk.settings = desk.settings.model_copy(
            update={"smtp_url": address, "smtp_password_file": secret}
        )
        desk.night("births")
        assert told(desk.send(alert(email=["me@example.org"]))) == [("email", "sent", 1)]
    assert len(mail.logins) == 1


def test_filters_and_what_are_those_of_the_alert(desk: Desk) -> None:
    hook = HookServer(200)
    with serving(hook):
        saved = [
            alert("gone", search="", what=["gone"], webhook=hook.url),
            alert("elsewhere", search="", site="elsewhere", webhook=hook.url),
            alert("everything", search="", webhook=hook.url, max_items=2),
        ]
        desk.night("births", "deaths", "wages")
        desk.night("rents", site="elsewhere")
        sent = desk.send(*saved)
    assert [(one.alert, one.told.value, one.items) for one in sent] == [
        ("gone", "nothing", 0),
        ("elsewhere", "sent", 1),
        ("everything", "sent", 4),
    ]
    everything = hook.received[-1]
    assert (everything["total"], everything["more"], len(everything["items"])) == (4, True, 2)


@pytest.mark.slow
def test_night_of_three_hundred_files_is_one_message(desk: Desk) -> None:
    hook = HookServer(200)
    with serving(hook):
        desk.night(*(f"births-{number}" for number in range(300)), validated=False)
        desk.sleep(2 * DAY)  # nobody validated them: they do not wait for ever
        saved = alert(webhook=hook.url, max_items=500)
        desk.now -= 2 * DAY
        assert told(desk.send(saved)) == [("webhook", "nothing", 0)]
        desk.sleep(2 * DAY)
        assert told(desk.send(saved)) == [("webhook", "sent", 300)]
    [body] = hook.received
    assert len({item["number"] for item in body["items"]}) == 300


def test_news_waits_for_its_verdict_and_holds_up_its_own_site_only(desk: Desk) -> None:
    hook = HookServer(200)
    with serving(hook):
        saved = alert(webhook=hook.url, verdict="valid")
        desk.night("births", validated=False)
        desk.night("births", site="elsewhere")
        assert told(desk.send(saved)) == [("webhook", "sent", 1)]
        waiting = rows(
            desk.database,
            "SELECT id FROM version WHERE id NOT IN (SELECT version_id FROM verdict)",
        )
        desk.judge(*(one for (one,) in waiting))
        assert told(desk.send(saved)) == [("webhook", "sent", 1)]
    assert [body["items"][0]["site"] for body in hook.received] == ["elsewhere", "stats"]


def test_new_alert_begins_with_the_last_day(desk: Desk) -> None:
    hook = HookServer(200)
    with serving(hook):
        desk.night("births")
        desk.sleep(10 * DAY)
        desk.night("births-by-region")
        assert told(desk.send(alert(webhook=hook.url))) == [("webhook", "sent", 1)]


def test_alert_that_another_process_sends_is_left_to_it(desk: Desk) -> None:
    hook = HookServer(200)
    with serving(hook):
        saved = alert(webhook=hook.url)
        desk.night("births")
        assert claim_alert(desk.database, "births", "webhook", desk.now) is not None
        assert told(desk.send(saved)) == [("webhook", "busy", 0)]
        desk.sleep(timedelta(minutes=11))
        assert told(desk.send(saved)) == [("webhook", "sent", 1)]


KILLED = """
import os, signal, sys
from datetime import datetime
from crawler.config.alert import AlertConfig
from crawler.config.settings import Settings
from crawler.pipeline.night import alerts

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

alerts.note_told = die
home, url, now = sys.argv[1:]
saved = AlertConfig(name="births", search="births", webhook=url, allow_private_hosts=True)
alerts.send_alerts(Settings(home=home), [saved], clock=lambda: datetime.fromisoformat(now))
"""


@pytest.mark.slow
def test_killed_between_sending_and_recording_it_is_sent_again(desk: Desk) -> None:
    """At least once: a receiver knows a piece of news by its number."""
    hook = HookServer(200)
    with serving(hook):
        saved = alert(webhook=hook.url)
        desk.night("births")
        command = [sys.executable, "-c", KILLED, str(desk.settings.home), hook.url]
        killed = subprocess.run(
            [*command, desk.now.isoformat()], cwd=ROOT, env=dict(os.environ), check=False
        )
        assert killed.returncode == -signal.SIGKILL
        assert rows(desk.database, f"SELECT * FROM {ALERT_TOLD.name}") == []
        desk.sleep()
        assert told(desk.send(saved)) == [("webhook", "sent", 1)]
        assert told(desk.send(saved)) == [("webhook", "nothing", 0)]
    first, second = hook.received
    assert [one["number"] for one in first["items"]] == [one["number"] for one in second["items"]]
