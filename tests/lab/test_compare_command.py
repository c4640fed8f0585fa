"""`tallyho lab compare`: what it accepts, prints and answers the shell."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawler.cli.lab import app
from crawler.cli.lab_compare import _spelled_out
from crawler.errors import ConfigError


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    script = "import sys; from crawler.cli import main; main()"
    command = [sys.executable, "-c", script, "lab", "compare", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize(
    ("site", "pages", "seed", "spec"),
    [
        ("demo", None, None, "demo"),
        ("demo", 5000, 2, "demo:5000:2"),
        ("demo", 5000, None, "demo:5000"),
        ("demo", None, 7, "demo:600:7"),
        ("demo:30", 5000, 7, "demo:30:7"),
        ("demo:30:1", 5000, 7, "demo:30:1"),
        ("synth:ju", 100, 3, "synth:ju:100:3"),
        ("synth:ju", None, None, "synth:ju"),
        ("synth:ju:50", 100, None, "synth:ju:50"),
        ("folder/site.db", 100, 3, "folder/site.db"),
    ],
)
def test_size_and_seed_count_for_made_sites_that_name_none(site, pages, seed, spec):
    assert _spelled_out(site, pages, seed, unique_ids=False) == spec


def test_unique_ids_are_those_of_the_demo_site():
    assert _spelled_out("demo", 50, None, unique_ids=True) == "demo-ids:50"
    assert _spelled_out("synth:ed", 50, None, unique_ids=True) == "synth:ed:50"


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        ["demo", "--runs", "0"],
        ["demo", "--pages", "0"],
        ["demo", "--jobs", "0"],
        ["demo", "--json", "--csv"],
        ["demo:30", "demo:40", "--plot", "one.png"],
    ],
)
def test_wrong_usage_is_told_before_anything_runs(wrong):
    assert CliRunner().invoke(app, ["compare", *wrong]).exit_code == 2


def test_unknown_strategy_is_told_before_anything_runs():
    result = CliRunner().invoke(app, ["compare", "demo", "--strategies", "sb,best"])
    assert isinstance(result.exception, ConfigError)
    assert "there is no strategy 'best'" in str(result.exception)


@pytest.mark.slow
def test_one_site_is_one_table_with_plots_beside_it(tmp_path):
    done = run(
        *("demo", "--pages", "40", "--seed", "2", "--runs", "2", "--strategies", "sb,bfs,dom-off"),
        *("--plot", tmp_path),
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("demo-40-2: ")
    assert lines[1].split()[:2] == ["strategy", "runs"]
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["sb", "2"],
        ["bfs", "1"],
        ["dom-off", "1"],
    ]
    assert "sb: guessed class of new URLs" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {
        "demo-40-2.png",
        "demo-40-2.svg",
        "demo-40-2-groups.png",
        "demo-40-2-groups.svg",
    }


@pytest.mark.slow
def test_several_sites_are_the_tables_of_the_paper():
    done = run("demo:30:1", "demo-ids:30:1", "--strategies", "bfs,omniscient")
    assert done.returncode == 0, done.stderr
    for title in ("(Table II)", "(Table III)", "divided by those of bfs", "peak memory"):
        assert title in done.stdout
    assert "(Table VI)" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_run_that_fails_is_told_and_the_others_are_printed(tmp_path, form):
    broken = tmp_path / "broken.db"
    broken.write_text("no replica")
    done = run("demo:30:1", broken, "--strategies", "bfs", form)
    assert done.returncode == 7
    assert f"error: {broken}: " in done.stderr
    if form == "--csv":
        (row,) = csv.DictReader(io.StringIO(done.stdout))
        assert (row["site"], row["strategy"]) == ("demo-30-1", "bfs")
    else:
        answer = json.loads(done.stdout)
        assert answer["total"] == 1
        assert answer["items"][0]["site"] == "demo-30-1"
        assert answer["failures"][0]["what"] == str(broken)
