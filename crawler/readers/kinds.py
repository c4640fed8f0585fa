"""What a file is, recognised by its bytes."""

from enum import StrEnum


class Kind(StrEnum):
    """What the bytes of a file are. The values stand in the catalog and name the suites."""

    DELIMITED = "delimited"
    SDMX_CSV = "sdmx-csv"
    XLS = "xls"
    XLSX = "xlsx"
    XLSB = "xlsb"
    ODS = "ods"
    PARQUET = "parquet"
    ARROW = "arrow"
    JSON = "json"
    JSON_STAT = "json-stat"
    SDMX_ML = "sdmx-ml"
    XML = "xml"
    PDF = "pdf"
    ZIP = "zip"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    SEVEN_ZIP = "7z"
    DOCUMENT = "document"
    """Text for people: Word, OpenDocument text, RTF, plain prose."""
    HTML = "html"
    ERROR_MESSAGE = "error-message"
    """What a server says instead of a file: an error in JSON, XML or a line of text."""
    EMPTY = "empty"
    BINARY = "binary"
    """None of these."""


ARCHIVES = frozenset({Kind.ZIP, Kind.GZIP, Kind.BZIP2, Kind.XZ, Kind.SEVEN_ZIP})
WORKBOOKS = frozenset({Kind.XLS, Kind.XLSX, Kind.XLSB, Kind.ODS})
NOT_DATA = frozenset({Kind.HTML, Kind.ERROR_MESSAGE})
