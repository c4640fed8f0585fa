"""A site's side of a lane: it hands its night over, looks how it stands, takes it back."""

import json
import threading
from datetime import timedelta

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.models import HandoverState
from crawler.catalog.write import handovers
from crawler.catalog.write.handovers import Handover
from crawler.config.settings import Settings
from crawler.errors import StorageError
from crawler.pipeline.night.night import Night
from crawler.pipeline.services import open_services

__all__ = ["Handover", "HandoverState", "hand_night_over", "is_settled", "take_back"]


def hand_night_over(settings: Settings, lane: str, night: Night) -> tuple[Handover, bool]:
    """The handover of this night, made now if it is not there; and whether no lane is at work."""
    with open_services(settings) as services:
        database = services.database
        handed = handovers.hand_over(
            database,
            site=night.site,
            lane=lane,
            run_id=night.run_id,
            night=json.dumps(night.as_dict()),
        )
        _, now = handovers.handover_of(database, night.site)
    return handed, handed.is_forgotten(now, _patience(settings))


def take_back(settings: Settings, night: Night) -> bool:
    """The site crawls by itself; False when the lane is done with it already."""
    with open_services(settings) as services:
        return handovers.withdraw(services.database, night.site, night.run_id)


def is_settled(settings: Settings, site: str, run_id: str) -> bool:
    """Whether the site's task has something to do: its night is over, or no lane is at work.

    A catalog that is away is waited for.
    """
    try:
        known, now = handovers.handover_of(_database(settings.database_url), site)
    except StorageError:
        return False
    if known is None or known.run_id != run_id or known.state.over:
        return True
    return known.is_forgotten(now, _patience(settings))


def _patience(settings: Settings) -> timedelta:
    return timedelta(minutes=settings.lane_patience_minutes)


_DATABASES: dict[str, Database] = {}
_LOCK = threading.Lock()


def _database(url: str) -> Database:
    """One for all sites that a process waits for, and without the store."""
    with _LOCK:
        if url not in _DATABASES:
            _DATABASES[url] = open_database(url)
        return _DATABASES[url]
