"""Files of the catalog as tables of a query: `file(38)`, `file(38, version := 2)`."""

import re
import tempfile
from dataclasses import dataclass
from hashlib import md5
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from crawler.catalog.read.records import Version
from crawler.errors import QueryRefused
from crawler.storage.interface import ObjectStore

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

MACRO = (
    "CREATE MACRO file(id, version := 0, part := '') AS TABLE SELECT * FROM "
    "query_table('file_' || id || '_' || version || '_' || md5(part))"
)
MAX_FILES = 20
"""Files of one query."""
MAX_BYTES = 500 * 1000**2
READINGS = "readings"
"""Below this the store keeps the tables of files as they were read, as Parquet."""

_CALL = re.compile(
    r"\bfile\s*\(\s*(?P<id>\d{1,10})\s*"
    r"(?:,\s*version\s*:=\s*(?P<version>\d{1,10})\s*)?"
    r"(?:,\s*part\s*:=\s*'(?P<part>(?:[^']|'')*)'\s*)?\)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table of a file that a query names."""

    id: int
    version: int = 0
    """0 is the newest."""
    part: str = ""
    """The name of the table where a file has several; empty for the best one."""

    @property
    def name(self) -> str:
        """The table that the macro `file` looks up."""
        return f"file_{self.id}_{self.version}_{_hashed(self.part)}"


def tables_of(query: str) -> list[FileTable]:
    """The files that a query names, each once."""
    named = dict.fromkeys(
        FileTable(
            int(call["id"]), int(call["version"] or 0), (call["part"] or "").replace("''", "'")
        )
        for call in _CALL.finditer(query)
    )
    if len(named) > MAX_FILES:
        raise QueryRefused(f"a query reads at most {MAX_FILES} files, and this one {len(named)}")
    return list(named)


def reading_of(store: ObjectStore, version: Version, part: str) -> "pa.Table":
    """The table as it is read, from the store if it was read before."""
    import pyarrow.parquet as pq

    if version.bytes > MAX_BYTES:
        raise QueryRefused(f"files of more than {MAX_BYTES:,} bytes are not read by queries")
    key = f"{prefix_of(version.sha256)}{installed('tallyho')}-{_hashed(part)}.parquet"
    with tempfile.TemporaryDirectory(prefix="tallyho-sql-") as folder:
        path = Path(folder) / "reading.parquet"
        if store.download(key, path):
            return pq.read_table(path)
        with store.open(version.sha256) as stream:
            rows = _read(stream, part)
        pq.write_table(rows, path)
        store.put_object(key, path)
    return rows


def forget_readings(store: ObjectStore, sha256: str) -> None:
    """Takes the readings of a file away, as its bytes are taken away."""
    for key in list(store.objects(prefix_of(sha256))):
        store.delete_object(key)


def prefix_of(sha256: str) -> str:
    """Where the readings of a file are in the store."""
    return f"{READINGS}/{sha256}/"


def _read(stream: BinaryIO, part: str) -> "pa.Table":
    from crawler.readers.reading import read_table

    return _as_arrow(read_table(stream, table=part or None))


def _as_arrow(frame: "pd.DataFrame") -> "pa.Table":
    """Columns of one type each; mixed values become text."""
    import pyarrow as pa

    columns = {}
    for name, column in frame.items():
        try:
            columns[str(name)] = pa.array(column, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            texts = column.astype(str).where(column.notna(), None)
            columns[str(name)] = pa.array(texts, pa.string(), from_pandas=True)
    return pa.table(columns)


def _hashed(part: str) -> str:
    return md5(part.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
