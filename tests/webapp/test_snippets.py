"""The lines to copy on a file's page do what they promise, run as they are on the page."""

import html
import os
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import requests

from crawler.catalog import open_catalog
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.config.settings import Settings
from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement, Outcome, Profile, TableProfile
from crawler.webapp.snippets import snippets
from tests.kept_files import kept_file

ROOT = Path(__file__).parents[2]
LONG = 10_020
SHORT = "region;deaths 'n births\nNord;1,5\nSüd;2,5\n".encode()
LONG_BODY = b"number\n" + b"".join(b"%d\n" % number for number in range(LONG))
BODIES = {"births; rm -rf $HOME.csv": (SHORT, 2), "long.csv": (LONG_BODY, LONG)}
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> dict[str, str]:
    """A home with a short table, and one that is longer than an answer."""
    home = tmp_path_factory.mktemp("home")
    with open_catalog(Settings(home=home), create=True) as catalog:
        start = {"site": "demo", "start_url": "https://x.example/", "strategy": "sb"}
        start_run(catalog.database, run_id="run", started_at=NOW, **start)
        ingest = Ingest(catalog.database, "demo", "https://x.example/", "run")
        for number, (name, (body, rows)) in enumerate(BODIES.items()):
            spool = catalog.store.spool()
            spool.write(body)
            blob = spool.finish()
            url = f"https://x.example/{number}.csv"
            kept = kept_file(url, blob.sha256, blob.size, file_name=name, anchor=f"Table {number}")
            version = ingest.keep(kept).version_id
            table = TableProfile(name="", rows=rows, columns=(), width=1)
            profile = Profile(tables=(table,), table_count=1)
            outcome = Outcome(verdict=Judgement.VALID, kind=Kind.DELIMITED, profile=profile)
            record_verdicts(catalog.database, [VerdictRecord(version, outcome)])
    kept_names = {name: value for name, value in os.environ.items() if "TALLYHO_" not in name}
    binaries = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return kept_names | {"TALLYHO_HOME": str(home), "PATH": binaries}


@pytest.fixture(scope="module")
def base(environment):
    command = [sys.executable, "-m", "crawler", "serve", "--port", "0"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        try:
            yield process.stdout.readline().split()[4].rstrip("/")
            process.send_signal(signal.SIGINT)
        finally:
            process.terminate()


def copied(base: str, file: int) -> dict[str, str]:
    page = requests.get(f"{base}/files/{file}", timeout=60).text
    found = re.findall(r'<pre class="copy"[^>]*aria-label="(\w+)"><code>(.*?)</code>', page, re.S)
    return {language: html.unescape(text) for language, text in found}


def run(command: list[str], environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_python_reads_the_rows_as_they_are_shown(base, environment, tmp_path):
    code = copied(base, 1)["Python"] + "\nprint(frame.to_csv(index=False), end='')"
    assert run([sys.executable, "-c", code], environment, tmp_path) == (
        "region,deaths 'n births\nNord,1.5\nSüd,2.5\n"
    )


@pytest.mark.slow
def test_python_reads_a_long_table_in_parts(base, environment, tmp_path):
    code = copied(base, 2)["Python"] + "\nprint(len(frame), frame.number.sum())"
    answer = run([sys.executable, "-c", code], environment, tmp_path)
    assert answer == f"{LONG} {sum(range(LONG))}\n"


@pytest.mark.slow
def test_sql_reads_the_file_where_the_catalog_is(base, environment, tmp_path):
    line = copied(base, 1)["SQL"]
    answer = run(["sh", "-c", f"{line} --csv"], environment, tmp_path)
    assert answer.splitlines()[1:] == ["Nord,1.5", "Süd,2.5"]


@pytest.mark.slow
def test_curl_saves_the_file_as_it_was_published(base, environment, tmp_path):
    run(["sh", "-c", copied(base, 1)["curl"]], environment, tmp_path)
    (saved,) = tmp_path.iterdir()
    assert saved.name == "1-v1-births-rm-rf-home.csv"
    assert saved.read_bytes() == SHORT


def test_r_asks_for_the_same_address_as_python(catalog, stock):
    """There is no R here to run it; what it asks for is what the others were tested with."""
    file = catalog.show(stock["births"]).model_copy(update={"rows": 25_000})
    made = {one.language: one.text for one in snippets(file, "http://x/rows", "http://x/d", "")}
    address = re.search(r'"(http://[^"]+)"', made["R"])[1]
    assert address == re.search(r'"(http://[^"]+)"', made["Python"])[1]
    assert "seq(0, 24999, 10000)" in made["R"]


def test_behind_a_login_every_request_carries_a_token(catalog, stock):
    file = catalog.show(stock["births"])
    made = {one.language: one.text for one in snippets(file, "http://x/r", "http://x/d", "Airflow")}
    assert all("Bearer" in made[language] for language in ("Python", "R", "curl"))
    compile(made["Python"], "snippet", "exec")


def test_what_is_no_table_is_only_downloaded(catalog, stock):
    made = snippets(catalog.show(stock["pdf"]), "http://x/r", "http://x/d", "")
    assert [one.language for one in made] == ["curl"]


def test_a_table_too_large_to_be_shown_is_read_from_the_catalog(catalog, stock):
    file = catalog.show(stock["births"]).model_copy(update={"rows": 10**6})
    made = snippets(file, "http://x/r", "http://x/d", "")
    assert [one.language for one in made] == ["Python", "SQL", "curl"]
    assert f"open_catalog().read({file.id})" in made[0].text
