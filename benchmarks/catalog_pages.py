"""The first pages of the web application over a large catalog: what a client asks for, and where.

File 77,777 has real bytes in the store, so that its table, its preview and its versions can be
read; every other file is only a row.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import select, update

from benchmarks.catalog_rows import END, SITES, VERSIONS_PER_FILE, run_of
from crawler.catalog.db.database import Database
from crawler.catalog.db.models import RESOURCE, VERSION
from crawler.catalog.facade import Catalog
from crawler.storage.local_folder import LocalFolder
from crawler.webapp.failures import API_PREFIX as API

SEARCHES: dict[str, dict[str, Any]] = {
    "everything": {},
    "word of every title (statistics)": {"words": "statistics"},
    "common word (births)": {"words": "births"},
    "one letter (b)": {"words": "b"},
    "word of page titles only (office)": {"words": "office"},
    "rare word (series12345)": {"words": "series12345"},
    "a word that is nowhere": {"words": "xylophone"},
    "three common words": {"words": "births region monthly"},
    "common word, format csv": {"words": "statistics", "format": "csv"},
    "common word, rare format": {"words": "statistics", "format": "sdmx"},
    "common word, one site": {"words": "statistics", "site": "site007"},
    "common word, valid csv": {"words": "statistics", "format": "csv", "verdict": "valid"},
    "common word, since 7d": {"words": "statistics", "since": "7d"},
    "everything since 6h": {"since": "6h"},
    "changed since 7d": {"what": "changed", "since": "7d"},
    "a sentence (births, Corsica, 2012)": {
        "words": "how many births were there in Corsica in 2012"
    },
    "a synonym in French (naissances)": {"words": "naissances"},
    "a spelling mistake (migratoin)": {"words": "migratoin"},
    "words that are nowhere together": {"words": "series12345 series777 births"},
    "a phrase (fishing by region)": {"words": '"fishing by region"'},
    "a place and a year as filters": {"place": "Corsica", "period": "2012"},
    "everything but one word": {"words": "statistics -births"},
    "page 500 of a common word": {"words": "statistics", "page": 500},
}
FEEDS: dict[str, dict[str, Any]] = {
    "everything": {},
    "a site": {"site": "site007"},
    "a search (births)": {"q": "births"},
    "a search since 7d": {"q": "births", "since": "7d"},
    "a rarer search": {"q": "births region monthly"},
    "a rare word": {"q": "series12345"},
    "changed valid csv": {"what": "changed", "format": "csv", "verdict": "valid"},
}
FILE = 77_777
_ALERT = "search: births\nwebhook: env:HOOK\n"


@dataclass(frozen=True, slots=True)
class Folders:
    """The files beside the catalog."""

    store: Path
    sites: Path
    alerts: Path


def addresses(database: Database) -> dict[str, str]:
    """Every first page, by what it is."""
    pages = {f"search: {name}": f"/?{_query(asked)}" for name, asked in SEARCHES.items()}
    file, dataset = _known(database)
    site = f"site{dataset % SITES + 1:03}"
    first, last = f"run{dataset % SITES + 1}-0", run_of(dataset % SITES + 1, END)
    pages |= {
        "file": f"/files/{file}",
        "diff": f"/files/{file}/diff",
        "table": f"/files/{file}/table",
        "dataset": f"/datasets/{dataset}",
        "sites": "/sites",
        "site": f"/sites/{site}",
        "run of the first night": f"/runs/{first}",
        "run of the last night": f"/runs/{last}",
        "alerts": "/alerts",
        "alert": "/alerts/births",
        "guide to the API": "/api",
        "sitemap": "/sitemap.xml",
        "metrics": "/metrics",
    }
    own = {"a dataset": {"dataset": dataset}, "a file": {"file": file}}
    for name, asked in (FEEDS | own).items():
        for kind in ("atom", "json"):
            pages[f"feed ({kind}): {name}"] = f"/feed.{kind}?{urlencode(asked)}"
    return pages | {
        "API: search": f"{API}/search?q=births",
        "API: search as of a day": f"{API}/search?q=births&as_of={END:%Y-%m-%d}",
        "API: news": f"{API}/news",
        "API: file": f"{API}/files/{file}",
        "API: versions": f"{API}/files/{file}/versions",
        "API: diff": f"{API}/files/{file}/diff",
        "API: citation": f"{API}/files/{file}/citation",
        "API: lookup by hash": f"{API}/lookup?address={'ab' * 6}",
        "API: lookup by URL": f"{API}/lookup?address=https://site007.example/nowhere",
        "API: preview": f"{API}/files/{file}/preview",
        "API: rows": f"{API}/files/{file}/rows",
        "API: dataset": f"{API}/datasets/{dataset}",
        "API: DCAT": f"{API}/dcat",
        "API: sites": f"{API}/sites",
        "API: site": f"{API}/sites/{site}",
        "API: runs": f"{API}/runs",
        "API: runs of a site": f"{API}/runs?site={site}",
        "API: run": f"{API}/runs/{last}",
        "API: changes of a run": f"{API}/runs/{first}/changes",
        "API: visits of a run": f"{API}/runs/{last}/visits",
        "API: its document": f"{API}/openapi.json",
    }


def furnish(database: Database, folder: Path) -> Folders:
    """The store, the site files and the alert files that belong to a loaded catalog."""
    folders = Folders(folder / "store", folder / "sites", folder / "alerts")
    store = LocalFolder(folders.store)
    file, _ = _known(database)
    for number in range(1, VERSIONS_PER_FILE + 1):
        lines = (f"{year},region{row},{year * row % 977 + number}" for year, row in _cells())
        spool = store.spool()
        spool.write("\n".join(["year,region,births", *lines, ""]).encode())
        blob = spool.finish()
        values = {"sha256": blob.sha256, "size": blob.size}
        mine = (VERSION.c.resource_id == file, VERSION.c.number == number)
        with database.transaction() as session:
            session.connection().execute(update(VERSION).where(*mine).values(values))
    folders.sites.mkdir(exist_ok=True)
    for number in range(1, SITES + 1):
        start = f"start_url: https://site{number:03}.example/\n"
        (folders.sites / f"site{number:03}.yaml").write_text(f"{start}schedule: '@daily'\n")
    folders.alerts.mkdir(exist_ok=True)
    (folders.alerts / "births.yaml").write_text(_ALERT)
    return folders


def catalog_of(database: Database, folders: Folders) -> Catalog:
    """The catalog with its store."""
    return Catalog(database, LocalFolder(folders.store))


def _cells() -> list[tuple[int, int]]:
    return [(year, row) for year in range(1990, 2020) for row in range(30)]


def _query(asked: dict[str, Any]) -> str:
    named = {"q" if name == "words" else name: value for name, value in asked.items()}
    return urlencode(named)


def _known(database: Database) -> tuple[int, int]:
    """A file and its dataset: those in the middle of a smaller catalog."""
    with database.reading() as session:
        connection = session.connection()
        query = select(RESOURCE.c.id, RESOURCE.c.dataset_id).order_by(RESOURCE.c.id.desc())
        found = connection.execute(query.where(RESOURCE.c.id <= FILE).limit(1)).one()
    return int(found.id), int(found.dataset_id)
