"""How files are read here, by pandas and by duckdb: `python -m benchmarks.reading FOLDER`.

It needs no truth: where the three disagree is where to look. Header, rows and types of the best
table are compared; pandas and duckdb read with their defaults.
"""

import argparse
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crawler.errors import TallyhoError
from crawler.readers.kinds import WORKBOOKS, Kind
from crawler.readers.reading import read_file
from crawler.readers.recognise import recognise

_MAX_BYTES = 50 * 1000**2
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Read:
    """What one reader found in a file."""

    header: tuple[str, ...] = ()
    rows: int = 0
    numbers: int = 0
    """Columns of numbers, dates or periods."""
    trouble: str = ""
    said: dict[str, str] = field(default_factory=dict)

    @property
    def is_read(self) -> bool:
        """Whether there is a table at all."""
        return not self.trouble


def main() -> None:
    """Prints a line for each file and how often the readers agree."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    folder = options.parse_args().folder
    counts = {"files": 0, "read here": 0, "pandas": 0, "duckdb": 0}
    agreed = {"pandas": 0, "duckdb": 0}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            continue
        counts["files"] += 1
        own = ours(path)
        peers = {"pandas": by_pandas(path), "duckdb": by_duckdb(path)}
        counts["read here"] += own.is_read
        for name, read in peers.items():
            counts[name] += read.is_read
            agreed[name] += own.is_read and read.is_read and not any(_differences(own, read))
        print(f"{path.name}: {_line(own)}")
        for name, read in peers.items():
            differs = ", ".join(_differences(own, read))
            print(f"    {name:<7} {_line(read)}{'  <- ' + differs if differs else ''}")
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    print(", ".join(f"the same as {name}: {count}" for name, count in agreed.items()))


def ours(path: Path) -> Read:
    """The file as `tallyho read` reads it."""
    try:
        with path.open("rb") as stream:
            table = read_file(stream, name=path.name).table
    except TallyhoError as error:
        return Read(trouble=str(error)[:80])
    frame = table.frame.iloc[:, : table.frame.shape[1] - table.flag_columns]
    read = _of_frame(frame)
    said = {"table": table.name, "confidence": table.confidence.value}
    return Read(read.header, table.rows, read.numbers, said=said)


def by_pandas(path: Path) -> Read:
    """The file as pandas reads it without being told anything."""
    import pandas as pd

    with path.open("rb") as stream:
        kind = recognise(stream, path.name)
    data = io.BytesIO(path.read_bytes())
    try:
        if kind in WORKBOOKS:
            frame = pd.read_excel(data, engine="calamine")
        elif kind in (Kind.DELIMITED, Kind.SDMX_CSV):
            frame = pd.read_csv(data)
        elif kind is Kind.JSON:
            frame = pd.read_json(data)
        else:
            return Read(trouble="not a format of its own")
    except Exception as error:  # whatever a library says of any file
        return Read(trouble=str(error)[:80] or type(error).__name__)
    return _of_frame(frame)


def by_duckdb(path: Path) -> Read:
    """The file as duckdb's automatic reader of texts and JSON reads it."""
    try:
        import duckdb
    except ImportError:
        return Read(trouble="duckdb is not installed")
    call = "read_json_auto" if path.suffix == ".json" else "read_csv_auto"
    try:
        frame = duckdb.sql(f"SELECT * FROM {call}(?)", params=[str(path)]).df()
    except Exception as error:  # whatever a library says of any file
        return Read(trouble=str(error).partition("\n")[0][:80])
    return _of_frame(frame)


def _of_frame(frame: Any) -> Read:
    import pandas as pd

    numbers = sum(
        pd.api.types.is_numeric_dtype(kind)
        or pd.api.types.is_datetime64_any_dtype(kind)
        or isinstance(kind, pd.PeriodDtype)
        for kind in frame.dtypes
    )
    return Read(tuple(str(name) for name in frame.columns), len(frame), numbers)


def _differences(own: Read, other: Read) -> Iterator[str]:
    if not own.is_read or not other.is_read:
        return
    if own.header != other.header:
        yield "header"
    if own.rows != other.rows:
        yield "rows"
    if own.numbers != other.numbers:
        yield "types"


def _line(read: Read) -> str:
    if not read.is_read:
        return f"not read: {' '.join(read.trouble.split())}"
    names = ", ".join(" ".join(name.split())[:24] for name in read.header[:_SHOWN])
    said = "".join(f", {value}" for value in read.said.values() if value)
    return f"{read.rows} rows, {len(read.header)} columns, {read.numbers} typed{said}: {names}"


if __name__ == "__main__":
    main()
