"""A site whose nights pass while it is served."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock

from crawler.lab.sites.answer import Answer
from crawler.lab.sites.site import SyntheticSite

NightOf = Callable[[], int]
"""Says which night it is, at every request."""


def night_in_file(path: Path) -> NightOf:
    """The number that stands in a file, read at every request; 0 while there is none."""

    def night() -> int:
        try:
            text = path.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return 0
        return int(text) if text.isdigit() else 0

    return night


def night_by_clock(first_day: date, today: Callable[[], date] | None = None) -> NightOf:
    """Nights since a day (UTC), by the clock of this process; the day itself is night 0."""
    now = today or (lambda: datetime.now(UTC).date())
    return lambda: max(0, (now() - first_day).days)


class MovingSite:
    """Answers every request as the site stands on the night of that request."""

    def __init__(self, site: SyntheticSite, night_of: NightOf) -> None:
        self._site = site
        self._night_of = night_of
        self._lock = Lock()

    def respond(self, path_and_query: str) -> Answer:
        """The answer to a request."""
        night = self._night_of()
        # Several requests run at once: they must not each rebuild the site.
        with self._lock:
            if self._site.night != night:
                self._site = self._site.on(night)
            site = self._site
        return site.respond(path_and_query)

    def at(self, base: str) -> "MovingSite":
        """The same site under another address."""
        return MovingSite(self._site.at(base), self._night_of)
