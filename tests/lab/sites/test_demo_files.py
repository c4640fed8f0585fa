"""Each data file is what it says: the standard tool for its format opens it."""

import csv
import gzip
import io
import json
import re
import struct
import zipfile
from collections import Counter
from email.utils import parsedate_to_datetime

import pytest
from lxml import etree

from crawler.lab.sites.answer import Answer
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.site import SyntheticSite

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
GENERIC = "{http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic}"


@pytest.fixture(scope="module")
def answers(site: SyntheticSite) -> dict[str, Answer]:
    return {path: site.respond(path) for path in site.target_paths()}


@pytest.fixture(scope="module")
def bodies(answers: dict[str, Answer]) -> dict[str, list[bytes]]:
    """Bodies by the extension of path or file name."""
    found: dict[str, list[bytes]] = {}
    for path, answer in answers.items():
        name = answer.headers.get("Content-Disposition", path).strip('"')
        found.setdefault(re.sub(r".*?-\d+\.", "", name), []).append(answer.body)
    return found


def test_the_site_offers_every_format(bodies):
    assert set(bodies) == {
        "csv", "csv.gz", "xlsx", "ods", "pdf", "zip", "json", "xml", "parquet"
    }  # fmt: skip


def test_csv_files_are_rectangular_tables_with_numbers(answers):
    dialects = Counter()
    for answer in answers.values():
        found = re.fullmatch(r"text/csv; charset=(.+)", answer.headers["Content-Type"])
        if found:
            delimiter = "," if found[1] == "utf-8" else ";"
            rows = _rows(answer.body.decode(found[1]), delimiter)
            float(rows[-1][-1].replace(",", "."))
            dialects[found[1]] += 1
    assert set(dialects) == {"utf-8", "iso-8859-1"}


def test_french_tables_have_semicolons_decimal_commas_and_accents(answers):
    french = [
        answer.body.decode("latin-1")
        for answer in answers.values()
        if answer.headers["Content-Type"] == "text/csv; charset=iso-8859-1"
    ]
    assert all(text.startswith("Période;") for text in french)
    assert any(re.search(r";\d+,\d", text) for text in french)


def test_gzip_and_zip_hold_a_table(bodies):
    for body in bodies["csv.gz"]:
        _rows(gzip.decompress(body).decode(), ",")
    for body in bodies["zip"]:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            assert archive.testzip() is None
            [table] = [name for name in archive.namelist() if name.endswith(".csv")]
            _rows(archive.read(table).decode(), ",")


def test_workbooks_have_the_parts_that_ooxml_asks_for(bodies):
    for body in bodies["xlsx"]:
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            types = etree.fromstring(book.read("[Content_Types].xml"))
            declared = {part.get("PartName").lstrip("/") for part in types if part.get("PartName")}
            assert declared <= set(book.namelist())
            assert "_rels/.rels" in book.namelist()
            sheet = etree.fromstring(book.read("xl/worksheets/sheet1.xml"))
            assert len(sheet.findall(f".//{SHEET}row")) > 10
            assert float(sheet.findall(f".//{SHEET}v")[-1].text) < 1e9


def test_ods_files_have_their_media_type_first_and_a_table(bodies):
    for body in bodies["ods"]:
        assert body[30:84] == b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            content = etree.fromstring(book.read("content.xml"))
            assert len(content.findall(f".//{TABLE}table-row")) > 10
            etree.fromstring(book.read("META-INF/manifest.xml"))


def test_pdf_cross_references_point_at_their_objects(bodies):
    for body in bodies["pdf"]:
        assert body.startswith(b"%PDF-1.4\n")
        assert body.endswith(b"%%EOF\n")
        start = int(re.search(rb"startxref\n(\d+)\n", body)[1])
        assert body[start:].startswith(b"xref\n0 ")
        offsets = re.findall(rb"(\d{10}) 00000 n \n", body[start:])
        assert len(offsets) == int(re.search(rb"/Size (\d+)", body[start:])[1]) - 1
        for number, offset in enumerate(offsets, start=1):
            assert body[int(offset) :].startswith(f"{number} 0 obj\n".encode())
        for length, stream in re.findall(
            rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", body, re.S
        ):
            assert len(stream) == int(length)


def test_json_files_are_records_or_json_stat(bodies):
    kinds = Counter()
    for body in bodies["json"]:
        table = json.loads(body)
        if table.get("class") == "dataset":
            rows, columns = table["size"]
            assert len(table["value"]) == rows * columns
            kinds["json-stat"] += 1
        else:
            assert set(table["data"][0]) == {"period", "region", "code", "value"}
            kinds["records"] += 1
    assert len(kinds) == 2


def test_sdmx_files_have_one_observation_per_period_in_each_series(bodies):
    for body in bodies["xml"]:
        series = etree.fromstring(body).findall(f".//{GENERIC}Series")
        lengths = {len(each.findall(f"{GENERIC}Obs")) for each in series}
        assert len(series) >= 3
        assert len(lengths) == 1


def test_parquet_footers_describe_the_columns(bodies):
    for body in bodies["parquet"]:
        assert body[:4] == body[-4:] == b"PAR1"
        [length] = struct.unpack("<I", body[-8:-4])
        footer, end = _thrift_struct(body[-8 - length : -8], 0)
        assert end == length
        assert [column.get(4) for column in footer[2]] == [b"table", b"period", b"region", b"value"]
        values = footer[4][0][1][2][3]
        page, start = _thrift_struct(body, values[9])
        numbers = struct.unpack(f"<{footer[3]}d", body[start : start + page[2]])
        assert all(number > -1e6 for number in numbers)
        assert start + page[2] == len(body) - 8 - length


def test_only_the_deliberate_pair_has_the_same_bytes(answers):
    counts = Counter(answer.body for answer in answers.values())
    assert sorted(counts.values())[-2:] == [1, 2]


def test_sizes_are_small_and_varied(answers):
    sizes = [len(answer.body) for answer in answers.values()]
    assert max(sizes) < 80_000
    assert min(sizes) > 400
    assert max(sizes) > 20 * min(sizes)


def test_files_carry_an_etag_of_their_bytes_and_a_date(answers):
    tags = Counter(answer.headers["ETag"] for answer in answers.values())
    assert len(tags) == len(answers) - 1
    for answer in answers.values():
        assert 2015 <= parsedate_to_datetime(answer.headers["Last-Modified"]).year <= 2025
        assert answer.headers["Content-Length"] == str(len(answer.body))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(answers):
    same, other = demo_site(seed=1), demo_site(seed=2)
    assert all(same.respond(path) == answer for path, answer in answers.items())
    assert same.respond("/en/").body == demo_site().respond("/en/").body
    assert other.respond("/en/").body != same.respond("/en/").body
    kept = {other.respond(path).body for path in other.target_paths()}
    assert not kept & {answer.body for answer in answers.values()}


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert len(rows) > 10
    assert {len(row) for row in rows} == {len(rows[0])}
    return rows


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _thrift_value(data: bytes, at: int, kind: int):
    if kind == 12:
        return _thrift_struct(data, at)
    if kind == 9:
        size, inner = data[at] >> 4, data[at] & 15
        items, at = [], at + 1
        for _ in range(size):
            item, at = _thrift_value(data, at, inner)
            items.append(item)
        return items, at
    number, at = _varint(data, at)
    return (data[at : at + number], at + number) if kind == 8 else (number >> 1, at)


def _thrift_struct(data: bytes, at: int):
    fields, number = {}, 0
    while data[at]:
        number += data[at] >> 4
        fields[number], at = _thrift_value(data, at + 1, data[at] & 15)
    return fields, at + 1
