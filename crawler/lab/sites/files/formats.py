"""The formats of files: declared types, shares, and how their bytes are written."""

from collections.abc import Callable
from dataclasses import dataclass

from crawler.lab.sites.files.csv_files import french_csv, gzipped_csv, plain_csv, zipped_csv
from crawler.lab.sites.files.figures import Cube
from crawler.lab.sites.files.json_files import json_records, json_stat
from crawler.lab.sites.files.office_files import ods, xlsx
from crawler.lab.sites.files.parquet_files import parquet
from crawler.lab.sites.files.pdf_files import pdf
from crawler.lab.sites.files.sdmx_files import sdmx

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_SDMX = "application/vnd.sdmx.genericdata+xml; version=2.1; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Format:
    """One format. A sketch has its first bytes only, a real file is written whole."""

    extension: str
    content_type: str
    share: int
    """Of a hundred files."""
    begins: bytes = b""
    write: Callable[[Cube], bytes] | None = None


_SKETCHED = (
    Format("pdf", "application/pdf", 38, b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
    Format("xlsx", _XLSX, 20, b"PK\x03\x04\x14\x00\x06\x00"),
    Format("xls", "application/vnd.ms-excel", 12, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    Format("csv", "text/csv; charset=utf-8", 14, b"region;year;value\n"),
    Format("zip", "application/zip", 7, b"PK\x03\x04\x14\x00\x00\x00"),
    Format("ods", _ODS, 4, b"PK\x03\x04"),
    Format("json", "application/json", 3, b'{"values": ['),
    Format("tsv", "text/tab-separated-values", 2, b"region\tyear\tvalue\n"),
)
_REAL = (
    Format("csv", "text/csv; charset=utf-8", 22, write=plain_csv),
    Format("csv", "text/csv; charset=iso-8859-1", 9, write=french_csv),
    Format("xlsx", _XLSX, 22, write=xlsx),
    Format("pdf", "application/pdf", 14, write=pdf),
    Format("ods", _ODS, 7, write=ods),
    Format("zip", "application/zip", 6, write=zipped_csv),
    Format("json", "application/json", 5, write=json_records),
    Format("json", "application/json; charset=utf-8", 4, write=json_stat),
    Format("xml", _SDMX, 5, write=sdmx),
    Format("csv.gz", "application/gzip", 3, write=gzipped_csv),
    Format("parquet", "application/vnd.apache.parquet", 3, write=parquet),
)


def _lottery(formats: tuple[Format, ...]) -> tuple[Format, ...]:
    """One ticket per per cent."""
    return tuple(each for each in formats for _ in range(each.share))


SKETCHED = _lottery(_SKETCHED)
REAL = _lottery(_REAL)


def pick_format(lottery: tuple[Format, ...], drawn: int) -> Format:
    """The format that belongs to a number."""
    return lottery[drawn % len(lottery)]
