"""A small catalog to look at, with what the web has in store: hostile titles, odd files."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pandas as pd

from crawler.catalog.database import Database
from crawler.catalog.documents import update_document
from crawler.catalog.ingest import Ingest, KeptFile
from crawler.catalog.kept_file import Link
from crawler.catalog.removal import remove
from crawler.catalog.runs import ActionSummary, RunResult, begin_run, end_run
from crawler.catalog.tables import Resource, Verdict
from crawler.storage.interface import ObjectStore

DAY = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
RUN, LATER_RUN, RUNNING = "20260302T010000Z-aaaaaa", "20260309T010000Z-bbbbbb", "20260310T01-cccccc"
BASE = "https://stats.example"

SCRIPT_TITLE = "Population <script>document.title='owned'</script> & \"more\""
REVERSED = "Wages by sector \u202egnp.exe\u2066 \x07end"
CSV_BEFORE = "region,year,births\nNord,2024,812\nÉtang,2024,77\n".encode()
CSV_NOW = "region,year,births\nNord,2024,812\nÉtang,2024,77\n<b>Süd</b>,2025,1204\n".encode()


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
        begin_run(
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
    _judge(database, stock)
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
        KeptFile(
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
        urls = {name: session.get_one(Resource, stock[name]).url for name in ("births", "gone")}
    seen = Link("javascript:alert(2)", "A page that lies", "Births <i>here</i>")
    assert ingest.seen_again(urls["births"], seen, later)
    ingest.missing(urls["gone"], later)
    begin_run(
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


def _judge(database: Database, stock: Stock) -> None:
    verdicts = {
        "births": ("valid", []),
        "pdf": ("document", [{"check": "kind", "text": "a document, not a table"}]),
        "page": ("not_a_dataset", [{"check": "kind", "text": "<b>a web page</b>, not a CSV file"}]),
    }
    with database.transaction() as session:
        for name, (verdict, reasons) in verdicts.items():
            resource = session.get_one(Resource, stock[name])
            assert resource.latest_version_id is not None
            session.add(
                Verdict(
                    version_id=resource.latest_version_id,
                    verdict=verdict,
                    kind=resource.format,
                    rows=3 if verdict == "valid" else None,
                    columns=3 if verdict == "valid" else None,
                    column_names=["region", "year", "births"] if verdict == "valid" else [],
                    reasons=reasons,
                    decided_at=DAY + timedelta(days=8),
                )
            )
            update_document(session, resource.dataset_id)


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
