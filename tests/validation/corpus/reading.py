"""The corpus through the pool and the judge, with the parts of the pipeline."""

from collections.abc import Sequence
from pathlib import Path

from crawler.pipeline.validate.batches import BATCH
from crawler.readers.bounds import Bounds
from crawler.validation.expectations import Judge
from crawler.validation.inspector import FileToInspect, Inspector
from crawler.validation.outcome import (
    ColumnProfile,
    ColumnType,
    Outcome,
    Profile,
    TableProfile,
)
from crawler.validation.suites import load_suites
from tests.validation.corpus.specimen import Before, Specimen

BOUNDS = Bounds(memory=1000**3, seconds=20.0)
SUITES = Path(__file__).parents[3] / "include" / "expectations"


def judge_corpus(
    specimens: Sequence[Specimen], folder: Path
) -> tuple[dict[str, Outcome], dict[str, Outcome]]:
    """Two runs with one pool and one judge; the second backwards, without the large files."""
    judge = Judge(load_suites(SUITES))
    files = write_corpus(specimens, folder, judge)
    again = [file for file in reversed(files) if not specimens[file.key].is_large]
    with Inspector(2, BOUNDS) as inspector:
        first, second = _judged(files, inspector, judge), _judged(again, inspector, judge)
    return _named(first, specimens), _named(second, specimens)


def write_corpus(specimens: Sequence[Specimen], folder: Path, judge: Judge) -> list[FileToInspect]:
    """The files on disk, under names that tell nothing."""
    files = []
    for key, specimen in enumerate(specimens):
        path = folder / str(key)
        path.write_bytes(specimen.make())
        before = _profile(specimen.before) if specimen.before else None
        request = judge.request(
            specimen.file_name, specimen.declared, previous=before, bounds=BOUNDS
        )
        files.append(FileToInspect(key, path, request))
    return files


def _judged(
    files: Sequence[FileToInspect], inspector: Inspector, judge: Judge
) -> dict[int, Outcome]:
    outcomes: dict[int, Outcome] = {}
    for start in range(0, len(files), BATCH):
        found = list(inspector.inspect(files[start : start + BATCH]))
        judged = judge.judge([inspection for _, inspection in found])
        outcomes |= {file.key: one for (file, _), one in zip(found, judged, strict=True)}
    return outcomes


def _named(outcomes: dict[int, Outcome], specimens: Sequence[Specimen]) -> dict[str, Outcome]:
    return {specimens[key].name: outcome for key, outcome in outcomes.items()}


def _profile(before: Before) -> Profile:
    columns = tuple(
        ColumnProfile(name=name, type=ColumnType.INTEGER, nulls=0.0) for name in before.columns
    )
    table = TableProfile(name="", rows=before.rows, columns=columns, width=len(columns))
    return Profile(tables=(table,), table_count=1)
