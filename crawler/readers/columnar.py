"""Parquet and Arrow files. Their metadata tells rows and columns; that too may be a lie."""

import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.names import unique_names
from crawler.readers.packing import bytes_at, size_of
from crawler.readers.unreadable import Unreadable, said

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_BATCH = 65_536
_ENDS = {Kind.PARQUET: b"PAR1", Kind.ARROW: b"ARROW1"}
_ENCRYPTED = b"PARE"


def read_columnar(stream: BinaryIO, kind: Kind, bounds: Bounds = DEFAULT_BOUNDS) -> Content:
    """The table of a file, its first rows if there are too many."""
    _check_end(stream, kind)
    with _arrow_errors():
        table = _parquet(stream, bounds) if kind is Kind.PARQUET else _arrow(stream, bounds)
    return Content(kind, (table,))


def _parquet(stream: BinaryIO, bounds: Bounds) -> Table:
    from pyarrow import parquet

    file = parquet.ParquetFile(stream)
    names: list[str] = file.schema_arrow.names
    rows = int(file.metadata.num_rows)
    if rows < 0 or not names:
        raise Unreadable(Trouble.CORRUPT, "its metadata makes no sense")
    kept = range(min(len(names), bounds.columns))
    most = bounds.rows_of(len(kept))
    if rows <= most and len(kept) == len(names):
        read = file.read()
    else:
        columns = None if len(kept) == len(names) else names[: len(kept)]
        batches = file.iter_batches(batch_size=min(_BATCH, most), columns=columns)
        read = _taken(batches, most, file.schema_arrow)
    return _table(read, Kind.PARQUET, rows, len(names))


def _arrow(stream: BinaryIO, bounds: Bounds) -> Table:
    import pyarrow as pa

    reader = pa.ipc.open_file(stream)
    names: list[str] = reader.schema.names
    if not names:
        raise Unreadable(Trouble.CORRUPT, "it has no columns")
    kept = list(range(min(len(names), bounds.columns)))
    most = bounds.rows_of(len(kept))
    rows = 0
    batches: list[pa.RecordBatch] = []
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        if rows < most:
            # Offsets are taken as they stand: they have to be checked before they are followed.
            batch.validate(full=True)
            batches.append(batch.select(kept))
        rows += batch.num_rows
    schema = pa.schema([reader.schema.field(place) for place in kept])
    read = pa.Table.from_batches(batches, schema).slice(0, most)
    return _table(read, Kind.ARROW, rows, len(names))


def _table(read: "pa.Table", kind: Kind, rows: int, width: int) -> Table:
    frame = _frame(read)
    is_cut = rows > len(frame) or width > frame.shape[1]
    return Table(name="", kind=kind, frame=frame, rows=rows, cut=is_cut)


def _taken(batches: "Iterable[pa.RecordBatch]", most: int, schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    taken = []
    rows = 0
    for batch in batches:
        taken.append(batch)
        rows += batch.num_rows
        if rows >= most:
            break
    return pa.Table.from_batches(taken, None if taken else schema).slice(0, most)


def _frame(table: "pa.Table") -> "pd.DataFrame":
    """What pandas and people expect: dates as dates, decimals as numbers, texts as texts."""
    import pyarrow as pa

    columns = []
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_decimal(column.type):
            column = column.cast(pa.float64())
        columns.append(column)
    names = unique_names([name[:300] for name in table.column_names])
    plain = pa.table(columns, names=names)
    return plain.to_pandas(date_as_object=False, ignore_metadata=True)


def _check_end(stream: BinaryIO, kind: Kind) -> None:
    """Such files are read from their end, which is what is missing when they were cut off."""
    size = size_of(stream)
    end = _ENDS[kind]
    tail = bytes_at(stream, -10)
    if tail.endswith(_ENCRYPTED):
        raise Unreadable(Trouble.ENCRYPTED, "it is encrypted")
    if size < 12 or not tail.endswith(end):
        raise Unreadable(Trouble.TRUNCATED, "its end is missing")
    length = struct.unpack("<I", tail[-len(end) - 4 : -len(end)])[0]
    if length > size:
        raise Unreadable(Trouble.CORRUPT, "its metadata is larger than itself")


@contextmanager
def _arrow_errors() -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (Unreadable, MemoryError):
        raise
    except pa.ArrowNotImplementedError as error:
        raise Unreadable(Trouble.UNSUPPORTED, said(error)) from error
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError, TypeError) as error:
        raise Unreadable(_trouble_of(str(error).lower()), said(error)) from error


def _trouble_of(message: str) -> Trouble:
    """What an error of the library means for the file, by its words."""
    if "encrypt" in message:
        return Trouble.ENCRYPTED
    return Trouble.TOO_DEEP if "too deeply nested" in message else Trouble.CORRUPT
