"""The sites that questions are asked about: their files read once, then ingested into any catalog.

Pages are parsed by the crawler's own reader and files by those of validation. What a file truly
holds comes from the generator of the site, never from what was read or indexed.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawler.catalog.db.database import Database
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.files.figures import EUROPE
from crawler.lab.sites.kinds import DEMO, Part
from crawler.lab.sites.places import File
from crawler.lab.sites.site import SyntheticSite
from crawler.pages.html import PageReader
from crawler.pages.kept_file import Download, KeptFile, Link
from crawler.pages.mime import MimeRules
from crawler.pages.mime_groups import DEFAULT_TARGETS
from crawler.validation.inspection import InspectionRequest, inspect_file
from crawler.validation.outcome import Outcome
from crawler.validation.verdicts import decide

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)

ATLAS = replace(
    DEMO,
    name="atlas",
    models="an office of Europe in German and English, with places that exist; for questions",
    languages=("de", "en"),
    subjects=40,
    regions=EUROPE,
    oddities=False,
)
HERALD = replace(
    DEMO,
    name="herald",
    models="an institute in French and English with flat lists; for questions",
    data=Part(2, 0.75, 0.80, (1,), 30, flat=True),
    languages=("fr", "en"),
    subjects=40,
    regions=EUROPE,
    oddities=False,
    releases=False,
)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a file is about, by the generator of its site."""

    site: str
    page: str
    """The title of its page, in the first language of the site."""
    years: frozenset[int]
    places: frozenset[int]
    """Of the places of the site, by their numbers."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file of a site, read and judged, with the links to it."""

    kept: tuple[KeptFile, ...]
    """Once for each page that links to it."""
    outcome: Outcome
    truth: Truth


@dataclass(frozen=True, slots=True)
class AskedSite:
    """A site with all its files."""

    name: str
    start_url: str
    regions: tuple[tuple[str, ...], ...]
    files: tuple[Found, ...]


def asked_sites() -> Iterator[AskedSite]:
    """The demo site and two more, each read completely."""
    yield _read("demo", demo_site(600, 1))
    yield _read("atlas", SyntheticSite(ATLAS, 700, 3, "http://127.0.0.1:8361"))
    yield _read("herald", SyntheticSite(HERALD, 700, 5, "http://127.0.0.1:8362"))


def ingest_site(database: Database, site: AskedSite) -> dict[int, Truth]:
    """Keeps the files of a site and records the verdicts; the ID of each file to its truth."""
    start_run(
        database,
        run_id=f"run-{site.name}",
        site=site.name,
        start_url=site.start_url,
        strategy="tallyho",
        started_at=BEGIN,
    )
    ingest = Ingest(database, site.name, site.start_url, f"run-{site.name}")
    truths: dict[int, Truth] = {}
    records = []
    for found in site.files:
        for kept in found.kept:
            done = ingest.keep(kept)
        truths[done.resource_id] = found.truth
        records.append(VerdictRecord(done.version_id, found.outcome))
    for first in range(0, len(records), 50):
        record_verdicts(database, records[first : first + 50])
    return truths


def _read(name: str, site: SyntheticSite) -> AskedSite:
    reader = PageReader()
    by_url = {site.url_of(file): file for file in site.files()}
    links: dict[str, list[Link]] = {url: [] for url in by_url}
    for path in site.page_paths():
        url = f"{site.base}{path}"
        answer = site.respond(url)
        page = reader.read(answer.body, url, answer.headers.get("Content-Type", ""))
        about = page.metadata
        for link in page.links:
            if link.url in links:
                links[link.url].append(
                    Link(
                        page_url=url,
                        page_title=page.title,
                        anchor=link.anchor,
                        tag_path=link.tag_path,
                        page_language=page.language,
                        publisher=about.publisher,
                        headings=link.headings,
                    )
                )
    with tempfile.TemporaryDirectory() as folder:
        files = tuple(
            _found(name, site, by_url[url], url, seen, Path(folder) / "file", number)
            for number, (url, seen) in enumerate(links.items())
            if seen
        )
    return AskedSite(name, site.start_url, site.kind.regions, files)


def _found(
    name: str,
    site: SyntheticSite,
    file: File,
    url: str,
    links: list[Link],
    path: Path,
    number: int,
) -> Found:
    answer = site.respond(url)
    headers = {key.lower(): value for key, value in answer.headers.items()}
    path.write_bytes(answer.body)
    declared = headers.get("content-type", "")
    inspection = inspect_file(path, InspectionRequest(name=url, declared=declared))
    rules = MimeRules(DEFAULT_TARGETS)
    classified = rules.classify(url, declared, first_bytes=answer.body[:4096])
    download = Download.of(
        headers,
        classified,
        sha256=hashlib.sha256(answer.body).hexdigest(),
        size=len(answer.body),
        fetched_at=(BEGIN + timedelta(minutes=number)).timestamp(),
    )
    kept = tuple(KeptFile(0, url, download, link) for link in links)
    return Found(kept, decide(inspection, []), _truth(name, site, file))


def _truth(name: str, site: SyntheticSite, file: File) -> Truth:
    cube = site.figures(file)
    if cube is None:
        raise TypeError(f"{name}: its files are sketches")
    return Truth(
        site=name,
        page=site.addresses.title(site.sections[file.section], "leaf", file.slot),
        years=frozenset(int(period[:4]) for period in cube.periods),
        places=frozenset(int(code[2:]) for code, _ in cube.regions),
    )
