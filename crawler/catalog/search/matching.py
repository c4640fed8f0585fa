"""The statements of a search: which documents match, newest first, the same on both databases."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, text

from crawler.catalog.db.search_schema import TOKENS
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.search.question import Group, Question
from crawler.catalog.search.tokens import ANYWHERE

_AMONG = (
    "SELECT dataset_id FROM search_document WHERE words @@ CAST(:expression AS tsquery) "
    "AND dataset_id IN :ids"
)
COUNTED_OF_A_GROUP = 1000
"""Where counting the documents of one word ends."""


def statement(dialect: str, asked: Question, tier: int) -> tuple[str, dict[str, Any]]:
    """The SQL that finds the documents of a tier, newest first, and its parameters but the limit.

    Facets come with the widest tier alone: where they are not needed, the index is enough.
    """
    expression = asked.expression(dialect, tier)
    columns = "dataset_id, facets" if tier == ANYWHERE else "dataset_id"
    tables, order, conditions = "search_document", "dataset_id", []
    values: dict[str, Any] = {}
    if expression:
        values["expression"] = expression
        if dialect == "postgresql":
            conditions.append("words @@ CAST(:expression AS tsquery)")
        else:
            tables = "search_index JOIN search_document ON dataset_id = search_index.rowid"
            order = "search_index.rowid"
            conditions.append("search_index MATCH :expression")
            if tier != ANYWHERE and asked.since is None and asked.as_of is None:
                tables, columns = "search_index", "search_index.rowid AS dataset_id"
    if asked.since is not None:
        values["since"] = asked.since
        conditions.append("changed_at >= :since")
    if asked.as_of is not None:
        values["as_of"] = asked.as_of
        # Looked up for each document; as a list of ids it would be made of all datasets first.
        conditions.append(
            "EXISTS (SELECT 1 FROM dataset WHERE dataset.id = dataset_id AND first_seen <= :as_of)"
        )
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT {columns} FROM {tables} {where} ORDER BY {order} DESC LIMIT :limit"  # noqa: S608
    return sql, values


def matches(connection: Connection, asked: Question, tier: int, limit: int) -> list[Any]:
    """The first rows of a tier."""
    sql, values = statement(connection.dialect.name, asked, tier)
    query = text(sql)
    times = [bindparam(name, type_=UtcDateTime()) for name in ("since", "as_of") if name in values]
    query = query.bindparams(*times)
    # All at once: row by row, ten thousand take the driver longer than PostgreSQL.
    return list(connection.execute(query, {**values, "limit": limit}).all())


def matching_among(connection: Connection, asked: Question, ids: Sequence[int]) -> set[int]:
    """Those of these datasets that a question finds.

    PostgreSQL looks at the words of each. SQLite's index can only be asked about each of them in
    turn, which takes half a second for two hundred; there the tokens are read and compared here.
    """
    expression = asked.expression(connection.dialect.name, ANYWHERE)
    if not expression or not ids:
        return set(ids)
    if connection.dialect.name == "postgresql":
        query = text(_AMONG).bindparams(bindparam("ids", expanding=True))
        return set(connection.execute(query, {"expression": expression, "ids": ids}).scalars())
    found = asked.check(ANYWHERE)
    stored = tokens_of(connection, ids)
    return {number for number, tokens in stored.items() if found(frozenset(tokens.split()))}


def count_of(connection: Connection, group: Group, limit: int = COUNTED_OF_A_GROUP) -> int:
    """How many documents have what a group asks for; counting ends at the limit."""
    dialect = connection.dialect.name
    expression = Question((group,), needed=1).expression(dialect, ANYWHERE)
    found = (
        "SELECT 1 FROM search_document WHERE words @@ CAST(:expression AS tsquery)"
        if dialect == "postgresql"
        else "SELECT 1 FROM search_index WHERE search_index MATCH :expression"
    )
    query = text(f"SELECT count(*) FROM ({found} LIMIT {int(limit)}) AS found")  # noqa: S608
    return int(connection.execute(query, {"expression": expression}).scalar_one())


def tokens_of(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """The tokens of these documents, separated by blanks."""
    query = text(f"{TOKENS[connection.dialect.name]} WHERE dataset_id IN :ids")
    rows = connection.execute(query.bindparams(bindparam("ids", expanding=True)), {"ids": ids})
    return {row.dataset_id: row.tokens for row in rows.all()}
