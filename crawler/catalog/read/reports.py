"""Sites and runs as pages, API and commands show them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from crawler.catalog.db.models import CrawlRun, Resource, Site, Verdict, Version
from crawler.catalog.read.items import jsonable
from crawler.catalog.search.documents import UNCHECKED


@dataclass(frozen=True, slots=True)
class SiteReport:
    """A website, and how much of it is in the catalog."""

    name: str
    start_url: str
    datasets: int
    files: int
    bytes: int
    """Of the newest versions."""
    gone: int
    formats: Mapping[str, int]
    """Files by format, the most frequent first."""
    verdicts: Mapping[str, int]
    """Files by the verdict on their newest version, `unchecked` among them; most frequent first."""
    last_run: datetime | None
    """When the last run began."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return jsonable(asdict(self))


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run over a site; without an end it is running, or its process died."""

    id: str
    site: str
    kind: str
    strategy: str
    started_at: datetime
    ended_at: datetime | None
    stop_reason: str
    stop_detail: str
    requests: int
    heads: int
    pages: int
    targets: int
    bytes: int
    new_versions: int
    night: str = ""
    """The night that worked on it last: in Airflow the id of the DAG run."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    curve: tuple[tuple[int, int], ...] = ()
    """Pairs of requests and targets found by then."""
    actions: tuple[Mapping[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return jsonable(asdict(self))


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some of the runs, the newest first."""

    total: int
    items: list[RunReport]


def sites(session: Session) -> list[SiteReport]:
    """All sites by name; counts every file, so it is no page to show a thousand times a minute."""
    return _sites(session, None)


def site(session: Session, name: str) -> SiteReport | None:
    """One site; None when the catalog does not know it."""
    return next(iter(_sites(session, name)), None)


def runs(session: Session, *, site: str | None = None, limit: int = 20, offset: int = 0) -> RunPage:
    """The runs of all sites or of one, the newest first."""
    connection = session.connection()
    names = _site_ids(session)
    query, count = select(CrawlRun), select(func.count()).select_from(CrawlRun)
    if site:
        site_id = next((key for key, name in names.items() if name == site), None)
        if site_id is None:
            return RunPage(0, [])
        query = query.where(col(CrawlRun.site_id) == site_id)
        count = count.where(col(CrawlRun.site_id) == site_id)
    query = query.order_by(col(CrawlRun.started_at).desc(), col(CrawlRun.id).desc())
    found = session.execute(query.limit(limit).offset(offset)).scalars()
    items = [_run(row, names) for row in found]
    return RunPage(int(connection.execute(count).scalar_one()), items)


def run(session: Session, run_id: str) -> RunReport | None:
    """One run; None when there is none of that id."""
    if "\x00" in run_id or len(run_id) > 63:
        return None
    found = session.get(CrawlRun, run_id)
    return _run(found, _site_ids(session)) if found is not None else None


def _site_ids(session: Session) -> dict[int, str]:
    rows = session.connection().execute(select(col(Site.id), col(Site.name)))
    return {row.id: row.name for row in rows}


def _run(row: CrawlRun, names: Mapping[int, str]) -> RunReport:
    return RunReport(
        id=row.id,
        site=names.get(row.site_id, ""),
        kind=str(row.kind),
        strategy=row.strategy,
        started_at=row.started_at,
        ended_at=row.ended_at,
        stop_reason=row.stop_reason,
        stop_detail=row.stop_detail,
        requests=row.requests,
        heads=row.heads,
        pages=row.pages,
        targets=row.targets,
        bytes=row.bytes_received,
        new_versions=row.new_versions,
        night=row.night,
        skipped=dict(sorted(row.skipped.items(), key=lambda pair: (-pair[1], pair[0]))),
        curve=tuple((int(point[0]), int(point[1])) for point in row.curve),
        actions=tuple(row.actions),
    )


def _sites(session: Session, name: str | None) -> list[SiteReport]:
    connection = session.connection()
    known = select(Site).order_by(col(Site.name))
    if name is not None:
        if "\x00" in name:
            return []
        known = known.where(col(Site.name) == name)
    rows = session.execute(known).scalars().all()
    ids = [row.id for row in rows]
    here = (col(Resource.removed_at).is_(None), col(Resource.site_id).in_(ids))
    counted = connection.execute(
        select(
            col(Resource.site_id),
            col(Resource.format),
            func.count().label("files"),
            func.sum(case((col(Resource.gone_since).is_(None), 0), else_=1)).label("gone"),
            func.sum(col(Version.size)).label("bytes"),
        )
        .join(Version, col(Version.id) == col(Resource.latest_version_id))
        .where(*here)
        .group_by(col(Resource.site_id), col(Resource.format))
        .order_by(func.count().desc(), col(Resource.format))
    ).all()
    verdict = func.coalesce(col(Verdict.verdict), UNCHECKED).label("verdict")
    judged = connection.execute(
        select(col(Resource.site_id), verdict, func.count().label("files"))
        .outerjoin(Verdict, col(Verdict.version_id) == col(Resource.latest_version_id))
        .where(*here)
        .group_by(col(Resource.site_id), verdict)
        .order_by(func.count().desc(), verdict)
    ).all()
    datasets = _by_site(
        session,
        select(col(Resource.site_id), func.count(col(Resource.dataset_id).distinct()))
        .where(*here)
        .group_by(col(Resource.site_id)),
    )
    last = _by_site(
        session,
        select(col(CrawlRun.site_id), func.max(col(CrawlRun.started_at)))
        .where(col(CrawlRun.site_id).in_(ids))
        .group_by(col(CrawlRun.site_id)),
    )
    reports = []
    for row in rows:
        mine = [group for group in counted if group.site_id == row.id]
        reports.append(
            SiteReport(
                name=row.name,
                start_url=row.start_url,
                datasets=datasets.get(row.id, 0),
                files=sum(group.files for group in mine),
                bytes=int(sum(group.bytes for group in mine)),
                gone=int(sum(group.gone for group in mine)),
                formats={group.format: group.files for group in mine},
                verdicts={
                    group.verdict: group.files for group in judged if group.site_id == row.id
                },
                last_run=last.get(row.id),
            )
        )
    return reports


def _by_site(session: Session, query: Any) -> dict[int | None, Any]:
    return {row[0]: row[1] for row in session.connection().execute(query)}
