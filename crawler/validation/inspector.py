"""Files on their way through the reading processes, each within its bounds."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.kinds import Kind
from crawler.validation.failure import PoolFailure
from crawler.validation.file_memory import limit_memory_of
from crawler.validation.inspection import Inspection, InspectionRequest, inspect_file
from crawler.validation.pool import ReadingPool


@dataclass(frozen=True, slots=True)
class FileToInspect:
    """A file of this machine, and what is to be found out of it."""

    key: int
    """Whatever the caller knows it by."""
    path: Path
    request: InspectionRequest
    only_kind: bool = False
    """Not to be read, as that failed; what is it, at least?"""


def inspect_one(file: FileToInspect) -> Inspection:
    """What a reading process does with a file."""
    if not file.only_kind:
        limit_memory_of(file.path, file.request.bounds)
        return inspect_file(file.path, file.request)
    from crawler.readers.recognise import recognise

    with file.path.open("rb") as stream:
        kind = recognise(stream, file.request.name, file.request.declared)
    return Inspection(kind=kind, name=file.request.name)


class Inspector(AbstractContextManager["Inspector"]):
    """Reads several files at once. What a file does to its reader is reported for it alone."""

    def __init__(
        self, jobs: int, bounds: Bounds = DEFAULT_BOUNDS, readable: Iterable[Path] = ()
    ) -> None:
        self._pool: ReadingPool[FileToInspect, Inspection] = ReadingPool(
            jobs, bounds, inspect_one, readable=readable
        )

    def inspect(
        self, files: Iterable[FileToInspect], is_stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[FileToInspect, Inspection]]:
        """Each file with what was found, as they come; files are taken as there is room.

        When it is stopped, the files in work are given up.
        """
        for file, inspected in self._pool.map_unordered(files, is_stopped):
            if isinstance(inspected, PoolFailure):
                yield file, self._failed(file, inspected)
            else:
                yield file, inspected

    def warm_up(self) -> None:
        """Starts the reading processes in the background."""
        self._pool.warm_up()

    def __exit__(self, *_: object) -> None:
        self._pool.close()

    def _failed(self, file: FileToInspect, failure: PoolFailure) -> Inspection:
        inspected = self._pool.run(replace(file, only_kind=True))
        kind = Kind.BINARY if isinstance(inspected, PoolFailure) else inspected.kind
        return Inspection(kind, file.request.name, failure.trouble, failure.detail)
