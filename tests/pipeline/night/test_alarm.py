"""Alarms reach who is to be told, and what cannot be sent fails nobody and tells no secret."""

import logging

import pytest

from crawler.config.settings import Settings, load_settings
from crawler.errors import ConfigError
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms
from tests.pipeline.night.alarm_receivers import HookServer, MailServer, serving

ALARM = Alarm(
    AlarmKind.YIELD_ZERO, "insee", "0 files, where 80 were usual", "run-7", "https://airflow/log"
)
SECRET = "secret-token"


def test_webhook_gets_the_alarm_as_json() -> None:
    hook = HookServer(204)
    with serving(hook):
        sent = send_alarms(Settings(alarm_webhook=hook.url, alarm_private=True), [ALARM, ALARM])
    assert sent == 2
    assert hook.received[0] == {
        "kind": "yield_zero",
        "site": "insee",
        "sentence": "0 files, where 80 were usual",
        "run_id": "run-7",
        "link": "https://airflow/log",
        "text": "insee: no files any more: 0 files, where 80 were usual",
    }


@pytest.mark.parametrize("status", [302, 404, 500])
def test_webhook_that_says_no_is_logged_and_not_followed(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    hook = HookServer(status)
    with serving(hook):
        assert send_alarms(Settings(alarm_webhook=hook.url, alarm_private=True), [ALARM]) == 0
    assert len(hook.received) == 1
    assert f"status {status}" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:1/secret-token", "not https://"),
        ("https://127.0.0.1:1/secret-token", "private network"),
        ("https://localhost:1/secret-token", "private network"),
    ],
)
def test_webhook_at_home_must_be_allowed(
    url: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert send_alarms(Settings(alarm_webhook=url), [ALARM]) == 0
    assert told in caplog.text
    assert SECRET not in caplog.text


def test_webhook_without_a_server_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    url = "http://127.0.0.1:9/secret-token"
    assert send_alarms(Settings(alarm_webhook=url, alarm_private=True), [ALARM]) == 0
    assert "gives no answer" in caplog.text
    assert SECRET not in caplog.text


def mail_settings(place: str, **more: object) -> Settings:
    return Settings.model_validate(
        {
            "alarm_email": "ops@example.org, data@example.org",
            "alarm_sender": "tallyho@example.org",
            "smtp_url": f"smtp://{place}",
            **more,
        }
    )


def test_mail_says_what_happened_and_where_to_look() -> None:
    server = MailServer()
    with serving(server):
        assert send_alarms(mail_settings(server.place), [ALARM]) == 1
    (message,) = server.received
    assert "Subject: insee: no files any more\r\n" in message
    assert "To: ops@example.org, data@example.org\r\n" in message
    assert "Run: run-7" in message
    assert "https://airflow/log" in message


def test_password_goes_only_over_encryption_or_a_network_of_our_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = MailServer()
    with serving(server):
        place = f"me:pass%20word@{server.place}"
        assert send_alarms(mail_settings(place), [ALARM]) == 0
        assert server.logins == []
        assert send_alarms(mail_settings(place, alarm_private=True), [ALARM]) == 1
    assert len(server.logins) == 1
    assert "no encryption" in caplog.text
    assert "pass" not in caplog.text.replace("password", "")


def test_hostile_text_makes_no_second_header() -> None:
    server = MailServer()
    alarm = Alarm(AlarmKind.NIGHT_FAILED, "insee", "bad\r\nBcc: all@example.org\r\n\r\nhello")
    with serving(server):
        assert send_alarms(mail_settings(server.place), [alarm]) == 1
    head, _, body = server.received[0].partition("\r\n\r\n")
    assert "Bcc" not in head
    assert "hello" in body


def test_without_configuration_an_alarm_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert send_alarms(Settings(), [ALARM]) == 0
    assert "alarm: insee: no files any more" in caplog.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TALLYHO_ALARM_WEBHOOK", "ftp://user:hunter2@example.org/"),
        ("TALLYHO_ALARM_WEBHOOK", "hunter2"),
        ("TALLYHO_SMTP_URL", "http://user:hunter2@example.org"),
        ("TALLYHO_SMTP_URL", "smtp://user:hunter2@example.org/inbox"),
        ("TALLYHO_ALARM_EMAIL", "hunter2\r\nBcc: a@b.org"),
    ],
)
def test_wrong_address_is_told_without_being_repeated(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match=name) as told:
        load_settings()
    assert "hunter2" not in str(told.value)
