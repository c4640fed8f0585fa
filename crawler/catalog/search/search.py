"""Search over the catalog: the same datasets in the same order on SQLite and PostgreSQL.

A question is parsed (parsing.py), widened by stems and the thesaurus, matched in the index
(matching.py), repaired where nothing has all of it (repairing.py), ranked (ranking.py), counted
(facets.py) and explained (explaining.py). Counting ends at MAX_COUNTED, so a common word costs no
more than a rare one.
"""

from collections import Counter
from datetime import date, datetime
from typing import Unpack

from sqlalchemy import Connection, select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import DATASET, SITE
from crawler.catalog.read.files import hits
from crawler.catalog.read.moments import end_of, moment
from crawler.catalog.read.records import SearchHit
from crawler.catalog.search.explaining import explained
from crawler.catalog.search.facets import count_facets
from crawler.catalog.search.filters import NAMES, NamedFilters, SearchFilters
from crawler.catalog.search.lookup import datasets_of_address
from crawler.catalog.search.matching import matches
from crawler.catalog.search.parsing import parse
from crawler.catalog.search.question import Question
from crawler.catalog.search.ranking import ranked
from crawler.catalog.search.reindex import is_indexing
from crawler.catalog.search.repairing import corrected_text, repair, suggestions
from crawler.catalog.search.result import SearchResult as SearchResult
from crawler.catalog.search.stop_words import SOFT_WORDS, STOP_WORDS
from crawler.catalog.search.thesaurus import Thesaurus, load_thesaurus
from crawler.catalog.search.tokens import ANYWHERE
from crawler.catalog.search.words import words_asked

MAX_COUNTED = 1_000
"""Where counting ends, unless a later page is asked for."""
_NEWEST_TITLES = 200


def search(
    session: Session,
    words: str = "",
    *,
    valid: bool | None = None,
    since: datetime | str | None = None,
    as_of: date | datetime | str | None = None,
    limit: int = 20,
    offset: int = 0,
    now: datetime | None = None,
    thesaurus: Thesaurus | None = None,
    **named: Unpack[NamedFilters],
) -> SearchResult:
    """The datasets with these words and filters; ValueError when a time or a period is none.

    Format and verdict are those of one and the same file. Since is when a file came or changed. As
    of a day, only what was there then is found, by the words that are known of it today.
    """
    if limit < 0 or offset < 0:
        raise ValueError("limit and offset cannot be below 0")
    connection = session.connection()
    thesaurus = thesaurus or load_thesaurus()
    begin = moment(since, now=now) if since else None
    until = end_of(as_of, now=now)
    asked, chosen, sites = asked_for(
        connection, words, SearchFilters.of(named, valid), begin, thesaurus, until
    )
    indexing = is_indexing(connection)
    if asked is None:
        return SearchResult(total=0, limit=limit, offset=offset, indexing=indexing)
    if found := datasets_of_address(connection, words):
        there = hits(connection, found, as_of=until)
        items = explained(connection, asked, there[offset : offset + limit])
        more = offset + len(items) < len(there)
        return SearchResult(total=len(there), more=more, limit=limit, offset=offset, items=items)
    max_rows = max(MAX_COUNTED, offset + limit)
    rows = matches(connection, asked, ANYWHERE, max_rows + 1)
    did_you_mean, partial = "", False
    if not rows and asked.groups:
        repaired = repair(connection, asked, thesaurus, max_rows + 1)
        asked, rows, partial = repaired.asked, repaired.rows, repaired.partial
        did_you_mean = corrected_text(words, repaired.corrections) if repaired.corrections else ""
    at_least = len(rows) > max_rows
    del rows[max_rows:]
    listed = [row.dataset_id for row in rows]
    page = ranked(connection, asked, listed, offset + limit)[offset:]
    return SearchResult(
        total=len(rows),
        at_least=at_least,
        more=at_least or offset + len(page) < len(rows),
        limit=limit,
        offset=offset,
        did_you_mean=did_you_mean if rows else "",
        partial=partial and bool(rows),
        suggestions=() if rows else _suggestions(connection, asked, thesaurus),
        indexing=indexing,
        items=explained(
            connection, asked, hits(connection, page, wanted=chosen.wanted, as_of=until)
        ),
        facets=count_facets((row.facets for row in rows), sites),
    )


def newest(
    session: Session,
    words: str = "",
    *,
    valid: bool | None = None,
    since: datetime | str | None = None,
    limit: int = 50,
    thesaurus: Thesaurus | None = None,
    **named: Unpack[NamedFilters],
) -> list[SearchHit]:
    """The newest datasets that a search finds, the latest first: what a feed shows.

    Unlike in a search, `since` is when they were new; those that only changed are left out. A feed
    has what was asked for and nothing similar.
    """
    connection = session.connection()
    begin = moment(since) if since else None
    thesaurus = thesaurus or load_thesaurus()
    asked, chosen, _ = asked_for(
        connection, words, SearchFilters.of(named, valid), begin, thesaurus
    )
    if asked is None:
        return []
    rows = matches(connection, asked, ANYWHERE, limit)
    items = hits(connection, [row.dataset_id for row in rows], wanted=chosen.wanted)
    return [item for item in items if begin is None or item.first_seen >= begin]


def asked_for(
    connection: Connection,
    words: str,
    filters: SearchFilters,
    since: datetime | None,
    thesaurus: Thesaurus,
    as_of: datetime | None = None,
) -> tuple[Question | None, SearchFilters, dict[int, str]]:
    """The question, its filters and the sites by their ids; None when nothing can be found."""
    sites = {row.id: row.name for row in connection.execute(select(SITE.c.id, SITE.c.name))}
    parsed = parse(words, NAMES, thesaurus)
    chosen = filters.with_named(parsed.named)
    site_id = next((key for key, name in sites.items() if name == chosen.site), None)
    if parsed.empty or (chosen.site and site_id is None):
        return None, chosen, sites
    question = Question(
        groups=parsed.groups,
        needed=len(parsed.groups),
        soft=parsed.soft,
        excluded=parsed.excluded,
        filters=tuple(chosen.tokens(site_id)),
        since=since,
        as_of=as_of,
    )
    return question, chosen, sites


def _suggestions(connection: Connection, asked: Question, thesaurus: Thesaurus) -> tuple[str, ...]:
    query = select(DATASET.c.title).order_by(DATASET.c.id.desc()).limit(_NEWEST_TITLES)
    titles = connection.execute(query).scalars()
    words = Counter(word for title in titles for word in words_asked(title))
    telling = [
        word
        for word, _ in words.most_common(60)
        if word.isalpha() and len(word) > 3 and word not in STOP_WORDS and word not in SOFT_WORDS
    ]
    return tuple(suggestions(connection, asked, thesaurus, telling))
