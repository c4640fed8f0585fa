"""The formats of the data files: extension, media type, and who writes the bytes."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from crawler.lab.demo.csv_files import french_csv, gzipped_csv, plain_csv, zipped_csv
from crawler.lab.demo.figures import Cube
from crawler.lab.demo.json_files import json_records, json_stat
from crawler.lab.demo.office_files import ods, xlsx
from crawler.lab.demo.parquet_files import parquet
from crawler.lab.demo.pdf_files import pdf
from crawler.lab.demo.sdmx_files import sdmx


@dataclass(frozen=True, slots=True)
class FormatFacts:
    """What one format needs to be known by."""

    extension: str
    content_type: str
    share: int
    """Its share of the data files, in per cent."""
    write: Callable[[Cube], bytes]


class Format(Enum):
    """Every kind of data file that the site offers."""

    CSV = FormatFacts("csv", "text/csv; charset=utf-8", 22, plain_csv)
    CSV_FRENCH = FormatFacts("csv", "text/csv; charset=iso-8859-1", 9, french_csv)
    XLSX = FormatFacts(
        "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 22, xlsx
    )
    PDF = FormatFacts("pdf", "application/pdf", 14, pdf)
    ODS = FormatFacts("ods", "application/vnd.oasis.opendocument.spreadsheet", 7, ods)
    ZIP = FormatFacts("zip", "application/zip", 6, zipped_csv)
    JSON = FormatFacts("json", "application/json", 5, json_records)
    JSON_STAT = FormatFacts("json", "application/json; charset=utf-8", 4, json_stat)
    SDMX = FormatFacts(
        "xml", "application/vnd.sdmx.genericdata+xml; version=2.1; charset=utf-8", 5, sdmx
    )
    CSV_GZ = FormatFacts("csv.gz", "application/gzip", 3, gzipped_csv)
    PARQUET = FormatFacts("parquet", "application/vnd.apache.parquet", 3, parquet)


LOTTERY = tuple(each for each in Format for _ in range(each.value.share))
"""One ticket per per cent."""
