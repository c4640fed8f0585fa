"""Large and small files of each kind, and the plainest way to read each of them.

A bare read is what a person who knows all about the file would write: the library that validation
uses too, one thread, the file into a DataFrame, nothing looked at.
"""

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.validation.inspection import Inspection, InspectionRequest, inspect_file

REGIONS = tuple(f"R{number:03}" for number in range(400))
Row = tuple[int, str, int, float]


@dataclass(frozen=True, slots=True)
class File:
    """A file on disk, as it is sent to the pool."""

    name: str
    file_name: str
    path: Path
    size: int


@dataclass(frozen=True, slots=True)
class Inspected:
    """What came back for it, and the processor time that it took."""

    inspection: Inspection
    processor: float


def inspect(file: File) -> Inspected:
    """What a process of the pool does with it."""
    start = time.process_time()
    inspection = inspect_file(file.path, InspectionRequest(name=file.file_name))
    return Inspected(inspection, time.process_time() - start)


@dataclass(frozen=True, slots=True)
class Sample:
    """A file to measure with."""

    name: str
    file_name: str
    make: Callable[[], bytes]
    bare: Callable[[Path], Any]


def rows(count: int) -> list[Row]:
    """A year, a region, persons, a rate."""
    return [
        (1980 + at % 45, REGIONS[at % 400], 1_000_000 + at * 7919 % 899_981, at * 31 % 9973 / 100)
        for at in range(count)
    ]


def csv_body(count: int) -> bytes:
    """Comma-separated rows, some 25 bytes each; large files repeat a block of them."""
    block = min(count, 200_000)
    text = "".join(f"{y},{region},{n},{rate}\n" for y, region, n, rate in rows(block)).encode()
    return b"year,region,persons,rate\n" + text * (count // block)


def xlsx_body(count: int) -> bytes:
    """A workbook, written row by row."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Data")
    sheet.append(("year", "region", "persons", "rate"))
    for row in rows(count):
        sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def xls_body(count: int) -> bytes:
    """An old workbook; 65,535 rows are the most it can have."""
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    for column, name in enumerate(("year", "region", "persons", "rate")):
        sheet.write(0, column, name)
    for place, row in enumerate(rows(count), start=1):
        for column, value in enumerate(row):
            sheet.write(place, column, value)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def ods_body(count: int) -> bytes:
    """A spreadsheet; its XML is written by hand, which is a hundred times quicker than odfpy."""
    names = "urn:oasis:names:tc:opendocument:xmlns"
    value = ' office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
    number = f"<table:table-cell{value}"
    text = '<table:table-cell office:value-type="string"><text:p>{0}</text:p></table:table-cell>'
    lines = [("year", "region", "persons", "rate"), *rows(count)]
    body = "".join(
        "<table:table-row>"
        + "".join((text if isinstance(cell, str) else number).format(cell) for cell in row)
        + "</table:table-row>"
        for row in lines
    )
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{names}:office'
        f':1.0" xmlns:table="{names}:table:1.0" xmlns:text="{names}:text:1.0" office:version="1.2">'
        f'<office:body><office:spreadsheet><table:table table:name="Data">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{names}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="/" manifest:media-type="{kind}"/><manifest:file-entry '
        'manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr("mimetype", kind)
        file.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
        file.writestr("META-INF/manifest.xml", manifest, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def parquet_body(count: int) -> bytes:
    """A Parquet file as pyarrow writes it by default."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = list(zip(*rows(count), strict=True))
    names = ("year", "region", "persons", "rate")
    target = io.BytesIO()
    pq.write_table(pa.table(dict(zip(names, map(pa.array, columns), strict=True))), target)
    return target.getvalue()


def json_body(count: int) -> bytes:
    """A list of records."""
    return json.dumps(
        [{"year": y, "region": r, "persons": n, "rate": v} for y, r, n, v in rows(count)]
    ).encode()


def sdmx_body(count: int) -> bytes:
    """Structure-specific data: a series for each region."""
    space = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"
    by_region: dict[str, list[str]] = {}
    for year, region, persons, _ in rows(count):
        line = f'<Obs TIME_PERIOD="{year}" OBS_VALUE="{persons}"/>'
        by_region.setdefault(region, []).append(line)
    series = "".join(
        f'<Series FREQ="A" REGION="{region}">{"".join(lines)}</Series>'
        for region, lines in by_region.items()
    )
    return (
        f'<?xml version="1.0"?><mes:StructureSpecificData xmlns:mes="{space}"><mes:Header/>'
        f"<mes:DataSet>{series}</mes:DataSet></mes:StructureSpecificData>"
    ).encode()


def zip_body(count: int) -> bytes:
    """The CSV in a ZIP archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("data.csv", csv_body(count))
    return target.getvalue()


def bare_csv(path: Path) -> Any:
    """pyarrow's reader."""
    with path.open("rb") as stream:
        return _csv(stream)


def bare_zip(path: Path) -> Any:
    """zipfile, then pyarrow's reader."""
    with zipfile.ZipFile(path) as file, file.open(file.namelist()[0]) as stream:
        return _csv(io.BytesIO(stream.read()))


def _csv(stream: Any) -> Any:
    from pyarrow import csv

    options = csv.ReadOptions(use_threads=False)
    return csv.read_csv(stream, read_options=options).to_pandas(use_threads=False)


def bare_workbook(path: Path) -> Any:
    """python-calamine, all rows of the first sheet."""
    import pandas as pd
    from python_calamine import CalamineWorkbook

    lines = CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()
    return pd.DataFrame(lines[1:], columns=lines[0])


def bare_parquet(path: Path) -> Any:
    """pyarrow."""
    import pyarrow.parquet as pq

    return pq.read_table(path, use_threads=False).to_pandas(use_threads=False)


def bare_json(path: Path) -> Any:
    """The json of the standard library."""
    import pandas as pd

    return pd.DataFrame(json.loads(path.read_bytes()))


def bare_sdmx(path: Path) -> Any:
    """lxml: the attributes of each observation and its series."""
    import pandas as pd
    from lxml import etree

    tree = etree.parse(path)
    return pd.DataFrame(
        {**series.attrib, **observed.attrib}
        for series in tree.iter("Series")
        for observed in series
    )


LARGE = (
    Sample("csv 5 MB", "data.csv", lambda: csv_body(200_000), bare_csv),
    Sample("csv 100 MB", "data.csv", lambda: csv_body(4_200_000), bare_csv),
    Sample("xlsx", "data.xlsx", lambda: xlsx_body(45_000), bare_workbook),
    Sample("xls", "data.xls", lambda: xls_body(30_000), bare_workbook),
    Sample("ods", "data.ods", lambda: ods_body(55_000), bare_workbook),
    Sample("parquet", "data.parquet", lambda: parquet_body(400_000), bare_parquet),
    Sample("json", "data.json", lambda: json_body(40_000), bare_json),
    Sample("sdmx-ml", "data.xml", lambda: sdmx_body(60_000), bare_sdmx),
    Sample("zip of csv", "data.zip", lambda: zip_body(400_000), bare_zip),
)
SMALL = (
    Sample("csv", "data.csv", lambda: csv_body(60), bare_csv),
    Sample("xlsx", "data.xlsx", lambda: xlsx_body(60), bare_workbook),
    Sample("xls", "data.xls", lambda: xls_body(60), bare_workbook),
    Sample("ods", "data.ods", lambda: ods_body(60), bare_workbook),
    Sample("parquet", "data.parquet", lambda: parquet_body(60), bare_parquet),
    Sample("json", "data.json", lambda: json_body(60), bare_json),
    Sample("sdmx-ml", "data.xml", lambda: sdmx_body(60), bare_sdmx),
    Sample("zip of csv", "data.zip", lambda: zip_body(60), bare_zip),
)
