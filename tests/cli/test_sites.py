"""`tallyho sites list`, `check` and `schema`, and how the command behaves as a whole."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawler.cli import app
from crawler.cli.output import clean, count, duration, print_pairs, print_table
from crawler.errors import ExitCode, StorageError
from tests.cli.conftest import Desk

START = "start_url: https://stats.example.org/\n"
BROKEN = START + "budget:\n  requsts: 5\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("TALLYHO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TALLYHO_SITES_DIR", str(tmp_path))
    # Not the home of this checkout: whoever has run the demo there has one more site to list.
    monkeypatch.setenv("TALLYHO_HOME", str(tmp_path / "home"))
    (tmp_path / "alpha.yaml").write_text(START + "tags: [one, two]\n")
    return tmp_path


def test_list_tells_the_sites(folder: Path) -> None:
    result = CliRunner().invoke(app, ["sites", "list"])

    assert result.exit_code == 0
    header, line = result.stdout.splitlines()
    assert header.split("  ")[0] == "name"
    assert line.split()[:5] == ["alpha", "enabled", "never", "crawled", "@daily"]
    assert line.endswith("https://stats.example.org/")


def test_list_as_json_is_alone_on_standard_output(folder: Path) -> None:
    (folder / "broken.yaml").write_text(BROKEN)

    result = CliRunner().invoke(app, ["sites", "list", "--json"])

    assert result.exit_code == 0
    told = json.loads(result.stdout)
    alpha, broken = told["items"]
    assert told["total"] == 2
    expected = {
        "start_url": "https://stats.example.org/",
        "name": "alpha",
        "enabled": True,
        "schedule": "@daily",
        "owner": "tallyho",
        "tags": ["one", "two"],
        "strategy": "tallyho",
        "site_file": "enabled",
        "state": "never crawled",
        "last_run": None,
        "budget": 20000,
    }
    assert {key: alpha[key] for key in expected} == expected
    assert (broken["name"], broken["site_file"], broken["enabled"]) == ("broken", "invalid", None)
    assert "broken.yaml" in broken["problem"]
    assert "1 invalid file" in result.stderr


def test_check_reports_problems_with_their_lines_and_exits_3(folder: Path) -> None:
    (folder / "broken.yaml").write_text(BROKEN)

    result = CliRunner().invoke(app, ["sites", "check"])

    assert result.exit_code == ExitCode.CONFIG
    assert result.stdout.splitlines() == [
        f'{folder}/broken.yaml:3: budget.requsts: unknown key; did you mean "requests"?',
        "1 site is fine",
    ]


def test_check_as_json(folder: Path) -> None:
    (folder / "broken.yaml").write_text(BROKEN)

    result = CliRunner().invoke(app, ["sites", "check", "--json"])

    assert result.exit_code == ExitCode.CONFIG
    answer = json.loads(result.stdout)
    assert (answer["total"], answer["fine"]) == (1, 1)
    assert answer["items"][0]["field"] == "budget.requsts"
    assert answer["items"][0]["line"] == 3


def test_check_takes_names_and_files(folder: Path) -> None:
    (folder / "broken.yaml").write_text(BROKEN)
    other = folder / "drafts"
    other.mkdir()
    (other / "beta.yaml").write_text(START)

    result = CliRunner().invoke(app, ["sites", "check", "alpha", str(other / "beta.yaml")])

    assert (result.exit_code, result.stdout) == (0, "2 sites are fine\n")


def test_check_knows_the_expectation_suites(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suites = Path(__file__).parents[2] / "include" / "expectations"
    monkeypatch.setenv("TALLYHO_EXPECTATIONS_DIR", str(suites))
    site = folder / "odd.yaml"
    site.write_text("start_url: https://a.org/\nvalidation:\n  checks:\n    heder: off\n")

    result = CliRunner().invoke(app, ["sites", "check", str(site)])

    assert result.exit_code == ExitCode.CONFIG
    reason = 'there is no check of this name; did you mean "header"?'
    assert result.stdout.splitlines() == [
        f"{site}:4: validation.checks.heder: {reason}",
        "0 sites are fine",
    ]


def test_an_unknown_site_is_named_with_a_suggestion(folder: Path) -> None:
    result = CliRunner().invoke(app, ["sites", "check", "alpa"])

    assert result.exit_code == ExitCode.CONFIG
    assert result.stderr.startswith("error: there is no site 'alpa'")
    assert 'did you mean "alpha"?' in result.stderr


def test_what_a_file_says_cannot_write_on_the_terminal(folder: Path) -> None:
    (folder / "evil.yaml").write_text(START + '"\\e]0;owned\\a": 1\n')

    result = CliRunner().invoke(app, ["sites", "check"])

    assert "evil.yaml:2: ]0;owned: unknown key" in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.slow
def test_schema_is_a_json_schema_of_the_site_file() -> None:
    schema = json.loads(CliRunner().invoke(app, ["sites", "schema"]).stdout)

    assert schema["$schema"].startswith("https://json-schema.org/")
    assert "budget" in schema["properties"]


@pytest.mark.parametrize("arguments", [["sites", "chek"], ["nonsense"], ["sites", "list", "--no"]])
def test_wrong_usage_exits_2(folder: Path, arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == ExitCode.USAGE


@pytest.mark.parametrize("command", ["list", "check", "schema", "probe"])
def test_every_command_shows_examples(folder: Path, command: str) -> None:
    result = CliRunner().invoke(app, ["sites", command, "--help"])

    assert result.exit_code == 0
    assert f"Examples:\n    tallyho sites {command}" in result.stdout


def test_a_wrong_setting_is_named_and_exits_3(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALLYHO_STORE_URL", "ftp://bucket")

    result = CliRunner().invoke(app, ["sites", "list"])

    assert result.exit_code == ExitCode.CONFIG
    assert result.stderr.startswith("error: TALLYHO_STORE_URL: ")


def test_our_errors_are_one_clean_line_and_their_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise StorageError("disk\nfull \x1b[31m", site="alpha")

    monkeypatch.setattr("crawler.cli.sites_list.load_sites", fail)

    result = CliRunner().invoke(app, ["sites", "list"])

    assert result.exit_code == ExitCode.STORAGE
    assert result.stderr == "error: alpha: disk full [31m\n"


def test_an_interrupt_exits_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("crawler.cli.sites_list.load_sites", interrupt)

    assert CliRunner().invoke(app, ["sites", "list"]).exit_code == ExitCode.INTERRUPTED


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def test_the_module_is_the_command(folder: Path) -> None:
    done = run("-m", "crawler", "sites", "check", TALLYHO_SITESDIR="x")

    assert (done.returncode, done.stdout) == (0, "1 site is fine\n")
    assert "TALLYHO_SITESDIR is not a setting; did you mean TALLYHO_SITES_DIR?" in done.stderr
    assert run("-m", "crawler", "--version").stdout.startswith("tallyho 0.")


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from crawler.cli import main\n"
        "sys.argv = ['tallyho', '--help']\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert end.code == 0, end.code\n"
        "heavy = {'sklearn', 'lxml', 'requests', 'numpy', 'hnswlib', 'pydantic', 'rich'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))\n"
    )

    done = run("-c", script)

    assert done.stdout.splitlines()[-1] == "HEAVY []", done.stderr
    assert "Usage: tallyho" in done.stdout


def test_durations_and_counts_are_written_for_people() -> None:
    assert duration(20_000) == "5 h 33 min"
    assert duration(125) == "2 min 5 s"
    assert duration(1.0) == "1 s"
    assert duration(0.25) == "0.2 s"
    assert (count(1, "site"), count(20_000, "request")) == ("1 site", "20,000 requests")


def test_cleaning_leaves_words_and_takes_control() -> None:
    assert clean("Été\u00a02024\n\u202egnp.csv\x1b[2J\x9b") == "Été 2024 gnp.csv[2J"


def test_tables_show_markup_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("title", "n"), [("[red]births[/red]", 1), ("x\ty", 20)])
    print_pairs([("feed", "a"), ("feed", "b")])

    assert capsys.readouterr().out.splitlines() == [
        "title              n",
        "[red]births[/red]  1",
        "x y                20",
        "feed  a",
        "      b",
    ]


def test_on_a_terminal_tables_are_drawn_with_markup_as_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)

    print_table(("title",), [("[red]births[/red]",)])

    assert "[red]births[/red]" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        ("sites", "check"),
        ("sites", "check", "--json"),
        ("sites", "list"),
        ("sites", "probe", "office"),
        ("status", "office"),
        ("status", "--json"),
        ("crawl", "office"),
    ],
    ids=" ".join,
)
def test_no_command_shows_a_password_in_a_start_url(desk: Desk, command: tuple[str, ...]) -> None:
    desk.add_site("office", "https://bob:hunter2@stat.example")
    result = desk.run(*command)
    assert "hunter2" not in result.output
    assert "hunter2" not in repr(result.exception)
    assert result.exit_code in (ExitCode.DONE, ExitCode.CONFIG)
