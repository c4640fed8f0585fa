"""Logs of Airflow's tasks in the object store, where every machine can read them."""

import re
from collections.abc import Iterator
from datetime import date
from hashlib import sha256

from crawler.config.settings import Settings
from crawler.pipeline.services import store_of
from crawler.storage.interface import ObjectStore

PREFIX = "task-logs"

_WORD = 60
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})t")


def key_of(path: str) -> str:
    """Where the store keeps a log that Airflow calls `dag_id=.../run_id=.../attempt=1.log`."""
    words = [part.partition("=")[2] or part for part in path.removesuffix(".log").split("/")]
    plain = [re.sub(r"[^a-z0-9_]+", "-", word.lower()).strip("-")[:_WORD] for word in words]
    name = "/".join(word or "x" for word in plain)
    return f"{PREFIX}/{name}-{sha256(path.encode()).hexdigest()[:16]}.log"


def store_log(settings: Settings, path: str, text: bytes) -> None:
    """Add to a log: each slice of a crawl may run on another machine, under the same name."""
    store, key = store_of(settings), key_of(path)
    store.put_object(key, (store.get_object(key) or b"") + text)


def stored_log(settings: Settings, path: str) -> bytes | None:
    """A log that was stored; None when there is none."""
    return store_of(settings).get_object(key_of(path))


def logs_before(store: ObjectStore, day: date) -> Iterator[str]:
    """The keys of the logs of nights before a day, by the ids of their runs."""
    for key in store.objects(f"{PREFIX}/"):
        night = _day_of(key)
        if night is not None and night < day:
            yield key


def _day_of(key: str) -> date | None:
    found = _DAY.search(key)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None
