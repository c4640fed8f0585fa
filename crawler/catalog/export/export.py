"""The whole catalog as one file: a line per file in CSV or Parquet, or DCAT-AP in JSON-LD.

Rows stream from the database in the order of their ids, some thousand at a time: a catalog of any
size is exported in constant memory.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from crawler.catalog.db.models import Dataset, Resource, Site, Verdict, Version
from crawler.catalog.export.dcat import write_dcat

BATCH = 2_000


class ExportFormat(StrEnum):
    """What the catalog can be exported as."""

    PARQUET = "parquet"
    CSV = "csv"
    DCAT = "dcat"


_TIMES = ("published_at", "fetched_at", "first_seen", "last_seen", "gone_since")
_NUMBERS = ("id", "dataset_id", "version", "bytes", "rows", "columns")
_ROWS: Any = (
    select(
        col(Resource.id),
        col(Resource.dataset_id),
        col(Site.name).label("site"),
        col(Resource.url),
        col(Resource.title),
        col(Resource.file_name),
        col(Resource.format),
        col(Version.number).label("version"),
        col(Version.size).label("bytes"),
        col(Version.sha256),
        col(Version.mime_detected).label("mime"),
        col(Version.fetched_at),
        col(Resource.first_seen),
        col(Resource.last_seen),
        col(Resource.gone_since),
        col(Verdict.verdict),
        col(Verdict.rows),
        col(Verdict.columns),
        col(Dataset.page_url),
        col(Dataset.page_title),
        col(Dataset.language),
        col(Dataset.licence),
        col(Dataset.publisher),
        col(Dataset.published_at),
    )
    .join(Dataset, col(Dataset.id) == col(Resource.dataset_id))
    .join(Site, col(Site.id) == col(Resource.site_id))
    .join(Version, col(Version.id) == col(Resource.latest_version_id))
    .outerjoin(Verdict, col(Verdict.version_id) == col(Version.id))
    .where(col(Resource.removed_at).is_(None))
    .order_by(col(Resource.id))
    .limit(BATCH)
)
COLUMNS: tuple[str, ...] = tuple(_ROWS.selected_columns.keys())


def export(session: Session, target: BinaryIO, form: ExportFormat) -> int:
    """Writes the catalog to a binary stream; how many files (for DCAT: datasets) it told."""
    if form is ExportFormat.DCAT:
        return write_dcat(session, target)
    return (
        _write_csv(session, target) if form is ExportFormat.CSV else _write_parquet(session, target)
    )


def batches(session: Session) -> Iterator[Sequence[Any]]:
    """The files with their latest versions, some at a time."""
    last = 0
    while rows := session.connection().execute(_ROWS.where(col(Resource.id) > last)).all():
        yield rows
        last = rows[-1].id


def _write_csv(session: Session, target: BinaryIO) -> int:
    count = 0
    text = io.TextIOWrapper(target, "utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text)
        writer.writerow(COLUMNS)
        for rows in batches(session):
            writer.writerows([_cell(value) for value in row] for row in rows)
            count += len(rows)
    finally:
        text.detach()
    return count


def _cell(value: Any) -> Any:
    """Times as ISO 8601; texts that a spreadsheet would run as a formula are quoted for it."""
    if value is None:
        return ""
    if hasattr(value, "isoformat"):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value


def _write_parquet(session: Session, target: BinaryIO) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, _arrow_type(pa, name)) for name in COLUMNS])
    count = 0
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for rows in batches(session):
            columns = [
                pa.array([row[place] for row in rows], field.type)
                for place, field in enumerate(schema)
            ]
            writer.write_batch(pa.record_batch(columns, schema=schema))
            count += len(rows)
    return count


def _arrow_type(pa: Any, name: str) -> Any:
    if name in _TIMES:
        return pa.timestamp("us", tz="UTC")
    return pa.int64() if name in _NUMBERS else pa.string()
