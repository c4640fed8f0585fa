"""`tallyho validate` as people and scripts use it, and what the catalog shows after it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Desk
from tests.pipeline.acquired import BIRTHS, PAGE, Acquired, acquired_in

ROOT = Path(__file__).parents[2]


@pytest.fixture
def acquired(desk: Desk) -> Acquired:
    """Files that the desk's catalog has, of the site `office`."""
    return acquired_in(desk.folder)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--all", "--new"),
        ("--jobs", "0"),
        ("--site", "demo"),
        ("--declared", "text/csv"),
        ("demo", "--file", "README.md"),
        ("--file", "README.md", "--all"),
        ("--file", "no-such-file.csv"),
        ("--file", "."),
    ],
)
def test_wrong_usage_is_told(desk: Desk, arguments: tuple[str, ...]) -> None:
    assert desk.run("validate", *arguments).exit_code == 2


def test_unknown_site_is_a_configuration_error(desk: Desk) -> None:
    desk.add_site("demo", "https://stats.example")
    for arguments in (("demmo",), ("--file", str(ROOT / "README.md"), "--site", "demmo")):
        result = desk.run("validate", *arguments)
        assert result.exit_code == 3
        assert 'did you mean "demo"' in result.stderr


def test_site_without_files_has_nothing_to_check(desk: Desk) -> None:
    desk.add_site("demo", "http://127.0.0.1:9")
    result = desk.run("validate", "demo")
    assert (result.exit_code, result.stdout) == (0, "Nothing to check.\n")
    assert desk.json("validate")["checked"] == 0


def test_help_has_examples(desk: Desk) -> None:
    told = desk.run("validate", "--help").stdout
    assert "tallyho validate --file births.csv" in told
    assert "validate" in desk.run("--help").stdout


def test_catalog_shows_verdict_reasons_and_columns(desk: Desk, acquired: Acquired) -> None:
    from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
    from tests.webapp.stock import births_outcome, hostile_outcome

    births = acquired.keep("births.csv", BIRTHS)
    hostile = acquired.keep("hostile.csv", b"x")
    records = [VerdictRecord(births, births_outcome()), VerdictRecord(hostile, hostile_outcome())]
    with acquired.services() as services:
        record_verdicts(services.database, records)
    [item] = desk.json("catalog", "search", "births", "--valid")["items"]
    told = desk.run("catalog", "show", str(item["id"])).stdout
    assert "verdict     valid: delimited, 3 rows, 3 columns" in told
    ledger = "1 title line, 1 header row, 3 data rows, 1 footnote, 2 blank rows"
    assert f"table       3 rows, 3 columns, {ledger}, layout seen, utf-8, separated by ';'" in told
    lines = [line.split() for line in told.splitlines()]
    assert ["year", "integer", "time", "0%", "2024", "2025"] in lines
    shown = desk.json("catalog", "show", str(item["id"]))["check"]
    assert shown["profile"]["tables"][0]["columns"][2]["most"] == "1204"
    odd = desk.run(
        "catalog", "show", str(desk.json("catalog", "search", "hostile")["items"][0]["id"])
    )
    assert "reason" in odd.stdout
    assert "and 5 more reasons" in odd.stdout
    assert "\u202e" not in odd.stdout


@pytest.mark.slow
def test_new_files_are_checked_and_found_by_their_columns(desk: Desk, acquired: Acquired) -> None:
    acquired.keep("births.csv", BIRTHS.replace(b"region", b"kennziffer"))
    acquired.keep("page.csv", PAGE)
    result = desk.run("validate", "office", "--jobs", "1")
    assert result.exit_code == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["Checked", "2", "files."]
    assert lines[3:] == [["valid", "1", "1"], ["not_a_dataset", "1", "1"]]
    assert "checking 2 files" in result.stderr
    found = desk.json("catalog", "search", "kennziffer", "--valid")
    assert [item["title"] for item in found["items"]] == ["Table births.csv"]
    again = desk.json("validate", "office")
    assert (again["checked"], again["site"]) == (0, "office")
    assert again["in_all"] == {"valid": 1, "not_a_dataset": 1}
    everything = desk.json("validate", "--all")
    assert everything["verdicts"] == {"valid": 1, "not_a_dataset": 1}
    docs = Path(acquired.settings.place_of("data-docs")) / "office"
    assert (docs / "index.html").is_file()
    assert "births.csv" not in (docs / "results" / "delimited.html").read_text()
    assert "page.csv" in (docs / "results" / "file.html").read_text()


@pytest.mark.slow
def test_files_that_cannot_be_checked_are_listed(desk: Desk, acquired: Acquired) -> None:
    gone = acquired.keep("gone.csv", b"a,b\n1,2\n")
    [(sha256,)] = acquired.rows("SELECT sha256 FROM version WHERE id = :id", id=gone)
    with acquired.services() as services:
        services.store.delete(sha256)
    result = desk.run("validate")
    assert result.exit_code == 7
    assert "file 1 could not be checked: its bytes are not in the store" in result.stderr
    [failure] = desk.json("validate")["failures"]
    assert (failure["version_id"], failure["file_id"]) == (gone, 1)


def test_site_that_switched_it_off_is_named(desk: Desk, acquired: Acquired) -> None:
    acquired.keep("births.csv", BIRTHS)
    acquired.describe("office", validation=False)
    result = desk.run("validate", "office")
    assert result.exit_code == 0
    assert "`validation: false`" in result.stderr
    assert acquired.verdicts() == {}


@pytest.mark.slow
def test_local_file_is_judged_and_its_verdict_is_the_exit_code(
    desk: Desk, acquired: Acquired
) -> None:
    acquired.describe("strict", validation={"required_columns": ["weight"]})
    births, page = desk.folder / "births.csv", desk.folder / "page.csv"
    births.write_bytes(BIRTHS)
    page.write_bytes(PAGE)
    result = desk.run("validate", "--file", str(births))
    assert result.exit_code == 0
    assert "verdict     valid: delimited, 20 rows, 3 columns" in result.stdout
    assert "numeric-share" in result.stdout
    bad = desk.run("validate", "--file", str(page), "--declared", "text/csv", "--json")
    assert bad.exit_code == 7
    told = json.loads(bad.stdout)
    assert (told["verdict"], told["kind"], told["rows"]) == ("not_a_dataset", "html", None)
    strict = desk.run("validate", "--file", str(births), "--site", "strict")
    assert strict.exit_code == 7
    assert "Required columns are missing: weight" in strict.stdout
