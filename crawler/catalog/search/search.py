"""Search over the catalog: the same datasets in the same order on SQLite and PostgreSQL.

A dataset is found when each word begins a word of its title, its link texts and file names, or its
page titles and column names. Best are those with all words in the title, then those with all words
in title, link texts and file names, then the others; within these the newest come first. Counting
ends at MOST_COUNTED, so a common word costs no more than a rare one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, text
from sqlalchemy.orm import Session
from sqlmodel import col

from crawler.catalog.db.models import Site, UtcDateTime
from crawler.catalog.read.items import DatasetItem, Wanted, load_items
from crawler.catalog.read.moments import moment
from crawler.catalog.search.question import (
    ANYWHERE,
    NAMES,
    TITLES,
    Question,
    format_group,
    question,
    verdict_asked,
)

MOST_COUNTED = 10_000
"""Where counting ends, unless a later page is asked for."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A value to narrow a search by, and how many datasets have it."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """What the found datasets can be narrowed by, most frequent first."""

    site: tuple[Facet, ...] = ()
    format: tuple[Facet, ...] = ()
    verdict: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of results."""

    total: int
    items: list[DatasetItem] = field(default_factory=list)
    facets: Facets = field(default_factory=Facets)
    more: bool = False
    """There are more than `total`: nobody counted on."""


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
) -> SearchPage:
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
        return SearchPage(total=0)
    most = max(MOST_COUNTED, offset + limit)
    found = _found(connection, asked, ANYWHERE, most + 1)
    more = len(found) > most
    del found[most:]
    page = _ranked(connection, asked, found, offset + limit)[offset:]
    return SearchPage(
        total=len(found),
        items=load_items(connection, page, wanted=wanted),
        facets=_facets([row.facets for row in found], names),
        more=more,
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
) -> list[DatasetItem]:
    """The newest datasets that a search finds, the latest first: what a feed shows."""
    connection = session.connection()
    wanted = (format_group(format) if format else None, verdict_asked(valid, verdict))
    begin = moment(since) if since else None
    asked = _asked(_site_names(connection), words, site, wanted, begin)
    if asked is None:
        return []
    found = _found(connection, asked, ANYWHERE, limit)
    return load_items(connection, [row.dataset_id for row in found], wanted=wanted)


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
    sql = f"SELECT {columns} FROM {tables} {where} ORDER BY {order} DESC LIMIT :most"  # noqa: S608
    return sql, values


def _site_names(connection: Connection) -> dict[int, str]:
    rows = connection.execute(select(col(Site.id), col(Site.name)))
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


def _ranked(connection: Connection, asked: Question, found: Sequence[Any], most: int) -> list[int]:
    """The first datasets in the order of their tiers; `found` are those of the widest."""
    ranked: dict[int, None] = {}
    for tier in (TITLES, NAMES) if asked.words else ():
        if len(ranked) < min(most, len(found)):
            rows = _found(connection, asked, tier, most + len(ranked))
            ranked.update((row.dataset_id, None) for row in rows)
    if len(ranked) < most:
        ranked.update((row.dataset_id, None) for row in found)
    return list(ranked)[:most]


def _found(connection: Connection, asked: Question, tier: int, most: int) -> list[Any]:
    sql, values = statement(connection.dialect.name, asked, tier)
    query = text(sql)
    if "since" in values:
        query = query.bindparams(bindparam("since", type_=UtcDateTime()))
    return list(connection.execute(query, {**values, "most": most}))


def _facets(found: Sequence[str], sites: dict[int, str]) -> Facets:
    counts: Counter[str] = Counter()
    for facets, times in Counter(found).items():
        for value in facets.split():
            counts[value] += times
    kinds: dict[str, list[Facet]] = {"s": [], "f": [], "v": []}
    for value, times in counts.items():
        kind, name = value[0], value[1:]
        kinds[kind].append(Facet(sites.get(int(name), "") if kind == "s" else name, times))
    site, file_format, verdict = (
        tuple(sorted(listed, key=lambda facet: (-facet.count, facet.value)))
        for listed in kinds.values()
    )
    return Facets(site, file_format, verdict)
