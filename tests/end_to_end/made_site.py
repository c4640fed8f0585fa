"""Small sites for `running_site`, and what a server saw of a crawl."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from crawler.lab.server import Site
from crawler.lab.sites.answer import HTML, Answer, answer

CSV = "text/csv"
ROBOTS = "text/plain; charset=utf-8"
MISSING = answer(b"<p>no such page</p>", HTML, status=404)

Answering = Answer | Callable[[], Answer]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One line of the access log."""

    at: float
    """By the clock that never goes back."""
    wall: float
    method: str
    path: str
    status: int
    agent: str


def arrivals(log: Path) -> list[Arrival]:
    """What the server saw, in its order."""
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    return [
        Arrival(e["t"], e["wall"], e["method"], e["path"], e["status"], e["agent"]) for e in entries
    ]


def closest(seen: list[Arrival]) -> float:
    """The shortest time between two requests."""
    return min(later.at - earlier.at for earlier, later in pairwise(seen))


class MadeSite:
    """A path for every answer; the rest is missing."""

    def __init__(self, answers: Mapping[str, Answering]) -> None:
        self.answers = answers

    def respond(self, path_and_query: str) -> Answer:
        found = self.answers.get(path_and_query, MISSING)
        return found if isinstance(found, Answer) else found()

    def at(self, base: str) -> "MadeSite":
        return self


class Impatient:
    """Another site that refuses some paths at first, as an overloaded server does."""

    def __init__(self, site: Site, refusals: Mapping[str, Answering], times: int = 1) -> None:
        self._site = site
        self._refusals = refusals
        self._times = times
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def respond(self, path_and_query: str) -> Answer:
        refusal = self._refusals.get(path_and_query)
        if refusal is not None:
            with self._lock:
                self._seen[path_and_query] += 1
                refused = self._seen[path_and_query] <= self._times
            if refused:
                return refusal if isinstance(refusal, Answer) else refusal()
        return self._site.respond(path_and_query)

    def at(self, base: str) -> "Impatient":
        return Impatient(self._site.at(base), self._refusals, self._times)


def page(*links: str) -> Answer:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return answer(f"<html><body><ul>{items}</ul></body></html>".encode(), HTML)


def file(text: str) -> Answer:
    return answer(f"year,value\n2020,{text}\n".encode(), CSV)


def redirect(location: str) -> Answer:
    return answer(b"", HTML, status=301, headers={"Location": location})


def robots(*lines: str, status: int = 200) -> Answer:
    return answer("\n".join(("User-agent: *", *lines, "")).encode(), ROBOTS, status=status)


def busy(status: int, retry_after: str) -> Answer:
    return answer(b"<p>later</p>", HTML, status=status, headers={"Retry-After": retry_after})
