"""One backup of an installation, also while crawls run."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from crawler.catalog.upkeep.dump import CatalogDump, dump_catalog, wanted_blobs
from crawler.catalog.upkeep.verify import is_needed
from crawler.config.settings import Settings
from crawler.errors import StorageError, StorageRefused
from crawler.pipeline.backup import folder as parts
from crawler.pipeline.backup.blobs import Copied, copy_blob, copy_blobs, link_blob
from crawler.pipeline.backup.folder import BackupFolder, BackupWriter, Manifest
from crawler.pipeline.backup.written_files import written_files
from crawler.pipeline.crawl.snapshots import Pointer, pointer_key
from crawler.pipeline.services import Services, open_services
from crawler.storage.durable_file import naming
from crawler.storage.keys import object_key
from crawler.storage.local_folder import LocalFolder

_DUMPS = 5
"""How often the catalog is copied again because files were taken down or let go meanwhile."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What was backed up."""

    folder: Path
    manifest: Manifest
    blobs: int
    linked: int
    """Blobs among them that an earlier backup had."""


def back_up(
    settings: Settings,
    folder: Path,
    now: datetime,
    *,
    reuse: Path | None = None,
    progress: Progress = lambda _: None,
) -> BackupReport:
    """Copy everything into a new folder; blobs of an earlier backup, `reuse`, are linked.

    The order is that of `crawler.pipeline.backup`: states, catalog, blobs.
    """
    earlier = BackupFolder(reuse).folder if reuse is not None else None
    with open_services(settings) as services, closing(BackupWriter(folder)) as writer:
        work = _Backup(settings, services, writer, earlier)
        progress("files that people wrote, manifests, crawl states")
        work.copy_written_files()
        work.copy_home()
        progress("named objects of the store")
        work.copy_objects()
        progress("catalog and blobs")
        dump, missing = work.copy_catalog_and_blobs()
        shutil.rmtree(folder / parts.STORE / "spool")
        manifest = writer.finish(dump, now, version("tallyho"), missing)
        return BackupReport(folder, manifest, work.blobs, work.linked)


class _Backup:
    def __init__(
        self, settings: Settings, services: Services, writer: BackupWriter, earlier: Path | None
    ) -> None:
        self._settings = settings
        self._services = services
        self._writer = writer
        self._earlier = earlier
        self._target = LocalFolder(writer.part(parts.STORE))
        self.blobs = 0
        self.linked = 0

    def copy_written_files(self) -> None:
        for relative, path in written_files(self._settings):
            self._copy(path, f"{parts.WRITTEN}/{relative}")

    def copy_home(self) -> None:
        """Manifests before the states that they are made from."""
        for path in sorted((self._settings.home / "manifests").glob("*.jsonl")):
            self._copy(path, f"{parts.MANIFESTS}/{path.name}")
        folder = self._writer.part(parts.STATES)
        for path in sorted((self._settings.home / "state").glob("*.db")):
            _copy_state(path, folder / path.name)
            self._writer.add(f"{parts.STATES}/{path.name}")

    def copy_objects(self) -> None:
        """Of snapshots the newest of each site; what disappears meanwhile is not needed."""
        for key in self._services.store.every_object():
            site = key.removeprefix("state/").partition("/")[0]
            if not key.startswith("state/"):
                self._copy_object(key)
            elif key == pointer_key(site):
                self._copy_snapshot(key)

    def _copy_snapshot(self, key: str) -> None:
        while (data := self._services.store.get_object(key)) is not None:
            if self._copy_object(Pointer.decode(data).key):
                self._target.put_object(key, data)
                self._writer.add(f"{parts.STORE}/{key}")
                return
            # Two newer snapshots were taken meanwhile, or the one it names is lost.
            if self._services.store.get_object(key) == data:
                raise StorageError(f"{self._settings.place_of(key)} names a snapshot that is lost")

    def _copy_object(self, key: str) -> bool:
        path = self._writer.folder / parts.STORE / key
        path.parent.mkdir(parents=True, exist_ok=True)
        if not self._services.store.download(key, path):
            return False
        self._writer.add(f"{parts.STORE}/{key}")
        return True

    def copy_catalog_and_blobs(self) -> tuple[CatalogDump, list[str]]:
        """A catalog and all its blobs; the hashes of those that the store has lost."""
        folder = self._writer.folder / parts.CATALOG
        attempts = 0
        while True:
            attempts += 1
            shutil.rmtree(folder, ignore_errors=True)
            dump = dump_catalog(self._services.database, self._writer.part(parts.CATALOG))
            missing = self._copy_blobs(folder)
            database = self._services.database
            if all(is_needed(database, sha256) for sha256 in missing):
                break
            if attempts == _DUMPS:
                raise StorageError("files are taken down faster than the catalog can be copied")
        if attempts > 1:
            self._forget_unwanted(folder)
        for path in sorted(folder.iterdir()):
            self._writer.add(f"{parts.CATALOG}/{path.name}")
        lost = set(missing)
        for sha256, size in wanted_blobs(folder):
            if sha256 not in lost:
                self._writer.note(f"{parts.STORE}/{object_key(sha256)}", sha256, size)
                self.blobs += 1
        return dump, missing

    def _copy_blobs(self, folder: Path) -> list[str]:
        missing = []
        self.linked = 0
        for sha256, copied in copy_blobs((name for name, _ in wanted_blobs(folder)), self._blob):
            self.linked += copied is Copied.LINKED
            if copied in (Copied.ABSENT, Copied.DAMAGED):
                missing.append(sha256)
        return missing

    def _blob(self, sha256: str) -> Copied:
        if self._target.exists(sha256):
            return Copied.COPIED
        key = f"{parts.STORE}/{object_key(sha256)}"
        if self._earlier is not None and link_blob(
            self._earlier / key, self._writer.folder / key, sha256
        ):
            return Copied.LINKED
        store = self._services.store
        try:
            file = store.open_unchecked(sha256)
        except StorageRefused:
            if store.exists(sha256):
                raise
            return Copied.ABSENT
        return copy_blob(file, self._target, sha256)

    def _forget_unwanted(self, folder: Path) -> None:
        """Of an earlier attempt: they were taken down while the backup was made."""
        wanted = {sha256 for sha256, _ in wanted_blobs(folder)}
        for blob in self._target.blobs():
            if blob.sha256 not in wanted:
                self._target.delete(blob.sha256)

    def _copy(self, path: Path, relative: str) -> None:
        target = self._writer.folder / relative
        with naming(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        self._writer.add(relative)


def _copy_state(path: Path, target: Path) -> None:
    """All that is committed, also while a crawl writes to it."""
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise StorageRefused(f"crawl state {path}: {error}") from error
