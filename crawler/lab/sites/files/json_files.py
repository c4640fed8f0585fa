"""JSON: plain records, and JSON-stat 2.0 as statistics offices exchange it."""

import json

from crawler.lab.sites.files.figures import Cube


def json_records(cube: Cube) -> bytes:
    """One record per period and region."""
    records = [
        {"period": period, "region": name, "code": code, "value": value}
        for period, row in zip(cube.periods, cube.values, strict=True)
        for (code, name), value in zip(cube.regions, row, strict=True)
    ]
    table = {"id": cube.code, "title": cube.title, "data": records}
    return json.dumps(table, ensure_ascii=False).encode()


def json_stat(cube: Cube) -> bytes:
    """A JSON-stat dataset with the dimensions time and region."""
    period, region, _ = cube.labels
    codes = [code for code, _ in cube.regions]
    dataset = {
        "version": "2.0",
        "class": "dataset",
        "label": cube.title,
        "source": "Office of Statistics of Norvenia",
        "id": ["time", "region"],
        "size": [len(cube.periods), len(codes)],
        "role": {"time": ["time"], "geo": ["region"]},
        "dimension": {
            "time": {"label": period, "category": {"index": list(cube.periods)}},
            "region": {
                "label": region,
                "category": {"index": codes, "label": dict(cube.regions)},
            },
        },
        "value": [value for row in cube.values for value in row],
        "extension": {"code": cube.code},
    }
    return json.dumps(dataset, ensure_ascii=False).encode()
