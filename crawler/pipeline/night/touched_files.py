"""The files that a step of a night has to do with, for whoever asks what came of them."""

from collections.abc import Iterable, Sequence

from sqlalchemy import select

from crawler.catalog.db.models import VERSION
from crawler.catalog.read.files import file_detail
from crawler.catalog.read.records import FileDetail
from crawler.config.settings import Settings
from crawler.pipeline.services import open_services


def files_by_id(settings: Settings, ids: Iterable[int], limit: int) -> list[FileDetail]:
    """The first of these files, those that were taken down left out."""
    with open_services(settings) as services, services.database.reading() as session:
        found = (file_detail(session, each) for each in list(ids)[:limit])
        return [file for file in found if file is not None and file.removed_at is None]


def files_of_versions(
    settings: Settings, version_ids: Sequence[int], limit: int
) -> list[FileDetail]:
    """The files that the first of these versions belong to."""
    query = select(VERSION.c.resource_id).where(VERSION.c.id.in_(version_ids[:limit])).distinct()
    with open_services(settings) as services, services.database.reading() as session:
        ids = session.connection().execute(query.order_by(VERSION.c.resource_id)).scalars().all()
    return files_by_id(settings, ids, limit)
