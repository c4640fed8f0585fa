"""Files of a search in one folder, as a Frictionless data package that can be continued."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from crawler.catalog.export.package_descriptor import (
    DESCRIPTOR,
    package_of,
    path_in_package,
    resource_of,
)
from crawler.catalog.export.saved_copy import writing
from crawler.catalog.read.record import Record
from crawler.catalog.read.records import FileDetail
from crawler.catalog.search.result import SearchResult
from crawler.errors import FileRemoved, NotInCatalog, StorageError, StorageRefused
from crawler.storage.hashes import hash_of

if TYPE_CHECKING:
    from crawler.catalog.facade import Catalog

MAX_FILES = 10_000
"""More than this is no package any more; `export` lists the whole catalog."""
DEFAULT_FILES = 100
DEFAULT_BYTES = 10 * 1000**3
_CHUNK = 1024**2


class Unfetched(Record):
    """A file of the search that is not in the package."""

    id: int = Field(examples=[17])
    """Its ID."""
    why: str = Field(examples=["its bytes were removed"])
    """What is wrong."""


class DataPackage(Record):
    """What was put into a folder."""

    path: str = Field(examples=["births/datapackage.json"])
    """The descriptor, which lists the files with their hashes."""
    files: int = Field(examples=[12])
    """Files in the package."""
    bytes: int = Field(examples=[48213])
    """Their size."""
    already_there: int = Field(examples=[0])
    """Those of them that an earlier attempt had brought."""
    complete: bool = Field(examples=[True])
    """Whether every file of the search is in it."""
    sentence: str = Field(examples=["All 12 files that were found."])
    """The same in words, also the description of the package."""
    unfetched: tuple[Unfetched, ...] = ()
    """Files that should be there and are not."""


def write_package(
    catalog: "Catalog",
    ids: Sequence[int],
    folder: Path,
    *,
    asked: Mapping[str, Any],
    found: str,
    complete: bool = True,
    as_of: datetime | None = None,
    max_bytes: int = DEFAULT_BYTES,
    progress: Callable[[FileDetail], None] = lambda _: None,
    now: datetime | None = None,
) -> DataPackage:
    """Downloads the files into a folder and describes them; what is there already is kept.

    `found` says how many the search found and how many of them were asked for, `complete` whether
    that is all. A file is complete and has the hash of the catalog, or it is not there; the
    descriptor comes last.
    """
    if not ids:
        raise NotInCatalog("the search finds nothing to download")
    writer = _Writer(catalog, folder)
    writer.prepare()
    files: list[FileDetail] = []
    resources: list[dict[str, Any]] = []
    unfetched: list[Unfetched] = []
    total = already = 0
    left = ""
    for place, number in enumerate(ids):
        file = catalog.show(number, as_of=as_of)
        if total + file.bytes > max_bytes:
            left_out = len(ids) - place
            left = (
                f" {left_out:,} {'is' if left_out == 1 else 'are'} left out: with the next one the "
                f"package would have more than {max_bytes:,} bytes; ask for more bytes or narrow "
                "the search."
            )
            break
        path = path_in_package(file)
        try:
            already += writer.bring(file, path)
        except (NotInCatalog, FileRemoved, StorageRefused) as error:
            unfetched.append(Unfetched(id=file.id, why=str(error)))
            continue
        progress(file)
        total += file.bytes
        files.append(file)
        resources.append(resource_of(file, path))
    if unfetched and not files:
        raise FileRemoved(f"none of the files can be fetched: {unfetched[0].why}")
    missing = f" {len(unfetched):,} could not be fetched." if unfetched else ""
    sentence = f"{found}{left}{missing}"
    when = now or datetime.now(UTC)
    described = package_of(resources, files, asked=asked, sentence=sentence, now=when)
    return DataPackage(
        path=str(writer.describe(described)),
        files=len(files),
        bytes=total,
        already_there=already,
        complete=complete and not left and not unfetched,
        sentence=sentence,
        unfetched=tuple(unfetched),
    )


def package_sentence(result: SearchResult, files: Sequence[int], limit: int) -> str:
    """How much of what a search found is asked for."""
    some = "more than " if result.at_least else ""
    if result.more or len(files) > limit:
        many = f"{some}{result.total:,} {'dataset' if result.total == 1 else 'datasets'}"
        return (
            f"The first {min(limit, len(files)):,} files of {many} that were found; a larger "
            "limit or a narrower search has all of them."
        )
    if len(files) == 1:
        return "The one file that was found."
    return f"All {len(files):,} files that were found."


class _Writer:
    """The folder of a package."""

    def __init__(self, catalog: "Catalog", folder: Path) -> None:
        self._catalog = catalog
        self._folder = folder

    def prepare(self) -> None:
        """Makes the folder; one with a package of another program is refused."""
        descriptor = self._folder / DESCRIPTOR
        try:
            (self._folder / "data").mkdir(parents=True, exist_ok=True)
            ours = not descriptor.exists() or '"tallyho"' in descriptor.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise StorageError(f"{self._folder}: {error}") from error
        if not ours:
            raise StorageRefused(f"{descriptor} is a package of another program; choose a folder")

    def bring(self, file: FileDetail, path: str) -> bool:
        """Has the file in the folder; whether it was there already."""
        target = self._folder / path
        try:
            if target.is_file():
                with target.open("rb") as there:
                    if hash_of(there) == file.sha256:
                        return True
        except OSError as error:
            raise StorageError(f"{target}: {error.strerror or error}") from error
        with writing(target) as copy, self._catalog.open(file.id, file.version) as source:
            digest = hashlib.sha256()
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                copy.write(chunk)
            if digest.hexdigest() != file.sha256:
                raise NotInCatalog(f"the store has other bytes for file {file.id}")
        return False

    def describe(self, descriptor: Mapping[str, Any]) -> Path:
        """Writes datapackage.json, complete or not at all."""
        path = self._folder / DESCRIPTOR
        text = json.dumps(descriptor, indent=2, ensure_ascii=False)
        with writing(path) as file:
            file.write(f"{text}{os.linesep}".encode())
        return path
