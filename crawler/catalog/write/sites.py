"""The sites of the catalog, and the fence that every write about one must pass."""

from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlmodel import Session

from crawler.catalog.db.models import LEASE, SITE
from crawler.catalog.db.upsert import insert_into
from crawler.errors import SiteBusy

_FENCE = (
    select(LEASE.c.fence).where(LEASE.c.site_id == bindparam("site")).with_for_update(read=True)
)


def find_or_make_site(session: Session, name: str, at: datetime, start_url: str = "") -> int:
    """The id of a site; a start URL that is given becomes the site's."""
    connection = session.connection()
    known = select(SITE.c.id, SITE.c.start_url).where(SITE.c.name == name)
    row = connection.execute(known).one_or_none()
    if row is None:
        values = {"name": name, "start_url": start_url, "created_at": at}
        connection.execute(insert_into(session, SITE).values(values).on_conflict_do_nothing())
        row = connection.execute(known).one()
    if start_url and row.start_url != start_url:
        connection.execute(update(SITE).where(SITE.c.id == row.id).values(start_url=start_url))
    return int(row.id)


def check_fence(session: Session, site_id: int, fence: int, site: str) -> None:
    """Raises SiteBusy when another run took the site over; none can until this transaction ends.

    A site that was never leased has fence 0: one machine alone is kept in order by its file lock.
    """
    current = session.connection().execute(_FENCE, {"site": site_id}).scalar() or 0
    if current != fence:
        raise SiteBusy(f"another run took over (its fence is {current}, ours {fence})", site=site)
