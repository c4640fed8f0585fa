"""docs/operations.md: every command, setting, metric and reason in it exists."""

import re
from pathlib import Path

import pytest

from crawler.catalog.db.migrating import known_revisions
from crawler.config.settings import unknown_variables
from crawler.errors import ExitCode
from crawler.pipeline.backup.folder import SUMS
from crawler.state.stop import StopReason
from tests.deployment.command_lines import ask_airflow, commands_in, tallyho_problem
from tests.deployment.compose import load, variables
from tests.deployment.env_file import filled_in, read_env

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text()
EXAMPLE = read_env((ROOT / ".env.example").read_text())
COMPOSE = (ROOT / "docker-compose.yaml").read_text()
REQUIRED = {variable.name for variable in variables(COMPOSE) if variable.required}
DOCUMENT = load(COMPOSE, filled_in(EXAMPLE, REQUIRED))
PLACEHOLDERS = {"NAME": "demo", "ID": "17", "URL": "http://127.0.0.1/a.csv"}
TICKED = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", TEXT, flags=re.M | re.S))


def section(heading: str) -> str:
    """The text below a heading, to the next one."""
    found = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def first_cells(table: str) -> list[str]:
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    return [word for row in rows[1:] for word in row.replace("`", "").split(", ")]


def tallyho_commands() -> list[list[str]]:
    return [
        [PLACEHOLDERS.get(word, word) for word in command]
        for command in commands_in(TEXT, "tallyho")
    ]


def test_commands_of_tallyho_exist() -> None:
    lines = [line for line in tallyho_commands() if line not in (["--version"], [])]
    assert len(lines) > 15
    assert {" ".join(line): told for line in lines if (told := tallyho_problem(line))} == {}


@pytest.mark.slow
def test_commands_options_and_metrics_of_airflow_exist(tmp_path: Path) -> None:
    lines = [["airflow", *words] for words in commands_in(TEXT, "airflow")]
    named = first_cells(TEXT[TEXT.index("**Metrics.**") : TEXT.index("Tallyho's own metrics")])
    options = [word for word in TICKED if word.startswith("AIRFLOW__")]
    told = ask_airflow(tmp_path, commands=lines, options=options, metrics=None)
    assert len(lines) > 5
    assert dict(zip(map(" ".join, lines), told["commands"], strict=True)) == {
        " ".join(line): "" for line in lines
    }
    assert told["options"] == []
    assert len(named) > 10
    assert set(named) <= set(told["metrics"])


def test_settings_exist() -> None:
    named = {word for word in TICKED if re.fullmatch(r"TALLYHO_[A-Z0-9_]+", word)}
    assert named
    assert unknown_variables(dict.fromkeys(named, "")) == []
    others = {word.partition("=")[0] for word in TICKED if re.fullmatch(r"[A-Z0-9_]+(=\w+)?", word)}
    elsewhere = ("AIRFLOW__", "AWS_", "TALLYHO_")
    ours = {name for name in others - set(PLACEHOLDERS) if not name.startswith(elsewhere)}
    assert len(ours) > 10
    make = set(re.findall(r"\$\(([A-Z]+)\)", (ROOT / "Makefile").read_text()))
    assert ours <= set(EXAMPLE) | make | {SUMS}


def test_every_secret_has_its_way_to_be_changed() -> None:
    told = section("Secrets")
    logins = {"AIRFLOW_ADMIN_PASSWORD", "AIRFLOW_VIEWER_PASSWORD"}
    assert "both logins" in told
    assert {name for name in REQUIRED - logins if f"`{name}`" not in told} == set()


def test_every_exit_code_is_told_and_no_other() -> None:
    codes = {int(cell) for cell in first_cells(section("By exit code")) if cell.isdigit()}
    assert codes == set(map(int, ExitCode))


def test_every_stop_reason_is_told_and_no_other() -> None:
    cells = {
        cell for cell in first_cells(section("By stop reason")) if re.fullmatch(r"[a-z_]+", cell)
    }
    assert cells == set(StopReason)


def test_services_and_volumes_exist() -> None:
    named = set(re.findall(r"docker compose (?:exec|logs|kill) (?:-T )?([\w-]+)", TEXT))
    assert named >= {"worker", "scheduler", "postgres"}
    assert named <= set(DOCUMENT["services"])
    table = re.search(r"(?:^\|.*\n)+", section("Deploy"), re.MULTILINE)
    assert table
    told = {cell for cell in first_cells(table[0]) if not cell.startswith("-")}
    assert told == set(DOCUMENT["services"])
    volumes = set(re.findall(r"volume `([a-z-]+)`", TEXT))
    assert volumes <= set(DOCUMENT["volumes"])


def test_files_and_links_exist() -> None:
    links = re.findall(r"\]\(([\w.-]+)\)", TEXT)
    assert links
    assert all((ROOT / "docs" / link).is_file() for link in links)
    paths = {word for word in TICKED if re.match(r"(dags|tests|docs|include|docker)/\S*$", word)}
    files = {path for path in paths if "NAME" not in path}
    assert files
    assert {path for path in files if not (ROOT / path).exists()} == set()


def test_commands_are_found_in_blocks_and_between_ticks() -> None:
    block = "docker compose exec y tallyho c \\\n  d | jq .\n# tallyho no\n"
    text = f"Say `tallyho a b`, or\n\n```sh\n{block}```\n"
    assert commands_in(text, "tallyho") == [["c", "d"], ["a", "b"]]


def test_what_each_way_back_loses_is_told() -> None:
    """Of every revision but the first, which is the whole catalog."""
    told = re.findall(r"^\| (0\d{3}) \| \S", section("Upgrade"), re.MULTILINE)
    assert told == known_revisions()[:0:-1]
