"""Which night is which day, and on which nights something is published.

Night 0 is the site as it was built. Everything that happens later is a function of the seed and the
night, so any night can be asked for, in any order.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum

from crawler.lab.sites.chance import Chance

FIRST_DAY = date(2025, 12, 31)
"""The day of night 0, unless a site is given another one."""

_QUARTERS = (1, 4, 7, 10)
_LAST_SAFE_DAY = 28
_WINDOW = 64
"""Nights in which a file gets at most one correction."""


class Pace(Enum):
    """How often something is published."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"
    NEVER = "never"


@dataclass(slots=True)
class Rhythm:
    """The nights of one pace: every Monday, or the fifth of every month, or the like."""

    pace: Pace
    day: int
    """Of the week (0 is Monday) or of the month."""
    first_day: date
    _nights: list[int] = field(default_factory=list)
    _known: int = 0
    """The last night that `_nights` covers."""

    def nights(self, until: int) -> list[int]:
        """Its nights from 1 on; later ones than `until` may follow."""
        for night in range(self._known + 1, until + 1):
            if self.falls_on(self.first_day + timedelta(days=night)):
                self._nights.append(night)
        self._known = max(self._known, until)
        return self._nights

    def count(self, until: int) -> int:
        """How many of its nights there are from 1 until this one."""
        return bisect_right(self.nights(until), until)

    def falls_on(self, day: date) -> bool:
        """Whether something is published on a day."""
        match self.pace:
            case Pace.DAILY:
                return True
            case Pace.WEEKLY:
                return day.weekday() == self.day
            case Pace.MONTHLY:
                return day.day == self.day
            case Pace.QUARTERLY:
                return day.day == self.day and day.month in _QUARTERS
            case Pace.NEVER:
                return False


class Calendar:
    """Draws rhythms, lifetimes and corrections for the parts of one site."""

    def __init__(self, chance: Chance, first_day: date = FIRST_DAY) -> None:
        self.first_day = first_day
        self._chance = chance
        self._rhythms: dict[tuple[Pace, int], Rhythm] = {}
        self._drawn: dict[tuple[str | int, ...], Rhythm] = {}

    def day(self, night: int) -> date:
        """The day of a night."""
        return self.first_day + timedelta(days=night)

    def rhythm(self, paces: tuple[Pace, ...], *name: str | int) -> Rhythm:
        """The rhythm that belongs to a name: one of these paces, each as likely as the others."""
        rhythm = self._drawn.get(name)
        if rhythm is None:
            number = self._chance.number("rhythm", *name)
            pace, drawn = paces[number % len(paces)], number >> 16
            # Half of what is weekly comes on Mondays.
            weekday = 0 if drawn % 2 else drawn // 2 % 7
            day = weekday if pace is Pace.WEEKLY else 1 + drawn % _LAST_SAFE_DAY
            rhythm = self._drawn[name] = self._shared(pace, day)
        return rhythm

    def resumed(self, pace: Pace, night: int) -> Rhythm:
        """The rhythm of something that began on a night: it continues on days like that one."""
        first = self.day(night)
        is_weekly = pace is Pace.WEEKLY
        return self._shared(pace, first.weekday() if is_weekly else min(first.day, _LAST_SAFE_DAY))

    def _shared(self, pace: Pace, day: int) -> Rhythm:
        return self._rhythms.setdefault((pace, day), Rhythm(pace, day, self.first_day))

    def end(self, birth: int, rate: float, *name: str | int) -> int | None:
        """The night on which something ends that ends with this chance every night; or never."""
        if not rate:
            return None
        fraction = (self._chance.number("end", *name) >> 11) / (1 << 53)
        return birth + 1 + int(math.log1p(-fraction) / math.log1p(-rate))

    def corrections(self, rate: float, until: int, *name: str | int) -> Iterator[int]:
        """Nights from 1 on, in order, on which something is corrected, with this mean rate."""
        for window in range(until // _WINDOW + 1):
            number = self._chance.number("correction", window, *name)
            night = window * _WINDOW + (number >> 32) % _WINDOW
            if (number & 0xFFFFFFFF) / (1 << 32) < rate * _WINDOW and 0 < night <= until:
                yield night
