"""Where files were seen: the pages that link to them, a bounded number for each file."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update
from sqlmodel import Session

from crawler.catalog.db.models import SIGHTING
from crawler.catalog.db.texts import MAX_TEXT, plain, stored_url
from crawler.catalog.write.titles import url_key
from crawler.pages.kept_file import Link

MAX_SIGHTINGS = 20
"""Pages that are kept per resource; a link in a footer is on all pages of a site."""

_KNOWN = select(SIGHTING).where(
    SIGHTING.c.resource_id == bindparam("resource"), SIGHTING.c.page_key == bindparam("page")
)
_COUNT = select(func.count()).where(SIGHTING.c.resource_id == bindparam("resource"))
_ADD = insert(SIGHTING)
_CHANGE = (
    update(SIGHTING)
    .where(SIGHTING.c.id == bindparam("known"))
    .values(
        {
            name: bindparam(name)
            for name in ("page_title", "anchor", "tag_path", "action", "last_seen")
        }
    )
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a sighting changed."""

    counts: bool
    """Whether it adds to the resource's number of sightings."""
    new_words: bool
    """Whether the resource can now be found by other words."""


NOTHING_NEW = Seen(counts=False, new_words=False)


def record_sighting(
    session: Session,
    resource_id: int,
    link: Link,
    at: datetime,
    run_started: datetime,
    *,
    first: bool = False,
) -> Seen | None:
    """Records a link to a resource; None when the resource has its full number of pages.

    A page counts once per run: whatever is repeated after a crash changes nothing. `first` says
    that the resource is new, and there is nothing to look up.
    """
    if not link.page_url:
        return NOTHING_NEW
    connection = session.connection()
    page_key = url_key(link.page_url)
    words = {
        "page_title": plain(link.page_title, MAX_TEXT),
        "anchor": plain(link.anchor, MAX_TEXT),
    }
    place = {"tag_path": plain(link.tag_path, MAX_TEXT), "action": link.action}
    if not first:
        looked = {"resource": resource_id, "page": page_key}
        known = connection.execute(_KNOWN, looked).one_or_none()
        if known is not None:
            last_seen = {"last_seen": max(at, known.last_seen)}
            connection.execute(_CHANGE, {"known": known.id} | last_seen | words | place)
            changed = (known.page_title, known.anchor) != tuple(words.values())
            return Seen(counts=known.last_seen < run_started, new_words=changed)
        if connection.execute(_COUNT, looked).scalar_one() >= MAX_SIGHTINGS:
            return None
    values = {
        "resource_id": resource_id,
        "page_key": page_key,
        "page_url": stored_url(link.page_url),
        "first_seen": at,
        "last_seen": at,
    }
    connection.execute(_ADD, values | words | place)
    return Seen(counts=True, new_words=True)
