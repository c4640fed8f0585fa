"""Hostile files through the real pool and the real judge, with what each cost its reader."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crawler.readers.bounds import Bounds
from crawler.readers.kinds import Kind
from crawler.validation.expectations import Judge
from crawler.validation.failure import PoolFailure
from crawler.validation.inspection import Inspection
from crawler.validation.inspector import FileToInspect, inspect_one
from crawler.validation.outcome import Outcome
from crawler.validation.pool import ReadingPool
from crawler.validation.reader_memory import ReaderMemory
from crawler.validation.suites import load_suites
from tests.hostile.specimen import Hostile

BOUNDS = Bounds(memory=1000**3, seconds=40.0)
READERS_AT_ONCE = 2
JOBS = 3
"""One more than may read at once, so that one has to wait."""
SUITES = Path(__file__).parents[2] / "include" / "expectations"
_HIGH_WATER = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(frozen=True, slots=True)
class Read:
    """One file as its reader saw it."""

    inspection: Inspection
    peak: int
    """Bytes of memory that the reader has had at most."""
    started: float
    ended: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One file with its verdict; `read` is missing when its reader was ended."""

    hostile: Hostile
    outcome: Outcome
    read: Read | None


def measured(file: FileToInspect) -> Read:
    """What a reading process does with a file, watched by itself."""
    started = time.monotonic()
    inspection = inspect_one(file)
    return Read(inspection, high_water(), started, time.monotonic())


def high_water() -> int:
    """Bytes of memory that this process has had at most."""
    match = _HIGH_WATER.search(Path("/proc/self/status").read_text())
    return int(match[1]) * 1024 if match else 0


def judge_hostile(specimens: Sequence[Hostile], folder: Path) -> list[Judged]:
    """Every file with its verdict, in the order of the specimens."""
    judge = Judge(load_suites(SUITES))
    files = []
    for key, hostile in enumerate(specimens):
        path = folder / str(key)
        path.write_bytes(hostile.make())
        request = judge.request(hostile.file_name, "", previous=None, bounds=BOUNDS)
        files.append(FileToInspect(key, path, request))
    memory = ReaderMemory(folder / "shares", READERS_AT_ONCE * BOUNDS.memory)
    with ReadingPool(JOBS, BOUNDS, measured, readable=[folder], memory=memory) as pool:
        reads = {file.key: read for file, read in pool.map_unordered(files)}
    inspections = [_inspection(file, reads[file.key]) for file in files]
    outcomes = judge.judge(inspections)
    return [
        Judged(hostile, outcome, None if isinstance(reads[key], PoolFailure) else reads[key])
        for key, (hostile, outcome) in enumerate(zip(specimens, outcomes, strict=True))
    ]


def _inspection(file: FileToInspect, read: Read | PoolFailure) -> Inspection:
    if isinstance(read, PoolFailure):
        return Inspection(Kind.BINARY, file.request.name, read.trouble, read.detail)
    return read.inspection


def most_at_once(reads: Sequence[Read]) -> int:
    """The largest sum of the peaks of readers that worked at the same time."""
    return max(
        sum(other.peak for other in reads if other.started <= read.started < other.ended)
        for read in reads
    )
