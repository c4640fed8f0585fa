"""Rows of a made catalog of any size, for the tables in the order of their foreign keys."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import md5, sha256
from types import SimpleNamespace
from typing import Any

from crawler.catalog.search.document import Document, compose

SITES = 100
NIGHTS = 3 * 365
ACQUIRED_AT_ONCE = 0.3
"""The share of the datasets that the first night of their site finds; the others come later."""
VISITED_NIGHTS = 7
VISITS = 100
"""Pages that a night looked at again; the catalog keeps those of the last nights."""
VERSIONS_PER_FILE = 2
FILES_PER_DATASET = 2
DATASETS_PER_BATCH = 5_000

# fmt: off
TOPICS = (
    "births", "deaths", "marriages", "migration", "population", "employment", "wages", "prices",
    "trade", "tourism", "energy", "housing", "education", "health", "crime", "agriculture",
    "forestry", "fishing", "transport", "emissions",
)
UNITS = (
    "region", "municipality", "age", "sex", "country", "industry", "month", "quarter", "year",
    "district",
)
# fmt: on
ADVERBS = ("monthly", "quarterly", "yearly", "revised", "provisional", "final", "historical")
FORMATS = (("csv", 50), ("excel", 25), ("pdf", 15), ("ods", 5), ("json", 4), ("sdmx", 1))
VERDICTS = (("valid", 80), ("suspect", 10), ("document", 5), ("broken", 3), ("", 2))
TABLES = ("dataset", "resource", "version", "sighting", "verdict", "difference")
NO_PERIOD = {"period_start": "", "period_end": "", "frequency": ""}
PLACES = (
    "Corsica", "Brittany", "Normandy", "Bavaria", "Saxony", "Tuscany", "Sicily", "Catalonia",
    "Andalusia", "Flanders", "Wallonia", "Piedmont", "Lombardy", "Hesse", "Thuringia", "Alsace",
)  # fmt: skip

Batch = dict[str, list[dict[str, Any]]]
Documents = list[tuple[int, Document]]
END = datetime.now(UTC).replace(microsecond=0)
BEGIN = END - timedelta(days=NIGHTS)


def batches(versions: int) -> Iterator[tuple[Batch, Documents]]:
    """The rows of a catalog with `versions` versions, some thousand datasets at a time."""
    yield {"site": [_site(number) for number in range(1, SITES + 1)]}, []
    for number in range(1, SITES + 1):
        yield _nights(number), []
    datasets = versions // VERSIONS_PER_FILE // FILES_PER_DATASET
    news: list[dict[str, Any]] = []
    for first in range(1, datasets + 1, DATASETS_PER_BATCH):
        last = min(first + DATASETS_PER_BATCH, datasets + 1)
        batch: Batch = {table: [] for table in TABLES} | {"news": news}
        documents = [
            (number, _add_dataset(batch, number, _first_seen(number / datasets)))
            for number in range(first, last)
        ]
        yield {table: batch[table] for table in TABLES if batch[table]}, documents
    # As nights write it: the later, the greater its id.
    yield {"news": sorted(news, key=lambda one: (one["at"], one["version_id"]))}, []


def run_of(site: int, at: datetime) -> str:
    """The id of the run that worked on a site at a time."""
    return f"run{site}-{min((at - BEGIN).days, NIGHTS - 1)}"


def _first_seen(share: float) -> datetime:
    """A part of the catalog came in the first night, the rest evenly since."""
    later = max(0.0, share - ACQUIRED_AT_ONCE) / (1 - ACQUIRED_AT_ONCE)
    return BEGIN + (END - BEGIN) * later


def _site(number: int) -> dict[str, Any]:
    name = f"site{number:03}"
    return {
        "id": number,
        "name": name,
        "start_url": f"https://{name}.example/",
        "created_at": BEGIN,
    }


def _nights(site: int) -> Batch:
    """The runs of a site, what they announced, and the pages that the last ones looked at."""
    starts = [BEGIN + timedelta(days=night) for night in range(NIGHTS)]
    publications = [
        {
            "site_id": site,
            "night": f"night{night}",
            "after_version": 0,
            "upto_version": 0,
            "published_at": at,
        }
        for night, at in enumerate(starts)
    ]
    visited = (site - 1) * VISITS
    pages = [_page(site, visited + place) for place in range(1, VISITS + 1)]
    visits = [
        _visit(page["id"], run_of(site, at), at)
        for at in starts[-VISITED_NIGHTS:]
        for page in pages
    ]
    runs = [_run(site, at) for at in starts]
    return {"crawl_run": runs, "publication": publications, "page": pages, "page_visit": visits}


def _run(site: int, at: datetime) -> dict[str, Any]:
    counts = {"requests": 900, "heads": 90, "pages": 600, "targets": 30, "new_versions": 9}
    place = {"tag_path": "html body main div ul li a", "selections": 40, "mean_reward": 0.5}
    return counts | {
        "id": run_of(site, at),
        "site_id": site,
        "kind": "acquire" if at == BEGIN else "revisit",
        "strategy": "tallyho",
        "fence": (at - BEGIN).days,
        "started_at": at,
        "ended_at": at + timedelta(hours=1),
        "bytes_received": 10**7,
        "stop_reason": "frontier_empty",
        "stop_detail": "",
        "skipped": json.dumps({"off_site": 40, "dead": 12, "robots": 3}),
        "curve": json.dumps([[step * 30, step] for step in range(30)]),
        "actions": json.dumps([{"id": number} | place for number in range(10)]),
    }


def _page(site: int, number: int) -> dict[str, Any]:
    url = f"https://site{site:03}.example/list/{number}"
    seen = {"first_visit": BEGIN, "last_visit": END, "visits": NIGHTS}
    counts = {"files": 50, "change_rate": 0.1}
    return seen | counts | {"id": number, "site_id": site, "url_key": _key(url), "url": url}


def _visit(page: int, run: str, at: datetime) -> dict[str, Any]:
    said = {"outcome": "unchanged", "detected_by": "same bytes", "reason": "predicted"}
    counts = {"new_links": 0, "new_files": 0}
    return said | counts | {"page_id": page, "run_id": run, "visited_at": at}


def _add_dataset(batch: Batch, number: int, first_seen: datetime) -> Document:
    chance = random.Random(number)
    topic = TOPICS[min(int(chance.expovariate(0.25)), len(TOPICS) - 1)]
    unit = chance.choice(UNITS)
    site = number % SITES + 1
    dataset = {
        "id": number,
        "site_id": site,
        "title": f"Statistics of {topic} by {unit}, {chance.choice(ADVERBS)}, series{number}",
        "page_url": f"https://site{site:03}.example/{topic}/{unit}/{number // 3}",
        "page_title": f"{topic.title()} - Statistics Office {site}",
        "language": "en",
        "licence": "",
        "publisher": f"Statistics Office {site}",
        "first_seen": first_seen,
        "last_seen": END - timedelta(hours=chance.randrange(48)),
    }
    batch["dataset"].append(dataset | {"key": _key(dataset["title"])})
    files = []
    for place in range(FILES_PER_DATASET):
        file_format = _weighted(chance, FORMATS)
        name = f"{topic}_{unit}_{number}_{place}.{file_format}"
        files.append(_add_file(batch, chance, dataset, name, file_format))
    sightings = [SimpleNamespace(**row) for row in batch["sighting"][-FILES_PER_DATASET:]]
    about = SimpleNamespace(name=f"site{site:03}", title="", publisher="")
    return compose(SimpleNamespace(**dataset), files, sightings, about)


def _add_file(
    batch: Batch, chance: random.Random, dataset: dict[str, Any], name: str, file_format: str
) -> SimpleNamespace:
    number = (dataset["id"] - 1) * FILES_PER_DATASET + int(name.rpartition(".")[0][-1]) + 1
    seen = {"first_seen": dataset["first_seen"], "last_seen": dataset["last_seen"]}
    url = f"{dataset['page_url']}/{name}"
    latest = number * VERSIONS_PER_FILE
    batch["resource"].append(
        seen
        | {
            "id": number,
            "site_id": dataset["site_id"],
            "dataset_id": dataset["id"],
            "url_key": _key(url),
            "url": url,
            "file_name": name,
            "title": dataset["title"],
            "format": file_format,
            "missed": 0,
            "removal_reason": "",
            "latest_version_id": latest,
            "versions": VERSIONS_PER_FILE,
            "sightings": 1,
        }
    )
    fetched_at = _add_versions(batch, chance, number, dataset)
    batch["sighting"].append(
        seen
        | {
            "id": number,
            "resource_id": number,
            "page_key": _key(dataset["page_url"]),
            "page_url": dataset["page_url"],
            "page_title": dataset["page_title"],
            "anchor": f"{dataset['title']} ({file_format})",
            "headings": f"{dataset['page_title']} › Downloads",
            "tag_path": "html body main ul li a",
        }
    )
    verdict = _weighted(chance, VERDICTS) or None
    columns = [f"total_{dataset['title'].split()[2]}", "period", "obs_value", "obs_status"]
    start = chance.randrange(1960, 2015)
    covered = {
        "period_start": str(start),
        "period_end": str(chance.randrange(start, 2026)),
        "frequency": "year",
        "places": chance.sample(PLACES, 8),
        "dimension_values": ["women", "men", f"group {number % 500}"],
    }
    if verdict:
        batch["verdict"].append(
            {
                "version_id": latest,
                "verdict": verdict,
                "kind": "table",
                "rows": 100,
                "columns": len(columns),
                "column_names": json.dumps(columns),
                "checks": "[]",
                "reasons": "[]",
                "decided_at": fetched_at,
            }
            | covered
            | {name: json.dumps(covered[name]) for name in ("places", "dimension_values")}
        )
    return SimpleNamespace(
        id=number,
        version=VERSIONS_PER_FILE,
        title=dataset["title"],
        file_name=name,
        format=file_format,
        fetched_at=fetched_at,
        content_language="",
        verdict=verdict,
        column_names=columns if verdict else None,
        url=url,
        rows=100 if verdict else None,
        gone_since=None,
        **(covered if verdict else dict.fromkeys(covered, None) | NO_PERIOD),
    )


def _add_versions(
    batch: Batch, chance: random.Random, resource: int, dataset: dict[str, Any]
) -> datetime:
    fetched_at: datetime = dataset["first_seen"]
    for number in range(1, VERSIONS_PER_FILE + 1):
        version = (resource - 1) * VERSIONS_PER_FILE + number
        if number > 1:
            fetched_at += (END - fetched_at) * chance.random()
        batch["version"].append(
            {
                "id": version,
                "resource_id": resource,
                "number": number,
                "sha256": sha256(b"%d" % version).hexdigest(),
                "size": chance.randrange(100, 10**7),
                "mime_declared": "text/csv",
                "mime_detected": "text/csv",
                "etag": "",
                "last_modified": "",
                "fetched_at": fetched_at,
                "run_id": run_of(dataset["site_id"], fetched_at),
            }
        )
        if number > 1:
            batch["difference"].append(
                {
                    "version_id": version,
                    "before": number - 1,
                    "change_summary": f"{version % 30 + 2} rows added, 3 figures revised",
                    "compared_at": fetched_at,
                }
            )
        batch["news"].append(
            {
                "site_id": dataset["site_id"],
                "resource_id": resource,
                "version_id": version,
                "what": "new" if number == 1 else "changed",
                "at": fetched_at,
            }
        )
    return fetched_at


def _weighted(chance: random.Random, values: tuple[tuple[str, int], ...]) -> str:
    names, weights = zip(*values, strict=True)
    return str(chance.choices(names, weights)[0])


def _key(text: str) -> str:
    return md5(text.encode()).hexdigest()
