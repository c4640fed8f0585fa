"""The catalog for analysts: search, look at, download and read files, in a few calls."""

import shutil
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self, TypeVar

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.read import files, runs, sites
from crawler.catalog.read.page_visits import PageVisitList, visits_of_run
from crawler.catalog.read.records import Dataset, FileDetail, SearchHit, Version
from crawler.catalog.read.run_changes import RunChangeList, changed_files
from crawler.catalog.read.runs import RunDetail, RunPage
from crawler.catalog.read.sites import Site
from crawler.catalog.search.search import SearchResult, newest, search
from crawler.config.settings import Settings, load_settings
from crawler.errors import FileRemoved, NotInCatalog, StorageError
from crawler.storage.interface import ObjectStore
from crawler.storage.open import open_store

if TYPE_CHECKING:
    import pandas as pd

Known = TypeVar("Known")


class Catalog:
    """The catalog with its store; close it, or use it in a `with`."""

    def __init__(self, database: Database, store: ObjectStore) -> None:
        self.database = database
        self.store = store

    def search(
        self,
        words: str = "",
        *,
        site: str | None = None,
        format: str | None = None,  # noqa: A002 - the name people use on every surface
        valid: bool | None = None,
        verdict: str | None = None,
        since: datetime | str | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> SearchResult:
        """The datasets with all these words and filters, the best first.

        The `id` of each is that of its best file, for `show`, `get` and `read`.
        """
        with self.database.reading() as session:
            return search(
                session,
                words,
                site=site,
                format=format,
                valid=valid,
                verdict=verdict,
                since=since,
                limit=limit,
                offset=offset,
            )

    def newest(
        self,
        words: str = "",
        *,
        site: str | None = None,
        format: str | None = None,  # noqa: A002
        verdict: str | None = None,
        since: datetime | str | None = None,
        limit: int = 50,
    ) -> list[SearchHit]:
        """The newest datasets with all these words and filters; `since` is when they were new."""
        with self.database.reading() as session:
            return newest(
                session,
                words,
                site=site,
                format=format,
                verdict=verdict,
                since=since,
                limit=limit,
            )

    def show(self, id: int) -> FileDetail:  # noqa: A002 - the ID of every surface
        """All that is known about a file; NotInCatalog when there is none of that ID."""
        with self.database.reading() as session:
            return _known(files.file_detail(session, id), f"file {id}")

    def history(self, id: int) -> list[Version]:  # noqa: A002
        """The versions of a file, the newest first."""
        with self.database.reading() as session:
            versions = files.history(session, id, limit=None)
        return _known(versions or None, f"file {id}")

    def dataset(self, id: int) -> Dataset:  # noqa: A002
        """A dataset with its files, by its own id; NotInCatalog when there is none."""
        with self.database.reading() as session:
            return _known(files.dataset(session, id), f"dataset {id}")

    def sites(self) -> list[Site]:
        """All sites with their counts, by name."""
        with self.database.reading() as session:
            return sites.sites(session)

    def site(self, name: str) -> Site:
        """One site with its counts; NotInCatalog when there is none of that name."""
        with self.database.reading() as session:
            return _known(sites.site(session, name), f"site {name}")

    def runs(self, site: str = "", *, limit: int = 20, offset: int = 0) -> RunPage:
        """The runs of a site, or of all, the newest first."""
        with self.database.reading() as session:
            return runs.runs(session, site, limit=limit, offset=offset)

    def run(self, id: str) -> RunDetail:  # noqa: A002
        """One run with its curve and its actions; NotInCatalog when there is none of that id."""
        with self.database.reading() as session:
            return _known(runs.run(session, id), f"run {id}")

    def changes(self, run: str) -> RunChangeList:
        """The files that a run found new, changed or gone."""
        self.run(run)
        return changed_files(self.database, run)

    def visits(self, run: str) -> PageVisitList:
        """The known pages that a revisit looked at, why, and what it found there."""
        self.run(run)
        with self.database.reading() as session:
            return visits_of_run(session, run)

    def open(self, id: int, version: int | None = None) -> BinaryIO:  # noqa: A002
        """The bytes of a file, seekable, to be closed by the caller; the newest by default."""
        return self.store.open(self._version(id, version).sha256)

    def get(self, id: int, path: str | Path, version: int | None = None) -> Path:  # noqa: A002
        """Downloads a file to a path, complete or not at all."""
        target = Path(path)
        partial = target.with_name(f".{target.name[:100]}.part")
        with self.open(id, version) as source:
            try:
                with partial.open("wb") as file:
                    shutil.copyfileobj(source, file, 1024**2)
                partial.replace(target)
            except OSError as error:
                partial.unlink(missing_ok=True)
                raise StorageError(f"{target}: {error.strerror or error}") from error
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        return target

    def read(
        self,
        id: int,  # noqa: A002
        version: int | None = None,
        *,
        rows: int | None = None,
        table: str | int | None = None,
        sheet: str | int | None = None,
        member: str | None = None,
        raw: bool = False,
    ) -> "pd.DataFrame":
        """A file as a DataFrame; NotATable says why when it cannot be one.

        Of several tables the best comes first: `table` chooses another by its name or its place,
        or "all" parts of one shape. `rows` reads only the first ones, `sheet` chooses of a
        workbook, `member` of an archive, `raw` leaves the values as they are written.
        """
        from crawler.readers.reading import read_table

        with self.open(id, version) as stream:
            return read_table(stream, rows=rows, table=table, sheet=sheet, member=member, raw=raw)

    def close(self) -> None:
        """Gives back the connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _version(self, file_id: int, number: int | None) -> Version:
        versions = self.history(file_id)
        if number is None:
            chosen = next((one for one in versions if one.available), versions[0])
        else:
            wanted = next((one for one in versions if one.number == number), None)
            if wanted is None:
                raise NotInCatalog(f"file {file_id} has no version {number}")
            chosen = wanted
        if not chosen.available:
            raise FileRemoved(
                f"the bytes of version {chosen.number} of file {file_id} were removed"
            )
        return chosen


def _known(record: Known | None, what: str) -> Known:
    if record is None:
        raise NotInCatalog(f"the catalog has no {what}")
    return record


def open_catalog(settings: Settings | None = None) -> Catalog:
    """The catalog that the settings name; those of the environment by default."""
    settings = settings or load_settings()
    database = open_database(settings.database_url)
    database.ready()
    store = open_store(
        settings.object_store_url, endpoint=settings.s3_endpoint, spool_dir=settings.spool_dir
    )
    return Catalog(database, store)
