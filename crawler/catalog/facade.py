"""The catalog for analysts: search, look at, download and read files, in a few calls."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.read.datasets import DatasetDetail, VersionDetail, dataset_of, history_of
from crawler.catalog.read.items import DatasetItem
from crawler.catalog.search.search import Facets, SearchPage, search
from crawler.config.settings import Settings, load_settings
from crawler.errors import FileRemoved, StorageError, UnknownFile
from crawler.storage.interface import ObjectStore
from crawler.storage.open import open_store

if TYPE_CHECKING:
    import pandas as pd


_ALL_VERSIONS = 1_000_000


class SearchResult:
    """A page of results: iterate over it, take its length, or turn it into a DataFrame."""

    def __init__(self, page: SearchPage) -> None:
        self._page = page

    @property
    def total(self) -> int:
        """How many datasets were found; more than that when `more` says so."""
        return self._page.total

    @property
    def more(self) -> bool:
        """Whether there are more than `total`."""
        return self._page.more

    @property
    def facets(self) -> Facets:
        """What the search can be narrowed by."""
        return self._page.facets

    def __len__(self) -> int:
        return len(self._page.items)

    def __iter__(self) -> Iterator[DatasetItem]:
        return iter(self._page.items)

    def __getitem__(self, place: int) -> DatasetItem:
        return self._page.items[place]

    def __repr__(self) -> str:
        titles = "\n".join(f"  {item.id}: {item.title}" for item in self._page.items[:10])
        return (
            f"<{len(self)} of {'more than ' if self.more else ''}{self.total} datasets>\n{titles}"
        )

    def to_pandas(self) -> "pd.DataFrame":
        """One row per dataset, without the list of its files."""
        import pandas as pd

        columns = [name for name in DatasetItem.__slots__ if name != "files"]
        rows = [[getattr(item, name) for name in columns] for item in self._page.items]
        return pd.DataFrame(rows, columns=columns)


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
        """The datasets with all these words and filters, the best first."""
        with self.database.reading() as session:
            page = search(
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
        return SearchResult(page)

    def show(self, id: int) -> DatasetDetail:  # noqa: A002 - the ID of every surface
        """All that is known about a file; UnknownFile when there is none of that ID."""
        with self.database.reading() as session:
            found = dataset_of(session, id)
        if found is None:
            raise UnknownFile(f"the catalog has no file {id}")
        return found

    def history(self, id: int) -> list[VersionDetail]:  # noqa: A002
        """The versions of a file, the newest first."""
        with self.database.reading() as session:
            versions = history_of(session, id, _ALL_VERSIONS)
        if not versions:
            self.show(id)
        return versions

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
        sheet: str | int | None = None,
        member: str | None = None,
    ) -> "pd.DataFrame":
        """A file as a DataFrame; NotATable says why when it cannot be one.

        `rows` reads only the first ones, `sheet` chooses of a workbook, `member` of an archive.
        """
        from crawler.readers.reading import read_table

        with self.open(id, version) as stream:
            return read_table(stream, rows=rows, sheet=sheet, member=member)

    def close(self) -> None:
        """Gives back the connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _version(self, file_id: int, number: int | None) -> VersionDetail:
        versions = self.history(file_id)
        if number is None and versions:
            chosen = next((one for one in versions if one.available), versions[0])
        else:
            found = next((one for one in versions if one.number == number), None)
            if found is None:
                wanted = "version" if number is None else f"version {number}"
                raise UnknownFile(f"file {file_id} has no {wanted}")
            chosen = found
        if not chosen.available:
            raise FileRemoved(
                f"the bytes of version {chosen.number} of file {file_id} were removed"
            )
        return chosen


def open_catalog(settings: Settings | None = None) -> Catalog:
    """The catalog that the settings name; those of the environment by default."""
    settings = settings or load_settings()
    database = open_database(settings.database_url)
    database.ready()
    store = open_store(
        settings.object_store_url, endpoint=settings.s3_endpoint, spool_dir=settings.spool_dir
    )
    return Catalog(database, store)
