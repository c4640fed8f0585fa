"""A small catalog to look at, with what the web has in store: hostile titles, odd files."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pandas as pd

from crawler.catalog.db.database import Database
from crawler.catalog.db.models import ResourceRow
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import ActionSummary, RunResult, end_run, start_run
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.pages.kept_file import Link
from crawler.readers.content import DroppedLine
from crawler.readers.kinds import Kind
from crawler.readers.ledger import Confidence, Ledger
from crawler.storage.interface import ObjectStore
from crawler.validation.outcome import (
    Check,
    ColumnProfile,
    ColumnRole,
    ColumnType,
    Judgement,
    Outcome,
    Profile,
    Reason,
    Severity,
    TableProfile,
)
from tests.kept_files import kept_file

DAY = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
RUN, LATER_RUN, RUNNING = "20260302T010000Z-aaaaaa", "20260309T010000Z-bbbbbb", "20260310T01-cccccc"
BASE = "https://stats.example"

SCRIPT_TITLE = "Population <script>document.title='owned'</script> & \"more\""
REVERSED = "Wages by sector \u202egnp.exe\u2066 \x07end"
CSV_BEFORE = "region,year,births\nNord,2024,812\nÉtang,2024,77\n".encode()
CSV_NOW = "region,year,births\nNord,2024,812\nÉtang,2024,77\n<b>Süd</b>,2025,1204\n".encode()

DOCS = {
    "index.html": b"<!doctype html><title>Suites</title><p>All suites",
    "results/delimited.html": b"<!doctype html><html lang=en><title>Checks</title>"
    b"<link rel=stylesheet href=../style.css><h1>Checks of text</h1><p id=told>told</p>"
    b"<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
    "style.css": b"#told { color: rgb(1, 2, 3) }",
    "notes.txt": b"not served",
}
HOSTILE_COLUMN = "<script>document.title='owned'</script> \u202eKennziffer"


def births_outcome() -> Outcome:
    """A table with something odd in it."""
    columns = (
        ColumnProfile(name="region", type=ColumnType.TEXT, nulls=0.0, role=ColumnRole.GEOGRAPHY),
        ColumnProfile(
            name="year",
            type=ColumnType.INTEGER,
            nulls=0.0,
            least="2024",
            most="2025",
            role=ColumnRole.TIME,
        ),
        ColumnProfile(
            name="births",
            type=ColumnType.INTEGER,
            nulls=0.004,
            least="77",
            most="1204",
            role=ColumnRole.MEASURE,
        ),
    )
    table = TableProfile(
        name="",
        rows=3,
        columns=columns,
        width=3,
        footnotes=1,
        ledger=Ledger(titles=1, header=1, data=3, footnotes=1, blank=2),
        confidence=Confidence.SEEN,
        dropped=(
            DroppedLine(1, "title", "Live births <b>by region</b>"),
            DroppedLine(8, "footnote", "Source: Statistics Office of Nowhere"),
        ),
        encoding="utf-8",
        delimiter=";",
    )
    checks = (
        Check(name="not-empty", expectation="expect_x", severity=Severity.ERROR, met=True),
        Check(
            name="years-in-range",
            expectation="expect_y",
            severity=Severity.WARNING,
            met=True,
            observed="2024 to 2025",
        ),
    )
    return Outcome(
        verdict=Judgement.VALID,
        kind=Kind.DELIMITED,
        checks=checks,
        profile=Profile(tables=(table,), table_count=1, language="fr"),
    )


def hostile_outcome() -> Outcome:
    """Names that want to be markup, in more tables and columns than a page lists."""
    columns = tuple(
        ColumnProfile(
            name=f"{HOSTILE_COLUMN} {number}", type=ColumnType.MIXED, nulls=1.0, most="<i>x</i>"
        )
        for number in range(120)
    )
    tables = tuple(
        TableProfile(name=f"sheet <b>{number}</b>", rows=1, columns=columns, width=400, cut=True)
        for number in range(12)
    )
    reasons = tuple(
        Reason(
            code=f"odd-{number}",
            sentence="<img src=x onerror=alert(1)>",
            severity=Severity.WARNING,
            table="sheet <b>1</b>",
        )
        for number in range(25)
    )
    return Outcome(
        verdict=Judgement.SUSPECT,
        kind=Kind.DELIMITED,
        reasons=reasons,
        profile=Profile(tables=tables, table_count=70, declared="excel", inner=(Kind.JSON,)),
    )


def workbook() -> bytes:
    """A real Parquet file: a table that needs a reader."""
    into = BytesIO()
    frame = pd.DataFrame({"region": ["Nord", "Süd"], "births": [812, None]})
    frame.to_parquet(into)
    return into.getvalue()


@dataclass
class Stock:
    """What was put into the catalog: names to IDs."""

    ids: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        return self.ids[name]


def fill(database: Database, store: ObjectStore, *, more: int = 30) -> Stock:
    """Fills an empty catalog; `more` is how many plain datasets it has beside the special ones."""
    stock = Stock()
    for run, began in ((RUN, DAY), (LATER_RUN, DAY + timedelta(days=7))):
        start_run(
            database,
            run_id=run,
            site="demo",
            start_url=f"{BASE}/",
            strategy="sb",
            started_at=began,
        )
    ingest = Ingest(database, "demo", f"{BASE}/", RUN)
    for number in range(more):
        body = f"month,index\n{number},{number * 3}\n".encode()
        stock.ids[f"plain {number}"] = _keep(
            ingest, store, body, f"prices-{number:02}.csv", f"Consumer prices, series {number:02}"
        )
    births = {"page": "births", "licence": "https://creativecommons.org/licenses/by/4.0/"}
    stock.ids["births"] = _keep(
        ingest, store, CSV_BEFORE, "naissances-été.csv", "Live births by region", **births
    )
    stock.ids["births parquet"] = _keep(
        ingest, store, workbook(), "births.parquet", "Live births by region", "parquet", **births
    )
    stock.ids["script"] = _keep(ingest, store, b"a,b\n1,2\n", "<svg onload=x>.csv", SCRIPT_TITLE)
    stock.ids["reversed"] = _keep(ingest, store, b"a\n2\n", "wages\u202evsc.exe", REVERSED)
    stock.ids["page"] = _keep(
        ingest,
        store,
        b"<html><script>alert(1)</script></html>",
        "rents.csv",
        "Rents by city",
        mime="text/html",
        licence="javascript:alert(1)",
        publisher="<img src=x onerror=alert(1)>",
    )
    stock.ids["pdf"] = _keep(
        ingest, store, b"%PDF-1.7 nothing", "report.pdf", "Yearly report", "pdf"
    )
    stock.ids["gone"] = _keep(ingest, store, b"x,y\n3,4\n", "harvest.csv", "Harvest by crop")
    stock.ids["removed"] = _keep(ingest, store, b"secret\n1\n", "names.csv", "List of names")
    _come_again(database, store, stock)
    _judge(database, store, stock)
    remove(database, store, stock["removed"], "names of persons")
    _end_runs(database)
    return stock


def _keep(
    ingest: Ingest,
    store: ObjectStore,
    body: bytes,
    name: str,
    title: str,
    file_format: str = "csv",
    *,
    at: datetime = DAY,
    page: str = "",
    mime: str = "text/csv",
    licence: str = "",
    publisher: str = "Statistics Office of Nowhere",
) -> int:
    spool = store.spool()
    spool.write(body)
    blob = spool.finish()
    kept = ingest.keep(
        kept_file(
            url=f"{BASE}/files/{name.encode().hex()}",
            sha256=blob.sha256,
            size=blob.size,
            format=file_format,
            fetched_at=at,
            mime_detected=mime,
            file_name=name,
            page_url=f"{BASE}/pages/{page or name.encode().hex()}",
            page_title="Topics of Nowhere",
            anchor=title,
            tag_path="html body main ul li a",
            licence=licence,
            publisher=publisher,
        )
    )
    return kept.resource_id


def _come_again(database: Database, store: ObjectStore, stock: Stock) -> None:
    """A week later: births changed, and the harvest is missing on two nights."""
    later = DAY + timedelta(days=7)
    ingest = Ingest(database, "demo", f"{BASE}/", LATER_RUN)
    again = _keep(
        ingest,
        store,
        CSV_NOW,
        "naissances-été.csv",
        "Live births by region",
        at=later,
        page="births",
    )
    assert again == stock["births"]
    with database.reading() as session:
        urls = {name: session.get_one(ResourceRow, stock[name]).url for name in ("births", "gone")}
    seen = Link("javascript:alert(2)", "A page that lies", "Births <i>here</i>")
    assert ingest.seen_again(urls["births"], seen, later)
    ingest.missing(urls["gone"], later)
    start_run(
        database,
        run_id=RUNNING,
        site="demo",
        start_url=f"{BASE}/",
        strategy="sb",
        started_at=later + timedelta(days=1),
    )
    assert Ingest(database, "demo", f"{BASE}/", RUNNING).missing(
        urls["gone"], later + timedelta(days=1, hours=1)
    )


def _judge(database: Database, store: ObjectStore, stock: Stock) -> None:
    outcomes = {
        "births": births_outcome(),
        "script": hostile_outcome(),
        "pdf": Outcome(
            verdict=Judgement.DOCUMENT,
            kind=Kind.PDF,
            reasons=(Reason(code="no-table", sentence="No table", severity=Severity.NOTE),),
            profile=Profile(pages=12, scanned=True, language="en"),
        ),
        "page": Outcome(
            verdict=Judgement.NOT_A_DATASET,
            kind=Kind.HTML,
            reasons=(Reason(code="web-page", sentence="<b>a web page</b>, not a CSV file"),),
            profile=Profile(declared="csv"),
        ),
    }
    records = []
    with database.reading() as session:
        for name, outcome in outcomes.items():
            version_id = session.get_one(ResourceRow, stock[name]).latest_version_id
            assert version_id is not None
            page = "results/delimited.html" if outcome.kind is Kind.DELIMITED else ""
            records.append(VerdictRecord(version_id, outcome, page))
    assert record_verdicts(database, records) == len(records)
    for path, body in DOCS.items():
        store.put_object(f"data-docs/demo/{path}", body)


def _end_runs(database: Database) -> None:
    end_run(
        database,
        RUN,
        RunResult(
            stop_reason="frontier_empty",
            requests=900,
            heads=120,
            pages=610,
            targets=140,
            bytes_received=9_182_736,
            skipped={"off_site": 412, "dead": 37, "robots": 4},
            curve=[(0, 0), (100, 2), (250, 31), (400, 92), (650, 128), (900, 140)],
            actions=[
                ActionSummary(3, "html body main ul.files li a", 41, 2.61),
                ActionSummary(7, "html body main <script> a", 12, 0.25),
            ],
        ),
        ended_at=DAY + timedelta(minutes=52),
    )
    end_run(
        database,
        LATER_RUN,
        RunResult(stop_reason="unreachable", stop_detail="<b>no answer</b> from the site"),
        ended_at=DAY + timedelta(days=7, minutes=2),
    )
