"""A few bytes of a workbook cannot ask for any amount of memory."""

import io
import struct
import zipfile
from dataclasses import replace

import pytest

from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.readers.unreadable import Unreadable
from crawler.readers.workbooks import read_workbook
from tests.readers.test_workbooks import BODY, HEADER, xls, xlsx

SHEET = "xl/worksheets/sheet1.xml"
FIRST = '<row r="1"><c r="A1"><v>1</v></c></row>'
CORNER = f'{FIRST}<row r="1048576">{{}}</row>'
CELL = "<v>1</v></c>"


def with_parts(parts: dict[str, str]) -> bytes:
    """A workbook with some parts of its own."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(xlsx({"A": [["x"], *BODY]}))) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        own = {info.filename: source.read(info) for info in source.infolist()}
        for name, part in {**own, **parts}.items():
            copy.writestr(name, part)
    return target.getvalue()


def with_rows(rows: str, **parts: str) -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'
    return with_parts({SHEET: sheet, **parts})


def refusal(data: bytes, kind: Kind = Kind.XLSX) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read_workbook(io.BytesIO(data), kind)
    return caught.value


@pytest.mark.parametrize(
    "rows",
    [
        CORNER.format(f'<c r="XFD1048576">{CELL}'),
        CORNER.format(f'<c r = "XFD1048576">{CELL}'),
        CORNER.format(f"<c\nr='XFD1048576'>{CELL}"),
        CORNER.format(f'<c s="{"y" * 5000}" r="XFD1048576" t="{"y" * 5000}">{CELL}'),
        CORNER.format(f'<c a=">" r="XFD1048576">{CELL}'),
        CORNER.format(f'<c r="&#88;FD1048576">{CELL}'),
        CORNER.format("<c/>" * 16_383 + f"<c>{CELL}"),
        FIRST + f"<!--{'z' * 4_100_000}-->" + f'<row r="1048576"><c r="XFD1048576">{CELL}</row>',
    ],
    ids=["plain", "blanks", "lines", "long", "greater", "reference", "counted", "behind 4 MB"],
)
def test_a_cell_in_the_last_corner_is_seen_however_it_is_written(rows: str) -> None:
    refused = refusal(with_rows(rows))
    assert refused.trouble is Trouble.TOO_LARGE
    assert refused.detail == "a sheet of 17,179,869,184 cells is not opened"


def test_cells_of_any_form_within_bounds_are_read() -> None:
    rows = "".join(f"<row r='{at}'><c r='A{at}'>{CELL}<c>{CELL}</row>" for at in range(1, 9))
    (table,) = read_workbook(io.BytesIO(with_rows(rows)), Kind.XLSX)
    assert table.frame.shape[1] == 2


def test_a_long_text_that_many_cells_refer_to_is_counted_for_each() -> None:
    rows = "".join(f'<row r="{at}"><c r="A{at}" t="s"><v>0</v></c></row>' for at in range(1, 2001))
    texts = f"<sst><si><t>{'x' * 1_000_000}</t></si></sst>"
    data = with_rows(rows, **{"xl/sharedStrings.xml": texts})
    refused = refusal(data)
    assert refused.trouble is Trouble.TOO_LARGE
    assert "2,000,000,000 characters" in refused.detail


def test_a_long_text_that_one_of_many_cells_refers_to_is_read() -> None:
    texts = f"<sst><si><t>{'x' * 30_000}</t></si><si><t>y</t></si></sst>"
    cells = '<c r="A{0}" t="s"><v>{1}</v></c><c r="B{0}"><v>{0}</v></c>'
    rows = "".join(f'<row r="{at}">{cells.format(at, int(at > 1))}</row>' for at in range(1, 101))
    data = with_rows(rows, **{"xl/sharedStrings.xml": texts})
    bounds = replace(DEFAULT_BOUNDS, memory=8_000_000)
    (table,) = read_workbook(io.BytesIO(data), Kind.XLSX, bounds)
    assert table.frame.shape[1] == 2


def test_a_sheet_that_is_no_xml_in_its_middle_is_not_measured_and_not_opened() -> None:
    refused = refusal(with_rows(CORNER.format(f'&no;<c  r="XFD1048576">{CELL}')))
    assert refused.trouble is Trouble.CORRUPT


@pytest.mark.parametrize("columns", [(0, 2**16 - 1), (156, 3)])
def test_an_old_sheet_that_claims_to_be_endless_is_not_opened(columns: tuple[int, int]) -> None:
    data = bytearray(xls({"A": [HEADER, *BODY]}))
    at = data.index(b"\x00\x02\x0e\x00")
    struct.pack_into("<IIHH", data, at + 4, 0, 2**31, *columns)
    refused = refusal(bytes(data), Kind.XLS)
    assert refused.trouble is Trouble.CORRUPT
    assert "larger than any can be" in refused.detail


@pytest.mark.parametrize("place", ["stream", "directory"])
def test_a_chain_of_sectors_that_leads_back_is_refused(place: str) -> None:
    data = bytearray(xls({"A": [HEADER, *BODY]}))
    (table,) = struct.unpack_from("<I", data, 76)
    (sector,) = struct.unpack_from("<I", data, 48)
    if place == "stream":
        (sector,) = struct.unpack_from("<I", data, (sector + 1) * 512 + 128 + 116)
    struct.pack_into("<I", data, (table + 1) * 512 + 4 * sector, sector)
    refused = refusal(bytes(data), Kind.XLS)
    assert refused.trouble is Trouble.CORRUPT
    assert "leads back into itself" in refused.detail


@pytest.mark.parametrize("part", ["xl/workbook.xml", SHEET])
def test_a_damaged_part_of_a_new_workbook_is_corrupt_and_not_truncated(part: str) -> None:
    data = with_parts({part: "<workbook><sheets><she"})
    # The size in sectors tells of old workbooks only.
    assert len(data) % 512
    assert refusal(data).trouble is Trouble.CORRUPT
