"""The history of pages and files in a state file: what revisiting is planned from."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from crawler.revisit.page_history import FileHistory, PageHistory, Validators
from crawler.state.history_records import (
    CreditRow,
    Evidence,
    HistoryChanges,
    KnownFile,
    SignalRow,
    SourceKind,
    SourceRow,
    ValidatorRow,
    VisitKind,
    VisitOutcome,
    VisitRow,
)
from crawler.state.table import Table

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterator

_PAGE = Table("page_history", PageHistory, "INSERT OR REPLACE")
_FILE = Table("file_history", FileHistory, "INSERT OR REPLACE", derived=("modified",))
_VALIDATOR = Table("validator", ValidatorRow, "INSERT OR REPLACE")
_CREDIT = Table("credit", CreditRow, "INSERT OR REPLACE")
_SIGNAL = Table("signal", SignalRow, "INSERT OR REPLACE")
_SOURCE = Table("source", SourceRow, "INSERT OR REPLACE")
_VISIT = Table("visit", VisitRow, "INSERT OR REPLACE")

_PAGES = f"SELECT {_PAGE.columns} FROM page_history"  # noqa: S608
_VISITS = f"SELECT {_VISIT.columns} FROM visit"  # noqa: S608
_KNOWN_FILES = """
SELECT target.link, link.url, target.sha256, target.size, target.fetched_at,
       coalesce(validator.etag, target.etag),
       coalesce(validator.last_modified, target.last_modified),
       coalesce(validator.not_modified, 0), coalesce(validator.refuted, 0),
       coalesce(page_history.template, ''), file_history.*
FROM target JOIN link ON link.id = target.link
LEFT JOIN validator ON validator.link = target.link
LEFT JOIN page_history ON page_history.id = link.parent
LEFT JOIN file_history ON file_history.id = target.link
"""
_LINKS_AT_ONCE = 500
_BEFORE_HISTORY = len(dataclasses.fields(KnownFile)) - 1
"""Columns of `_KNOWN_FILES`, in the order of the fields, before those of the history."""
_UNRECORDED = """
SELECT link.id, link.url, link.action, link.depth, page.new_links
FROM page JOIN link ON link.id = page.link
WHERE page.link NOT IN (SELECT id FROM page_history)
"""


class History:
    """Reads what was recorded of known pages and files."""

    def __init__(self, rows: Callable[..., Iterator[Any]]) -> None:
        """`rows` runs a query with its values."""
        self._rows = rows

    def page(self, link: int) -> PageHistory | None:
        """The history of a page, or of a sitemap or feed."""
        rows = self._rows(f"{_PAGES} WHERE id = ?", (link,))
        return next((PageHistory(*row) for row in rows), None)

    def pages(self) -> Iterator[PageHistory]:
        """The history of every page, in the order they became known."""
        query = f"{_PAGES} WHERE id NOT IN (SELECT link FROM source) ORDER BY id"  # noqa: S608
        return (PageHistory(*row) for row in self._rows(query))

    def unrecorded_pages(self) -> Iterator[tuple[int, str, int, int, int]]:
        """Pages that an earlier version read: link, URL, action, depth and number of new links."""
        return self._rows(_UNRECORDED)

    def first_time(self) -> float:
        """The earliest time that the state knows; 0 when it knows none."""
        query = """
        SELECT min(at) FROM (
            SELECT min(fetched_at) AS at FROM robots UNION SELECT min(fetched_at) FROM target
        )
        """
        return float(next(self._rows(query))[0] or 0.0)

    def sources(self) -> Iterator[tuple[SourceRow, PageHistory | None]]:
        """Every sitemap and feed with its history, in the order they became known."""
        for link, kind, changed_at in list(self._rows("SELECT * FROM source ORDER BY link")):
            yield SourceRow(link, SourceKind(kind), changed_at), self.page(link)

    def source(self, link: int) -> SourceRow | None:
        """A sitemap or feed; None when the link is neither."""
        rows = self._rows("SELECT * FROM source WHERE link = ?", (link,))
        row = next(rows, None)
        return row and SourceRow(row[0], SourceKind(row[1]), row[2])

    def signals(self) -> Iterator[tuple[SignalRow, str]]:
        """What sources say of known pages, with the URL of the source."""
        query = """
        SELECT signal.link, signal.source, signal.at, link.url
        FROM signal JOIN link ON link.id = signal.source
        """
        return ((SignalRow(*row[:3]), row[3]) for row in self._rows(query))

    def known_files(self) -> Iterator[KnownFile]:
        """Every kept file, in the order they became known."""
        return map(_known_file, self._rows(f"{_KNOWN_FILES} ORDER BY target.link"))

    def known_file(self, link: int) -> KnownFile | None:
        """A kept file; None when nothing was kept for the link."""
        rows = self._rows(f"{_KNOWN_FILES} WHERE target.link = ?", (link,))
        return next(map(_known_file, rows), None)

    def target_prints(self) -> Iterator[int]:
        """The fingerprint of every kept file's URL."""
        query = "SELECT fingerprint FROM target JOIN link ON link.id = target.link"
        return (row[0] for row in self._rows(query))

    def kept(self, links: Collection[int]) -> set[int]:
        """Those of these links that a file was kept for."""
        wanted = sorted(links)
        kept: set[int] = set()
        for start in range(0, len(wanted), _LINKS_AT_ONCE):
            some = wanted[start : start + _LINKS_AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT link FROM target WHERE link IN ({marks})"  # noqa: S608
            kept.update(row[0] for row in self._rows(query, tuple(some)))
        return kept

    def validators(self, link: int) -> ValidatorRow | None:
        """What the next answer for a page, sitemap or feed is compared with."""
        query = f"SELECT {_VALIDATOR.columns} FROM validator WHERE link = ?"  # noqa: S608
        rows = self._rows(query, (link,))
        known = next((ValidatorRow(*row) for row in rows), None)
        return known and dataclasses.replace(known, refuted=bool(known.refuted))

    def credits(self) -> list[tuple[CreditRow, int]]:
        """New targets that the histories do not count yet, each with its URL's fingerprint."""
        query = """
        SELECT target, page, fingerprint FROM credit JOIN link ON link.id = target ORDER BY target
        """
        return [(CreditRow(*row[:2]), row[2]) for row in self._rows(query)]

    def visits(self) -> Iterator[VisitRow]:
        """The plan of the last night, in its order."""
        return map(_visit, self._rows(f"{_VISITS} ORDER BY number"))

    def planner(self) -> str:
        """What the planner remembers, as JSON; empty before the first plan."""
        return next((str(row[0]) for row in self._rows("SELECT json FROM planner")), "")


def write_history(db: sqlite3.Connection, changes: HistoryChanges) -> None:
    """Store what a step changed, inside the step's transaction."""
    if changes.credited:
        db.execute("DELETE FROM credit")
    if changes.new_plan:
        db.execute("DELETE FROM visit")
    for table, rows in (
        (_PAGE, changes.pages),
        (_FILE, changes.files),
        (_VALIDATOR, changes.validators),
        (_CREDIT, changes.credits),
        (_SIGNAL, changes.signals),
        (_SOURCE, changes.sources),
        (_VISIT, changes.visits),
    ):
        if rows:
            table.write(db, rows)
    if changes.planner:
        db.execute("INSERT OR REPLACE INTO planner VALUES (1, ?)", (changes.planner,))


def _known_file(row: tuple[Any, ...]) -> KnownFile:
    values, history = row[:_BEFORE_HISTORY], row[_BEFORE_HISTORY:]
    known = FileHistory(*history) if history[0] is not None else None
    file = KnownFile(*values)
    return dataclasses.replace(file, refuted=bool(file.refuted), history=known and _typed(known))


def _typed(file: FileHistory) -> FileHistory:
    """SQLite knows no booleans and no flags."""
    return dataclasses.replace(
        file,
        gone=bool(file.gone),
        unlinked=bool(file.unlinked),
        validators=Validators(file.validators),
    )


def _visit(row: tuple[Any, ...]) -> VisitRow:
    visit = VisitRow(*row)
    return dataclasses.replace(
        visit,
        kind=VisitKind(visit.kind),
        outcome=VisitOutcome(visit.outcome),
        detected_by=Evidence(visit.detected_by),
    )
