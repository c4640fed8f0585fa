"""Alarms: a message to people when a night fails or a site's yield collapses.

By webhook, by e-mail, by both or by none, as the settings say. An alarm that cannot be sent is
logged and nothing fails; what is logged never holds an address or a password.
"""

import json
import logging
import smtplib
import ssl
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from enum import StrEnum
from typing import Any
from urllib.parse import unquote, urlsplit

from crawler.config.settings import Settings

SECONDS = 20.0
_SMTP_PORT, _SMTPS_PORT = 25, 465

log = logging.getLogger(__name__)


class AlarmKind(StrEnum):
    """What an alarm is about."""

    NIGHT_FAILED = "night_failed"
    YIELD_FELL = "yield_fell"
    YIELD_ZERO = "yield_zero"
    LISTING_GONE = "listing_gone"
    UPKEEP = "upkeep"


_TITLES = {
    AlarmKind.NIGHT_FAILED: "the night failed",
    AlarmKind.YIELD_FELL: "far fewer files than usual",
    AlarmKind.YIELD_ZERO: "no files any more",
    AlarmKind.LISTING_GONE: "pages that list files are gone",
    AlarmKind.UPKEEP: "upkeep found a problem",
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """One thing that a person should know."""

    kind: AlarmKind
    site: str
    """Empty when it concerns no single site."""
    sentence: str
    run_id: str = ""
    link: str = ""
    """Where to look, such as the log of a task."""

    @property
    def title(self) -> str:
        """One line."""
        return f"{self.site or 'tallyho'}: {_TITLES[self.kind]}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON. `text` is what chat services show."""
        return {**asdict(self), "kind": self.kind.value, "text": f"{self.title}: {self.sentence}"}


class SendingFailed(Exception):
    """An alarm could not be sent; the sentence holds no secret."""


def send_alarms(settings: Settings, alarms: Iterable[Alarm]) -> int:
    """Send each alarm by every configured channel; the number of messages sent. Never raises."""
    sent = 0
    for alarm in alarms:
        log.warning("alarm: %s: %s", alarm.title, alarm.sentence)
        channels = [_post] if settings.alarm_webhook is not None else []
        channels += [_mail] if settings.alarm_email is not None else []
        for send in channels:
            try:
                send(settings, alarm)
                sent += 1
            except Exception as error:
                # No error may end a night, and the text of an unexpected one may hold an address.
                reason = error if isinstance(error, SendingFailed) else type(error)
                log.error("the alarm about %s was not sent: %s", alarm.site or "tallyho", reason)
    return sent


def _post(settings: Settings, alarm: Alarm) -> None:
    from requests import PreparedRequest
    from requests.exceptions import RequestException

    from crawler.web.addresses import AddressPolicy, AddressRefused, NameUnresolved, Unreachable
    from crawler.web.connections import Guard, GuardedAdapter
    from crawler.web.deadline import Deadline

    assert settings.alarm_webhook is not None  # noqa: S101 - the caller has checked
    url = settings.alarm_webhook.get_secret_value()
    if urlsplit(url).scheme != "https" and not settings.alarm_private:
        raise SendingFailed("TALLYHO_ALARM_WEBHOOK is not https:// (see TALLYHO_ALARM_PRIVATE)")
    deadline = Deadline()
    deadline.start(SECONDS)
    request = PreparedRequest()
    request.prepare(
        method="POST",
        url=url,
        headers={"Content-Type": "application/json", "User-Agent": "tallyho"},
        data=json.dumps(alarm.as_dict()).encode(),
    )
    policy = AddressPolicy(allow_private=settings.alarm_private)
    with closing(GuardedAdapter(Guard(policy, deadline))) as adapter:
        try:
            policy.check_literal(urlsplit(url).hostname or "")
            answer = adapter.send(request, timeout=SECONDS, stream=True)
        except AddressRefused:
            raise SendingFailed(
                "the webhook is in a private network (see TALLYHO_ALARM_PRIVATE)"
            ) from None
        except (RequestException, NameUnresolved, Unreachable, OSError) as error:
            raise SendingFailed(f"the webhook gives no answer ({type(error).__name__})") from None
        with closing(answer):
            if not 200 <= answer.status_code < 300:
                raise SendingFailed(f"the webhook answers with status {answer.status_code}")


def _mail(settings: Settings, alarm: Alarm) -> None:
    message = EmailMessage()
    message["Subject"] = alarm.title
    message["From"] = settings.alarm_sender
    message["To"] = settings.alarm_email or ""
    lines = [f"{alarm.title}: {alarm.sentence}."]
    lines += [f"Run: {alarm.run_id}"] if alarm.run_id else []
    lines += [alarm.link] if alarm.link else []
    message.set_content("\n\n".join(lines))
    if settings.smtp_url is None:
        raise SendingFailed("TALLYHO_ALARM_EMAIL is set, but no mail server (TALLYHO_SMTP_URL)")
    parts = urlsplit(settings.smtp_url.get_secret_value())
    try:
        with _mail_server(parts.scheme, parts.hostname or "", parts.port) as server:
            if parts.username:
                if not isinstance(server.sock, ssl.SSLSocket) and not settings.alarm_private:
                    raise SendingFailed("the mail server has no encryption for the password")
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(message)
    except (smtplib.SMTPException, OSError) as error:
        raise SendingFailed(f"the mail server refuses ({type(error).__name__})") from None


def _mail_server(scheme: str, host: str, port: int | None) -> smtplib.SMTP:
    if scheme == "smtps":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(host, port or _SMTPS_PORT, timeout=SECONDS, context=context)
    server = smtplib.SMTP(host, port or _SMTP_PORT, timeout=SECONDS)
    server.ehlo()
    if server.has_extn("starttls"):
        server.starttls(context=ssl.create_default_context())
    return server
