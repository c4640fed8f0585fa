"""A backup back into an installation, which is empty unless the caller says to overwrite it."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.upkeep.load import check_loadable, is_empty, load_catalog
from crawler.catalog.upkeep.tidying import CatalogFigures, refresh_statistics
from crawler.catalog.write.runs import active_runs
from crawler.config.settings import Settings
from crawler.errors import SiteBusy, StorageRefused
from crawler.pipeline.backup import folder as parts
from crawler.pipeline.backup.blobs import Copied, copy_blob, copy_blobs
from crawler.pipeline.backup.folder import BackupFolder, Manifest
from crawler.pipeline.backup.written_files import place_of
from crawler.pipeline.services import store_of
from crawler.state.lock import is_held
from crawler.storage.durable_file import naming, receive
from crawler.storage.hashes import hash_of
from crawler.storage.interface import ObjectStore
from crawler.storage.keys import object_key

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was restored."""

    manifest: Manifest
    blobs: int
    missing: list[str]
    """Blobs that were lost before the backup was made, or are damaged in it."""
    figures: CatalogFigures


def restore(
    settings: Settings,
    folder: Path,
    *,
    overwrite: bool = False,
    progress: Progress = lambda _: None,
) -> RestoreReport:
    """Put everything back: blobs first, the catalog that names them last.

    StorageRefused, and nothing is changed, when the backup is damaged, or when something would be
    overwritten and `overwrite` is not set.
    """
    backup = BackupFolder(folder)
    progress("comparing the backup with its hashes")
    backup.check(but=parts.BLOBS)
    store = store_of(settings)
    with closing(open_database(settings.database_url)) as database:
        work = _Restore(settings, store, database, backup)
        check_loadable(backup.manifest.catalog, database)
        work.refuse_while_crawls_run()
        if not overwrite:
            work.refuse_to_overwrite()
        work.refuse_read_only()
        store.check()
        progress("blobs")
        blobs, damaged = work.put_blobs()
        progress("named objects, crawl states, files that people wrote")
        work.put_objects()
        work.put_home()
        work.put_written_files()
        progress("catalog")
        load_catalog(backup.manifest.catalog, folder / parts.CATALOG, database)
        figures = refresh_statistics(database)
        return RestoreReport(backup.manifest, blobs, [*backup.manifest.missing, *damaged], figures)


class _Restore:
    def __init__(
        self, settings: Settings, store: ObjectStore, database: Database, backup: BackupFolder
    ) -> None:
        self._settings = settings
        self._store = store
        self._database = database
        self._backup = backup

    def refuse_while_crawls_run(self) -> None:
        """What they write next would fit neither the old catalog nor the new one."""
        locks = sorted((self._settings.home / "state").glob("*.lock"))
        held = [lock.stem for lock in locks if is_held(lock)]
        if held:
            raise SiteBusy(f"crawls run here: {', '.join(held)}; stop them first")
        if not self._database.exists or self._database.revision() is None:
            return
        self._database.ready()
        if runs := active_runs(self._database):
            raise SiteBusy(f"crawls run: {', '.join(runs[:5])}; stop them, and wait for a minute")

    def refuse_to_overwrite(self) -> None:
        """StorageRefused that names what is there."""
        there = list(self._what_is_there())
        if there:
            raise StorageRefused(
                f"{'; '.join(there)}. Nothing was changed; --overwrite replaces all of it"
            )

    def refuse_read_only(self) -> None:
        """Containers mount what people wrote read-only; it must be put there from outside."""
        for relative, path, sha256 in self._written_files():
            place = next(folder for folder in path.parents if folder.exists())
            if not _has(path, sha256) and not os.access(place, os.W_OK):
                source = self._backup.folder / parts.WRITTEN / relative
                raise StorageRefused(
                    f"{path} cannot be written here: copy it from {source} first. "
                    "Nothing was changed"
                )

    def _what_is_there(self) -> Iterator[str]:
        if not is_empty(self._database):
            yield f"catalog {self._database.place} is not empty"
        if any(True for _ in self._store.objects("state/")):
            yield f"{self._settings.store_place} has snapshots of crawl states"
        states = sorted((self._settings.home / "state").glob("*.db"))
        if states:
            yield f"{states[0].parent} has crawl states"
        for _, path, sha256 in self._written_files():
            if path.exists() and not _has(path, sha256):
                yield f"{path} is there with other text"

    def put_blobs(self) -> tuple[int, list[str]]:
        """How many were put, and those that are damaged in the backup."""
        names = (sha256 for sha256, _ in self._backup.files(parts.BLOBS))
        put, damaged = 0, []
        for sha256, copied in copy_blobs(names, self._put_blob):
            if copied is Copied.COPIED:
                put += 1
            else:
                damaged.append(sha256)
        return put, damaged

    def _put_blob(self, sha256: str) -> Copied:
        path = self._backup.folder / parts.STORE / object_key(sha256)
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return Copied.ABSENT
        return copy_blob(file, self._store, sha256)

    def put_objects(self) -> None:
        """Snapshots that the backup does not have go: they are of crawls that never were."""
        keys = [
            relative.removeprefix(f"{parts.STORE}/")
            for _, relative in self._backup.files(f"{parts.STORE}/", but=parts.BLOBS)
        ]
        for key in list(self._store.objects("state/")):
            if key not in keys:
                self._store.delete_object(key)
        for key in keys:
            self._store.put_object(key, self._backup.folder / parts.STORE / key)

    def put_home(self) -> None:
        """Crawl states and manifests of this machine, in the place of those that are there."""
        for folder in (parts.STATES, parts.MANIFESTS):
            for old in sorted((self._settings.home / folder).glob("*")):
                if old.suffix != ".lock":
                    with naming(old):
                        old.unlink()
            for _, relative in self._backup.files(f"{folder}/"):
                _put(self._backup.folder / relative, self._settings.home, relative)

    def put_written_files(self) -> None:
        for relative, path, sha256 in self._written_files():
            if not _has(path, sha256):
                _put(self._backup.folder / parts.WRITTEN / relative, path.parent, path.name)

    def _written_files(self) -> Iterator[tuple[str, Path, str]]:
        for sha256, relative in self._backup.files(f"{parts.WRITTEN}/"):
            inner = relative.removeprefix(f"{parts.WRITTEN}/")
            path = place_of(self._settings, inner)
            if path is not None:
                yield inner, path, sha256


def _put(source: Path, folder: Path, relative: str) -> None:
    target = folder / relative
    with naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as file:
            receive(file, target)


def _has(path: Path, sha256: str) -> bool:
    if not path.is_file():
        return False
    with naming(path), path.open("rb") as file:
        return hash_of(file) == sha256
