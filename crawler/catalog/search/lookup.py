"""Datasets by the address or the SHA-256 of one of their files, whole or from its beginning."""

import re

from sqlalchemy import Connection, or_, select

from crawler.catalog.db.models import DATASET, RESOURCE, VERSION
from crawler.catalog.read.lookup import at_address, with_hash

_MAX_FOUND = 100
_SHA256 = re.compile(r"(?:sha-?256:)?([0-9a-f]{12,64})", re.I)
_ADDRESS = re.compile(r"https?://\S+", re.I)


def datasets_of_address(connection: Connection, words: str) -> list[int]:
    """The datasets that a whole question names by a hash or an address, the newest first."""
    text = words.strip()
    if (match := _SHA256.fullmatch(text)) and re.search(r"\d", match[1]):
        return _by_hash(connection, match[1].lower())
    if _ADDRESS.fullmatch(text):
        return _by_address(connection, text)
    return []


def _by_hash(connection: Connection, beginning: str) -> list[int]:
    """Also by the hash of an earlier version: the file is the same."""
    query = (
        select(RESOURCE.c.dataset_id)
        .join(VERSION, VERSION.c.resource_id == RESOURCE.c.id)
        .where(with_hash(beginning), RESOURCE.c.removed_at.is_(None))
        .order_by(RESOURCE.c.dataset_id.desc())
        .limit(_MAX_FOUND)
    )
    return list(dict.fromkeys(connection.execute(query).scalars()))


def _by_address(connection: Connection, url: str) -> list[int]:
    """Of a file, in whatever spelling, or of the page of a dataset as it is."""
    here = RESOURCE.c.removed_at.is_(None)
    of_file = select(RESOURCE.c.dataset_id).where(at_address(connection, url), here)
    if found := list(connection.execute(of_file).scalars()):
        return sorted(set(found), reverse=True)
    of_page = select(DATASET.c.id).where(
        or_(DATASET.c.page_url == url, DATASET.c.page_url == f"{url}/")
    )
    query = of_page.order_by(DATASET.c.id.desc()).limit(_MAX_FOUND)
    return list(connection.execute(query).scalars())
