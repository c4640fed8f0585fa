"""What this installation can do and what it lacks: one check per part, each with its remedy."""

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from crawler.catalog.db.database import open_database
from crawler.config.load import load_sites
from crawler.config.settings import Settings, unknown_variables
from crawler.errors import ConfigError, ExitCode, TallyhoError
from crawler.metrics.meter import exporter_names, find_exporter
from crawler.pipeline.crawl.acquire import MIN_FREE_BYTES
from crawler.pipeline.services import store_of

LITTLE_ROOM = 10 * 1000**3
"""Free bytes under which a person should know."""
CLOCKS_DIFFER_SECONDS = 30.0
"""A lease lasts a minute: with clocks that differ by more, its end is seen wrongly."""


class Health(StrEnum):
    """What a check found."""

    OK = "ok"
    WARNING = "warning"
    """It works; somebody should know."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One part, how it is, and what to do about it."""

    part: str
    health: Health
    sentence: str
    remedy: str = ""
    exit_code: ExitCode = ExitCode.FAILURES
    """What the command ends with when this has failed."""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        told = asdict(self)
        del told["exit_code"]
        return told | {"health": self.health.value}


def diagnose(settings: Settings) -> Iterator[Check]:
    """Every check but those of Airflow and of the readers; none stops the others."""
    yield _versions()
    yield from _settings()
    yield _sites(settings)
    yield from _disks(settings)
    yield _store(settings)
    yield from _catalog(settings)
    yield _alarms(settings)
    yield _metrics()


def _versions() -> Check:
    names = ("tallyho", "apache-airflow", "great-expectations", "sqlalchemy", "boto3")
    told = [f"{name} {_version(name)}" for name in names]
    python = f"Python {platform.python_version()} on {platform.system()} {platform.release()}"
    return Check("versions", Health.OK, ", ".join([python, *told]))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(none)"


def _settings() -> Iterator[Check]:
    for sentence in unknown_variables(os.environ):
        yield Check("settings", Health.WARNING, sentence, "correct the name, or unset it")


def _sites(settings: Settings) -> Check:
    remedy = "tallyho sites check"
    try:
        sites, problems = load_sites(settings.sites_dir)
    except ConfigError as error:
        return Check(
            "sites", Health.FAILED, error.message, "set TALLYHO_SITES_DIR", ExitCode.CONFIG
        )
    enabled = sum(site.enabled for site in sites)
    told = f"{len(sites)} site files in {settings.sites_dir}, {enabled} of them enabled"
    if problems:
        wrong = len({problem.file for problem in problems})
        told = f"{told}; {wrong} wrong, such as {problems[0]}"
        return Check("sites", Health.FAILED, told, remedy, ExitCode.CONFIG)
    return Check("sites", Health.OK, told)


def _disks(settings: Settings) -> Iterator[Check]:
    places = {"home": settings.home}
    if "://" not in settings.store_place:
        places["store"] = Path(settings.store_place)
    for name, place in places.items():
        there = next(folder for folder in (place, *place.parents) if folder.exists())
        free = shutil.disk_usage(there).free
        told = f"{free / 1000**3:,.1f} GB free for {place} ({name})"
        remedy = "make room, or move it to a larger disk"
        if not os.access(there, os.W_OK):
            told, remedy = f"{there} cannot be written", "give this user the right to write there"
            yield Check("disk", Health.FAILED, told, remedy, ExitCode.STORAGE)
        elif free < MIN_FREE_BYTES:
            yield Check("disk", Health.FAILED, told, remedy, ExitCode.STORAGE)
        else:
            health = Health.WARNING if free < LITTLE_ROOM else Health.OK
            yield Check("disk", health, told, remedy if health is Health.WARNING else "")


def _store(settings: Settings) -> Check:
    remedy = "compare TALLYHO_STORE_URL, TALLYHO_S3_ENDPOINT and the credentials with the server's"
    try:
        store_of(settings).check()
    except TallyhoError as error:
        return Check("store", Health.FAILED, error.message, remedy, ExitCode.STORAGE)
    return Check("store", Health.OK, f"{settings.store_place} keeps an object and returns it")


def _catalog(settings: Settings) -> Iterator[Check]:
    database = open_database(settings.database_url)
    remedy = "see that the database runs, and compare TALLYHO_CATALOG_URL with its address"
    try:
        database.ready()
        with database.reading() as session:
            before = datetime.now(UTC)
            theirs = database.now(session)
        yield Check("catalog", Health.OK, f"{database.place}, revision {database.revision()}")
        yield (
            _clock(theirs, before)
            if not database.is_sqlite
            else Check(
                "clocks", Health.OK, "the catalog is a file of this machine: there is one clock"
            )
        )
    except TallyhoError as error:
        if "catalog upgrade" in error.message:
            remedy = "tallyho catalog upgrade"
        yield Check("catalog", Health.FAILED, error.message, remedy, ExitCode.STORAGE)
    finally:
        database.close()


def _clock(theirs: datetime, ours: datetime) -> Check:
    seconds = abs((theirs - ours).total_seconds())
    told = f"the catalog's server and this machine differ by {seconds:.1f} s"
    if seconds > CLOCKS_DIFFER_SECONDS:
        return Check("clocks", Health.FAILED, told, "run an NTP client on both")
    return Check("clocks", Health.OK, told)


def _alarms(settings: Settings) -> Check:
    ways = [
        name
        for name, given in (("webhook", settings.alarm_webhook), ("e-mail", settings.alarm_email))
        if given
    ]
    if not ways:
        remedy = "set TALLYHO_ALARM_WEBHOOK or TALLYHO_ALARM_EMAIL"
        return Check("alarms", Health.WARNING, "nobody is told when a night fails", remedy)
    if settings.alarm_email and settings.smtp_url is None:
        remedy = "set TALLYHO_SMTP_URL, or the connection smtp_default in Airflow"
        return Check("alarms", Health.WARNING, "e-mail has no server here", remedy)
    told = f"sent by {' and '.join(ways)}; `tallyho alarm test` sends one"
    return Check("alarms", Health.OK, told)


def _metrics() -> Check:
    """Asked of the variables alone: whether somebody listens shows in the log of a crawl."""
    names = exporter_names(os.environ)
    if not names:
        told = "crawls send none; /metrics of `tallyho serve` says how sites stand"
        return Check("metrics", Health.OK, told)
    missing = [name for name in names if not find_exporter(name)]
    if missing:
        told = f"there is no exporter of the name {', '.join(missing)}, so none are sent"
        remedy = "set OTEL_METRICS_EXPORTER to otlp or none, OTEL_EXPORTER_OTLP_PROTOCOL to grpc"
        return Check("metrics", Health.WARNING, told, remedy)
    return Check("metrics", Health.OK, f"crawls send them with {', '.join(names)}")


Ask = Callable[[list[str]], tuple[int, str]]
"""Runs `airflow` with these arguments: its exit code and standard output."""


def diagnose_airflow(settings: Settings, ask: Ask) -> Iterator[Check]:
    """The pool that crawls take their slots from, and the folder of the DAG files."""
    code, told = ask(["pools", "get", settings.crawl_pool])
    remedy = f'airflow pools set {settings.crawl_pool} 8 "Sites that are crawled at once"'
    if code:
        sentence = f"Airflow has no pool {settings.crawl_pool}: crawls never start"
        yield Check("pool", Health.FAILED, sentence, remedy)
    else:
        yield Check("pool", Health.OK, f"Airflow has the pool {settings.crawl_pool}")
    code, told = ask(["config", "get-value", "core", "dags_folder"])
    folder = Path(told.strip().splitlines()[-1] if told.strip() else "")
    if code or not (folder / "acquire.py").is_file():
        sentence = f"{folder} has no acquire.py, so there is no DAG of ours"
        remedy = "set AIRFLOW__CORE__DAGS_FOLDER to the folder dags of this project"
        yield Check("DAG folder", Health.FAILED, sentence, remedy)
    else:
        yield Check("DAG folder", Health.OK, f"{folder} has our DAG files")
