"""The history of all known pages as columns: many pages are planned in a few array operations."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import MAX_GAP_DAYS, SECONDS_PER_DAY, VISIT, Log

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

MISSES_UNTIL_GONE = 2
MAX_PATIENCE_DAYS = 30.0
"""A page that does not answer is left alone for 1, 2, 4 … days, at most this long."""

FRESH_DAYS = (1.5, 3.5, 7.5, 15.5, 31.5, np.inf)
"""Degrees of freshness of a page that appeared after the first crawl, by days."""

_UNKNOWN_AGE = 1.0
"""Age in days of a page whose last visit lies in the future, as the clock was set back."""


@dataclass(frozen=True, slots=True)
class PageColumns:
    """One row per known page; `log` holds the visits of all pages, those of row i at
    `log_start[i] : log_start[i + 1]`."""

    now: float
    ids: Ints
    templates: tuple[str, ...]
    template: Ints
    """Index into `templates`."""
    age: Floats
    """Days since the last visit; never negative."""
    is_stamp_odd: Bools
    """Never visited, or last visited in the future: its age is not known."""
    can_ask: Bools
    """Not gone, and not left alone after failures."""
    is_alive: Bools
    first_seen: Floats
    freshness: Ints
    """0 for pages of the first crawl; higher the later a page appeared after it."""
    targets_listed: Floats
    items: Floats
    inlinks: Floats
    depth: Floats
    log: Log
    log_start: Ints
    outlinks: list[bytes]
    target_links: list[bytes]
    dates: list[bytes]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def alive_count(self) -> int:
        """Pages that are not gone."""
        return int(self.is_alive.sum())

    @property
    def log_row(self) -> Ints:
        """The row of each entry of `log`."""
        return np.repeat(np.arange(len(self)), np.diff(self.log_start))

    @classmethod
    def of(cls, pages: Iterable[PageHistory], now: float) -> "PageColumns":
        """The columns of these pages as they stand at a time."""
        return _Builder(pages).columns(now)


class _Builder:
    """Collects the fields of pages in one pass, so that a database cursor will do."""

    def __init__(self, pages: Iterable[PageHistory]) -> None:
        self.numbers: list[tuple[float, ...]] = []
        self.templates: dict[str, int] = {}
        self.visits: list[bytes] = []
        self.outlinks: list[bytes] = []
        self.target_links: list[bytes] = []
        self.dates: list[bytes] = []
        self.ids: list[int] = []
        for page in pages:
            self._add(page)

    def _add(self, page: PageHistory) -> None:
        self.ids.append(page.id)
        self.visits.append(page.visits)
        self.outlinks.append(page.outlinks)
        self.target_links.append(page.target_links)
        self.dates.append(page.dates)
        self.numbers.append(
            (
                self.templates.setdefault(page.template, len(self.templates)),
                np.nan if page.last_visit is None else page.last_visit,
                -np.inf if page.last_try is None else page.last_try,
                page.failures,
                page.missing,
                page.targets_listed,
                page.items,
                page.inlinks,
                page.depth,
                page.first_seen,
            )
        )

    def columns(self, now: float) -> PageColumns:
        table = np.array(self.numbers, dtype=np.float64).reshape(len(self.ids), 10)
        template, last_visit, last_try, failures, missing, *others = table.T
        lengths = np.fromiter(map(len, self.visits), np.int64, len(self.visits))
        is_alive = missing < MISSES_UNTIL_GONE
        is_odd = np.isnan(last_visit) | (last_visit > now)
        age = np.where(is_odd, _UNKNOWN_AGE, (now - last_visit) / SECONDS_PER_DAY)
        return PageColumns(
            now=now,
            ids=np.array(self.ids, dtype=np.int64),
            templates=tuple(self.templates),
            template=template.astype(np.int64),
            age=np.clip(age, 0.0, MAX_GAP_DAYS),
            is_stamp_odd=is_odd,
            can_ask=is_alive & _patience_is_over(failures, last_try, now),
            is_alive=is_alive,
            first_seen=others[4].copy(),
            freshness=_freshness(others[4], now),
            targets_listed=others[0].copy(),
            items=others[1].copy(),
            inlinks=others[2].copy(),
            depth=others[3].copy(),
            log=np.frombuffer(b"".join(self.visits), VISIT),
            log_start=np.concatenate([[0], np.cumsum(lengths // VISIT.itemsize)]),
            outlinks=self.outlinks,
            target_links=self.target_links,
            dates=self.dates,
        )


def _freshness(first_seen: Floats, now: float) -> Ints:
    is_new = first_seen > first_seen.min(initial=now) + SECONDS_PER_DAY / 2
    days = (now - first_seen) / SECONDS_PER_DAY
    return np.where(is_new, len(FRESH_DAYS) - np.digitize(days, FRESH_DAYS), 0)


def _patience_is_over(failures: Floats, last_try: Floats, now: float) -> Bools:
    waited = (now - last_try) / SECONDS_PER_DAY
    patience = np.minimum(np.exp2(np.minimum(failures, 10.0) - 1.0), MAX_PATIENCE_DAYS)
    # Half a day of tolerance: nights do not start at the same minute.
    over: Bools = (failures == 0) | (waited < 0) | (waited >= patience - 0.5)
    return over
