"""Search documents in the database, rebuilt whenever their dataset changes.

The statements are made once, here, as a crawl rebuilds one for every file that it keeps.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import Connection, TextClause, bindparam, delete, select, text
from sqlalchemy.orm import Session

from crawler.catalog.db.models import (
    DATASET,
    RESOURCE,
    SIGHTING,
    SITE,
    VERDICT,
    VERSION,
)
from crawler.catalog.db.search_schema import STORE, TOKENS, search_document
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.search.document import Document, compose
from crawler.catalog.search.spelling import learn_words

# Bounds: a page of ten thousand links of one title must not make every ingest read them all.
_MAX_FILES = 200
_MAX_LINKS = 400

# Locked where the database can: of two writers the second sees what the first has written.
_DATASET = select(DATASET).where(DATASET.c.id == bindparam("dataset")).with_for_update()
_FILES = (
    select(
        RESOURCE.c.id,
        RESOURCE.c.title,
        RESOURCE.c.url,
        RESOURCE.c.file_name,
        RESOURCE.c.format,
        RESOURCE.c.gone_since,
        VERSION.c.fetched_at,
        VERSION.c.number.label("version"),
        VERSION.c.content_language,
        VERDICT.c.verdict,
        VERDICT.c.rows,
        VERDICT.c.column_names,
        VERDICT.c.period_start,
        VERDICT.c.period_end,
        VERDICT.c.frequency,
        VERDICT.c.places,
        VERDICT.c.dimension_values,
    )
    .join(VERSION, VERSION.c.id == RESOURCE.c.latest_version_id)
    .outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id)
    .where(RESOURCE.c.dataset_id == bindparam("dataset"), RESOURCE.c.removed_at.is_(None))
    .order_by(VERSION.c.fetched_at.desc(), RESOURCE.c.id.desc())
    .limit(_MAX_FILES)
)
_SIGHTINGS = (
    select(SIGHTING.c.anchor, SIGHTING.c.page_title, SIGHTING.c.headings)
    .where(SIGHTING.c.resource_id.in_(bindparam("files", expanding=True)))
    .order_by(SIGHTING.c.id)
    .limit(_MAX_LINKS)
)
_SITE = select(SITE.c.name, SITE.c.title, SITE.c.publisher).where(SITE.c.id == bindparam("site"))
_STORED = ("dataset_id", "changed_at", "quality", "facets", "tokens")
_OWN = search_document.c.dataset_id == bindparam("dataset")
_KNOWN = select(
    search_document.c.changed_at, search_document.c.quality, search_document.c.facets
).where(_OWN)
_REMOVE = delete(search_document).where(_OWN)


def update_document(session: Session, dataset_id: int) -> None:
    """Rebuilds the search document of a dataset; one without files is not found any more."""
    update_documents(session, [dataset_id])


def update_documents(session: Session, dataset_ids: Iterable[int]) -> int:
    """The same for several; how many have a document now.

    New words are written last and in one order, so that two writers never wait for each other.
    """
    connection = session.connection()
    session.flush()
    words: set[str] = set()
    kept = 0
    for dataset_id in dataset_ids:
        document = build_document(connection, dataset_id)
        if document is None:
            connection.execute(_REMOVE, {"dataset": dataset_id})
            continue
        kept += 1
        if not _is_stored(connection, dataset_id, document):
            store_document(connection, dataset_id, document)
            words.update(document.words)
    learn_words(connection, words)
    return kept


def build_document(connection: Connection, dataset_id: int) -> Document | None:
    """The search document of a dataset, read from the tables; None without files."""
    dataset = connection.execute(_DATASET, {"dataset": dataset_id}).first()
    files = connection.execute(_FILES, {"dataset": dataset_id}).all()
    if dataset is None or not files:
        return None
    ids = [file.id for file in files]
    sightings = connection.execute(_SIGHTINGS, {"files": ids}).all()
    site = connection.execute(_SITE, {"site": dataset.site_id}).one()
    return compose(dataset, files, sightings, site)


def store_document(connection: Connection, dataset_id: int, document: Document) -> None:
    """Writes a document and its tokens."""
    values: dict[str, Any] = {"dataset_id": dataset_id}
    values |= {name: getattr(document, name) for name in _STORED[1:]}
    for statement, names in _storing(connection.dialect.name):
        connection.execute(statement, {name: values[name] for name in names})


@cache
def _storing(dialect: str) -> list[tuple[TextClause, list[str]]]:
    """The statements that store a document, each with the values it takes."""
    statements = []
    for sql in STORE[dialect]:
        statement = text(sql)
        names = [name for name in _STORED if f":{name}" in sql]
        if "changed_at" in names:
            statement = statement.bindparams(bindparam("changed_at", type_=UtcDateTime()))
        statements.append((statement, names))
    return statements


@cache
def _stored_tokens(dialect: str) -> TextClause:
    return text(f"{TOKENS[dialect]} WHERE dataset_id = :dataset")


def _is_stored(connection: Connection, dataset_id: int, document: Document) -> bool:
    own = {"dataset": dataset_id}
    known = connection.execute(_KNOWN, own).first()
    if known is None or tuple(known) != (document.changed_at, document.quality, document.facets):
        return False
    stored = connection.execute(_stored_tokens(connection.dialect.name), own).one().tokens
    return set(stored.split()) == set(document.tokens.split())
