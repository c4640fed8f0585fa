"""PDF files: pages, text or pictures, and the tables that are clearly drawn as such.

Most of them are reports, and a table is found in those only where lines, or columns of figures,
leave no doubt. Pages and text come from pdfium, which is fast; only pages with figures on them go
to pdfplumber, which is not.
"""

import io
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO, cast

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.cells import is_number
from crawler.readers.content import Content, Paper, Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.ledger import Confidence
from crawler.readers.packing import bytes_at
from crawler.readers.pdf_tables import FoundTable, tables_of_page
from crawler.readers.unreadable import Unreadable, said

if TYPE_CHECKING:
    import pandas as pd
    from pypdfium2 import PdfDocument, PdfPage  # type: ignore[import-untyped]

log = logging.getLogger(__name__)

_SAMPLE = 4000
_TAIL = 64 * 1024
_MAX_CHARACTERS = 200_000
_MAX_OBJECTS = 20_000
_FIGURES = 6
"""Words that are numbers, from which on a page is searched for tables."""
_LETTERS_OF_A_SCAN = 20
_SHARE_OF_TIME = 0.4


@dataclass(slots=True)
class _Look:
    """What a first look at the pages found."""

    seen: int = 0
    characters: int = 0
    pictures: int = 0
    """Pages that are mostly a picture."""
    texts: list[str] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)
    """Pages with figures, counted from 0."""


def read_pdf(stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS) -> Content:
    """The tables of a PDF file, and what it holds beside them."""
    start = time.monotonic()
    with _opened(stream) as document:
        pages = len(document)
        look = _look(document, min(pages, bounds.pdf_pages))
    if pages < 1 or not look.seen:
        raise Unreadable(_trouble(stream), "it has no page that can be read")
    if not _has_end(stream):
        raise Unreadable(Trouble.TRUNCATED, "its end is missing")
    is_scan = look.pictures * 2 > look.seen and (look.characters < _LETTERS_OF_A_SCAN * look.seen)
    paper = Paper(
        pages=pages,
        characters=look.characters,
        scanned=is_scan,
        sample=" ".join(" ".join(look.texts).split())[:_SAMPLE],
    )
    deadline = start + _SHARE_OF_TIME * bounds.seconds
    tables = _tables(stream, look.candidates, bounds, deadline)
    return Content(Kind.PDF, tables, paper, detail=f"a document of {pages:,} pages")


def _look(document: "PdfDocument", pages: int) -> _Look:
    from pypdfium2 import PdfiumError

    look = _Look()
    for number in range(pages):
        try:
            page = document[number]
            _look_at_page(page, number, look)
            page.close()
        except PdfiumError:
            # One page that is broken leaves the others to read.
            continue
    return look


def _look_at_page(page: "PdfPage", number: int, look: _Look) -> None:
    text_page = page.get_textpage()
    characters = text_page.count_chars()
    text = text_page.get_text_range(0, min(characters, _MAX_CHARACTERS)) if characters > 0 else ""
    text_page.close()
    look.seen += 1
    look.characters += len(text.strip())
    if sum(map(len, look.texts)) < _SAMPLE:
        look.texts.append(text)
    objects = _count_objects(page)
    if not text.strip() and objects and _has_picture(page):
        look.pictures += 1
    figures = sum(1 for word in text.split() if is_number(word))
    if figures >= _FIGURES and objects <= _MAX_OBJECTS and characters <= _MAX_CHARACTERS:
        look.candidates.append(number)


def _count_objects(page: "PdfPage") -> int:
    from pypdfium2 import raw

    return int(raw.FPDFPage_CountObjects(page))


def _has_picture(page: "PdfPage") -> bool:
    """Whether a picture covers most of the page."""
    from pypdfium2 import raw

    width, height = page.get_size()
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = thing.get_bounds()
        if (right - left) * (top - bottom) > 0.5 * width * height:
            return True
    return False


def _tables(
    stream: BinaryIO, pages: list[int], bounds: Bounds, deadline: float
) -> tuple[Table, ...]:
    if not pages:
        return ()
    import pdfplumber

    stream.seek(0)
    found: list[Table] = []
    latest: FoundTable | None = None
    last = 0
    try:
        with pdfplumber.open(
            cast("io.BytesIO", stream), pages=[number + 1 for number in pages]
        ) as document:
            for page in document.pages:
                if time.monotonic() > deadline or len(found) >= bounds.tables:
                    break
                before = latest if page.page_number == last + 1 else None
                latest = None
                for latest in tables_of_page(page, bounds, before):
                    _add(found, latest)
                last = page.page_number
                page.close()
    except (MemoryError, RecursionError):
        raise
    except Exception as error:  # pdfminer on whatever the web holds; pages and text are known
        log.info("no tables of a PDF file: %s", said(error))
    return tuple(found[: bounds.tables])


def _add(found: list[Table], one: FoundTable) -> None:
    """A table that continues on the next page says its header again there, or none at all."""
    table = one.table
    if not found:
        found.append(table)
        return
    before = found[-1]
    is_same = list(before.frame.columns) == list(table.frame.columns)
    if table.has_header and is_same:
        found[-1] = _joined(before, table, table.frame)
    elif not table.has_header and table.frame.shape[1] == before.frame.shape[1]:
        found[-1] = _joined(before, table, table.frame.set_axis(before.frame.columns, axis=1))
    else:
        found.append(table)


def _joined(before: Table, after: Table, frame: "pd.DataFrame") -> Table:
    import pandas as pd

    return replace(
        before,
        frame=pd.concat([before.frame, frame], ignore_index=True),
        rows=before.rows + after.rows,
        dropped=(*before.dropped, *after.dropped),
        ledger=before.ledger + after.ledger,
        confidence=Confidence.GUESSED,
    )


@contextmanager
def _opened(stream: BinaryIO) -> "Iterator[PdfDocument]":
    from pypdfium2 import PdfDocument, PdfiumError, raw

    stream.seek(0)
    data = stream.read()
    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password") from error
        if code == raw.FPDF_ERR_SECURITY:
            raise Unreadable(Trouble.ENCRYPTED, "it is protected in an unknown way") from error
        raise Unreadable(_trouble(stream), said(error)) from error
    try:
        yield document
    finally:
        document.close()


def _trouble(stream: BinaryIO) -> Trouble:
    return Trouble.CORRUPT if _has_end(stream) else Trouble.TRUNCATED


def _has_end(stream: BinaryIO) -> bool:
    """Whether the last lines of a PDF file are there, which say where all the others are."""
    tail = bytes_at(stream, -_TAIL)
    return b"%%EOF" in tail or b"startxref" in tail
