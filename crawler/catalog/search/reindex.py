"""The search index made anew, a batch at a time: after an upgrade that changed what is indexed.

Where it stands is a bookmark in the catalog; a process that ends early loses one batch. The newest
datasets come first, and every dataset that changes meanwhile has its document at once.
"""

from sqlalchemy import Connection, delete, select, update
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import BOOKMARK, DATASET, RESOURCE, VERDICT
from crawler.catalog.db.upsert import move_bookmark
from crawler.catalog.read.verdict import profile_of
from crawler.catalog.search.covered import periods_in
from crawler.catalog.search.documents import update_documents
from crawler.catalog.search.spelling import forget_words

BOOKMARK_NAME = "reindex"
BATCH = 200
_POSITION = select(BOOKMARK.c.position).where(BOOKMARK.c.name == BOOKMARK_NAME)


def is_indexing(connection: Connection) -> bool:
    """Whether there are datasets whose documents are still to be made."""
    return connection.execute(_POSITION).first() is not None


def start_reindex(database: Database) -> None:
    """Has all documents made anew, from the newest dataset on."""
    with database.transaction() as session:
        reindex_later(session, database)


def reindex_later(session: Session, database: Database) -> None:
    """The same as part of a transaction; the nightly upkeep does it."""
    move_bookmark(session, BOOKMARK_NAME, "", database.now(session))


def reindex(database: Database, *, max_datasets: int | None = None) -> int:
    """Goes on with what is to be indexed; how many datasets were done. 0 when there was nothing."""
    done = 0
    forget_words(database.engine)
    while max_datasets is None or done < max_datasets:
        size = BATCH if max_datasets is None else min(BATCH, max_datasets - done)
        indexed = _batch(database, size)
        if not indexed:
            break
        done += indexed
    return done


def _batch(database: Database, size: int) -> int:
    with database.transaction() as session:
        connection = session.connection()
        position = connection.execute(_POSITION.with_for_update()).scalar()
        if position is None:
            return 0
        query = select(DATASET.c.id).order_by(DATASET.c.id.desc()).limit(size)
        if position:
            query = query.where(DATASET.c.id < int(position))
        ids = list(connection.execute(query).scalars())
        if not ids:
            connection.execute(delete(BOOKMARK).where(BOOKMARK.c.name == BOOKMARK_NAME))
            return 0
        _fill_periods(connection, ids)
        # From the oldest on, as all writers lock datasets in the order of their ids.
        update_documents(session, sorted(ids))
        move_bookmark(session, BOOKMARK_NAME, str(ids[-1]), database.now(session))
        return len(ids)


def _fill_periods(connection: Connection, dataset_ids: list[int]) -> None:
    """Verdicts of earlier versions say no periods, but their profiles do, column by column."""
    query = (
        select(VERDICT.c.version_id, VERDICT.c.profile)
        .join(RESOURCE, RESOURCE.c.latest_version_id == VERDICT.c.version_id)
        .where(RESOURCE.c.dataset_id.in_(dataset_ids), VERDICT.c.period_start == "")
    )
    for row in connection.execute(query).all():
        start, end = periods_in(profile_of(row.profile))
        if start:
            connection.execute(
                update(VERDICT)
                .where(VERDICT.c.version_id == row.version_id)
                .values(period_start=start, period_end=end)
            )
