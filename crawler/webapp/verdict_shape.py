"""What validation says, as the JSON API tells it."""

from datetime import datetime
from typing import Any

from crawler.validation.outcome import Check, Profile, Reason
from crawler.webapp.shape import Shape, with_example

_EXAMPLE: dict[str, Any] = {
    "verdict": "suspect",
    "kind": "delimited",
    "rows": 1204,
    "columns": 1,
    "column_names": ["year"],
    "reasons": [
        {
            "code": "years-in-range",
            "sentence": "The column year has years up to 20255",
            "severity": "warning",
            "table": "",
            "column": "year",
        }
    ],
    "checks": [],
    "profile": {
        "tables": [
            {
                "name": "",
                "rows": 1204,
                "columns": [{"name": "year", "type": "integer", "nulls": 0.0, "role": "time"}],
                "width": 1,
                "encoding": "utf-8",
                "delimiter": ";",
            }
        ],
        "table_count": 1,
        "language": "fr",
    },
    "data_docs": "data-docs/demo/delimited.html",
    "validator": "0.1.0",
    "decided_at": "2026-03-02T01:12:40Z",
}


class Verdict(Shape):
    """What validation found out about the newest version."""

    model_config = with_example(_EXAMPLE)

    verdict: str
    """valid, suspect, document, broken or not_a_dataset."""
    kind: str
    """What the bytes are, whatever name and server say."""
    rows: int | None
    """Of all tables together."""
    columns: int | None
    """Of the widest table."""
    column_names: list[str]
    reasons: list[Reason]
    """Why the verdict is what it is; empty when every check was met."""
    checks: list[Check]
    profile: Profile
    data_docs: str
    """Address of the page of its checks, below the root of this application; may be empty."""
    validator: str
    """The version of Tallyho that decided."""
    decided_at: datetime
