"""Each call to the file system fails once in a small crawl: a sentence, and nothing is lost."""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import yaml

from crawler.config.settings import Settings
from crawler.errors import ExitCode
from tests.end_to_end.test_power_failure import differences
from tests.pipeline.crawl.page_server import csv, html, serving
from tests.pipeline.crawl.test_step_watch import site_of

pytestmark = pytest.mark.slow

FAULTS = os.environ.get("TALLYHO_TEST_FAULTS", "25")
"""How many calls fail in turn, or `all`."""
FOLDER = Path(__file__).with_name("faults")
FILES = {f"/{name}.csv": csv(f"region,births\n{name},1\n") for name in ("nord", "sud", "est")}
SITE = {"/": html("".join(f"<a href={path}>Births</a>" for path in FILES)), **FILES}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(SITE) as (running, _):
        yield running


class Runner:
    """Runs crawls in which one call fails."""

    def __init__(self, address: str, folder: Path) -> None:
        self._folder = folder
        self.site = site_of(address)
        (folder / "sites").mkdir()
        given = json.loads(self.site.model_dump_json(exclude_unset=True))
        (folder / "sites" / "small.yaml").write_text(yaml.safe_dump(given))
        self._shim = folder / "failing_call.so"
        compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))))
        source = FOLDER / "failing_call.c"
        command = [compiler, "-O1", "-shared", "-fPIC", "-o", self._shim, source, "-ldl"]
        subprocess.run(command, check=True)

    def run(self, faults: list[tuple[int, int]]) -> Iterator[dict]:
        """What came of each."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TALLYHO_")} | {
            "LD_PRELOAD": str(self._shim),
            "FAULT_ROOT": str(self._folder / "home-"),
            "TALLYHO_SITES_DIR": str(self._folder / "sites"),
            "PYTHONPATH": str(FOLDER.parents[2]),
        }
        command = [sys.executable, str(FOLDER / "runs.py"), str(self._folder)]
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(faults))
            process.stdin.close()
            yield from map(json.loads, process.stdout)

    def problems(self, row: dict) -> list[str]:
        """What should not have come of a failing call."""
        wrong = [] if row["failed"] or not row["call"] else ["no call failed"]
        if row["code"] not in set(ExitCode):
            wrong.append(f"exit code {row['code']} is not in the table")
        if "Traceback" in row["printed"]:
            wrong.append(row["printed"])
        if row["code"] and not row["printed"].strip():
            wrong.append("it ended without a sentence")
        if row["again"]:
            wrong.append(f"the next run exits {row['again']}: {row['printed_again']}")
        home = Path(row["home"])
        wrong += differences(Settings(home=home), self.site, FILES)
        shutil.rmtree(home)
        return wrong


def test_no_call_that_fails_loses_a_file_or_ends_without_a_sentence(
    address: str, tmp_path: Path
) -> None:
    runner = Runner(address, tmp_path)
    (first,) = runner.run([(0, 0)])
    assert (first["code"], runner.problems(first)) == (0, [])
    calls = range(1, first["count"])
    if FAULTS != "all":
        calls = sorted(Random(16).sample(calls, int(FAULTS)))
    faults = [(call, (errno.EIO, errno.ENOSPC)[call % 2]) for call in calls]
    failures, codes = {}, set()
    for row in runner.run(faults):
        codes.add(row["code"])
        if wrong := runner.problems(row):
            failures[f"{row['call']} {row['failed']}"] = wrong
    assert failures == {}
    # Some failures end the run and some do not matter; both must be among them.
    assert {ExitCode.DONE, ExitCode.STORAGE} <= codes
