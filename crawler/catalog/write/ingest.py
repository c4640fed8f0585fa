"""Ingest: one transaction per kept file, and the same again changes nothing.

The statements are made once, here: making them for every file would take longer than running them.
"""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, insert, select, text, update
from sqlmodel import Session

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import MISSES_UNTIL_GONE, RESOURCE, RUN, VERSION
from crawler.catalog.db.news_tables import What
from crawler.catalog.db.texts import exact, plain, stored_url
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.search.documents import update_document
from crawler.catalog.write.grouping import find_or_make_dataset, update_dataset
from crawler.catalog.write.news import record_news
from crawler.catalog.write.sightings import record_sighting
from crawler.catalog.write.sites import check_fence, find_or_make_site
from crawler.catalog.write.titles import name_in_url, title_of, url_key
from crawler.pages.kept_file import Download, KeptFile, Link

HOURS_BETWEEN_MISSES = 12
"""Two answers of the same night are one miss."""
MAX_NAME = 255
MAX_HEADER = 1000


_FIND = (
    select(RESOURCE)
    .where(RESOURCE.c.site_id == bindparam("site"), RESOURCE.c.url_key == bindparam("key"))
    .with_for_update()
)
_MAKE = text("""
INSERT INTO resource (site_id, dataset_id, url_key, url, file_name, title, format, first_seen,
                      last_seen, missed, removal_reason, versions, sightings)
VALUES (:site, :dataset, :key, :url, :file_name, :title, :format, :at, :at, 0, '', 0, 0)
ON CONFLICT (site_id, url_key) DO NOTHING RETURNING id
""").bindparams(bindparam("at", type_=UtcDateTime()))
_LATEST = select(VERSION.c.sha256).where(VERSION.c.id == bindparam("version"))
_REPEATED = select(VERSION.c.id).where(
    VERSION.c.resource_id == bindparam("resource"),
    VERSION.c.sha256 == bindparam("sha256"),
    VERSION.c.fetched_at == bindparam("fetched_at"),
)
_ADD_VERSION = insert(VERSION).returning(VERSION.c.id)
_COUNT_VERSION = text("UPDATE crawl_run SET new_versions = new_versions + 1 WHERE id = :run")
_SEEN = (
    update(RESOURCE)
    .where(RESOURCE.c.id == bindparam("resource"))
    .values(
        last_seen=bindparam("last_seen"),
        gone_since=None,
        missed=0,
        missed_at=None,
        sightings=RESOURCE.c.sightings + bindparam("more"),
    )
)
_SEEN_NEW = _SEEN.values(
    {name: bindparam(name) for name in ("latest_version_id", "versions", "format", "file_name")}
)


# Facts of a download that a version has under the same name.
_HEADERS = [
    field.name for field in fields(Download) if field.type is str and field.name in VERSION.c
]


@dataclass(frozen=True, slots=True)
class Kept:
    """What the catalog made of a kept file."""

    resource_id: int
    """The ID of the file."""
    version_id: int
    """Its version with these bytes."""
    removed: bool = False
    """It was taken down: nothing was recorded, and its bytes are not wanted in the store."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A resource as it was before the file was kept."""

    id: int
    dataset_id: int
    latest_version_id: int | None
    versions: int
    last_seen: datetime
    gone_since: datetime | None = None
    missed: int = 0
    missed_at: datetime | None = None
    removed_at: datetime | None = None


class Ingest:
    """Writes what one run found on one site; every write checks the run's fence."""

    def __init__(
        self, database: Database, site: str, start_url: str, run_id: str, fence: int = 0
    ) -> None:
        self._database = database
        self._site = site
        self._run_id = run_id
        self._fence = fence
        with database.transaction() as session:
            query = select(RUN.c.started_at).where(RUN.c.id == run_id)
            started_at = session.connection().execute(query).scalar_one_or_none()
            if started_at is None:
                raise ValueError(f"run {run_id} was not started")
            self._run_started: datetime = started_at
            self._site_id = find_or_make_site(session, site, started_at, start_url)
            self._check_fence(session)

    def keep(self, file: KeptFile) -> Kept:
        """Records a file that is in the store: its resource, its version, where it was seen."""
        with self._database.transaction() as session:
            self._check_fence(session)
            known = self._find(session, file.url)
            if known is None:
                known = self._make(session, file)
            elif known.removed_at is not None:
                return self._note_removed(session, known, file)
            else:
                update_dataset(session, known.dataset_id, file)
            return self._keep(session, known, file)

    def seen_again(self, url: str, link: Link, at: datetime) -> bool:
        """Records a link to a file that is known and was not fetched; False when it is unknown."""
        with self._database.transaction() as session:
            self._check_fence(session)
            known = self._find(session, url)
            if known is None or known.removed_at is not None:
                return known is not None
            seen = record_sighting(session, known.id, link, at, self._run_started)
            if seen.counts:
                self._change(session, known.id, sightings=RESOURCE.c.sightings + 1)
            if seen.new_words:
                update_document(session, known.dataset_id)
        return True

    def present(self, url: str, at: datetime) -> bool:
        """Records that a known file is still there, unchanged; False when it is unknown.

        A file that was missing, or gone, is not any more.
        """
        with self._database.transaction() as session:
            self._check_fence(session)
            known = self._find(session, url)
            if known is None or known.removed_at is not None:
                return known is not None
            values = {"resource": known.id, "last_seen": max(at, known.last_seen), "more": 0}
            session.connection().execute(_SEEN, values)
            if known.gone_since is not None:
                update_document(session, known.dataset_id)
        return True

    def missing(self, url: str, at: datetime) -> bool:
        """Records that a file is not where it was; whether it counts as gone now.

        One night is not enough: servers are under repair. gone_since is the first of the nights. A
        miss far in the future was recorded before the clock was set back, so it was another night.
        """
        with self._database.transaction() as session:
            self._check_fence(session)
            known = self._find(session, url)
            if known is None:
                return False
            last = known.missed_at
            pause = timedelta(hours=HOURS_BETWEEN_MISSES)
            if last is not None and (
                abs(at - last) < pause or self._run_started <= last <= at  # of this very run
            ):
                return known.gone_since is not None
            missed = known.missed + 1
            gone_since = known.gone_since
            if gone_since is None and missed >= MISSES_UNTIL_GONE:
                gone_since = min(last, at) if last else at
            self._change(session, known.id, missed=missed, missed_at=at, gone_since=gone_since)
            if known.gone_since is None and gone_since is not None and known.removed_at is None:
                update_document(session, known.dataset_id)
                self._tell(session, What.GONE, known, known.latest_version_id, at)
        return gone_since is not None

    def removed_keys(self) -> frozenset[str]:
        """The `url_key` of every file of the site that was taken down."""
        with self._database.reading() as session:
            query = select(RESOURCE.c.url_key).where(
                RESOURCE.c.site_id == self._site_id, RESOURCE.c.removed_at.is_not(None)
            )
            return frozenset(session.connection().execute(query).scalars())

    def _check_fence(self, session: Session) -> None:
        check_fence(session, self._site_id, self._fence, self._site)

    def _find(self, session: Session, url: str) -> _Known | None:
        looked = {"site": self._site_id, "key": url_key(url)}
        row = session.connection().execute(_FIND, looked).one_or_none()
        if row is None:
            return None
        return _Known(**{name: getattr(row, name) for name in _Known.__slots__})

    def _make(self, session: Session, file: KeptFile) -> _Known:
        title = title_of(file.link.anchor, file.file_name, file.link.page_title, file.url)
        dataset_id = find_or_make_dataset(session, self._site_id, self._site, file, title)
        values = {
            "site": self._site_id,
            "dataset": dataset_id,
            "key": url_key(file.url),
            "url": stored_url(file.url),
            "file_name": _name(file),
            "title": title,
            "format": file.download.group,
            "at": file.fetched_at,
        }
        made = session.connection().execute(_MAKE, values).scalar_one_or_none()
        if made is not None:
            return _Known(int(made), dataset_id, None, 0, file.fetched_at)
        # Another writer made it a moment ago.
        known = self._find(session, file.url)
        if known is None:
            raise RuntimeError(f"the resource of {file.url} was not made")
        return known

    def _note_removed(self, session: Session, known: _Known, file: KeptFile) -> Kept:
        self._change(session, known.id, last_seen=max(file.fetched_at, known.last_seen))
        return Kept(known.id, known.latest_version_id or 0, removed=True)

    def _keep(self, session: Session, known: _Known, file: KeptFile) -> Kept:
        first = known.latest_version_id is None
        seen = record_sighting(
            session, known.id, file.link, file.fetched_at, self._run_started, first=first
        )
        new = first or self._is_new(session, known, file)
        values: dict[str, Any] = {
            "resource": known.id,
            "last_seen": max(file.fetched_at, known.last_seen),
            "more": int(seen.counts),
        }
        version_id = known.latest_version_id
        if new:
            version_id = self._add_version(session, known, file)
            values |= {
                "latest_version_id": version_id,
                "versions": known.versions + 1,
                "format": file.download.group,
                "file_name": _name(file),
            }
        session.connection().execute(_SEEN_NEW if new else _SEEN, values)
        if new or seen.new_words or known.gone_since is not None:
            update_document(session, known.dataset_id)
        if new:
            what = What.CHANGED if known.versions else What.NEW
            self._tell(session, what, known, version_id, file.fetched_at)
        return Kept(known.id, version_id or 0)

    def _tell(
        self, session: Session, what: What, known: _Known, version_id: int | None, at: datetime
    ) -> None:
        """Last in the transaction: see record_news."""
        if version_id is not None:
            record_news(
                session, what, site=self._site_id, resource=known.id, version=version_id, at=at
            )

    def _is_new(self, session: Session, known: _Known, file: KeptFile) -> bool:
        connection = session.connection()
        latest = connection.execute(_LATEST, {"version": known.latest_version_id}).scalar_one()
        if latest == file.download.sha256:
            return False
        # The same download recorded once more, after another run has continued.
        repeated = {
            "resource": known.id,
            "sha256": file.download.sha256,
            "fetched_at": file.fetched_at,
        }
        return connection.execute(_REPEATED, repeated).first() is None

    def _add_version(self, session: Session, known: _Known, file: KeptFile) -> int:
        connection = session.connection()
        values = {name: _header(file.download, name) for name in _HEADERS} | {
            "resource_id": known.id,
            "number": known.versions + 1,
            "size": file.download.size,
            "mime_declared": plain(file.download.declared, MAX_NAME),
            "mime_detected": plain(file.download.mime, 127),
            "published_at": file.published_at,
            "modified_at": file.modified_at,
            "fetched_at": file.fetched_at,
            "run_id": self._run_id,
        }
        connection.execute(_COUNT_VERSION, {"run": self._run_id})
        return int(connection.execute(_ADD_VERSION, values).scalar_one())

    def _change(self, session: Session, resource_id: int, **changes: Any) -> None:
        statement = update(RESOURCE).where(RESOURCE.c.id == resource_id).values(changes)
        session.connection().execute(statement)


def _header(download: Download, name: str) -> str:
    limit: int | None = getattr(VERSION.c[name].type, "length", None)
    return exact(getattr(download, name), limit or MAX_HEADER)


def _name(file: KeptFile) -> str:
    return plain(file.file_name or name_in_url(file.url), MAX_NAME)
