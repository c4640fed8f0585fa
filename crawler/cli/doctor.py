"""`tallyho doctor`: whether this installation works, part by part, and what to do about it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, print_json, print_pairs
from crawler.config.settings import load_settings
from crawler.errors import ExitCode
from crawler.pipeline.report.diagnosis import Check, Health, diagnose, diagnose_airflow
from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.validation.cell import Layer, missing_layers
from crawler.validation.landlock import version
from crawler.validation.reader_memory import SHARE_BYTES, ReaderMemory

SECONDS_FOR_AIRFLOW = 120
_AIRFLOW = ("AIRFLOW_HOME", "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN")

EPILOG = """\b
Examples:
  tallyho doctor
  tallyho doctor --json | jq -r '.checks[] | select(.health == "failed") | .remedy'

\b
Looks at versions, settings, site files, disks, store (an object is written and read),
catalog, clocks, alarms and metrics; where Airflow's home or database is in the
environment, at its pool and DAG folder; and at the layers by which the kernel holds the
processes back that read files. A layer that is missing is listed, and the others hold
without it.

\b
Exit codes: 0 all is well, or there are warnings only; 6 store, catalog or disk cannot be
used; 3 a setting or a site file is wrong; 7 something else is missing.
"""


def doctor(as_json: Json = False) -> None:
    """Check the installation, and say what to do about what is wrong."""
    settings = load_settings()
    checks = list(diagnose(settings))
    if any(os.environ.get(name) for name in _AIRFLOW):
        checks += diagnose_airflow(settings, _ask_airflow)
    missing = missing_layers()
    memory = ReaderMemory()
    at_once = max(1, memory.shares // memory.shares_of(DEFAULT_BOUNDS.memory))
    if as_json:
        print_json(
            {
                "checks": [check.as_dict() for check in checks],
                "layers": [layer.value for layer in Layer if layer not in missing],
                "missing": {layer.value: reason for layer, reason in missing.items()},
                "landlock_version": version(),
                "memory_of_all_readers": memory.shares * SHARE_BYTES,
                "readers_at_once": at_once,
            }
        )
    else:
        print_pairs([(part, clean(text)) for check in checks for part, text in _facts(check)])
        typer.echo()
        print_pairs(
            [
                *(
                    (layer.value, f"missing: {missing[layer]}" if layer in missing else "in force")
                    for layer in Layer
                ),
                ("memory", f"{memory.shares} GB for all readers of this machine together"),
                ("at once", clean(f"{at_once} large files")),
            ]
        )
    failed = {check.exit_code for check in checks if check.health is Health.FAILED}
    for code in (ExitCode.STORAGE, ExitCode.CONFIG):
        if code in failed:
            raise typer.Exit(int(code))
    if failed or missing:
        raise typer.Exit(int(ExitCode.FAILURES))


def _facts(check: Check) -> Iterator[tuple[str, str]]:
    word = "" if check.health is Health.OK else f"{check.health.value}: "
    yield check.part, f"{word}{check.sentence}"
    if check.remedy:
        yield "  remedy", check.remedy


def _ask_airflow(arguments: list[str]) -> tuple[int, str]:
    airflow = Path(sys.executable).with_name("airflow")
    try:
        done = subprocess.run(  # noqa: S603 - Airflow's own command, with words of ours
            [str(airflow), *arguments],
            capture_output=True,
            text=True,
            timeout=SECONDS_FOR_AIRFLOW,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, type(error).__name__
    return done.returncode, done.stdout
