"""Rows of very many values, row by row: what reads columns reserves memory for each of them."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable, said

if TYPE_CHECKING:
    import pyarrow as pa

_CELLS_AT_ONCE = 500_000


def read_wide(data: bytes, delimiter: str, columns: int) -> "tuple[pa.Table, Counter[int]]":
    """The first columns of the rows as texts, and the widths of all rows; short ones are filled."""
    import pyarrow as pa

    widths: Counter[int] = Counter()
    names = [str(place) for place in range(columns)]
    schema = pa.schema([(name, pa.string()) for name in names])
    pieces: list[pa.RecordBatch] = []
    rows: list[list[str]] = []
    try:
        for row in _rows(data, delimiter):
            widths[len(row)] += 1
            kept = row[:columns]
            rows.append(kept if len(kept) == columns else kept + [""] * (columns - len(kept)))
            if len(rows) * columns >= _CELLS_AT_ONCE:
                pieces.append(_piece(rows, schema))
                rows = []
    except csv.Error as error:
        raise Unreadable(Trouble.TOO_LARGE, said(error)) from error
    pieces.append(_piece(rows, schema))
    return pa.Table.from_batches(pieces, schema), widths


def _rows(data: bytes, delimiter: str) -> Iterator[list[str]]:
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace", newline="")
    for row in csv.reader(text, delimiter=delimiter, skipinitialspace=delimiter != "\t"):
        if row:
            yield row


def _piece(rows: list[list[str]], schema: "pa.Schema") -> "pa.RecordBatch":
    import pyarrow as pa

    values = zip(*rows, strict=True) if rows else ([] for _ in schema)
    return pa.record_batch(
        [pa.array([cell or None for cell in column], pa.string()) for column in values],
        schema=schema,
    )
