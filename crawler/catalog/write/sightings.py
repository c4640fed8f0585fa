"""Where files were seen: the pages that link to them, a bounded number for each file."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlmodel import Session

from crawler.catalog.db.models import SIGHTING
from crawler.catalog.db.texts import MAX_TEXT, plain, stored_url
from crawler.catalog.write.titles import url_key
from crawler.pages.kept_file import Link

MAX_SIGHTINGS = 20
"""Pages that are kept per resource; a link in a footer is on all pages of a site.

Beyond them, the last place is always that of the page that was seen last: seen once more after a
crash, it is known, and is not counted twice.
"""

_KNOWN = select(SIGHTING).where(
    SIGHTING.c.resource_id == bindparam("resource"), SIGHTING.c.page_key == bindparam("page")
)
_COUNT = select(func.count(), func.max(SIGHTING.c.id)).where(
    SIGHTING.c.resource_id == bindparam("resource")
)
_ADD = insert(SIGHTING)
_REMOVE = delete(SIGHTING).where(SIGHTING.c.id == bindparam("newest"))
_CHANGE = (
    update(SIGHTING)
    .where(SIGHTING.c.id == bindparam("known"))
    .values(
        {
            name: bindparam(name)
            for name in ("page_title", "anchor", "headings", "tag_path", "action", "last_seen")
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
) -> Seen:
    """Records a link to a resource.

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
        "headings": plain(link.headings, MAX_TEXT),
    }
    place = {"tag_path": plain(link.tag_path, MAX_TEXT), "action": link.action}
    is_full = False
    if not first:
        looked = {"resource": resource_id, "page": page_key}
        known = connection.execute(_KNOWN, looked).one_or_none()
        if known is not None:
            last_seen = {"last_seen": max(at, known.last_seen)}
            connection.execute(_CHANGE, {"known": known.id} | last_seen | words | place)
            changed = (known.page_title, known.anchor, known.headings) != tuple(words.values())
            return Seen(counts=known.last_seen < run_started, new_words=changed)
        count, newest = connection.execute(_COUNT, looked).one()
        is_full = count >= MAX_SIGHTINGS
        if is_full:
            connection.execute(_REMOVE, {"newest": newest})
    values = {
        "resource_id": resource_id,
        "page_key": page_key,
        "page_url": stored_url(link.page_url),
        "first_seen": at,
        "last_seen": at,
    }
    connection.execute(_ADD, values | words | place)
    # The words of one more page of very many are not worth a new search document.
    return Seen(counts=True, new_words=not is_full)
