"""The catalog for analysts: search, look at, download and read files, in a few calls."""

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TypeVar, Unpack

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.export.data_package import (
    DEFAULT_BYTES,
    DEFAULT_FILES,
    MAX_FILES,
    DataPackage,
    package_sentence,
    write_package,
)
from crawler.catalog.export.saved_copy import save_copy
from crawler.catalog.read import files, runs, sites
from crawler.catalog.read.citation import CitationFormat, cite, with_version
from crawler.catalog.read.lookup import FoundFiles, lookup
from crawler.catalog.read.moments import end_of
from crawler.catalog.read.news import NewsPage
from crawler.catalog.read.page_visits import PageVisitList, visits_of_run
from crawler.catalog.read.records import Dataset, FileDetail, SearchHit, Version
from crawler.catalog.read.run_changes import RunChangeList, changed_files
from crawler.catalog.read.runs import RunDetail, RunPage
from crawler.catalog.read.sites import Site
from crawler.catalog.read.versions_to_compare import VersionsToCompare
from crawler.catalog.search.filters import NamedFilters
from crawler.catalog.search.news import news
from crawler.catalog.search.search import SearchResult, newest, search
from crawler.catalog.search.thesaurus import Thesaurus, load_thesaurus
from crawler.config.settings import Settings, load_settings
from crawler.differences.records import FileDifference
from crawler.errors import FileRemoved, NotInCatalog, StorageRefused
from crawler.storage.interface import ObjectStore
from crawler.storage.open import open_store

if TYPE_CHECKING:
    import pandas as pd

Known = TypeVar("Known")
AsOf = date | datetime | str | None
"""A day, whose end is meant, or a time; None is now."""


class Catalog:
    """The catalog with its store; close it, or use it in a `with`."""

    thesaurus: Thesaurus | None = None
    """What a question is widened by; the shipped one where it is not set."""

    def __init__(
        self, database: Database, store: ObjectStore, thesaurus: Thesaurus | None = None
    ) -> None:
        self.database = database
        self.store = store
        self.thesaurus = thesaurus

    def search(
        self,
        words: str = "",
        *,
        valid: bool | None = None,
        since: datetime | str | None = None,
        as_of: AsOf = None,
        limit: int = 20,
        offset: int = 0,
        **filters: Unpack[NamedFilters],
    ) -> SearchResult:
        """The datasets that a question finds, the best first; docs/search.md has the syntax.

        Filters: site, format, verdict, language, period, place, publisher, what. The `id` of each
        is that of its best file, for `show`, `get` and `read`. `as_of` a day, what was there then.
        """
        with self.database.reading() as session:
            return search(
                session,
                words,
                valid=valid,
                since=since,
                as_of=as_of,
                limit=limit,
                offset=offset,
                thesaurus=self.thesaurus,
                **filters,
            )

    def newest(
        self,
        words: str = "",
        *,
        since: datetime | str | None = None,
        limit: int = 50,
        **filters: Unpack[NamedFilters],
    ) -> list[SearchHit]:
        """The newest datasets with all these words and filters; `since` is when they were new."""
        with self.database.reading() as session:
            return newest(
                session, words, since=since, limit=limit, thesaurus=self.thesaurus, **filters
            )

    def news(
        self,
        words: str = "",
        *,
        since: datetime | str | None = None,
        file: int | None = None,
        dataset: int | None = None,
        before: int | None = None,
        limit: int = 50,
        **filters: Unpack[NamedFilters],
    ) -> NewsPage:
        """What happened to files, the latest first: which are new, changed, or gone.

        Of everything, or of what a search finds, of one file or one dataset. `before` goes on
        where a page ended (its `next`); nothing new shifts the pages.
        """
        with self.database.reading() as session:
            return news(
                session,
                words,
                since=since,
                file=file,
                dataset=dataset,
                before=before,
                limit=limit,
                thesaurus=self.thesaurus,
                **filters,
            )

    def show(self, id: int, *, as_of: AsOf = None) -> FileDetail:  # noqa: A002 - the ID everywhere
        """All that is known about a file; NotInCatalog when there is none of that ID.

        `as_of` a day ("2026-11-01"), with the versions and verdicts that were there at its end; a
        verdict that was decided anew later is not known for that day any more.
        """
        until = end_of(as_of)
        with self.database.reading() as session:
            return _known(files.file_detail(session, id, until), _named("file", id, until))

    def history(self, id: int, *, as_of: AsOf = None) -> list[Version]:  # noqa: A002
        """The versions of a file, the newest first; `as_of` a day, those of then."""
        until = end_of(as_of)
        with self.database.reading() as session:
            versions = files.history(session, id, limit=None, as_of=until)
        return _known(versions or None, _named("file", id, until))

    def dataset(self, id: int, *, as_of: AsOf = None) -> Dataset:  # noqa: A002
        """A dataset with its files, by its own id; NotInCatalog when there is none."""
        until = end_of(as_of)
        with self.database.reading() as session:
            return _known(files.dataset(session, id, until), _named("dataset", id, until))

    def cite(
        self,
        id: int,  # noqa: A002
        format: CitationFormat | str = CitationFormat.TEXT,  # noqa: A002
        version: int | None = None,
        *,
        as_of: AsOf = None,
    ) -> str:
        """A citation of a file as text, bibtex or ris, with the hash of its version."""
        shown = self.show(id, as_of=as_of)
        if version is not None:
            numbered = (one for one in self.history(id) if one.number == version)
            known = _known(next(numbered, None), f"version {version} of file {id}")
            shown = with_version(shown, known)
        return cite(shown, CitationFormat(format))

    def lookup(self, address: str) -> FoundFiles:
        """The files with a URL, or with the SHA-256 of one of their versions (or its beginning).

        ValueError when it is neither.
        """
        with self.database.reading() as session:
            return lookup(session.connection(), address)

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

    def open(self, id: int, version: int | None = None, *, as_of: AsOf = None) -> BinaryIO:  # noqa: A002
        """The bytes of a file, seekable, to be closed by the caller; the newest by default."""
        return self.store.open(self._version(id, version, as_of).sha256)

    def get(
        self,
        id: int,  # noqa: A002
        path: str | Path,
        version: int | None = None,
        *,
        as_of: AsOf = None,
    ) -> Path:
        """Downloads a file to a path, complete or not at all."""
        with self.open(id, version, as_of=as_of) as source:
            return save_copy(source, Path(path))

    def package(
        self,
        words: str,
        folder: str | Path,
        *,
        limit: int = DEFAULT_FILES,
        max_bytes: int = DEFAULT_BYTES,
        all_files: bool = False,
        valid: bool | None = None,
        since: datetime | str | None = None,
        as_of: AsOf = None,
        progress: Callable[[FileDetail], None] = lambda _: None,
        **filters: Unpack[NamedFilters],
    ) -> DataPackage:
        """Downloads what a search finds into a folder, as a Frictionless data package.

        Of each dataset its best file, or `all_files`. Once more with the same folder goes on where
        it was interrupted.
        """
        wanted = min(max(limit, 1), MAX_FILES)
        until = end_of(as_of)
        result = self.search(words, valid=valid, since=since, as_of=until, limit=wanted, **filters)
        files = [file.id for hit in result for file in (hit.files if all_files else (hit,))]
        asked: dict[str, Any] = {"words": words, "valid": valid, "since": since, **filters}
        asked["as_of"] = until
        given = {name: str(value) for name, value in asked.items() if value not in (None, "")}
        return write_package(
            self,
            files[:wanted],
            Path(folder),
            asked=given,
            found=package_sentence(result, files, wanted),
            complete=not result.more and len(files) <= wanted,
            as_of=until,
            max_bytes=max_bytes,
            progress=progress,
        )

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
        as_of: AsOf = None,
    ) -> "pd.DataFrame":
        """A file as a DataFrame; NotATable says why when it cannot be one.

        Of several tables the best comes first: `table` chooses another by its name or its place,
        or "all" parts of one shape. `rows` reads only the first ones, `sheet` chooses of a
        workbook, `member` of an archive, `raw` leaves the values as they are written.
        """
        from crawler.readers.reading import read_table

        with self.open(id, version, as_of=as_of) as stream:
            return read_table(stream, rows=rows, table=table, sheet=sheet, member=member, raw=raw)

    def sql(self, query: str) -> "pd.DataFrame":
        """The rows of one SELECT over files (`file(38)`) and the views of the catalog.

        The dialect is DuckDB's; QueryRefused says what is wrong, or not allowed.
        """
        from crawler.catalog.sql.query import answer

        return answer(query, self.database, self.store, self._version)

    def diff(
        self,
        id: int,  # noqa: A002
        from_version: int | None = None,
        to_version: int | None = None,
    ) -> FileDifference:
        """What a version of a file says otherwise than an older one: columns, rows, figures.

        The newest version is compared with the one before it unless others are named.
        """
        from crawler.differences.compare import compare_tables
        from crawler.readers.reading import read_file

        pair = self.versions_to_compare(id, from_version, to_version)
        contents = []
        for version in (pair.old, pair.new):
            with self.store.open(version.sha256) as stream:
                contents.append(read_file(stream, name=pair.url).content)
        return pair.compared(compare_tables(*(content.tables for content in contents)))

    def versions_to_compare(
        self,
        id: int,  # noqa: A002
        from_version: int | None = None,
        to_version: int | None = None,
    ) -> VersionsToCompare:
        """The two versions that `diff` compares; NotInCatalog when there are no two."""
        new = self._version(id, to_version)
        if from_version is None:
            older = [one for one in self.history(id) if one.number < new.number and one.available]
            if not older:
                raise NotInCatalog(f"file {id} has no version before {new.number} to compare with")
            from_version = older[0].number
        old = self._version(id, from_version)
        if old.number >= new.number:
            raise NotInCatalog(
                f"version {old.number} of file {id} is not older than version {new.number}"
            )
        return VersionsToCompare(id, self.show(id).url, old, new)

    def close(self) -> None:
        """Gives back the connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _version(self, file_id: int, number: int | None, as_of: AsOf = None) -> Version:
        versions = self.history(file_id, as_of=as_of)
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


def _named(kind: str, number: int, until: datetime | None) -> str:
    """What is looked for, for the sentence that it is not there."""
    return f"{kind} {number}" + (f" as of {until:%Y-%m-%d %H:%M} UTC" if until else "")


def open_catalog(settings: Settings | None = None, *, create: bool = False) -> Catalog:
    """The catalog that the settings name; those of the environment by default.

    One that does not exist is made only if that is asked for: whoever reads in the wrong folder is
    told so, and finds no empty catalog there.
    """
    settings = settings or load_settings()
    database = open_database(settings.database_url)
    if not create and not database.exists:
        raise StorageRefused(
            f"there is no catalog at {database.place}: go to the folder of your project, or set "
            "TALLYHO_HOME or TALLYHO_CATALOG_URL; the first `tallyho crawl NAME` makes one"
        )
    database.ready()
    store = open_store(
        settings.object_store_url, endpoint=settings.s3_endpoint, spool_dir=settings.spool_dir
    )
    return Catalog(database, store, load_thesaurus(settings.thesaurus_file))
