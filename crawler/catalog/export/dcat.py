"""The catalog as DCAT-AP 3 in JSON-LD: what open-data portals harvest from each other.

Every dataset is a dcat:Dataset that is identified by the dataset's id; its files are its
dcat:Distribution, identified by their IDs. The context is written out: reading needs no network.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from crawler.catalog.db.models import DATASET
from crawler.catalog.read.files import datasets
from crawler.catalog.read.iri import iri as iri
from crawler.catalog.read.records import Dataset, File
from crawler.pages.file_name import extension_of, extension_of_name
from crawler.pages.mime_groups import EXTENSION_TYPES

BATCH = 500

CONTEXT: dict[str, Any] = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "hydra": "http://www.w3.org/ns/hydra/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_IANA = "https://www.iana.org/assignments/media-types/"
_EU_FORMATS = "http://publications.europa.eu/resource/authority/file-type/"
_EU_LANGUAGES = "http://publications.europa.eu/resource/authority/language/"
_FORMATS = {
    "csv": "CSV",
    "ods": "ODS",
    "json": "JSON",
    "xml": "XML",
    "pdf": "PDF",
    "parquet": "PARQUET",
}
_FORMATS |= {"sdmx": "XML", "yaml": "YAML", "text": "TXT", "archive": "ZIP"}
_EXCEL = {"xls": "XLS", "xlsx": "XLSX", "xlsm": "XLSM"}
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
# fmt: off
_LANGUAGES = {
    "bg": "BUL", "cs": "CES", "da": "DAN", "de": "DEU", "el": "ELL", "en": "ENG", "es": "SPA",
    "et": "EST", "fi": "FIN", "fr": "FRA", "ga": "GLE", "hr": "HRV", "hu": "HUN", "it": "ITA",
    "ja": "JPN", "lt": "LIT", "lv": "LAV", "mt": "MLT", "nl": "NLD", "no": "NOR", "pl": "POL",
    "pt": "POR", "ro": "RON", "sk": "SLK", "sl": "SLV", "sv": "SWE", "tr": "TUR", "uk": "UKR",
}
# fmt: on
_URN = "urn:tallyho"
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class DcatPage:
    """A part of the catalog, and where the next one is."""

    body: bytes
    next_page: str
    """Empty for the last one."""


def write_dcat(session: Session, target: BinaryIO, *, now: datetime | None = None) -> int:
    """Streams the catalog as one JSON-LD document; returns the number of datasets."""
    head = _catalog_node(now or datetime.now(UTC))
    begin, _, end = json.dumps(head).rpartition("[]")
    target.write(f"{begin}[".encode())
    count = 0
    for dataset in _all_datasets(session):
        separator = "\n" if count == 0 else ",\n"
        target.write(f"{separator}{json.dumps(dataset_node(dataset))}".encode())
        count += 1
    target.write(f"\n]{end}\n".encode())
    return count


def dcat_page(
    session: Session, after: int, limit: int, next_page: Callable[[int], str]
) -> DcatPage:
    """Some datasets in the order of their ids, as a catalog that names where the next ones are.

    The same datasets make the same bytes: the catalog was modified when its newest file came.
    """
    connection = session.connection()
    query = select(DATASET.c.id).where(DATASET.c.id > after).order_by(DATASET.c.id)
    ids = connection.execute(query.limit(limit + 1)).scalars().all()
    listed = datasets(connection, ids[:limit], max_files=None)
    newest = max((file.fetched_at for each in listed for file in each.files), default=_BEGINNING)
    later = next_page(ids[limit - 1]) if len(ids) > limit else ""
    node = _catalog_node(newest) | {"dcat:dataset": [dataset_node(each) for each in listed]}
    if later:
        node["hydra:next"] = {"@id": later}
    return DcatPage(f"{json.dumps(node)}\n".encode(), later)


def _catalog_node(modified: datetime) -> dict[str, Any]:
    return {
        "@context": CONTEXT,
        "@id": f"{_URN}:catalog",
        "@type": "dcat:Catalog",
        "dct:title": _text("Tallyho catalog of acquired statistics", "en"),
        "dct:description": _text("Data files found on statistics websites, kept as found.", "en"),
        "dct:publisher": _agent("Tallyho"),
        "dct:modified": _time(modified),
        "dcat:dataset": [],
    }


def dataset_node(dataset: Dataset) -> dict[str, Any]:
    """A dcat:Dataset with its distributions."""
    language = dataset.language if _LANGUAGE_TAG.fullmatch(dataset.language) else ""
    node: dict[str, Any] = {
        "@id": f"{_URN}:dataset:{dataset.id}",
        "@type": "dcat:Dataset",
        "dct:identifier": str(dataset.id),
        "dct:title": _text(dataset.title, language),
        "dct:description": _text(_description(dataset), language),
        "dct:publisher": _agent(dataset.publisher or dataset.site),
        "dct:issued": _time(dataset.published_at or dataset.first_seen),
        "dct:modified": _time(max(file.fetched_at for file in dataset.files)),
        "dcat:distribution": [_distribution(file, dataset) for file in dataset.files],
    }
    if page := iri(dataset.page_url):
        node["dcat:landingPage"] = {"@id": page, "@type": "foaf:Document"}
    if languages := _languages(language):
        node["dct:language"] = languages[0]
    return node


def _distribution(file: File, dataset: Dataset) -> dict[str, Any]:
    url = iri(file.url)
    access = iri(dataset.page_url) or url or f"{_URN}:file:{file.id}"
    node: dict[str, Any] = {
        "@id": f"{_URN}:file:{file.id}",
        "@type": "dcat:Distribution",
        "dct:title": file.title,
        "dcat:accessURL": {"@id": access},
        "dcat:byteSize": {"@value": str(file.bytes), "@type": "xsd:nonNegativeInteger"},
        "dct:issued": _time(file.first_seen),
        "dct:modified": _time(file.fetched_at),
        "spdx:checksum": {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@value": file.sha256, "@type": "xsd:hexBinary"},
        },
    }
    if url:
        node["dcat:downloadURL"] = {"@id": url}
    if mime := _media_type(file):
        node["dcat:mediaType"] = {"@id": f"{_IANA}{mime}", "@type": "dct:MediaType"}
    if code := _format(file):
        node["dct:format"] = {"@id": f"{_EU_FORMATS}{code}", "@type": "dct:MediaTypeOrExtent"}
    if languages := _languages(file.content_language):
        node["dct:language"] = languages
    if licence := dataset.licence.strip():
        node["dct:license"] = _licence(licence)
    return node


def _all_datasets(session: Session) -> Iterator[Dataset]:
    connection = session.connection()
    last = 0
    while True:
        query = select(DATASET.c.id).where(DATASET.c.id > last)
        ids = connection.execute(query.order_by(DATASET.c.id).limit(BATCH)).scalars().all()
        if not ids:
            return
        last = ids[-1]
        yield from datasets(connection, ids, max_files=None)


def _description(dataset: Dataset) -> str:
    formats = ", ".join(sorted({file.format for file in dataset.files}))
    where = f" on the page '{dataset.page_title}'" if dataset.page_title else ""
    return f"{dataset.title}: {formats} found on {dataset.site}{where}."


def _format(file: File) -> str:
    extension = extension_of_name(file.file_name) or extension_of(file.url)
    return _EXCEL.get(extension, "XLS") if file.format == "excel" else _FORMATS.get(file.format, "")


def _media_type(file: File) -> str:
    mime = file.mime.partition(";")[0].strip().lower()
    if not _MIME.fullmatch(mime) or mime == "application/octet-stream":
        extension = extension_of_name(file.file_name) or extension_of(file.url)
        mime = EXTENSION_TYPES.get(extension, mime)
    return mime if _MIME.fullmatch(mime) else ""


def _languages(tags: str) -> list[dict[str, str]]:
    primary = (tag.strip().partition("-")[0].lower() for tag in tags.split(","))
    codes = [_LANGUAGES[tag] for tag in primary if tag in _LANGUAGES]
    return [{"@id": f"{_EU_LANGUAGES}{code}", "@type": "dct:LinguisticSystem"} for code in codes]


def _licence(text: str) -> dict[str, Any]:
    if url := iri(text):
        return {"@id": url, "@type": "dct:LicenseDocument"}
    return {"@type": "dct:LicenseDocument", "dct:title": text}


def _agent(name: str) -> dict[str, Any]:
    return {"@type": "foaf:Agent", "foaf:name": name}


def _text(text: str, language: str) -> dict[str, str] | str:
    return {"@value": text, "@language": language} if language else text


def _time(value: datetime) -> dict[str, str]:
    return {"@value": f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", "@type": "xsd:dateTime"}
