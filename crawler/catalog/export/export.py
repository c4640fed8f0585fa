"""The whole catalog as one file: a line per file in CSV or Parquet, or DCAT-AP in JSON-LD.

A line has the fields of `File`. Rows stream from the database in the order of their ids, some
thousand at a time: a catalog of any size is exported in constant memory.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, BinaryIO, get_args

from sqlalchemy.orm import Session

from crawler.catalog.db.models import RESOURCE
from crawler.catalog.export.dcat import write_dcat
from crawler.catalog.read.file_query import FILES
from crawler.catalog.read.records import File

BATCH = 2_000


class ExportFormat(StrEnum):
    """What the catalog can be exported as."""

    PARQUET = "parquet"
    CSV = "csv"
    DCAT = "dcat"


_ROWS = FILES.order_by(RESOURCE.c.id).limit(BATCH)
COLUMNS: tuple[str, ...] = tuple(File.model_fields)


def export(session: Session, target: BinaryIO, form: ExportFormat) -> int:
    """Writes the catalog to a binary stream; how many files (for DCAT: datasets) it wrote."""
    if form is ExportFormat.DCAT:
        return write_dcat(session, target)
    return (
        _write_csv(session, target) if form is ExportFormat.CSV else _write_parquet(session, target)
    )


def batches(session: Session) -> Iterator[Sequence[Any]]:
    """The files with their latest versions, some at a time."""
    last = 0
    while rows := session.connection().execute(_ROWS.where(RESOURCE.c.id > last)).all():
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
    annotation = File.model_fields[name].annotation
    kinds = get_args(annotation) or (annotation,)
    if datetime in kinds:
        return pa.timestamp("us", tz="UTC")
    return pa.int64() if int in kinds else pa.string()
