"""JSON: records and other shapes of tables, JSON-stat, and what goes wrong with it."""

import json
from typing import Any

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.figures import COUNTRIES, HEADER, ROWS, YEARS, births, csv_text
from tests.validation.corpus.specimen import Expected, Specimen, bytes_of

RECORDS = [dict(zip(HEADER, row, strict=True)) for row in ROWS]


def written(value: object, encoding: str = "utf-8") -> bytes:
    """The value as JSON."""
    return json.dumps(value, ensure_ascii=False).encode(encoding)


def good(
    name: str,
    body: bytes,
    table: Expected | None = None,
    *,
    kind: Kind = Kind.JSON,
    file_name: str = "births.json",
) -> Specimen:
    """A valid file of one table."""
    return Specimen(
        name,
        bytes_of(body),
        kind,
        Judgement.VALID,
        file_name=file_name,
        declared="application/json",
        tables=(table or births(),),
    )


def bad(
    name: str,
    body: bytes,
    reason: str,
    *,
    kind: Kind = Kind.JSON,
    verdict: Judgement = Judgement.BROKEN,
) -> Specimen:
    """A file that cannot be read."""
    return Specimen(
        name,
        bytes_of(body),
        kind,
        verdict,
        file_name="births.json",
        declared="application/json",
        reasons=(reason,) if reason else (),
        tables=(),
    )


def lines() -> bytes:
    """A record per line."""
    return b"".join(written(record) + b"\n" for record in RECORDS)


def features() -> dict[str, Any]:
    """GeoJSON: points with properties."""
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [2.0 + number, 48.0 + number / 10]},
                "properties": {"town": f"Town {number}", "inhabitants": 1000 * number + 12},
            }
            for number in range(25)
        ],
    }


def cube() -> dict[str, Any]:
    """The dimensions and values that both versions of JSON-stat share."""
    return {
        "dimension": {
            "time": {
                "label": "Year",
                "category": {"index": {str(year): place for place, year in enumerate(YEARS)}},
            },
            "geo": {
                "label": "Country",
                "category": {
                    "index": ["FR", "DE", "ES", "IT", "PL"],
                    "label": dict(zip(("FR", "DE", "ES", "IT", "PL"), COUNTRIES, strict=True)),
                },
            },
        },
        "value": [row[2] for row in ROWS],
    }


def json_stat_2() -> dict[str, Any]:
    """A dataset of JSON-stat 2.0."""
    return {
        "version": "2.0",
        "class": "dataset",
        "label": "Births by year and country",
        "id": ["time", "geo"],
        "size": [6, 5],
        "role": {"time": ["time"], "geo": ["geo"]},
        **cube(),
    }


def json_stat_1() -> dict[str, Any]:
    """A bundle of JSON-stat 1: the data sets by name, id and size among the dimensions."""
    old = cube()
    old["dimension"] |= {"id": ["time", "geo"], "size": [6, 5], "role": {"time": ["time"]}}
    return {"births": {"label": "Births by year and country", **old}}


def sparse() -> dict[str, Any]:
    """Values by position, most of them missing."""
    dataset = json_stat_2()
    dataset["value"] = {"0": 5, "7": 12, "29": 4}
    return dataset


def huge_cube() -> dict[str, Any]:
    """Three values in a cube of 10 ** 12 cells."""
    names, codes_ = ("a", "b", "c", "d"), [str(number) for number in range(1_000)]
    return {
        "version": "2.0",
        "class": "dataset",
        "id": list(names),
        "size": [1_000] * 4,
        "dimension": {name: {"category": {"index": codes_}} for name in names},
        "value": {"0": 1, "1": 2, "999999999999": 3},
    }


def wrong_sizes() -> dict[str, Any]:
    """The same, but no dimension has as many categories as the cube says."""
    dataset = huge_cube()
    for dimension in dataset["dimension"].values():
        dimension["category"] = {"index": {"x": 0}}
    return dataset


CUBE_TABLE = Expected(rows=30, width=3)
DEEP = b"[" * 200_000 + b"]" * 200_000
CONFIG = {"name": "portal", "languages": ["en", "fr"], "theme": {"colour": "blue", "logo": None}}

SPECIMENS = (
    good("json-records", written(RECORDS)),
    good("json-nested-data", written({"id": "B12", "meta": {"rows": 30}, "data": RECORDS})),
    good("json-list-of-lists", written([list(HEADER), *map(list, ROWS)])),
    good("json-lines", lines(), file_name="births.ndjson"),
    good("json-with-mark", b"\xef\xbb\xbf" + written(RECORDS)),
    good("json-in-utf-16", b"\xff\xfe" + written(RECORDS, "utf-16-le")),
    good(
        "json-columns",
        written({name: [row[at] for row in ROWS] for at, name in enumerate(HEADER)}),
    ),
    good(
        "json-records-with-gaps",
        written([{k: v for k, v in r.items() if k != "Rate" or r["Year"] > 2017} for r in RECORDS]),
        Expected(rows=30, names=HEADER, nulls={"Rate": 0.5}),
    ),
    good(
        "geojson",
        written(features()),
        Expected(rows=25, types={"inhabitants": ColumnType.INTEGER, "town": ColumnType.TEXT}),
        file_name="towns.geojson",
    ),
    good(
        "json-stat-2",
        written(json_stat_2()),
        Expected(rows=30, width=3, roles={"time": ColumnRole.TIME, "geo": ColumnRole.GEOGRAPHY}),
        kind=Kind.JSON_STAT,
    ),
    good("json-stat-1", written(json_stat_1()), CUBE_TABLE, kind=Kind.JSON_STAT),
    good("json-stat-sparse", written(sparse()), CUBE_TABLE, kind=Kind.JSON_STAT),
    bad("json-stat-wrong-sizes", written(wrong_sizes()), codes.CORRUPT, kind=Kind.JSON_STAT),
    bad("json-stat-huge-cube", written(huge_cube()), codes.BOMB, kind=Kind.JSON_STAT),
    bad("json-truncated", written(RECORDS)[:-700], codes.TRUNCATED),
    bad("json-deep", DEEP, codes.TOO_DEEP),
    bad("json-deep-objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, codes.TOO_DEEP),
    bad("json-syntax", written(RECORDS).replace(b'"Births":', b"Births=", 3), codes.CORRUPT),
    bad("json-without-records", written(CONFIG), "", verdict=Judgement.DOCUMENT),
    bad("json-empty-list", b"[]", "", verdict=Judgement.DOCUMENT),
    Specimen(
        "json-called-csv",
        bytes_of(written(RECORDS)),
        Kind.JSON,
        Judgement.SUSPECT,
        file_name="births.csv",
        declared="text/csv",
        reasons=(codes.OTHERWISE_DECLARED,),
        tables=(births(),),
    ),
    Specimen(
        "csv-called-json",
        bytes_of(csv_text().encode()),
        Kind.DELIMITED,
        Judgement.SUSPECT,
        file_name="births.json",
        declared="application/json",
        reasons=(codes.OTHERWISE_DECLARED,),
        tables=(births(),),
    ),
)
