"""The pages of alerts: what is saved, when it was sent last, and what it would send now."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fastapi import APIRouter, Request, Response

from crawler.catalog.facade import Catalog
from crawler.catalog.search.untold import Untold
from crawler.catalog.write.alert_state import AlertState, alert_state
from crawler.config.alert import AlertConfig
from crawler.config.alert_files import load_alerts
from crawler.config.problem import Problem
from crawler.errors import ConfigError
from crawler.pipeline.night.alert_message import search_of
from crawler.pipeline.night.alerts import Way, pending, ways_of
from crawler.pipeline.night.sending import SendingFailed
from crawler.pipeline.report.news_words import counted
from crawler.webapp.failures import not_found
from crawler.webapp.parameters import AlertName
from crawler.webapp.rendering import render

_SHOWN = 20
_COUNTED = 100
"""Where a page ends to count: a receiver that was not told for weeks misses thousands."""
_WAYS = {Way.WEBHOOK: "webhook", Way.EMAIL: "e-mail"}


@dataclass(frozen=True, slots=True)
class Receiver:
    """How an alert stands with a receiver, whose address is shown nowhere."""

    way: str
    state: AlertState
    found: Untold | None = None
    """What it would send now; None where that was not looked for."""
    problem: str = ""

    @property
    def would_send(self) -> str:
        """In words."""
        if self.found is None:
            return self.problem
        least = "at least " if self.found.at_least else ""
        return self.problem or f"{least}{counted(self.found.counts)}"


@dataclass(frozen=True, slots=True)
class ShownAlert:
    """An alert as its pages show it."""

    alert: AlertConfig
    receivers: tuple[Receiver, ...]

    @property
    def search(self) -> dict[str, str]:
        """What it looks for, as parameters of the search page."""
        return search_of(self.alert)

    @property
    def feed(self) -> dict[str, str]:
        """The same for its feed; several kinds of news are all of them there."""
        only = self.alert.what[0] if len(set(self.alert.what)) == 1 else ""
        return {**self.search, **({"what": only} if only else {})}

    @property
    def longest(self) -> Untold:
        """The most that one of its receivers would be sent."""
        found = [each.found for each in self.receivers if each.found is not None]
        return max(found, key=lambda each: each.total, default=Untold())


def alert_routes(catalog: Catalog, folder: Path | None) -> APIRouter:
    """The routes of the alerts; without a folder of alert files there are none to show."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/alerts", name="alerts")
    def alerts(request: Request) -> Response:
        saved, problems = _load(folder)
        shown = [_shown(catalog, alert, look=False) for alert in saved]
        return render(request, "alerts.html", alerts=shown, problems=problems)

    @routes.get("/alerts/{name}", name="alert")
    def alert(request: Request, name: AlertName) -> Response:
        found = next((one for one in _load(folder)[0] if one.name == name), None)
        if found is None:
            raise not_found(f"alert {name}")
        shown = _shown(catalog, found, look=True)
        return render(request, "alert.html", shown=shown, max_items=_SHOWN)

    return routes


def _load(folder: Path | None) -> tuple[list[AlertConfig], list[Problem | str]]:
    if folder is None:
        return [], []
    try:
        alerts, problems = load_alerts(folder)
    except ConfigError as error:
        return [], [error.message]
    return alerts, list(problems)


def _shown(catalog: Catalog, alert: AlertConfig, *, look: bool) -> ShownAlert:
    receivers = tuple(_receiver(catalog, alert, way, look=look) for way in ways_of(alert))
    return ShownAlert(alert, receivers)


def _receiver(catalog: Catalog, alert: AlertConfig, way: Way, *, look: bool) -> Receiver:
    now, name = datetime.now(UTC), _WAYS[way]
    if way is Way.EMAIL:
        name += f" to {len(alert.email)} address{'es' if len(alert.email) > 1 else ''}"
    if look:
        try:
            thesaurus = catalog.thesaurus
            return Receiver(name, *pending(catalog.database, alert, way, now, thesaurus, _COUNTED))
        except SendingFailed as error:
            problem = str(error)
    else:
        problem = ""
    with catalog.database.reading() as session:
        return Receiver(name, alert_state(session, alert.name, way.value, now), problem=problem)
