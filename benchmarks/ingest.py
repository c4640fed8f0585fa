"""How many files per minute the catalog takes in, one transaction each.

    python -m benchmarks.ingest [--files 5000] [--url postgresql://user@host/name]

Without --url an SQLite file in a temporary folder is used, then a PostgreSQL started for the
occasion (the one of the tests, but with its disk writes on). The catalog of --url must be empty.
Pages hold ten files each; every fifth file is one that changed, every tenth one that did not.
On a busy machine the processor's seconds tell more than the clock's.
"""

import argparse
import tempfile
import time
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.pages.kept_file import Download, KeptFile, Link

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
START = "https://statistics.example.org/"
SUBJECTS = ("Births", "Deaths", "Population", "Employment", "Prices", "Trade", "Energy", "Health")


def kept_file(number: int) -> KeptFile:
    """A file as a crawl keeps it."""
    known = number - number % 5 if number % 5 == 1 or number % 10 == 2 else number
    content = known if number % 10 == 2 else number
    page = known // 10
    subject = SUBJECTS[known % len(SUBJECTS)]
    download = Download(
        sha256=sha256(str(content).encode()).hexdigest(),
        size=1000 + number,
        mime="text/csv",
        group="csv",
        detected_by="header",
        declared="text/csv; charset=utf-8",
        disposition=f"attachment; filename={subject.lower()}-{known}.csv",
        etag=f'"{content:x}"',
        last_modified="",
        fetched_at=BEGAN.timestamp() + number,
    )
    link = Link(
        page_url=f"{START}topics/{page}.html",
        page_title=f"{subject} by region, part {page} | Statistics Office",
        anchor=f"{subject} by region and year, table {known} (CSV, 12 KB)",
        tag_path="html body div.main ul.files li a.download",
        action=3,
        page_language="en",
        licence="https://creativecommons.org/licenses/by/4.0/",
        publisher="Statistics Office",
    )
    return KeptFile(
        number, f"{START}files/{subject.lower()}-{known}.csv?download=1", download, link
    )


def measure(name: str, database: Database, files: int) -> None:
    """Ingest files, and print how many that makes in a minute."""
    began = datetime.now(UTC)
    start_run(
        database, run_id="bench", site="bench", start_url=START, strategy="sb", started_at=began
    )
    ingest = Ingest(database, "bench", START, "bench")
    start, worked = time.perf_counter(), time.process_time()
    for number in range(files):
        ingest.keep(kept_file(number))
    seconds, worked = time.perf_counter() - start, time.process_time() - worked
    print(
        f"{name}: {files / seconds * 60:,.0f} files per minute ({files:,} in {seconds:.1f} s, "
        f"{worked:.1f} s of them on the processor)"
    )


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--url", default="")
    options = parser.parse_args()
    if options.url:
        database = open_database(options.url)
        database.upgrade()
        measure(database.place, database, options.files)
        return
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(f"sqlite:///{Path(folder) / 'catalog.db'}")
        database.ready()
        measure("SQLite", database, options.files)
        database.close()
    from tests.servers.postgres import SETTINGS, PostgresServer

    SETTINGS.update(fsync="on", synchronous_commit="on", full_page_writes="on")
    server = PostgresServer()
    try:
        database = open_database(server.new_catalog())
        measure("PostgreSQL", database, options.files)
        database.close()
    finally:
        server.destroy()


if __name__ == "__main__":
    main()
