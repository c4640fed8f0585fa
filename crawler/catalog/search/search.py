"""Search over the catalog: the same datasets in the same order on SQLite and PostgreSQL.

A dataset is found when each word begins a word of its title, its link texts and file names, or its
page titles and column names. Best are those with all words in the title, then those with all words
in title, link texts and file names, then the others; within these the newest come first. Counting
ends at MAX_COUNTED, so a common word costs no more than a rare one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field
from sqlalchemy import Connection, bindparam, select, text
from sqlalchemy.orm import Session

from crawler.catalog.db.models import SITE, UtcDateTime
from crawler.catalog.read.files import Wanted, hits
from crawler.catalog.read.moments import moment
from crawler.catalog.read.record import Record
from crawler.catalog.read.records import SearchHit
from crawler.catalog.search.question import (
    ANYWHERE,
    NAMES,
    TITLES,
    Question,
    format_group,
    question,
    verdict_asked,
)

if TYPE_CHECKING:
    import pandas as pd

MAX_COUNTED = 10_000
"""Where counting ends, unless a later page is asked for."""
MAX_CHOICES = 100
"""Values of a facet; a longer list is no help to choose from."""


class Facet(Record):
    """A value to narrow a search by, and how many datasets have it."""

    value: str = Field(examples=["csv"])
    """The value of the filter."""
    count: int = Field(examples=[9])
    """Datasets of this search that have it."""


class Facets(Record):
    """What the found datasets can be narrowed by, the most frequent first."""

    site: tuple[Facet, ...] = ()
    """Names of sites."""
    format: tuple[Facet, ...] = ()
    """Groups of file types."""
    verdict: tuple[Facet, ...] = ()
    """Verdicts, `unchecked` among them."""


class SearchResult(Record):
    """One page of a search: iterate over it, take its length, or turn it into a DataFrame."""

    total: int = Field(examples=[1])
    """How many datasets were found; there are more when `more` says so."""
    more: bool = Field(default=False, examples=[False])
    """Whether there are more than `total`: counting all of them would take too long."""
    limit: int = Field(examples=[20])
    """How many were asked for."""
    offset: int = Field(examples=[0])
    """How many were left out first."""
    items: tuple[SearchHit, ...] = ()
    """The best first; the `id` of each is the ID of a file, `dataset_id` that of its dataset."""
    facets: Facets = Facets()
    """What the search can be narrowed by."""

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[SearchHit]:  # type: ignore[override]
        return iter(self.items)

    def __getitem__(self, place: int) -> SearchHit:
        return self.items[place]

    def __repr__(self) -> str:
        titles = "\n".join(f"  {item.id}: {item.title}" for item in self.items[:10])
        return f"<{len(self)} of {'more than ' * self.more}{self.total} datasets>\n{titles}"

    def to_pandas(self) -> "pd.DataFrame":
        """One row per dataset, without the list of its files."""
        import pandas as pd

        columns = [name for name in SearchHit.model_fields if name != "files"]
        rows = [[getattr(item, name) for name in columns] for item in self.items]
        return pd.DataFrame(rows, columns=columns)


def search(
    session: Session,
    words: str = "",
    *,
    site: str | None = None,
    format: str | None = None,  # noqa: A002 - the name people use on every surface
    valid: bool | None = None,
    verdict: str | None = None,
    since: datetime | str | None = None,
    limit: int = 20,
    offset: int = 0,
    now: datetime | None = None,
) -> SearchResult:
    """The datasets with all these words and filters; ValueError when `since` is no time.

    Format and verdict are those of one and the same file. Since is when a file came or changed.
    """
    if limit < 0 or offset < 0:
        raise ValueError("limit and offset cannot be below 0")
    connection = session.connection()
    names = _site_names(connection)
    wanted = (format_group(format) if format else None, verdict_asked(valid, verdict))
    begin = moment(since, now=now) if since else None
    asked = _asked(names, words, site, wanted, begin)
    if asked is None:
        return SearchResult(total=0, limit=limit, offset=offset)
    max_rows = max(MAX_COUNTED, offset + limit)
    rows = _matches(connection, asked, ANYWHERE, max_rows + 1)
    more = len(rows) > max_rows
    del rows[max_rows:]
    page = _ranked(connection, asked, rows, offset + limit)[offset:]
    return SearchResult(
        total=len(rows),
        more=more,
        limit=limit,
        offset=offset,
        items=tuple(hits(connection, page, wanted=wanted)),
        facets=_facets([row.facets for row in rows], names),
    )


def newest(
    session: Session,
    words: str = "",
    *,
    site: str | None = None,
    format: str | None = None,  # noqa: A002 - as in search
    valid: bool | None = None,
    verdict: str | None = None,
    since: datetime | str | None = None,
    limit: int = 50,
) -> list[SearchHit]:
    """The newest datasets that a search finds, the latest first: what a feed shows.

    Unlike in a search, `since` is when they were new; those that only changed are left out.
    """
    connection = session.connection()
    wanted = (format_group(format) if format else None, verdict_asked(valid, verdict))
    begin = moment(since) if since else None
    asked = _asked(_site_names(connection), words, site, wanted, begin)
    if asked is None:
        return []
    rows = _matches(connection, asked, ANYWHERE, limit)
    items = hits(connection, [row.dataset_id for row in rows], wanted=wanted)
    return [item for item in items if begin is None or item.first_seen >= begin]


def statement(dialect: str, asked: Question, tier: int) -> tuple[str, dict[str, Any]]:
    """The SQL that finds the datasets of a tier, newest first, and its parameters but the limit.

    Facets come with the widest tier alone: where they are not needed, the index is enough.
    """
    postgresql = dialect == "postgresql"
    expression = asked.tsquery(tier) if postgresql else asked.fts5(tier)
    columns = "dataset_id, facets" if tier == ANYWHERE else "dataset_id"
    tables, order, conditions = "search_document", "dataset_id", []
    values: dict[str, Any] = {}
    if expression:
        values["expression"] = expression
        if postgresql:
            conditions.append("words @@ CAST(:expression AS tsquery)")
        else:
            tables = "search_index JOIN search_document ON dataset_id = search_index.rowid"
            order = "search_index.rowid"
            conditions.append("search_index MATCH :expression")
            if tier != ANYWHERE and asked.since is None:
                tables, columns = "search_index", "search_index.rowid AS dataset_id"
    if asked.since is not None:
        values["since"] = asked.since
        conditions.append("changed_at >= :since")
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT {columns} FROM {tables} {where} ORDER BY {order} DESC LIMIT :limit"  # noqa: S608
    return sql, values


def _site_names(connection: Connection) -> dict[int, str]:
    rows = connection.execute(select(SITE.c.id, SITE.c.name))
    return {row.id: row.name for row in rows}


def _asked(
    names: dict[int, str], words: str, site: str | None, wanted: Wanted, since: datetime | None
) -> Question | None:
    """The question; None when nothing can be found."""
    site_id = next((key for key, name in names.items() if name == site), None)
    if site and site_id is None:
        return None
    file_format, verdict = wanted
    return question(words, site_id=site_id, file_format=file_format, verdict=verdict, since=since)


def _ranked(connection: Connection, asked: Question, rows: Sequence[Any], limit: int) -> list[int]:
    """The first datasets in the order of their tiers; `rows` are those of the widest."""
    ranked: dict[int, None] = {}
    for tier in (TITLES, NAMES) if asked.words else ():
        if len(ranked) < min(limit, len(rows)):
            better = _matches(connection, asked, tier, limit + len(ranked))
            ranked.update((row.dataset_id, None) for row in better)
    if len(ranked) < limit:
        ranked.update((row.dataset_id, None) for row in rows)
    return list(ranked)[:limit]


def _matches(connection: Connection, asked: Question, tier: int, limit: int) -> list[Any]:
    sql, values = statement(connection.dialect.name, asked, tier)
    query = text(sql)
    if "since" in values:
        query = query.bindparams(bindparam("since", type_=UtcDateTime()))
    return list(connection.execute(query, {**values, "limit": limit}))


def _facets(documents: Sequence[str], sites: dict[int, str]) -> Facets:
    """Counts by value, from the facets of every dataset that was found."""
    counts: Counter[str] = Counter()
    for facets, times in Counter(documents).items():
        for value in facets.split():
            counts[value] += times
    kinds: dict[str, list[Facet]] = {"s": [], "f": [], "v": []}
    for value, times in counts.items():
        kind, name = value[0], value[1:]
        label = sites.get(int(name), "") if kind == "s" else name
        kinds[kind].append(Facet(value=label, count=times))
    site, file_format, verdict = (
        tuple(sorted(listed, key=lambda facet: (-facet.count, facet.value))[:MAX_CHOICES])
        for listed in kinds.values()
    )
    return Facets(site=site, format=file_format, verdict=verdict)
