"""The order of results: title over column over text, then verdict, size and age.

The database gives candidates tier by tier, the newest first; here the first of them are put in
order by one sum, in Python, so that both databases answer alike.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select

from crawler.catalog.db.search_schema import search_document
from crawler.catalog.search.matching import matches, tokens_of
from crawler.catalog.search.question import Group, Question, Token
from crawler.catalog.search.tokens import ANYWHERE, NAMES, TITLES

MAX_RANKED = 300
"""Candidates that are put in order; those behind them stay by tier and age."""
_WORTH = {TITLES: 8.0, NAMES: 4.0, ANYWHERE: 2.0}
_WORTH_ELSEWHERE = 5.0
"""Of a phrase, a beginning of a word or a covered year, which have no tier."""
_WORTH_OF_SOFT = 0.25
_FULL_TITLE = 2.0
"""For a title that says nothing but what was asked for; a longer one gets its share."""
_BEST_QUALITY = 1.5
_NEWEST = 0.5
_DAYS = 365.0
_PLAIN_QUALITY = 40
_IN_TITLE = 0.75 * _WORTH[TITLES]
"""What a word that stands in the title is worth, also as a synonym."""


def ranked(
    connection: Connection, asked: Question, everywhere: Sequence[int], limit: int
) -> list[int]:
    """The first datasets in the best order; `everywhere` are all matches, the newest first."""
    if not asked.groups:
        return list(everywhere[:limit])
    wanted = max(limit, MAX_RANKED)
    candidates: dict[int, None] = {}
    for tier in (TITLES, NAMES):
        if len(candidates) < min(wanted, len(everywhere)):
            better = matches(connection, asked, tier, wanted)
            candidates.update((row.dataset_id, None) for row in better)
    if len(candidates) < wanted:
        candidates.update((dataset_id, None) for dataset_id in everywhere)
    listed = list(candidates)[:wanted]
    return [*_ordered(connection, asked, listed[:MAX_RANKED]), *listed[MAX_RANKED:]][:limit]


def _ordered(connection: Connection, asked: Question, ids: Sequence[int]) -> list[int]:
    tokens = tokens_of(connection, ids)
    table = search_document.c
    query = select(table.dataset_id, table.changed_at, table.quality)
    query = query.where(table.dataset_id.in_(ids))
    rows = [row for row in connection.execute(query) if row.dataset_id in tokens]
    if not rows:
        return list(ids)
    newest = max(row.changed_at for row in rows)
    groups = [_Worths(group) for group in asked.groups]
    soft = [_Worths(group) for group in asked.soft]
    scores = {
        row.dataset_id: _words_score(groups, soft, tokens[row.dataset_id])
        + _BEST_QUALITY * row.quality / _PLAIN_QUALITY
        + _NEWEST / (1 + _age(newest, row.changed_at))
        for row in rows
    }
    return sorted(scores, key=lambda dataset_id: (-scores[dataset_id], -dataset_id))


def _words_score(groups: Sequence["_Worths"], soft: Sequence["_Worths"], text: str) -> float:
    """How well a document says what was asked for, from its tokens."""
    tokens = frozenset(text.split())
    worths = [group.in_document(tokens) for group in groups]
    welcome = sum(group.in_document(tokens) for group in soft)
    in_title = f" {text}".count(f" {TITLES}")
    said = sum(worth >= _IN_TITLE for worth in worths)
    full = min(1.0, said / in_title) if in_title else 0.0
    return sum(worths) / len(worths) + _WORTH_OF_SOFT * welcome + _FULL_TITLE * full


class _Worths:
    """What each token is worth to a group: made once for a question, asked for each document."""

    def __init__(self, group: Group) -> None:
        self._single: dict[str, float] = {}
        self._several: list[tuple[float, list[dict[str, float]]]] = []
        self._prefixes: list[tuple[str, float]] = []
        for way in group.ways:
            if len(way.parts) > 1:
                self._several.append((way.weight, [_worths(part) for part in way.parts]))
                continue
            for text, worth in _worths(way.parts[0]).items():
                self._single[text] = max(self._single.get(text, 0.0), way.weight * worth)
        self._words = frozenset(self._single)
        self._prefixes = [
            (token.text, way.weight * _WORTH_ELSEWHERE)
            for way in group.ways
            for part in way.parts
            for token in part
            if token.prefix
        ]

    def in_document(self, tokens: frozenset[str]) -> float:
        """The best of its ways that the document has; 0 when it has none."""
        best = max(map(self._single.__getitem__, self._words & tokens), default=0.0)
        for weight, parts in self._several:
            # Most ways are not there: their first part says so.
            if any(map(tokens.isdisjoint, parts)):
                continue
            worths = [max(part[text] for text in part.keys() & tokens) for part in parts]
            best = max(best, weight * sum(worths) / len(worths))
        for beginning, worth in self._prefixes:
            if worth > best and any(token.startswith(beginning) for token in tokens):
                best = worth
        return best


def _worths(part: Sequence[Token]) -> dict[str, float]:
    worths: dict[str, float] = {}
    for token in part:
        if token.prefix:
            continue
        for tier, worth in _WORTH.items() if token.tiered else ((0, _WORTH_ELSEWHERE),):
            worths.setdefault(token.at(tier), worth)
    return worths


def _age(newest: datetime, changed_at: datetime) -> float:
    return (newest - changed_at).total_seconds() / 86_400 / _DAYS
