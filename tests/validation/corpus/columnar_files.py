"""Parquet and Arrow files."""

import datetime
import decimal
import io
import struct
from collections.abc import Callable

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.figures import HEADER, ROWS, births
from tests.validation.corpus.specimen import Before, Expected, Specimen


def table() -> pa.Table:
    """The figures as columns."""
    return pa.table({name: [row[at] for row in ROWS] for at, name in enumerate(HEADER)})


def parquet(content: pa.Table | None = None, **options: object) -> bytes:
    """A Parquet file of them."""
    target = io.BytesIO()
    pq.write_table(table() if content is None else content, target, **options)
    return target.getvalue()


def many_types() -> bytes:
    """Dates, decimals, booleans, dictionaries, lists, nulls."""
    days = [datetime.date(2021, 1, 1) + datetime.timedelta(days=number) for number in range(40)]
    return parquet(
        pa.table(
            {
                "day": pa.array(days),
                "moment": pa.array([datetime.datetime(2021, 1, 1, 12, n) for n in range(40)]),
                "region": pa.array([f"R{number % 4}" for number in range(40)]).dictionary_encode(),
                "amount": pa.array([decimal.Decimal(number) / 4 for number in range(40)]),
                "final": pa.array([number % 2 == 0 for number in range(40)]),
                "gaps": pa.array([None if number % 4 == 0 else number for number in range(40)]),
                "parts": pa.array([[number, number + 1] for number in range(40)]),
            }
        )
    )


def no_rows() -> bytes:
    """Columns without a row."""
    return parquet(table().slice(0, 0))


def lying_footer() -> bytes:
    """A footer that says it is 2 GB long."""
    return parquet()[:-8] + struct.pack("<I", 2_000_000_000) + b"PAR1"


def scrambled_footer() -> bytes:
    """A footer of noise."""
    body = bytearray(parquet())
    length = struct.unpack("<I", body[-8:-4])[0]
    for place in range(len(body) - 8 - length, len(body) - 8):
        body[place] ^= 0xA5
    return bytes(body)


def locked() -> bytes:
    """Only the magic numbers of an encrypted file tell that it is one."""
    return b"PARE" + parquet()[4:-4] + b"PARE"


def repetitive() -> bytes:
    """20 million equal rows in a few kilobytes: a fine file, and larger than it looks."""
    column = pa.chunked_array([pa.array([7], pa.int64()).take(pa.array([0] * 1_000_000))] * 20)
    return parquet(pa.table({"value": column}))


def arrow_file() -> bytes:
    """The file form of Arrow's exchange format."""
    target = io.BytesIO()
    with pa.ipc.new_file(target, table().schema) as writer:
        writer.write_table(table())
    return target.getvalue()


def feather() -> bytes:
    """The same, compressed."""
    target = io.BytesIO()
    pyarrow.feather.write_feather(table(), target, compression="lz4")
    return target.getvalue()


def columnar(
    name: str,
    make: Callable[[], bytes],
    verdict: Judgement,
    *reasons: str,
    kind: Kind = Kind.PARQUET,
    tables: tuple[Expected, ...] = (),
    before: Before | None = None,
    is_large: bool = False,
) -> Specimen:
    """A file under the name it should have."""
    return Specimen(
        name,
        make,
        kind,
        verdict,
        file_name=f"births.{kind.value}",
        declared="application/octet-stream",
        reasons=reasons,
        tables=tables,
        before=before,
        is_large=is_large,
    )


SPECIMENS = (
    columnar("parquet", parquet, Judgement.VALID, tables=(births(),)),
    columnar(
        "parquet-row-groups",
        lambda: parquet(row_group_size=7, compression="zstd"),
        Judgement.VALID,
        tables=(births(),),
    ),
    columnar(
        "parquet-types",
        many_types,
        Judgement.VALID,
        tables=(
            Expected(
                rows=40,
                width=7,
                types={
                    "day": ColumnType.DATE,
                    "moment": ColumnType.DATE,
                    "region": ColumnType.TEXT,
                    "amount": ColumnType.NUMBER,
                    "final": ColumnType.BOOLEAN,
                    "gaps": ColumnType.INTEGER,
                },
                roles={"day": ColumnRole.TIME},
                nulls={"gaps": 0.25},
            ),
        ),
    ),
    columnar(
        "parquet-without-rows",
        no_rows,
        Judgement.SUSPECT,
        codes.NO_ROWS,
        tables=(Expected(rows=0, names=HEADER),),
    ),
    columnar(
        "parquet-schema-drift",
        parquet,
        Judgement.SUSPECT,
        codes.COLUMNS_LOST,
        tables=(births(),),
        before=Before(30, (*HEADER, "Deaths", "Marriages")),
    ),
    columnar(
        "parquet-of-few-bytes",
        repetitive,
        Judgement.VALID,
        tables=(Expected(rows=20_000_000, names=("value",)),),
        is_large=True,
    ),
    columnar("parquet-truncated", lambda: parquet()[:-900], Judgement.BROKEN, codes.TRUNCATED),
    columnar("parquet-lying-footer", lying_footer, Judgement.BROKEN, codes.CUT_SHORT),
    columnar("parquet-scrambled-footer", scrambled_footer, Judgement.BROKEN, codes.CORRUPT),
    columnar("parquet-locked", locked, Judgement.BROKEN, codes.ENCRYPTED),
    columnar("arrow", arrow_file, Judgement.VALID, kind=Kind.ARROW, tables=(births(),)),
    columnar("feather", feather, Judgement.VALID, kind=Kind.ARROW, tables=(births(),)),
    columnar(
        "arrow-truncated",
        lambda: arrow_file()[:-600],
        Judgement.BROKEN,
        codes.CUT_SHORT,
        kind=Kind.ARROW,
    ),
)
