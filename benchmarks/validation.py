"""How long validation takes beside a bare read of the same files.

    python -m benchmarks.validation [--runs 3] [--small 25] [--profile KIND]

Validation is the whole of it, warm: files go to a process of the pool, are recognised, read,
counted and described there, and the judge runs the suites over a batch as large as the pipeline's.
A bare read is the plainest way to get a file into a DataFrame with the same library, in this
process. Both have one process and one thread, take turns, and the shorter of their runs counts.
Figures are per file. Large files (over 1 MB) may take 5 times a bare read; small ones 0.15 s more
than a bare read. On a busy machine the ratio of processor time is more reliable than the clock.

With --profile the time of one kind's inspection is broken down by function instead.
"""

import argparse
import cProfile
import pstats
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.validation_files import LARGE, SMALL, File, Inspected, Sample, inspect
from crawler.pipeline.validate.batches import BATCH
from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.validation.expectations import Judge
from crawler.validation.failure import PoolFailure
from crawler.validation.outcome import Judgement
from crawler.validation.pool import ReadingPool
from crawler.validation.suites import load_suites

SUITES = Path(__file__).parents[1] / "include" / "expectations"
MAX_TIMES = 5.0
MAX_SECONDS = 0.15
COPIES = 4
"""Of a large file; the largest is read alone."""
MAX_COPIED_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Seconds:
    """Of one file."""

    clock: float
    processor: float


@dataclass(frozen=True, slots=True)
class Taken:
    """The shortest of several runs."""

    bare: Seconds
    validation: Seconds


class Watch:
    """Takes the time of several files."""

    def __init__(self) -> None:
        self._clock = time.perf_counter()
        self._processor = time.process_time()

    def stop(self, files: int, elsewhere: float = 0.0) -> Seconds:
        """The share of one file; `elsewhere` is the processor time of another process."""
        return Seconds(
            (time.perf_counter() - self._clock) / files,
            (time.process_time() - self._processor + elsewhere) / files,
        )


class Validation:
    """A warm pool of one process, and a warm judge."""

    def __init__(self, pool: "ReadingPool[File, Inspected]", judge: Judge) -> None:
        self._pool = pool
        self._judge = judge

    def check(self, files: Sequence[File]) -> Seconds:
        """Validates the files, with as many more of their kind as make up a batch."""
        reading = Watch()
        inspected_files = []
        for file, inspected in self._pool.map_unordered(files):
            if isinstance(inspected, PoolFailure):
                raise SystemExit(f"{file.name}: {inspected.detail}")
            inspected_files.append(inspected)
        elsewhere = sum(one.processor for one in inspected_files)
        read = reading.stop(len(files), elsewhere)
        inspections = [one.inspection for one in inspected_files]
        batch = (inspections * BATCH)[:BATCH] if len(inspected_files) < BATCH else inspections
        judging = Watch()
        outcomes = self._judge.judge(batch)
        judged = judging.stop(len(batch))
        for inspection, outcome in zip(batch, outcomes, strict=True):
            # Anything else would be read only in part.
            if outcome.verdict is not Judgement.VALID:
                said = "; ".join(reason.sentence for reason in outcome.reasons)
                raise SystemExit(f"{inspection.name} is {outcome.verdict.value}: {said}")
        return Seconds(read.clock + judged.clock, read.processor + judged.processor)


def read_bare(batch: Sequence[tuple[Sample, File]]) -> Seconds:
    """The same files, read and nothing else."""
    watch = Watch()
    for sample, file in batch:
        sample.bare(file.path)
    return watch.stop(len(batch))


def measured(validation: Validation, batch: Sequence[tuple[Sample, File]], runs: int) -> Taken:
    """Both in turns, after one round that does not count."""
    files = [file for _, file in batch]
    bare, checked = [], []
    for number in range(runs + 1):
        if number % 2:
            bare.append(read_bare(batch))
        checked.append(validation.check(files))
        if not number % 2:
            bare.append(read_bare(batch))
    return Taken(_shortest(bare[1:]), _shortest(checked[1:]))


def _shortest(runs: Sequence[Seconds]) -> Seconds:
    return Seconds(min(run.clock for run in runs), min(run.processor for run in runs))


def print_large(validation: Validation, folder: Path, runs: int) -> None:
    """One line per kind of large files."""
    heads = f"{'MB':>7} {'bare s':>8} {'valid. s':>9} {'MB/s':>7} {'times':>6} {'processor':>10}"
    print(f"{'large files':<12} {heads}")
    for number, sample in enumerate(LARGE):
        file = _written(sample, folder / f"large{number}")
        copies = COPIES if file.size < MAX_COPIED_BYTES else 1
        taken = measured(validation, [(sample, file)] * copies, runs)
        megabytes = file.size / 1e6
        times = taken.validation.clock / taken.bare.clock
        processor = taken.validation.processor / taken.bare.processor
        mark = "" if times <= MAX_TIMES else f"  over {MAX_TIMES:g}"
        print(
            f"{sample.name:<12} {megabytes:>7.1f} {taken.bare.clock:>8.3f} "
            f"{taken.validation.clock:>9.3f} {megabytes / taken.validation.clock:>7.1f} "
            f"{times:>6.2f} {processor:>10.2f}{mark}",
            flush=True,
        )
        file.path.unlink()


def print_small(validation: Validation, folder: Path, runs: int, count: int) -> None:
    """One line per kind of small files, and one for a batch of all."""
    heads = (
        f"{'KB':>7} {'bare s':>8} {'valid. s':>9} {'files/s':>8} {'more s':>7} {'processor':>10}"
    )
    print(f"\n{'small files':<12} {heads}")
    everything = []
    for number, sample in enumerate(SMALL):
        batch = [(sample, _written(sample, folder / f"{number}-{copy}")) for copy in range(count)]
        _print_batch(sample.name, batch, validation, runs)
        everything += batch
    _print_batch("all of them", everything, validation, runs)


def _print_batch(
    name: str, batch: Sequence[tuple[Sample, File]], validation: Validation, runs: int
) -> None:
    taken = measured(validation, batch, runs)
    more = taken.validation.clock - taken.bare.clock
    processor = taken.validation.processor - taken.bare.processor
    mark = "" if more <= MAX_SECONDS else f"  over {MAX_SECONDS:g}"
    kilobytes = sum(file.size for _, file in batch) / len(batch) / 1e3
    print(
        f"{name:<12} {kilobytes:>7.1f} {taken.bare.clock:>8.4f} {taken.validation.clock:>9.4f} "
        f"{1 / taken.validation.clock:>8.1f} {more:>7.4f} {processor:>10.4f}{mark}",
        flush=True,
    )


def print_profile(kind: str, folder: Path) -> None:
    """Where the time goes when one large file is inspected."""
    sample = next(sample for sample in LARGE if sample.name == kind)
    file = _written(sample, folder / "profiled")
    inspect(file)
    profiler = cProfile.Profile()
    profiler.runcall(inspect, file)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)


def _written(sample: Sample, path: Path) -> File:
    size = path.write_bytes(sample.make())
    return File(sample.name, sample.file_name, path, size)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--small", type=int, default=25, help="small files of each kind")
    parser.add_argument("--profile", choices=[sample.name for sample in LARGE])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.profile:
            print_profile(options.profile, folder)
            return
        with ReadingPool(1, DEFAULT_BOUNDS, inspect) as pool:
            validation = Validation(pool, Judge(load_suites(SUITES)))
            print_large(validation, folder, options.runs)
            print_small(validation, folder, options.runs, options.small)


if __name__ == "__main__":
    main()
