"""The groups of file types that a site's `targets` may name, and what is never fetched."""

from collections.abc import Mapping
from dataclasses import dataclass

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class TargetGroup:
    """File types that people ask for by one name."""

    name: str
    mimes: tuple[str, ...]
    """A `*` at the end stands for anything."""
    extensions: Mapping[str, str]
    """What the end of a file's name tells: extension to MIME type."""


_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
_SDMX = "application/vnd.sdmx."
_XLS = "application/vnd.ms-excel"


def _group(name: str, extensions: dict[str, str], *further: str) -> TargetGroup:
    mimes = dict.fromkeys([*extensions.values(), *further])
    return TargetGroup(name, tuple(mimes), extensions)


# The 38 types of paper 000's appendix are all here, beside those it misses on real sites.
_GROUPS = (
    _group(
        "csv",
        {"csv": "text/csv", "tsv": "text/tab-separated-values", "tab": "text/tab-separated-values"},
        "application/csv",
        "application/x-csv",
        "application/tab-separated-values",
        "application/vnd.csv",
        "text/comma-separated-values",
        "text/x-comma-separated-values",
        "text/x-csv",
        "text/tsv",
        "text/x-tsv",
    ),
    _group(
        "excel",
        {
            "xls": _XLS,
            "xlt": _XLS,
            "xla": _XLS,
            "xlsx": f"{_OOXML}spreadsheetml.sheet",
            "xltx": f"{_OOXML}spreadsheetml.template",
            "xlsm": f"{_XLS}.sheet.macroenabled.12",
            "xltm": f"{_XLS}.template.macroenabled.12",
            "xlsb": f"{_XLS}.sheet.binary.macroenabled.12",
        },
        "application/excel",
        "application/msexcel",
        "application/x-excel",
        "application/x-msexcel",
        "application/xls",
        "application/x-xls",
        "application/xlsx",
    ),
    _group(
        "ods",
        {"ods": f"{_ODF}spreadsheet", "fods": f"{_ODF}spreadsheet-flat-xml"},
        f"{_ODF}spreadsheet-template",
    ),
    _group("sdmx", {"sdmx": f"{_SDMX}structurespecificdata+xml"}, f"{_SDMX}*"),
    _group(
        "json",
        {
            "json": "application/json",
            "geojson": "application/geo+json",
            "topojson": "application/topo+json",
            "jsonld": "application/ld+json",
            "ndjson": "application/x-ndjson",
            "jsonl": "application/x-ndjson",
            "px-json": "application/json",
        },
        "text/json",
        "application/x-json",
        "application/vnd.geo+json",
        "application/json-stat",
        "application/vnd.json-stat*",
        "application/json-seq",
        "application/ndjson",
        "application/jsonl",
        "application/jsonlines",
        "application/vnd.api+json",
    ),
    _group("xml", {"xml": "application/xml"}, "text/xml"),
    _group(
        "rdf",
        {
            "rdf": "application/rdf+xml",
            "ttl": "text/turtle",
            "nt": "application/n-triples",
            "nq": "application/n-quads",
            "n3": "text/n3",
            "trig": "application/trig",
        },
        "application/x-turtle",
    ),
    _group(
        "parquet",
        {
            "parquet": "application/vnd.apache.parquet",
            "arrow": "application/vnd.apache.arrow.file",
            "feather": "application/vnd.apache.arrow.file",
        },
        "application/parquet",
        "application/x-parquet",
    ),
    _group("pdf", {"pdf": "application/pdf"}, "application/x-pdf", "application/acrobat"),
    _group(
        "archive",
        {
            "zip": "application/zip",
            "gz": "application/gzip",
            "tgz": "application/gzip",
            "tar": "application/x-tar",
            "7z": "application/x-7z-compressed",
            "rar": "application/vnd.rar",
            "bz2": "application/x-bzip2",
            "xz": "application/x-xz",
            "zst": "application/zstd",
        },
        "application/x-zip",
        "application/x-zip-compressed",
        "application/zip-compressed",
        "application/x-gzip",
        "application/x-gtar",
        "application/x-rar-compressed",
        "application/x-rar",
        "application/x-bzip",
        "application/x-compressed",
        "application/x-compress",
        "multipart/x-zip",
    ),
    _group("text", {"txt": "text/plain", "asc": "text/plain", "prn": "text/plain"}),
    _group(
        "yaml",
        {"yaml": "application/yaml", "yml": "application/yaml"},
        "application/x-yaml",
        "text/yaml",
        "text/x-yaml",
    ),
    _group(
        "document",
        {
            "doc": "application/msword",
            "dot": "application/msword",
            "docx": f"{_OOXML}wordprocessingml.document",
            "dotx": f"{_OOXML}wordprocessingml.template",
            "docm": "application/vnd.ms-word.document.macroenabled.12",
            "odt": f"{_ODF}text",
            "rtf": "application/rtf",
            "ppt": "application/vnd.ms-powerpoint",
            "pps": "application/vnd.ms-powerpoint",
            "pptx": f"{_OOXML}presentationml.presentation",
            "ppsx": f"{_OOXML}presentationml.slideshow",
            "pptm": "application/vnd.ms-powerpoint.presentation.macroenabled.12",
            "odp": f"{_ODF}presentation",
        },
        "text/rtf",
        "application/vnd.ms-word",
        "application/mspowerpoint",
    ),
    _group(
        "statistical",
        {
            "sav": "application/x-spss-sav",
            "zsav": "application/x-spss-sav",
            "por": "application/x-spss-por",
            "dta": "application/x-stata-dta",
            "sas7bdat": "application/x-sas-data",
            "xpt": "application/x-sas-xport",
            "rds": "application/x-r-data",
            "rda": "application/x-r-data",
            "rdata": "application/x-r-data",
            "dbf": "application/x-dbf",
            "px": "application/x-pc-axis",
            "mdb": "application/x-msaccess",
            "accdb": "application/x-msaccess",
            "gpkg": "application/geopackage+sqlite3",
            "shp": "application/x-shapefile",
            "nc": "application/x-netcdf",
            "h5": "application/x-hdf5",
        },
        "application/x-spss",
        "application/x-stata",
        "application/x-sas",
        "application/x-rdata",
        "application/dbf",
        "application/dbase",
        "application/vnd.sqlite3",
        "application/x-sqlite3",
        "text/x-pcaxis",
    ),
    _group(
        "binary",
        {"bin": "application/octet-stream", "dat": "application/octet-stream"},
        "application/force-download",
        "application/x-force-download",
        "application/x-download",
        "application/download",
        "application/x-octet-stream",
        "application/octetstream",
        "binary/octet-stream",
        "application/binary",
    ),
    _group(
        "feed",
        {"rss": "application/rss+xml", "atom": "application/atom+xml"},
        "application/feed+json",
    ),
)

TARGET_GROUPS: dict[str, TargetGroup] = {group.name: group for group in _GROUPS}
DEFAULT_TARGETS: tuple[str, ...] = tuple(name for name in TARGET_GROUPS if name != "feed")

EXTENSION_TYPES: dict[str, str] = {
    extension: mime for group in _GROUPS for extension, mime in group.extensions.items()
}
EXTENSION_GROUPS: dict[str, str] = {
    extension: group.name for group in _GROUPS for extension in group.extensions
}

_MEDIA = {
    "image": "apng avif bmp eps gif heic ico jfif jpeg jpg png psd svg svgz tif tiff webp",
    "video": "3gp avi flv m4v mkv mov mp4 mpeg mpg ogv swf webm wmv",
    "audio": "aac aif aiff flac m3u m4a mid midi mp3 oga ogg opus wav wma",
    "font": "eot otf ttf woff woff2",
    "application": "apk bat cab deb dll dmg exe iso jar msi rpm crx ics ical vcf vcs torrent "
    "mbtiles pbf mvt pmtiles",
    "text": "css js mjs map less scss ts vtt srt wasm webmanifest",
}
MEDIA_EXTENSIONS: dict[str, str] = {
    extension: f"{kind}/{extension}"
    for kind, extensions in _MEDIA.items()
    for extension in extensions.split()
} | {
    "exe": "application/x-msdownload",
    "ico": "image/x-icon",
    "ics": "text/calendar",
    "jfif": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript",
    "mp3": "audio/mpeg",
    "svg": "image/svg+xml",
    "tif": "image/tiff",
}
