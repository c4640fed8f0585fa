"""Files by their address or by the SHA-256 of one of their versions."""

import re

from pydantic import Field
from sqlalchemy import ColumnElement, Connection, and_, select

from crawler.catalog.db.models import RESOURCE, SITE, VERSION
from crawler.catalog.read.file_query import FILES
from crawler.catalog.read.record import Record
from crawler.catalog.read.records import File
from crawler.catalog.write.titles import url_key

MAX_FOUND = 100
"""The same bytes may be at many addresses."""
MIN_DIGITS = 12
_SHA256 = re.compile(r"(?:sha-?256:)?([0-9a-f]+)", re.IGNORECASE)


class FoundFile(File):
    """A file that has an address or bytes that were looked up."""

    matching_versions: tuple[int, ...] = Field(examples=[[1, 2]])
    """The numbers of its versions that have these bytes; of an address, all of them."""


class FoundFiles(Record):
    """The files that were looked up by an address or a hash."""

    total: int = Field(examples=[1])
    """How many files there are."""
    more: bool = Field(default=False, examples=[False])
    """Whether there are more than are listed."""
    items: tuple[FoundFile, ...]
    """By their IDs; files that were taken down are left out."""


def lookup(connection: Connection, address: str) -> FoundFiles:
    """The files with a URL, however it is spelt, or with a SHA-256, or the beginning of one.

    ValueError with a sentence when the text is neither.
    """
    text = address.strip()
    query = select(RESOURCE.c.id, VERSION.c.number).join(
        VERSION, VERSION.c.resource_id == RESOURCE.c.id
    )
    asked = at_address(connection, text) if _is_url(text) else with_hash(_digits(text))
    query = query.where(asked, RESOURCE.c.removed_at.is_(None))
    first = query.with_only_columns(RESOURCE.c.id).distinct().order_by(RESOURCE.c.id)
    ids = list(connection.execute(first.limit(MAX_FOUND + 1)).scalars())
    more = len(ids) > MAX_FOUND
    numbers: dict[int, list[int]] = {}
    matching = query.where(RESOURCE.c.id.in_(ids[:MAX_FOUND])).order_by(VERSION.c.number)
    for row in connection.execute(matching):
        numbers.setdefault(row.id, []).append(row.number)
    rows = connection.execute(FILES.where(RESOURCE.c.id.in_(numbers)).order_by(RESOURCE.c.id))
    items = tuple(FoundFile.of(row, matching_versions=numbers[row.id]) for row in rows)
    return FoundFiles(total=len(items), more=more, items=items)


def at_address(connection: Connection, url: str) -> ColumnElement[bool]:
    """The condition on files that they have this URL, however it is spelt."""
    # With the sites the index over site and key is used.
    sites = list(connection.execute(select(SITE.c.id)).scalars())
    return and_(RESOURCE.c.site_id.in_(sites), RESOURCE.c.url_key == url_key(url))


def with_hash(digits: str) -> ColumnElement[bool]:
    """The condition on versions that their SHA-256 begins with these digits."""
    return and_(VERSION.c.sha256 >= digits, VERSION.c.sha256 < f"{digits}g")


def check_address(text: str) -> None:
    """ValueError with a sentence when a text is neither a URL nor a hash."""
    if not _is_url(text.strip()):
        _digits(text.strip())


def _is_url(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _digits(text: str) -> str:
    match = _SHA256.fullmatch(text)
    if match is None or not MIN_DIGITS <= len(match[1]) <= 64:
        raise ValueError(
            f"'{text[:80]}' is neither an address (http://..., https://...) nor a SHA-256 "
            f"(64 hexadecimal digits, or the first {MIN_DIGITS} and more)"
        )
    return match[1].lower()
