"""The folder of a backup: its parts, the hashes of all its files, and what it is a backup of."""

import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, ValidationError

from crawler.catalog.upkeep.dump import CatalogDump
from crawler.errors import StorageRefused
from crawler.storage.durable_file import naming, sync_folder
from crawler.storage.hashes import hash_of

MANIFEST = "manifest.json"
"""Written last: a folder without it is no complete backup."""
SUMS = "SHA256SUMS"
"""As `sha256sum --check` reads it."""
FORMAT = 1

CATALOG = "catalog"
STORE = "store"
BLOBS = f"{STORE}/blobs/"
STATES = "state"
MANIFESTS = "manifests"
WRITTEN = "files"
"""What people wrote: site files, expectations, the thesaurus."""


class Manifest(BaseModel):
    """What a folder is a backup of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    tallyho: str
    """The version that made it."""
    made_at: datetime
    catalog: CatalogDump
    files: int
    bytes: int
    sums: str
    """The SHA-256 of SHA256SUMS."""
    missing: list[str]
    """Blobs that the catalog names and the store did not have, or not with their bytes."""


class BackupWriter:
    """Notes the hash of every file that is put into the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with naming(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise StorageRefused(f"{folder}: is not empty; a backup needs a folder of its own")
            self._sums = (folder / SUMS).open("w", encoding="utf-8")
        self._files = 0
        self._bytes = 0

    def part(self, name: str) -> Path:
        """The folder of one part, made."""
        path = self.folder / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def add(self, relative: str) -> None:
        """Note a file that is complete in the folder."""
        path = self.folder / relative
        with naming(path), path.open("rb") as file:
            self.note(relative, hash_of(file), path.stat().st_size)

    def note(self, relative: str, sha256: str, size: int) -> None:
        """Note a file whose hash is known."""
        self._sums.write(f"{sha256}  {relative}\n")
        self._files += 1
        self._bytes += size

    def finish(
        self, catalog: CatalogDump, made_at: datetime, version: str, missing: list[str]
    ) -> Manifest:
        """Make it a complete backup, on the disk and not only in the memory of the machine."""
        self._sums.close()
        sums = self.folder / SUMS
        with naming(sums), sums.open("rb") as file:
            manifest = Manifest(
                tallyho=version,
                made_at=made_at,
                catalog=catalog,
                files=self._files,
                bytes=self._bytes,
                sums=hash_of(file),
                missing=missing,
            )
            os.sync()
            draft = self.folder / f"{MANIFEST}.draft"
            draft.write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
            draft.replace(self.folder / MANIFEST)
            sync_folder(self.folder)
            os.sync()
        return manifest

    def close(self) -> None:
        """Lets go of the list, also of a backup that was not finished."""
        self._sums.close()


class BackupFolder:
    """A backup to be restored."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = _read_manifest(folder)
        with naming(folder / SUMS), (folder / SUMS).open("rb") as file:
            if hash_of(file) != self.manifest.sums:
                raise StorageRefused(f"{folder / SUMS}: is not what the backup was made with")

    def files(self, prefix: str = "", *, but: str = "\0") -> Iterator[tuple[str, str]]:
        """SHA-256 and path in the folder of every file with this prefix, but not with another."""
        with (self.folder / SUMS).open(encoding="utf-8") as lines:
            for line in lines:
                sha256, _, relative = line.rstrip("\n").partition("  ")
                if relative.startswith(prefix) and not relative.startswith(but):
                    yield sha256, _inside(relative)

    def check(self, prefix: str = "", *, but: str = "\0") -> None:
        """Compare files with their hashes; StorageRefused names the first that is damaged."""
        for sha256, relative in self.files(prefix, but=but):
            path = self.folder / relative
            with naming(path), path.open("rb") as file:
                if hash_of(file) != sha256:
                    raise StorageRefused(f"{path}: is damaged; nothing was restored")


def _inside(relative: str) -> str:
    path = PurePosixPath(relative)
    if path.is_absolute() or ".." in path.parts:
        raise StorageRefused(f"{SUMS}: {relative!r} is not inside the backup")
    return relative


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    if not path.is_file():
        raise StorageRefused(f"{folder}: is no complete backup, as it has no {MANIFEST}")
    with naming(path):
        text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text)
        if found.get("format") != FORMAT:
            raise StorageRefused(
                f"{path}: has format {found.get('format')!r}; this version reads {FORMAT}"
            )
        return Manifest.model_validate_json(text)
    except (ValueError, AttributeError, ValidationError) as error:
        raise StorageRefused(f"{path}: is no manifest of a backup") from error
