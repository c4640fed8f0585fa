"""Which dataset a file belongs to: files of one page and one title are the same data."""

from typing import Any

from sqlalchemy import bindparam, text
from sqlmodel import Session

from crawler.catalog.db.texts import MAX_TEXT, exact, plain, stored_url
from crawler.catalog.db.utc_datetime import UtcDateTime
from crawler.catalog.write.titles import dataset_key
from crawler.pages.kept_file import KeptFile

# What is known now replaces what was known; what is unknown now replaces nothing.
_NEWEST = """
    page_title = coalesce(nullif({new}page_title, ''), dataset.page_title),
    language = coalesce(nullif({new}language, ''), dataset.language),
    licence = coalesce(nullif({new}licence, ''), dataset.licence),
    publisher = coalesce(nullif({new}publisher, ''), dataset.publisher),
    published_at = coalesce({new}published_at, dataset.published_at),
    last_seen = CASE WHEN {new}last_seen > dataset.last_seen
                THEN {new}last_seen ELSE dataset.last_seen END
"""
_TIMES = tuple(bindparam(name, type_=UtcDateTime()) for name in ("published_at", "last_seen"))
_FIND_OR_MAKE = text(f"""
INSERT INTO dataset (site_id, key, title, page_url, page_title, language, licence, publisher,
                     published_at, first_seen, last_seen)
VALUES (:site_id, :key, :title, :page_url, :page_title, :language, :licence, :publisher,
        :published_at, :last_seen, :last_seen)
ON CONFLICT (site_id, key) DO UPDATE SET {_NEWEST.format(new="excluded.")}
RETURNING id
""").bindparams(*_TIMES)  # noqa: S608
_UPDATE = text(f"UPDATE dataset SET {_NEWEST.format(new=':')} WHERE id = :id").bindparams(  # noqa: S608
    *_TIMES
)


def find_or_make_dataset(
    session: Session, site_id: int, site: str, file: KeptFile, title: str
) -> int:
    """The id of a file's dataset, which takes over what the file's page says about it."""
    values = {
        "site_id": site_id,
        "key": dataset_key(site, file.link.page_url or file.url, title),
        "title": title,
        "page_url": stored_url(file.link.page_url),
    }
    dataset_id = session.connection().execute(_FIND_OR_MAKE, values | _facts(file))
    return int(dataset_id.scalar_one())


def update_dataset(session: Session, dataset_id: int, file: KeptFile) -> None:
    """Takes over what the page of one of its files says now."""
    session.connection().execute(_UPDATE, {"id": dataset_id, **_facts(file)})


def _facts(file: KeptFile) -> dict[str, Any]:
    return {
        "page_title": plain(file.link.page_title, MAX_TEXT),
        "language": exact(file.link.page_language.strip(), 35),
        "licence": plain(file.licence, MAX_TEXT),
        "publisher": plain(file.link.publisher, MAX_TEXT),
        "published_at": file.published_at,
        "last_seen": file.fetched_at,
    }
