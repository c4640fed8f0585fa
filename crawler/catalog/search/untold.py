"""The news of a saved search that a receiver was not told yet."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, select

from crawler.catalog.db.models import SITE, VERDICT
from crawler.catalog.db.news_tables import NEWS, What
from crawler.catalog.read.news import News
from crawler.catalog.search.filters import SearchFilters
from crawler.catalog.search.news import narrowed
from crawler.catalog.search.thesaurus import Thesaurus
from crawler.catalog.write.alert_state import AlertState

PATIENCE = timedelta(days=1)
"""How long news waits for the verdict, by which a search may find it and which compares it."""
MAX_COUNTED = 100_000


@dataclass(frozen=True, slots=True)
class Untold:
    """What there is to tell."""

    counts: Mapping[What, int] = field(default_factory=dict)
    items: tuple[News, ...] = ()
    """The latest of them."""
    upto: Mapping[int, int] = field(default_factory=dict)
    """By site: the number up to which its news is told with these, also where none was found."""
    at_least: bool = False
    """Whether counting ended before all was counted."""

    @property
    def total(self) -> int:
        """How many there are; `items` may list fewer."""
        return sum(self.counts.values())


def untold(
    connection: Connection,
    words: str,
    filters: SearchFilters,
    state: AlertState,
    *,
    now: datetime,
    max_items: int,
    thesaurus: Thesaurus | None = None,
    max_counted: int = MAX_COUNTED,
) -> Untold:
    """What a search finds among the news that is ready and was not told."""
    upto = {
        site_id: number
        for site_id, number in _ready(connection, now).items()
        if number > state.told_upto(site_id)
    }
    last = max(upto.values(), default=0)
    first = _first(connection, state, upto) if upto else last
    query = narrowed(connection, words, filters, thesaurus=thesaurus, max_news=last + 1 - first)
    if query is None or not upto:
        return Untold(upto=upto)
    query = query.where(NEWS.c.id >= first)

    def is_ready(row: Any) -> bool:
        return bool(state.told_upto(row.site_id) < row.number <= upto.get(row.site_id, 0))

    counts: Counter[What] = Counter()
    numbers: list[int] = []
    at_least = False
    for row in query.every(connection, last + 1, is_ready):
        if at_least := counts.total() == max_counted:
            break
        counts[What(row.what)] += 1
        if len(numbers) < max_items:
            numbers.append(row.number)
    return Untold(dict(counts), query.items(connection, numbers), upto, at_least=at_least)


def _first(connection: Connection, state: AlertState, sites: Iterable[int]) -> int:
    """The first number to look at; a site without news for long makes it no smaller."""
    told: dict[int, list[int]] = {}
    for site_id in sites:
        told.setdefault(state.told_upto(site_id), []).append(site_id)
    first = select(func.min(NEWS.c.id))
    return min(
        int(connection.execute(first.where(NEWS.c.site_id.in_(ids), NEWS.c.id > upto)).scalar_one())
        for upto, ids in told.items()
    )


def _ready(connection: Connection, now: datetime) -> dict[int, int]:
    """By site: the number up to which nothing waits for its verdict any more."""
    last = select(func.max(NEWS.c.id)).where(NEWS.c.site_id == SITE.c.id).scalar_subquery()
    newest = select(SITE.c.id, func.coalesce(last, 0).label("upto"))
    # Grouped by a sum, SQLite takes the index of times; by the column it would read all news.
    site = (NEWS.c.site_id + 0).label("site_id")
    waiting = (
        select(site, func.min(NEWS.c.id).label("first"))
        .outerjoin(VERDICT, VERDICT.c.version_id == NEWS.c.version_id)
        .where(
            NEWS.c.at >= now - PATIENCE,
            NEWS.c.what != What.GONE.value,
            VERDICT.c.version_id.is_(None),
        )
        .group_by(site)
    )
    ready = {row.id: row.upto for row in connection.execute(newest)}
    for row in connection.execute(waiting):
        ready[row.site_id] = min(ready.get(row.site_id, 0), row.first - 1)
    return ready
