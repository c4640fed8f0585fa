"""Kept files as a state has them: their downloads, and the links that led to them."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from crawler.pages.kept_file import Download, KeptFile, Link
from crawler.state.records import LinkStatus

if TYPE_CHECKING:
    from crawler.state.crawl_state import CrawlState

# The link that a page shows: where a redirection led to the file, that is where it started.
_FROM_LINK = f"""
FROM link
JOIN link AS shown ON shown.id = (
    WITH RECURSIVE hop(id, parent) AS (
        SELECT link.id, link.parent
        UNION ALL
        SELECT before.id, before.parent FROM hop JOIN link AS before ON before.id = hop.parent
        WHERE before.status = {LinkStatus.REDIRECT:d}
    )
    SELECT min(id) FROM hop
)
LEFT JOIN link AS parent ON parent.id = shown.parent
LEFT JOIN page ON page.link = shown.parent
LEFT JOIN tag_path ON tag_path.fingerprint = shown.tag_path
"""  # noqa: S608 - a number of ours
# In the order of the fields of Link.
_LINK_COLUMNS = """
coalesce(parent.url, ''), coalesce(page.title, ''), shown.anchor, coalesce(tag_path.path, ''),
nullif(shown.action, -1), link.depth, coalesce(page.language, ''), coalesce(page.licence, ''),
coalesce(page.publisher, ''), coalesce(page.published, ''), shown.headings
"""
FOUND_ON = f"SELECT {_LINK_COLUMNS} {_FROM_LINK} WHERE link.id = ?"
"""The fields of `Link` for one known URL."""

_LINK_WIDTH = len(fields(Link))


def kept_files(state: "CrawlState") -> Iterator[KeptFile]:
    """Every kept file, in the order they were found."""
    return _read(state, "ORDER BY target.rowid")


def kept_file(state: "CrawlState", link: int) -> KeptFile | None:
    """The file that was kept for a link."""
    return next(_read(state, "WHERE link.id = ?", (link,)), None)


def download_columns(state: "CrawlState") -> list[str]:
    """The fields of `Download` that the file has columns for; another version may have less."""
    known = {row[1] for row in state.rows("PRAGMA table_info(target)")}
    return [field.name for field in fields(Download) if field.name in known]


def _read(state: "CrawlState", which: str, values: tuple[Any, ...] = ()) -> Iterator[KeptFile]:
    columns = download_columns(state)
    listed = ", ".join(f'target."{column}"' for column in columns)
    query = (
        f"SELECT {_LINK_COLUMNS}, link.id, link.url, {listed} "
        f"{_FROM_LINK} JOIN target ON target.link = link.id {which}"
    )
    return (_kept_file(row, columns) for row in state.rows(query, values))


def _kept_file(row: Sequence[Any], columns: Sequence[str]) -> KeptFile:
    link, (link_id, url), facts = (
        row[:_LINK_WIDTH],
        row[_LINK_WIDTH : _LINK_WIDTH + 2],
        row[_LINK_WIDTH + 2 :],
    )
    download = Download(**dict(zip(columns, facts, strict=True)))
    return KeptFile(link_id, url, download, Link(*link))
