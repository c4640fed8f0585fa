"""Alerts: the news of saved searches, sent once a night, each piece to each receiver.

What was told is recorded after it was sent: a process that is killed in between sends it again.
"""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from pydantic import SecretStr
from sqlalchemy import Connection

from crawler.catalog.db.database import Database
from crawler.catalog.search.filters import FilterRefused, SearchFilters
from crawler.catalog.search.thesaurus import Thesaurus, load_thesaurus
from crawler.catalog.search.untold import MAX_COUNTED, Untold, untold
from crawler.catalog.write.alert_state import (
    AlertState,
    alert_state,
    claim_alert,
    note_failure,
    note_told,
)
from crawler.config.alert import ENV, FILE, AlertConfig
from crawler.config.alert_files import load_alerts
from crawler.config.service_urls import check_webhook
from crawler.config.settings import Settings
from crawler.errors import ConfigError
from crawler.pipeline.night.alert_message import FILTERS, headline, mail_text, webhook_body
from crawler.pipeline.night.sending import SendingFailed, post_json, reason_of, send_mail
from crawler.pipeline.services import open_services

MAX_ADDRESS = 4_000

log = logging.getLogger(__name__)


class Way(StrEnum):
    """How a receiver is told."""

    WEBHOOK = "webhook"
    EMAIL = "email"


class Told(StrEnum):
    """What came of an alert."""

    SENT = "sent"
    NOTHING = "nothing"
    """There was no news, so nothing was sent."""
    BUSY = "busy"
    """Another process is sending it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AlertOutcome:
    """What came of one alert with one of its receivers."""

    alert: str
    way: Way
    told: Told
    items: int = 0
    """How many pieces of news it was about."""
    sentence: str = ""
    """What was sent in one line, or why it was not."""

    def __str__(self) -> str:
        said = f": {self.sentence}" if self.sentence else ""
        return f"alert {self.alert}, {self.way.value} {self.told.value}{said}"


def send_alerts(
    settings: Settings,
    alerts: Sequence[AlertConfig],
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> list[AlertOutcome]:
    """Sends what every enabled alert has to tell; one that fails stops no other."""
    enabled = [alert for alert in alerts if alert.enabled]
    if not enabled:
        return []
    thesaurus = load_thesaurus(settings.thesaurus_file)
    outcomes = []
    with open_services(settings) as services:
        for alert in enabled:
            for way in ways_of(alert):
                outcome = _send(services.database, settings, alert, way, thesaurus, clock)
                log.info("%s", outcome)
                outcomes.append(outcome)
    return outcomes


def send_all_alerts(settings: Settings) -> tuple[list[AlertOutcome], list[str]]:
    """The same for all alert files, and what is wrong with them; never raises for either."""
    try:
        alerts, problems = load_alerts(settings.alerts_dir)
    except ConfigError as error:
        return [], [error.message]
    return send_alerts(settings, alerts), [str(problem) for problem in problems]


def pending(
    database: Database,
    alert: AlertConfig,
    way: Way,
    now: datetime,
    thesaurus: Thesaurus | None = None,
    max_counted: int = MAX_COUNTED,
) -> tuple[AlertState, Untold]:
    """How an alert stands with a receiver, and what it would send now."""
    with database.reading() as session:
        state = alert_state(session, alert.name, way.value, now)
        return state, _found(session.connection(), alert, state, now, thesaurus, max_counted)


def send_test(settings: Settings, alert: AlertConfig, way: Way, found: Untold) -> None:
    """Sends a message that says that it is a test; nothing is recorded. SendingFailed says why."""
    _deliver(settings, alert, way, found, test=True)


def ways_of(alert: AlertConfig) -> Iterator[Way]:
    """The ways in which an alert is sent."""
    if alert.webhook is not None:
        yield Way.WEBHOOK
    if alert.email:
        yield Way.EMAIL


def _send(
    database: Database,
    settings: Settings,
    alert: AlertConfig,
    way: Way,
    thesaurus: Thesaurus,
    clock: Callable[[], datetime],
) -> AlertOutcome:
    claimed = False
    try:
        now = clock()
        state = claim_alert(database, alert.name, way.value, now)
        if state is None:
            sentence = "another process is sending it"
            return AlertOutcome(alert.name, way, Told.BUSY, sentence=sentence)
        claimed = True
        with database.reading() as session:
            found = _found(session.connection(), alert, state, now, thesaurus)
        if found.total:
            _deliver(settings, alert, way, found)
        note_told(database, alert.name, way.value, found.upto, found.total, clock())
        told = Told.SENT if found.total else Told.NOTHING
        return AlertOutcome(alert.name, way, told, found.total, headline(alert, found))
    except Exception as error:
        # A bug or a wrong answer of one receiver must not keep the news from the others.
        if not isinstance(error, SendingFailed):
            log.exception("alert %s, %s", alert.name, way.value)
        if claimed:
            _note_failure(database, alert, way, reason_of(error), clock())
        return AlertOutcome(alert.name, way, Told.FAILED, sentence=reason_of(error))


def _note_failure(
    database: Database, alert: AlertConfig, way: Way, reason: str, now: datetime
) -> None:
    try:
        note_failure(database, alert.name, way.value, reason, now)
    except Exception:
        log.exception("alert %s: its failure could not be recorded", alert.name)


def _found(
    connection: Connection,
    alert: AlertConfig,
    state: AlertState,
    now: datetime,
    thesaurus: Thesaurus | None,
    max_counted: int = MAX_COUNTED,
) -> Untold:
    named = {name: getattr(alert, name) for name in FILTERS}
    filters = SearchFilters(**named, what=",".join(alert.what))
    try:
        return untold(
            connection,
            alert.search,
            filters,
            state,
            now=now,
            max_items=alert.max_items,
            thesaurus=thesaurus,
            max_counted=max_counted,
        )
    except FilterRefused as error:
        raise SendingFailed(f"its search cannot be asked: {error}") from None


def _deliver(
    settings: Settings, alert: AlertConfig, way: Way, found: Untold, *, test: bool = False
) -> None:
    if way is Way.WEBHOOK:
        post_json(
            _address(alert),
            webhook_body(alert, found, settings, test=test),
            allow_private=alert.allow_private_hosts,
            named="the webhook",
            allowed_by="allow_private_hosts",
        )
    else:
        text = mail_text(alert, found, settings, test=test)
        send_mail(settings, ", ".join(alert.email), headline(alert, found), text)


def _address(alert: AlertConfig) -> str:
    assert alert.webhook is not None  # noqa: S101 - it is a way of this alert
    text = alert.webhook.get_secret_value()
    if text.startswith(ENV):
        name = text.removeprefix(ENV)
        text = os.environ.get(name, "").strip()
        if not text:
            raise SendingFailed(f"the environment has no {name}, the address of its webhook")
    elif text.startswith(FILE):
        text = _read(Path(text.removeprefix(FILE)))
    try:
        return check_webhook(SecretStr(text)).get_secret_value()
    except ValueError:
        raise SendingFailed("what is kept as the webhook's address is not one") from None


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(MAX_ADDRESS).strip()
    except (OSError, ValueError):
        raise SendingFailed(f"{path}, the address of its webhook, cannot be read") from None
