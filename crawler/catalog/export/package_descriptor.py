"""datapackage.json: what Frictionless tools need to know of files that were downloaded together.

https://specs.frictionlessdata.io/data-package/ and /data-resource/, version 1.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from crawler.catalog.db.texts import MAX_TEXT, plain
from crawler.catalog.read.citation import cite
from crawler.catalog.read.iri import iri
from crawler.catalog.read.records import FileDetail
from crawler.pages.file_name import extension_of, extension_of_name
from crawler.validation.outcome import ColumnType, TableProfile

DESCRIPTOR = "datapackage.json"
_MAX_NAME = 60
_TYPES = {
    ColumnType.INTEGER: "integer",
    ColumnType.NUMBER: "number",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.TEXT: "string",
    ColumnType.PERIOD: "string",
    ColumnType.DATE: "string",
}
_CREATIVE_COMMONS = re.compile(
    r"https?://creativecommons\.org/(licenses/(by(?:-sa)?)/(\d\.\d)|publicdomain/(zero)/(\d\.\d))",
    re.IGNORECASE,
)


def path_in_package(file: FileDetail) -> str:
    """Where a file is in its package: named after its ID, with what is harmless of its own name.

    Nothing of a name from the web decides about folders, and no two files have the same path.
    """
    stem, _, _ = file.file_name.replace("\\", "/").rpartition("/")[2].rpartition(".")
    extension = extension_of_name(file.file_name) or extension_of(file.url)
    kind = extension if re.fullmatch("[a-z0-9]{1,8}", extension) else ""
    name = f"{file.id}-v{file.version}"
    if readable := _slug(stem):
        name = f"{name}-{readable}"
    return f"data/{name}.{kind}" if kind else f"data/{name}"


def resource_of(file: FileDetail, path: str) -> dict[str, Any]:
    """A data resource: path, size, hash, source, licence and the columns of its tables."""
    resource: dict[str, Any] = {
        "name": f"file-{file.id}",
        "path": path,
        "title": plain(file.title, MAX_TEXT),
        "description": cite(file),
        "format": path.rpartition(".")[2] if "." in path else file.format,
        "mediatype": plain(file.mime.partition(";")[0], 127),
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
        "sources": [_source(file.publisher or file.site_title or file.site, file.url)],
    }
    if licences := licences_of([file]):
        resource["licenses"] = licences
    tables = file.check.profile.tables if file.check else ()
    if len(tables) == 1 and len(tables[0].columns) == tables[0].width:
        resource |= _tabular(file, tables[0])
    elif tables:
        resource["tables"] = [
            {"name": plain(table.name, MAX_TEXT), "rows": table.rows, "schema": _schema(table)}
            for table in tables
        ]
    return {name: value for name, value in resource.items() if value != ""}


def package_of(
    resources: Sequence[Mapping[str, Any]],
    files: Sequence[FileDetail],
    *,
    asked: Mapping[str, Any],
    sentence: str,
    now: datetime,
) -> dict[str, Any]:
    """The descriptor of the package; `asked` is the search, `sentence` says what is in it."""
    words = plain(str(asked.get("words", "")), MAX_TEXT)
    about = [words, *(plain(str(value), 100) for key, value in asked.items() if key != "words")]
    sources = {
        file.site: _source(file.site_title or file.publisher or file.site, file.page_url)
        for file in files
    }
    return {
        "profile": "data-package",
        "name": _slug("-".join(filter(None, about))) or "catalog",
        "title": f"Files found by {', '.join(filter(None, about)) or 'everything'}",
        "description": sentence,
        "created": f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "tallyho": {"search": dict(asked)},
        "sources": list(sources.values()),
        **({"licenses": licences} if (licences := licences_of(files)) else {}),
        "resources": list(resources),
    }


def licences_of(files: Iterable[FileDetail]) -> list[dict[str, str]]:
    """The licences as they are stated, each once; known ones have the name of their family."""
    stated = dict.fromkeys(plain(file.licence, MAX_TEXT) for file in files if file.licence)
    return [_licence(text) for text in stated if text]


def _licence(text: str) -> dict[str, str]:
    if match := _CREATIVE_COMMONS.match(text):
        _, by, version, zero, zero_version = match.groups()
        name = f"CC0-{zero_version}" if zero else f"CC-{by.upper()}-{version}"
        return {"name": name, "path": iri(text)}
    if address := iri(text):
        return {"path": address}
    return {"name": "notspecified", "title": text}


def _source(title: str, url: str) -> dict[str, str]:
    path = {"path": address} if (address := iri(url)) else {}
    return {"title": plain(title, MAX_TEXT), **path}


def _tabular(file: FileDetail, table: TableProfile) -> dict[str, Any]:
    """A CSV whose first line is the header can be read by every tool; others have the columns."""
    said: dict[str, Any] = {"schema": _schema(table)}
    if table.encoding:
        said["encoding"] = table.encoding
    if file.format != "csv":
        return said
    if table.delimiter:
        said["dialect"] = {"delimiter": table.delimiter}
    ledger = table.ledger
    if ledger.header == 1 and not (ledger.titles or ledger.footnotes or ledger.blank):
        said["profile"] = "tabular-data-resource"
    return said


def _schema(table: TableProfile) -> dict[str, Any]:
    return {"fields": [_field(column.name, column.type, table.decimal) for column in table.columns]}


def _field(name: str, kind: ColumnType, decimal: str) -> dict[str, str]:
    """Dates are texts here: their spelling is the publisher's."""
    field = {"name": plain(name, MAX_TEXT), "type": _TYPES.get(kind, "any")}
    if kind is ColumnType.NUMBER and decimal and decimal != ".":
        field["decimalChar"] = decimal
    return field


def _slug(text: str) -> str:
    """Small letters, digits and dashes: what every file system and every specification takes."""
    return re.sub(r"[^a-z0-9]+", "-", text[:300].lower()).strip("-")[:_MAX_NAME].strip("-")
