"""What a home holds after one command: files, runs, sightings and verdicts, to be compared."""

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from crawler.state.crawl_state import CrawlState
from crawler.state.run import RunRecord

SITE = "demo"

Request = tuple[str, str]
"""Method and path."""
Row = tuple[object, ...]

_FILES = "SELECT url, sha256 FROM resource JOIN version ON version.resource_id = resource.id"
_SIGHTINGS = "SELECT url, versions, sightings, missed FROM resource"
_PLACES = (
    "SELECT url, page_url, anchor FROM sighting JOIN resource ON resource.id = sighting.resource_id"
)
_RUNS = (
    "SELECT kind, stop_reason, ended_at IS NULL, requests, heads, pages, targets, new_versions "
    "FROM crawl_run ORDER BY started_at"
)
_VERDICTS = (
    "SELECT url, number, verdict, kind, verdict.rows, reasons FROM version "
    "JOIN resource ON resource.id = version.resource_id "
    "LEFT JOIN verdict ON verdict.version_id = version.id"
)
_KEPT = "SELECT link.url, target.sha256 FROM target JOIN link ON link.id = target.link"


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything of a home that a kill may not change."""

    files: Counter[Row]
    """Address and hash of every version in the catalog."""
    state: Counter[Row]
    manifest: Counter[Row]
    blobs: frozenset[str]
    sightings: Counter[Row]
    places: Counter[Row]
    runs: tuple[Row, ...]
    verdicts: Counter[Row]


@dataclass
class Differences:
    """Where killed homes differ from their uninterrupted twins, counted over all rounds."""

    lost: int = 0
    twice: int = 0
    sightings: int = 0
    runs: int = 0
    open_runs: int = 0
    verdicts: int = 0
    repeats: int = 0
    missing_requests: int = 0
    most_repeats: float = 0.0
    """Repeated requests per kill in the worst phase."""
    sentences: list[str] = field(default_factory=list)

    @property
    def any(self) -> bool:
        """Whether a promise was broken; a repeated request for a kill breaks none."""
        return bool(self.sentences)

    def compare(self, phase: str, killed: Stage, twin: Stage) -> None:
        """Count what the killed home lacks and what it has twice."""
        for place in ("files", "state", "manifest"):
            wanted, got = getattr(twin, place), getattr(killed, place)
            self.lost += self._note(phase, f"{place}: lost", wanted - got)
            self.twice += self._note(phase, f"{place}: twice or too many", got - wanted)
        missing: Counter[Row] = Counter()
        missing.update((sha256,) for sha256 in twin.blobs - killed.blobs)
        self.lost += self._note(phase, "store: lost", missing)
        for place in ("sightings", "places"):
            wanted, got = getattr(twin, place), getattr(killed, place)
            self.sightings += self._note(phase, f"{place}: differ", (got - wanted) + (wanted - got))
        wanted, got = Counter(twin.runs), Counter(killed.runs)
        self.runs += self._note(phase, "runs: differ", (got - wanted) + (wanted - got))
        still_open = Counter(run for run in killed.runs if run[2])
        self.open_runs += self._note(phase, "runs: still open", still_open)
        wanted, got = twin.verdicts, killed.verdicts
        self.verdicts += self._note(phase, "verdicts: differ", (got - wanted) + (wanted - got))

    def requests(self, phase: str, kills: int, asked: Sequence[Row], twin: Sequence[Row]) -> None:
        """Count the requests that were made more often than without kills, or not at all."""
        more: Counter[Row] = Counter(asked) - Counter(twin)
        self.repeats += more.total()
        self.most_repeats = max(self.most_repeats, more.total() / max(kills, 1))
        if more.total() > kills:
            self._note(phase, f"requests: {more.total()} repeated by {kills} kills", more)
        fewer: Counter[Row] = Counter(twin) - Counter(asked)
        self.missing_requests += self._note(phase, "requests: never made", fewer)

    def _note(self, phase: str, what: str, rows: Counter[Row]) -> int:
        if rows:
            example = next(iter(rows))
            self.sentences.append(f"{phase}: {what}: {rows.total()}, such as {example}")
        return rows.total()


def stage_of(home: Path) -> Stage:
    """Read the catalog, the state, the manifest and the store of a home."""
    catalog, state = home / "catalog.db", home / "state" / f"{SITE}.db"
    lines = (home / "manifests" / f"{SITE}.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    return Stage(
        files=Counter(_rows(catalog, _FILES)),
        state=Counter(_rows(state, _KEPT)),
        manifest=Counter((entry["url"], entry["sha256"]) for entry in entries),
        blobs=frozenset(path.name for path in (home / "store" / "blobs").rglob("*/*/*")),
        sightings=Counter(_rows(catalog, _SIGHTINGS)),
        places=Counter(_rows(catalog, _PLACES)),
        runs=tuple(_rows(catalog, _RUNS)),
        verdicts=Counter(_rows(catalog, _VERDICTS)),
    )


def ended_runs(home: Path) -> int:
    """How many runs have come to their end; 0 before there is a catalog."""
    if not (home / "catalog.db").exists():
        return 0
    try:
        [(runs,)] = _rows(
            home / "catalog.db", "SELECT count(*) FROM crawl_run WHERE ended_at IS NOT NULL"
        )
    except sqlite3.OperationalError:  # killed while its tables were made
        return 0
    return int(str(runs))


def last_run(home: Path) -> RunRecord | None:
    """The last run that the crawl state knows; None before there is one."""
    path = home / "state" / f"{SITE}.db"
    if not path.exists():
        return None
    with closing(CrawlState(path)) as state:
        return state.run()


def another_run_is_over(home: Path, known: RunRecord | None) -> bool:
    """Whether a run after the known one has ended, so that a new start would be another run.

    The catalog cannot tell: a run ends there first, and one that is killed before it ends in the
    state as well is resumed and ended by the next start. Taken for over by the catalog, its end
    was left to the revisit after it, which then made none of its own requests.
    """
    run = last_run(home)
    is_new = run is not None and (known is None or run.run_id != known.run_id)
    return is_new and run is not None and run.over


def _rows(path: Path, query: str) -> list[Row]:
    with closing(sqlite3.connect(path, timeout=60)) as database:
        return database.execute(query).fetchall()
