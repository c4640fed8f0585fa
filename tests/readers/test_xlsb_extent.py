"""A few bytes of a binary workbook cannot ask for any amount of memory."""

import io
import struct
import zipfile

import pytest

from crawler.readers import xlsb_extent
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.readers.reading import read_content
from crawler.readers.unreadable import Unreadable
from crawler.readers.workbooks import read_workbook
from tests.validation.corpus.old_workbooks import binary_record as record
from tests.validation.corpus.old_workbooks import binary_text, xlsb

SHEET, TEXTS = "xl/worksheets/sheet1.bin", "xl/sharedStrings.bin"
END = record(146)


def row(place: int) -> bytes:
    return record(0, struct.pack("<IIHBBBI", place, 0, 300, 0, 0, 0, 0))


def figure(column: int) -> bytes:
    return record(5, struct.pack("<IId", column, 0, 1.0))


def shared(column: int, text: int) -> bytes:
    return record(7, struct.pack("<III", column, 0, text))


def with_cells(cells: bytes, before: bytes = b"", texts: bytes = b"", name: str = SHEET) -> bytes:
    """The small workbook with more cells behind its own, and shared texts."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(xlsb())) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        parts = {info.filename: source.read(info) for info in source.infolist()}
        sheet = parts.pop(SHEET)
        parts[name] = before + sheet.replace(END, cells + END)
        links = "xl/_rels/workbook.bin.rels"
        parts[links] = parts[links].replace(b"worksheets/sheet1.bin", name[3:].encode())
        if texts:
            parts[TEXTS] = texts
        for part, data in parts.items():
            copy.writestr(part, data)
    return target.getvalue()


def texts_of(*texts: str) -> bytes:
    items = b"".join(record(19, b"\0" + binary_text(text)) for text in texts)
    return record(159, struct.pack("<II", len(texts), len(texts))) + items + record(160)


def refusal(data: bytes, bounds: Bounds = DEFAULT_BOUNDS) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read_workbook(io.BytesIO(data), Kind.XLSB, bounds)
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        with_cells(row(1_048_575) + figure(16_383)),
        with_cells(row(1_048_575) + figure(16_383), before=record(60, b"x" * 63)),
        with_cells(row(1_048_575) + figure(0) + row(3) + figure(16_383)),
        with_cells(row(9) + figure(2**32 - 1)),
        with_cells(record(500, b"z" * 9_000_000) + row(1_048_575) + figure(16_383)),
        with_cells(row(1_048_575) + figure(16_383), name="xl/worksheets/_rels/a.rels"),
    ],
    ids=["corner", "other record first", "two corners", "columns", "behind 9 MB", "other name"],
)
def test_a_cell_in_the_last_corner_is_seen(data: bytes) -> None:
    refused = refusal(data)
    assert refused.trouble is Trouble.TOO_LARGE
    assert "cells is not opened" in refused.detail


def test_a_long_text_that_many_cells_refer_to_is_counted_for_each() -> None:
    cells = b"".join(row(at) + shared(0, 0) for at in range(20, 2020))
    refused = refusal(with_cells(cells, texts=texts_of("x" * 1_000_000)))
    assert refused.trouble is Trouble.TOO_LARGE
    assert "2,000,000,000 characters" in refused.detail


@pytest.mark.parametrize("piece", [7, 40, 4 * 1024**2])
def test_cells_within_bounds_are_read_wherever_pieces_end(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsb_extent, "_PIECE", piece)
    before = read_workbook(io.BytesIO(xlsb()), Kind.XLSB)[0]
    cells = b"".join(row(at) + shared(0, 1) + figure(1) for at in range(before.rows + 1, 60))
    (table,) = read_workbook(
        io.BytesIO(with_cells(cells, texts=texts_of("y" * 300, "Nord"))), Kind.XLSB
    )
    assert table.rows == 59
    monkeypatch.setattr(xlsb_extent, "_MAX_ROW", 0)
    assert refusal(with_cells(row(0) + figure(2**31)), DEFAULT_BOUNDS).trouble is Trouble.TOO_LARGE


def test_an_empty_cell_in_the_corner_takes_no_room() -> None:
    corner = row(1_048_575) + record(1, struct.pack("<II", 16_383, 0))
    (table,) = read_workbook(io.BytesIO(with_cells(corner)), Kind.XLSB)
    assert table.rows == read_workbook(io.BytesIO(xlsb()), Kind.XLSB)[0].rows


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 5, 7, 11, 30])
def test_a_sheet_that_ends_within_a_record_is_left_to_the_library(cut: int) -> None:
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(xlsb())) as source,
        zipfile.ZipFile(target, "w") as copy,
    ):
        for info in source.infolist():
            data = source.read(info)
            copy.writestr(info.filename, data[:-cut] if info.filename == SHEET else data)
    content = read_content(target, name="births.xlsb")
    assert content.trouble in (None, Trouble.CORRUPT, Trouble.TRUNCATED)
