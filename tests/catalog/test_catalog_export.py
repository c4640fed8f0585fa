"""Exports: every file once, readable by others' tools; DCAT-AP with its mandatory properties."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pyarrow.parquet as pq
import pytest

import crawler.catalog.export.dcat
import crawler.catalog.export.export
from crawler.catalog.export.dcat import iri
from crawler.catalog.export.export import COLUMNS, ExportFormat, export
from crawler.catalog.upkeep.removal import remove
from crawler.storage.local_folder import LocalFolder
from tests.catalog.corpus import LICENCE, corpus, fill, kept, new_version

__all__ = ["corpus"]

# What DCAT-AP 3.0 makes mandatory (and what we always know), with the form of each value.
IRI = re.compile(r"(https?|urn):[^\s<>\"{}|\\^`]+")
MANDATORY = {
    "dcat:Catalog": {"dct:title": "text", "dct:description": "text", "dct:publisher": "agent"},
    "dcat:Dataset": {
        "dct:title": "text",
        "dct:description": "text",
        "dct:publisher": "agent",
        "dct:issued": "time",
        "dct:modified": "time",
        "dcat:distribution": "list",
    },
    "dcat:Distribution": {
        "dcat:accessURL": "iri",
        "dcat:byteSize": "number",
        "spdx:checksum": "checksum",
    },
    "foaf:Agent": {"foaf:name": "text"},
    "spdx:Checksum": {"spdx:algorithm": "iri", "spdx:checksumValue": "hash"},
}


def written(database, form: ExportFormat) -> bytes:
    target = io.BytesIO()
    with database.reading() as session:
        export(session, target, form)
    return target.getvalue()


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "@type" in value and "@value" not in value:
            yield value
        for part in value.values():
            yield from nodes(part)
    elif isinstance(value, list):
        for part in value:
            yield from nodes(part)


def has_form(value: Any, form: str) -> bool:
    literal = value.get("@value") if isinstance(value, dict) else value
    if form == "text":
        return isinstance(literal, str) and bool(literal.strip())
    if form == "iri":
        return IRI.fullmatch(value["@id"]) is not None or value["@id"].startswith("spdx:")
    if form == "time":
        return value["@type"] == "xsd:dateTime" and bool(datetime.fromisoformat(literal))
    if form == "number":
        return value["@type"] == "xsd:nonNegativeInteger" and int(literal) >= 0
    if form == "hash":
        return re.fullmatch("[0-9a-f]{64}", literal) is not None
    if form == "list":
        return isinstance(value, list) and bool(value)
    return isinstance(value, dict) and value["@type"] in ("foaf:Agent", "spdx:Checksum")


def problems(document: dict[str, Any]) -> list[str]:
    """What a validator of the mandatory properties would say."""
    found = []
    for node in nodes(document):
        for name, form in MANDATORY.get(node["@type"], {}).items():
            if name not in node:
                found.append(f"{node.get('@id')}: no {name}")
            elif not has_form(node[name], form):
                found.append(f"{node.get('@id')}: {name} is {node[name]!r}")
        if "@id" in node and not IRI.fullmatch(node["@id"]):
            found.append(f"{node['@id']!r} is no IRI")
    return found


def test_csv_has_a_row_per_file(corpus):
    rows = list(csv.DictReader(io.StringIO(written(corpus.database, ExportFormat.CSV).decode())))
    assert [int(row["id"]) for row in rows] == sorted(corpus.ids.values())
    assert rows[0]["title"] == "Live births by region"
    assert rows[0]["verdict"] == "valid"
    assert rows[0]["first_seen"] == "2026-10-17T03:00:00Z"


def test_parquet_has_the_same_rows_with_types(corpus):
    table = pq.read_table(io.BytesIO(written(corpus.database, ExportFormat.PARQUET)))
    assert table.column_names == list(COLUMNS)
    frame = table.to_pandas()
    assert frame["id"].tolist() == sorted(corpus.ids.values())
    assert str(frame["fetched_at"].dt.tz) == "UTC"
    assert frame["bytes"].sum() == sum(len(name.encode()) for name in corpus.ids)


@pytest.mark.parametrize("form", list(ExportFormat))
def test_batches_lose_and_repeat_nothing(corpus, form, monkeypatch):
    whole = written(corpus.database, form)
    small = crawler.catalog.export.export._ROWS.limit(3)
    monkeypatch.setattr(crawler.catalog.export.export, "_ROWS", small)
    monkeypatch.setattr(crawler.catalog.export.dcat, "BATCH", 2)
    if form is ExportFormat.PARQUET:
        again = pq.read_table(io.BytesIO(written(corpus.database, form)))
        assert again.equals(pq.read_table(io.BytesIO(whole)))
    elif form is ExportFormat.CSV:
        assert written(corpus.database, form) == whole
    else:
        again = json.loads(written(corpus.database, form))
        assert again["dcat:dataset"] == json.loads(whole)["dcat:dataset"]


def test_formulas_are_no_formulas_in_csv(database, tmp_path):
    ids = fill(database)
    new_version(database, "office", kept("x.csv", '=HYPERLINK("http://x.example")'))
    remove(database, LocalFolder(tmp_path), ids["vital.csv"], "a test")
    rows = list(csv.DictReader(io.StringIO(written(database, ExportFormat.CSV).decode())))
    assert not [cell for row in rows for cell in row.values() if cell.startswith("=")]
    assert str(ids["vital.csv"]) not in [row["id"] for row in rows]


def test_dcat_has_every_mandatory_property(corpus):
    document = json.loads(written(corpus.database, ExportFormat.DCAT))
    assert problems(document) == []
    kinds = [node["@type"] for node in nodes(document)]
    assert (kinds.count("dcat:Dataset"), kinds.count("dcat:Distribution")) == (9, 10)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in MANDATORY.items() for name in names]
)
def test_check_of_mandatory_properties_misses_nothing(corpus, kind, name):
    document = json.loads(written(corpus.database, ExportFormat.DCAT))
    del next(node for node in nodes(document) if node["@type"] == kind)[name]
    assert len(problems(document)) == 1


def test_dcat_tells_formats_languages_licences_and_pages(corpus):
    datasets = json.loads(written(corpus.database, ExportFormat.DCAT))["dcat:dataset"]
    births = next(node for node in datasets if "Live births" in node["dct:title"]["@value"])
    assert births["dct:title"]["@language"] == "en"
    assert births["dct:language"]["@id"].endswith("/language/ENG")
    assert births["dcat:landingPage"]["@id"] == "https://office.example/population"
    first, second = births["dcat:distribution"]
    assert first["dcat:mediaType"]["@id"].endswith("/media-types/text/csv")
    assert first["dcat:downloadURL"]["@id"] == "https://office.example/files/births-2025.csv"
    assert first["dct:license"]["@id"] == LICENCE
    assert [part["dct:format"]["@id"].rpartition("/")[2] for part in (first, second)] == [
        "CSV",
        "XLSX",
    ]


def test_empty_catalog_is_a_document_too(database):
    assert json.loads(written(database, ExportFormat.DCAT))["dcat:dataset"] == []
    assert written(database, ExportFormat.CSV).decode().strip() == ",".join(COLUMNS)
    assert pq.read_table(io.BytesIO(written(database, ExportFormat.PARQUET))).num_rows == 0


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.example/a b|c?q=ü#f", "https://x.example/a%20b%7Cc?q=%C3%BC#f"),
        ("https://x.example/%20", "https://x.example/%20"),
        ("javascript:alert(1)", ""),
        ("", ""),
    ],
)
def test_addresses_become_valid_or_are_left_out(url, expected):
    assert iri(url) == expected
