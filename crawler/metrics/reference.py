"""The tables of metrics in docs/monitoring.md, made from the instruments themselves.

`python -m crawler.metrics.reference` writes them; a test fails when they are out of date.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from crawler.metrics.instrument import Instrument
from crawler.metrics.served import SERVED
from crawler.metrics.working import WORKING

PAGE = Path("docs/monitoring.md")
TABLES = {"served": SERVED, "working": WORKING}
_NOTE = "made by `python -m crawler.metrics.reference`"


def with_tables(page: str) -> str:
    """The page with the tables of today."""
    for name, instruments in TABLES.items():
        begin, end = f"<!-- {name}: {_NOTE} -->\n", f"<!-- end of {name} -->"
        before, begun, rest = page.partition(begin)
        _, ended, after = rest.partition(end)
        if not (begun and ended):
            raise ValueError(f"{PAGE} has no place for the table of {name}")
        page = before + begin + _table(instruments) + end + after
    return page


def _table(instruments: Iterable[Instrument]) -> str:
    rows = ["| in Prometheus | kind | labels | what it is |", "|---|---|---|---|"]
    for one in instruments:
        labels = ", ".join(f"`{label}`" for label in one.labels)
        name = f"`{one.prometheus_name}`"
        rows.append(f"| {name} | {one.kind} | {labels} | {one.description} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    page = Path(__file__).parents[2] / PAGE
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{page}\n")
