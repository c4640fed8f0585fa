"""Alarms: a message to people when a night fails or a site's yield collapses.

By webhook, by e-mail, by both or by none, as the settings say. An alarm that cannot be sent is
logged and nothing fails; what is logged never holds an address or a password.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from crawler.config.settings import Settings
from crawler.pipeline.night.sending import post_json, reason_of, send_mail

log = logging.getLogger(__name__)


class AlarmKind(StrEnum):
    """What an alarm is about."""

    NIGHT_FAILED = "night_failed"
    YIELD_FELL = "yield_fell"
    YIELD_ZERO = "yield_zero"
    LISTING_GONE = "listing_gone"
    STARVED = "starved"
    SITE_ENDED = "site_ended"
    NIGHT_MISSING = "night_missing"
    NIGHTS_FAIL = "nights_fail"
    SITE_INVALID = "site_invalid"
    SNAPSHOT_OLD = "snapshot_old"
    UPKEEP = "upkeep"
    TEST = "test"


_TITLES = {
    AlarmKind.NIGHT_FAILED: "the night failed",
    AlarmKind.YIELD_FELL: "far fewer files than usual",
    AlarmKind.YIELD_ZERO: "no files any more",
    AlarmKind.LISTING_GONE: "pages that list files are gone",
    AlarmKind.STARVED: "sites get too few requests",
    AlarmKind.SITE_ENDED: "the site file changed during the night",
    AlarmKind.NIGHT_MISSING: "no night began",
    AlarmKind.NIGHTS_FAIL: "its nights fail one after the other",
    AlarmKind.SITE_INVALID: "site files are wrong",
    AlarmKind.SNAPSHOT_OLD: "its snapshot is old",
    AlarmKind.UPKEEP: "upkeep found a problem",
    AlarmKind.TEST: "a test of the alarms",
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

    @property
    def text(self) -> str:
        """All in one line, the site named once; what chat services show."""
        return f"{self.title}: {self.sentence.removeprefix(f'{self.site}: ').rstrip('.')}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "kind": self.kind.value, "text": self.text}


def send_alarms(settings: Settings, alarms: Iterable[Alarm]) -> int:
    """Send each alarm by every configured channel; the number of messages sent. Never raises."""
    sent = 0
    for alarm in alarms:
        log.warning("alarm: %s", alarm.text)
        for reason in send_one(settings, alarm).values():
            sent += not reason
            if reason:
                log.error("the alarm about %s was not sent: %s", alarm.site or "tallyho", reason)
    return sent


def send_one(settings: Settings, alarm: Alarm) -> dict[str, str]:
    """Why each configured channel did not take the alarm; empty for those that did."""
    channels: dict[str, Callable[[Settings, Alarm], None]] = {}
    if settings.alarm_webhook is not None:
        channels["webhook"] = _post
    if settings.alarm_email is not None:
        channels["e-mail"] = _mail
    results = {}
    for name, send in channels.items():
        try:
            send(settings, alarm)
            results[name] = ""
        except Exception as error:
            results[name] = reason_of(error)  # no error may end a night
    return results


def _post(settings: Settings, alarm: Alarm) -> None:
    assert settings.alarm_webhook is not None  # noqa: S101 - the caller has checked
    post_json(
        settings.alarm_webhook.get_secret_value(),
        alarm.as_dict(),
        allow_private=settings.alarm_private,
        named="TALLYHO_ALARM_WEBHOOK",
        allowed_by="TALLYHO_ALARM_PRIVATE",
    )


def _mail(settings: Settings, alarm: Alarm) -> None:
    lines = [f"{alarm.text}."]
    lines += [f"Run: {alarm.run_id}"] if alarm.run_id else []
    lines += [alarm.link] if alarm.link else []
    send_mail(settings, settings.alarm_email or "", alarm.title, "\n\n".join(lines))
