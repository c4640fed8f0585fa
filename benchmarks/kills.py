"""SIGKILL at random moments of crawl, revisit and validation: what is lost, twice or repeated.

    python -m benchmarks.kills [--kills 1000] [--seconds 600] [--pages 40]

Rounds follow each other until the kills are used up or the time is over. A round crawls the demo
site into a new home, crawls it anew as a revisit, and validates it, each in processes that are
killed after a random time and started again until they come to their end. Then catalog, store,
state and manifest are compared with an uninterrupted crawl. A repeat is a request beyond those of
that one.
"""

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import text

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.lab.demo import DemoSite
from crawler.lab.server import running_site
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.crawl_run import RunPlan
from crawler.pipeline.services import open_services
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import kept_targets

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "benchmarks.kills",
        "crawler.pipeline.validate.validator",
        "crawler.strategies.sleeping_bandit",
        "crawler.strategies.tallyho",
    ]
)
MAX_KILLS_OF_A_PHASE = 30
MAX_DELAY = 1.5
"""Seconds until a process is killed, at most."""


@dataclass
class Tally:
    """What all rounds came to."""

    kills: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    repeats: int = 0
    wrong: list[str] = field(default_factory=list)


def crawl(site: str, home: str) -> None:
    """The first acquisition."""
    acquire(SiteConfig.model_validate_json(site), Settings(home=Path(home)), least_free_bytes=0)


def revisit(site: str, home: str) -> None:
    """The same site once more, as a planned night does it."""
    acquire(
        SiteConfig.model_validate_json(site),
        Settings(home=Path(home)),
        fresh=True,
        least_free_bytes=0,
        plan=RunPlan(run_id="revisit"),
    )


def validate(_site: str, home: str) -> None:
    """Verdicts for all versions that have none."""
    from crawler.pipeline.validate.validator import open_validator

    settings = Settings(home=Path(home))
    ids = [row[0] for row in rows(settings, "SELECT id FROM version ORDER BY id")]
    with open_validator(settings, jobs=1) as validator:
        for start in range(0, len(ids), 10):
            validator.validate(ids[start : start + 10])


def rows(settings: Settings, query: str) -> list[tuple[object, ...]]:
    """The rows of a query on the catalog."""
    with open_services(settings) as services, services.database.reading() as session:
        return [tuple(row) for row in session.connection().execute(text(query))]


def to_its_end(
    work: Callable[[str, str], None], site: str, home: Path, chance: random.Random, left: int
) -> int:
    """Starts the work again and again, killing it `left` times at most; how often it was killed."""
    kills = 0
    while True:
        process = PROCESSES.Process(target=work, args=(site, str(home)))
        process.start()
        process.join(chance.uniform(0, MAX_DELAY) if kills < left else None)
        if process.exitcode is None:
            process.kill()
            process.join()
            kills += 1
        elif process.exitcode == 0:
            return kills
        else:
            raise RuntimeError(f"{work.__name__} ended with {process.exitcode}")


def differences(settings: Settings, truth: set[tuple[str, str]], crawls: int) -> list[str]:
    """What does not agree with an uninterrupted crawl."""
    found = []
    with closing(CrawlState(settings.state_path("demo"))) as state:
        in_state = [(target.url, target.sha256) for target in kept_targets(state)]
    lines = settings.manifest_path("demo").read_text().splitlines()
    manifest = [(entry["url"], entry["sha256"]) for entry in map(json.loads, lines)]
    query = "SELECT url, sha256 FROM resource JOIN version ON version.resource_id = resource.id"
    catalog = rows(settings, query)
    for place, listed in (("state", in_state), ("manifest", manifest), ("catalog", catalog)):
        if len(listed) != len(set(listed)):
            found.append(f"{place}: some files twice")
        if set(listed) != truth:
            found.append(f"{place}: {len(listed)} files instead of {len(truth)}")
    for _, sha256 in truth:
        if not (settings.blob_root / "blobs" / "sha256" / sha256[:2] / sha256).exists():
            found.append(f"store: {sha256} is missing")
    runs = rows(settings, "SELECT count(*), count(ended_at) FROM crawl_run")
    if runs != [(crawls, crawls)]:
        found.append(f"runs: {runs}")
    wrong = rows(settings, f"SELECT url, sightings FROM resource WHERE sightings <> {crawls}")
    if wrong:
        found.append(f"sightings: {len(wrong)} files, as {wrong[0]}")
    return found


def main() -> int:
    """Exit code 0 when nothing was lost and nothing was twice."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--seed", type=int, default=14)
    options = parser.parse_args()
    chance, tally = random.Random(options.seed), Tally()
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with running_site(DemoSite(options.pages), log) as address:
            site = SiteConfig.model_validate(
                {
                    "name": "demo",
                    "start_url": f"{address}/",
                    "allow_private_hosts": True,
                    "politeness": {"delay": 0.0},
                    "early_stopping": False,
                }
            ).model_dump_json(exclude_unset=True)
            crawl(site, str(Path(folder, "truth")))
            whole = len(log.read_text().splitlines())
            settings = Settings(home=Path(folder, "truth"))
            with closing(CrawlState(settings.state_path("demo"))) as state:
                truth = {(target.url, target.sha256) for target in kept_targets(state)}
            while sum(tally.kills.values()) < options.kills and time.monotonic() < end:
                one_round(tally, Path(folder), site, truth, whole, log, chance, options.kills)
    for name, kills in tally.kills.items():
        print(f"{name:<10} {kills:>5} kills")
    print(f"rounds {tally.rounds}, requests repeated {tally.repeats}")
    print("\n".join(tally.wrong) or "nothing lost, nothing twice, sightings and runs exact")
    return 1 if tally.wrong else 0


def one_round(
    tally: Tally,
    folder: Path,
    site: str,
    truth: set[tuple[str, str]],
    whole: int,
    log: Path,
    chance: random.Random,
    most: int,
) -> None:
    """A home of its own, through crawl, revisit and validation."""
    tally.rounds += 1
    home = folder / f"round-{tally.rounds}"
    settings = Settings(home=home)
    for crawls, work in ((1, crawl), (2, revisit), (2, validate)):
        before = len(log.read_text().splitlines())
        left = min(MAX_KILLS_OF_A_PHASE, most - sum(tally.kills.values()))
        kills = to_its_end(work, site, home, chance, left)
        tally.kills[work.__name__] += kills
        if work is not validate:
            repeats = len(log.read_text().splitlines()) - before - whole
            tally.repeats += repeats
            if repeats > kills:
                tally.wrong.append(f"{work.__name__}: {repeats} repeats of {kills} kills")
        found = differences(settings, truth, crawls)
        tally.wrong += [f"round {tally.rounds}, {work.__name__}: {each}" for each in found]
    unjudged = rows(
        settings,
        "SELECT count(*) FROM version LEFT JOIN verdict ON verdict.version_id = version.id "
        "WHERE verdict.version_id IS NULL",
    )
    if unjudged != [(0,)]:
        tally.wrong.append(f"round {tally.rounds}: {unjudged[0][0]} files without a verdict")


if __name__ == "__main__":
    sys.exit(main())
