"""News that a search finds, the latest first, in pages that nothing new can shift.

A question that few datasets answer is asked first, and their news is read; where many answer it,
news is read and their datasets are looked up. A page may then be short, and `next` goes on.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import RESOURCE
from crawler.catalog.db.news_tables import NEWS, What
from crawler.catalog.read.files import MAX_ID, conditions_of
from crawler.catalog.read.moments import moment
from crawler.catalog.read.news import ALL_NEWS, News, NewsPage
from crawler.catalog.search.filters import FilterRefused, NamedFilters, SearchFilters
from crawler.catalog.search.lookup import datasets_of_address
from crawler.catalog.search.matching import matches, matching_among
from crawler.catalog.search.question import Question
from crawler.catalog.search.search import asked_for
from crawler.catalog.search.thesaurus import Thesaurus, load_thesaurus
from crawler.catalog.search.tokens import ANYWHERE, what_token

MAX_DATASETS = 2_000
"""Datasets whose news is read directly; above that, the other way round."""
_MOMENTS = 1_000
"""News that may have been written in another order than it came in."""
_CHUNK = 200
_MAX_CHUNKS = 10
_BRIEF_CHUNK = 1_000
_BRIEF = (
    NEWS.c.id.label("number"),
    NEWS.c.site_id,
    NEWS.c.what,
    NEWS.c.at,
    RESOURCE.c.dataset_id,
)
"""What is enough to find and count news; most of the time goes into reading all the rest."""


def news(
    session: Session,
    words: str = "",
    *,
    valid: bool | None = None,
    since: datetime | str | None = None,
    file: int | None = None,
    dataset: int | None = None,
    before: int | None = None,
    limit: int = 50,
    thesaurus: Thesaurus | None = None,
    **named: Unpack[NamedFilters],
) -> NewsPage:
    """What happened to files that a search finds; `what` may name several, with commas.

    ValueError when `since`, `what` or a period is none. Pages go on with `before`.
    """
    connection = session.connection()
    query = narrowed(
        connection,
        words,
        SearchFilters.of(named, valid),
        since=moment(since) if since else None,
        thesaurus=thesaurus,
    )
    if query is None:
        return NewsPage()
    if file is not None:
        query = query.where(NEWS.c.resource_id == file)
    if dataset is not None:
        query = query.where(RESOURCE.c.dataset_id == dataset)
    return query.page(connection, before, limit)


@dataclass(frozen=True, slots=True)
class NewsQuery:
    """The news that was asked for."""

    statement: Select[Any]
    among: Question | None = None
    """What the datasets have to answer; None where the statement has it all."""
    since: datetime | None = None
    """Left to us: beside the number, PostgreSQL would take it for another thing that few have."""

    def where(self, *conditions: Any) -> "NewsQuery":
        """The same with further conditions."""
        return replace(self, statement=self.statement.where(*conditions))

    def page(self, connection: Connection, before: int | None, limit: int) -> NewsPage:
        """The latest of them, before a number if one is given."""
        found: list[News] = []
        position = before
        size = limit + 1 if self.among is None else max(_CHUNK, limit + 1)
        for _ in range(1 if self.among is None else _MAX_CHUNKS):
            rows = self._rows(connection, position, size)
            found += map(News.of, self._matching(connection, rows))
            if len(found) > limit:
                return NewsPage(items=tuple(found[:limit]), next=found[limit - 1].number)
            if len(rows) < size:
                return NewsPage(items=tuple(found))
            position = rows[-1].number
        return NewsPage(items=tuple(found), next=position)

    def every(
        self, connection: Connection, before: int, is_wanted: Callable[[Any], bool]
    ) -> Iterator[Any]:
        """The brief rows of all that is wanted, the latest first, read while they are taken."""
        brief = replace(self, statement=self.statement.with_only_columns(*_BRIEF))
        position: int | None = before
        while position is not None:
            rows = brief._rows(connection, position, _BRIEF_CHUNK)
            wanted = [row for row in rows if is_wanted(row)]
            for begin in range(0, len(wanted), _CHUNK):
                yield from self._matching(connection, wanted[begin : begin + _CHUNK])
            position = rows[-1].number if len(rows) == _BRIEF_CHUNK else None

    def items(self, connection: Connection, numbers: Sequence[int]) -> tuple[News, ...]:
        """The news of these numbers, the latest first."""
        query = self.statement.where(NEWS.c.id.in_(numbers)).order_by(NEWS.c.id.desc())
        return tuple(map(News.of, connection.execute(query))) if numbers else ()

    def _rows(self, connection: Connection, before: int | None, size: int) -> Sequence[Any]:
        # Without a bound, SQLite expects all news and first reads all files that it could be of.
        query = self.statement.where(NEWS.c.id < (before or MAX_ID))
        return connection.execute(query.order_by(NEWS.c.id.desc()).limit(size)).all()

    def _matching(self, connection: Connection, rows: Sequence[Any]) -> list[Any]:
        found = [row for row in rows if self.since is None or row.at >= self.since]
        if self.among is None:
            return found
        wanted = matching_among(connection, self.among, list({row.dataset_id for row in found}))
        return [row for row in found if row.dataset_id in wanted]


def narrowed(
    connection: Connection,
    words: str,
    filters: SearchFilters,
    *,
    since: datetime | None = None,
    thesaurus: Thesaurus | None = None,
    max_news: int | None = None,
) -> NewsQuery | None:
    """The news that a search finds; None when it can find nothing.

    `max_news` is how many pieces of news there are, if that is known: of few, all datasets are
    looked up, which is less than to look for datasets of the whole catalog.
    """
    asked, chosen, sites = asked_for(
        connection, words, filters, None, thesaurus or load_thesaurus()
    )
    if asked is None:
        return None
    query = NewsQuery(ALL_NEWS.where(*conditions_of(chosen.wanted)))
    if since is not None:
        # Ids grow with time but for moments: the index of times says where to begin.
        begin = select(NEWS.c.id).where(NEWS.c.at >= since).order_by(NEWS.c.at).limit(_MOMENTS)
        first = connection.execute(select(func.min(begin.subquery().c.id))).scalar()
        if first is None:
            return None
        query = replace(query.where(NEWS.c.id >= first), since=since)
    if chosen.what:
        whats = {What(one) for one in _split(chosen.what)}
        query = query.where(NEWS.c.what.in_([one.value for one in sorted(whats)]))
        # In the index it stands for what happened last, and here for each time.
        asked = replace(
            asked, filters=tuple(one for one in asked.filters if one != what_token(chosen.what))
        )
    if chosen.site:
        site_id = next(key for key, name in sites.items() if name == chosen.site)
        query = query.where(NEWS.c.site_id == site_id)
    few = max_news is not None and max_news <= MAX_DATASETS
    return _among(connection, query, asked, words, by_site=bool(chosen.site), few=few)


def _among(
    connection: Connection,
    query: NewsQuery,
    asked: Question,
    words: str,
    *,
    by_site: bool,
    few: bool,
) -> NewsQuery:
    """The query for news of those datasets that answer the question."""
    if addressed := datasets_of_address(connection, words):
        return query.where(RESOURCE.c.dataset_id.in_(addressed))
    if not asked.groups and not asked.excluded and len(asked.filters) == int(by_site):
        return query
    if few:
        return replace(query, among=asked)
    found = [row.dataset_id for row in matches(connection, asked, ANYWHERE, MAX_DATASETS + 1)]
    if len(found) <= MAX_DATASETS:
        return query.where(RESOURCE.c.dataset_id.in_(found))
    return replace(query, among=asked)


def _split(whats: str) -> list[str]:
    named = [one.strip().lower() for one in whats.split(",") if one.strip()]
    known = [one.value for one in What]
    for one in named:
        if one not in known:
            raise FilterRefused(f"'{one[:40]}' is none of new, changed and gone")
    return named
