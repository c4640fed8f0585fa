"""`tallyho lab revisit`: table, JSON, CSV, figures, and what it refuses."""

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawler.cli import app
from crawler.errors import ExitCode

pytestmark = pytest.mark.slow

SITE = ["lab", "revisit", "synth:ok:300", "--nights", "4", "--jobs", "1"]


def run(*arguments: str):
    return CliRunner().invoke(app, [*SITE, "--strategies", "rr,tallyho", *arguments])


def test_table_has_a_row_for_every_strategy_and_greedy() -> None:
    result = run()
    assert result.exit_code == 0
    assert {"greedy", "rr", "tallyho"} <= set(result.stdout.split())


def test_json_and_csv_have_the_figures() -> None:
    items = json.loads(run("--json").stdout)["items"]
    assert [item["strategy"] for item in items] == ["greedy", "rr", "tallyho"]
    assert all(0.0 <= item["coverage"]["0"] <= 1.0 for item in items)
    rows = list(csv.DictReader(io.StringIO(run("--csv").stdout)))
    assert [row["strategy"] for row in rows] == ["greedy", "rr", "tallyho"]


def test_figure_is_drawn(tmp_path: Path) -> None:
    assert run("--plot", str(tmp_path)).exit_code == 0
    assert {path.suffix for path in tmp_path.iterdir()} == {".png", ".svg"}


@pytest.mark.parametrize(
    "arguments", [["--strategies", "best"], ["--visits", "many"], ["--json", "--csv"]]
)
def test_mistakes_are_named(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, [*SITE, *arguments])
    assert result.exit_code in (ExitCode.CONFIG, ExitCode.USAGE)
