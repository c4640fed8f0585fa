"""The lease: one worker at a time per site, over all machines that share the catalog.

A lease ends by itself when its holder dies. The fence is a number that grows with every lease: a
worker that was thought dead and wakes up again is refused by its old number (`check_fence`).
"""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from sqlalchemy import ColumnElement, and_, select, update

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import LEASE
from crawler.catalog.db.upsert import insert_into
from crawler.catalog.write.sites import find_or_make_site
from crawler.errors import SiteBusy, StorageError

SECONDS = 60.0
"""How long a lease lives without being renewed."""
MAX_AHEAD = timedelta(minutes=10)
"""No lease lasts this long: one that ends later was written under a clock that was wrong."""

_MAX_HOLDER = 127


@dataclass(frozen=True, slots=True)
class LeaseHeld:
    """A lease as its holder knows it."""

    site: str
    site_id: int
    holder: str
    fence: int
    seconds: float
    expires_at: datetime


@contextmanager
def lease_of(database: Database, site: str, home: Path) -> Iterator[LeaseHeld]:
    """Hold a site as this home on this machine: after a crash it takes over at once."""
    lease = acquire_lease(database, site, f"{socket.gethostname()}:{home}")
    try:
        yield lease
    finally:
        with suppress(StorageError):  # it ends by itself
            release(database, lease)


def acquire_lease(
    database: Database, site: str, holder: str, seconds: float = SECONDS
) -> LeaseHeld:
    """Takes the site, or raises SiteBusy while somebody else's lease lives.

    The same holder takes over at once (its file lock has shown that the former process is dead),
    and gets a new fence all the same.
    """
    holder = _fitting(holder)
    with database.transaction() as session:
        now = database.now(session)
        site_id = find_or_make_site(session, site, now)
        connection = session.connection()
        row = {"site_id": site_id, "holder": "", "fence": 0}
        connection.execute(insert_into(session, LEASE).values(row).on_conflict_do_nothing())
        query = select(LEASE).where(LEASE.c.site_id == site_id).with_for_update()
        current = connection.execute(query).one()
        # Waiting for the row may have taken longer than the other's lease had left.
        now = database.now(session)
        lives = current.expires_at is not None and now < current.expires_at <= now + MAX_AHEAD
        if lives and current.holder != holder:
            raise SiteBusy(
                f"held by {current.holder} until {current.expires_at:%H:%M:%S} UTC", site=site
            )
        held = LeaseHeld(
            site, site_id, holder, current.fence + 1, seconds, now + timedelta(seconds=seconds)
        )
        connection.execute(
            update(LEASE)
            .where(LEASE.c.site_id == site_id)
            .values(holder=holder, fence=held.fence, expires_at=held.expires_at)
        )
    return held


def renew_all(database: Database, leases: Sequence[LeaseHeld]) -> list[LeaseHeld | None]:
    """Prolongs leases in one transaction, also those that ran out and were not taken.

    None in the place of one that another run has.
    """
    renewed: list[LeaseHeld | None] = []
    with database.transaction() as session:
        now = database.now(session)
        for lease in leases:
            expires_at = now + timedelta(seconds=lease.seconds)
            changed = session.connection().execute(
                update(LEASE).where(_ours(lease)).values(expires_at=expires_at)
            )
            ours = bool(changed.rowcount)
            renewed.append(replace(lease, expires_at=expires_at) if ours else None)
    return renewed


def release(database: Database, lease: LeaseHeld) -> None:
    """Gives the site back; does nothing when the lease was lost."""
    with database.transaction() as session:
        session.connection().execute(
            update(LEASE).where(_ours(lease)).values(holder="", expires_at=None)
        )


def _fitting(holder: str) -> str:
    """Two long names that begin alike must not become the same holder."""
    if len(holder) <= _MAX_HOLDER:
        return holder
    digest = blake2b(holder.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{holder[: _MAX_HOLDER - len(digest) - 1]}~{digest}"


def _ours(lease: LeaseHeld) -> ColumnElement[bool]:
    return and_(
        LEASE.c.site_id == lease.site_id,
        LEASE.c.fence == lease.fence,
        LEASE.c.holder == lease.holder,
    )
