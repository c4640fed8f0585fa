"""Two versions of a file compared in a process that can be killed."""

from dataclasses import dataclass
from pathlib import Path

from crawler.differences.records import Difference
from crawler.readers.bounds import Bounds
from crawler.readers.content import Content, Table
from crawler.validation.confinement import limit_memory
from crawler.validation.file_memory import memory_of


@dataclass(frozen=True, slots=True)
class FilePair:
    """Two files of this machine."""

    old: Path
    new: Path
    name: str
    """Their address, or their name."""
    bounds: Bounds


def compare_pair(pair: FilePair) -> Difference:
    """What a reading process does with two files."""
    from crawler.differences.compare import compare_tables

    limit_memory(max(memory_of(path, pair.bounds) for path in (pair.old, pair.new)))
    old, new = _read(pair.old, pair), _read(pair.new, pair)
    for which, content in (("older", old), ("newer", new)):
        if content.trouble is not None:
            return Difference(reason=f"the {which} version cannot be read: {content.detail}")
        if not _tables(content):
            return Difference(reason=f"the {which} version holds no table")
    return compare_tables(_tables(old), _tables(new))


def _read(path: Path, pair: FilePair) -> Content:
    from crawler.readers.reading import read_content

    with path.open("rb") as stream:
        return read_content(stream, name=pair.name, bounds=pair.bounds)


def _tables(content: Content) -> list[Table]:
    """Without those that are about the other tables: covers, indexes, hidden sheets."""
    return [table for table in content.tables if not table.aside] or list(content.tables)
