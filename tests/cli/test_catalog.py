"""`tallyho catalog` as people and scripts use it."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crawler.catalog import open_catalog
from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.config.settings import Settings
from tests.kept_files import kept_file

NOW = datetime.now(UTC)
FILES = {"births.csv": b"a,b\n1,2\n", "deaths.csv": b"a,b\n3,4\n"}


@pytest.fixture
def shelf(desk):
    """A desk with two files in its catalog, one of them in two versions."""
    with open_catalog(Settings(home=desk.home), create=True) as catalog:
        started = {"site": "demo", "start_url": "https://x.example/", "strategy": "sb"}
        start_run(catalog.database, run_id="run", started_at=NOW, **started)
        ingest = Ingest(catalog.database, "demo", "https://x.example/", "run")
        for name, body in [*FILES.items(), ("births.csv", b"a,b\n1,2\n5,6\n")]:
            spool = catalog.store.spool()
            spool.write(body)
            blob = spool.finish()
            ingest.keep(
                kept_file(
                    url=f"https://x.example/{name}",
                    sha256=blob.sha256,
                    size=blob.size,
                    format="csv",
                    fetched_at=datetime.now(UTC),
                    file_name=name,
                    page_url="https://x.example/data",
                    page_title="Data",
                    anchor=f"Table of {name.partition('.')[0]}",
                )
            )
    return desk


def found(shelf, *arguments):
    return [item["title"] for item in shelf.json("catalog", "search", *arguments)["items"]]


def test_search_prints_json_for_scripts(shelf):
    answer = shelf.json("catalog", "search", "births")
    assert (answer["total"], answer["more"]) == (1, False)
    fields = "id site url title format bytes sha256 first_seen last_seen gone_since verdict files"
    assert set(fields.split()) <= set(answer["items"][0])


def test_search_takes_words_filters_and_pages(shelf):
    assert found(shelf) == ["Table of deaths", "Table of births"]
    assert found(shelf, "table", "deaths") == ["Table of deaths"]
    assert found(shelf, "--limit", "1", "--offset", "1") == ["Table of births"]
    assert found(shelf, "--format", "pdf") == found(shelf, "--valid") == []
    assert len(found(shelf, "--since", "1h", "--site", "demo")) == 2


def test_search_prints_a_table_for_people(shelf):
    lines = shelf.run("catalog", "search", "table").stdout.splitlines()
    assert lines[0].split()[:3] == ["id", "title", "site"]
    assert lines[-1] == "1-2 of 2"


def test_search_prints_csv(shelf):
    rows = list(csv.DictReader(io.StringIO(shelf.run("catalog", "search", "--csv").stdout)))
    assert [row["title"] for row in rows] == ["Table of deaths", "Table of births"]


@pytest.mark.parametrize(
    "arguments", [("--since", "someday"), ("--limit", "-1"), ("--json", "--csv")]
)
def test_wrong_search_is_wrong_usage(shelf, arguments):
    assert shelf.run("catalog", "search", *arguments).exit_code == 2


def test_show_and_history_tell_about_a_file(shelf):
    file_id = str(shelf.json("catalog", "search", "births")["items"][0]["id"])
    shown = shelf.json("catalog", "show", file_id)
    assert (shown["title"], len(shown["versions"])) == ("Table of births", 2)
    assert "https://x.example/births.csv" in shelf.run("catalog", "show", file_id).stdout
    versions = shelf.json("catalog", "history", file_id)
    assert [(one["number"], one["change"]) for one in versions["items"]] == [(2, 4), (1, None)]
    assert "+4" in shelf.run("catalog", "history", file_id).stdout


@pytest.mark.parametrize("command", ["show", "history", "get"])
def test_unknown_id_is_wrong_usage(shelf, command):
    result = shelf.run("catalog", command, "4711")
    assert result.exit_code == 2
    assert "no file 4711" in result.stderr


def test_get_writes_the_file(shelf, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file_id = str(shelf.json("catalog", "search", "births")["items"][0]["id"])
    assert shelf.run("catalog", "get", file_id).stdout.strip() == "births.csv"
    assert Path("births.csv").read_bytes() == b"a,b\n1,2\n5,6\n"
    assert shelf.run("catalog", "get", file_id).exit_code == 2
    shelf.run("catalog", "get", file_id, "--version", "1", "-o", "old.csv")
    assert Path("old.csv").read_bytes() == FILES["births.csv"]
    assert shelf.run("catalog", "get", file_id, "-o", "-").stdout == "a,b\n1,2\n5,6\n"


def test_export_writes_every_format(shelf, tmp_path):
    for form, name in (("parquet", "c.parquet"), ("dcat", "c.jsonld"), ("csv", "c.csv")):
        path = tmp_path / name
        assert shelf.run("catalog", "export", "--format", form, "-o", str(path)).exit_code == 0
    assert pq.read_table(tmp_path / "c.parquet").num_rows == 2
    assert len(json.loads((tmp_path / "c.jsonld").read_text())["dcat:dataset"]) == 2
    to_screen = shelf.run("catalog", "export", "--format", "csv").stdout
    assert to_screen.splitlines() == (tmp_path / "c.csv").read_text().splitlines()
    assert shelf.run("catalog", "export", "--format", "xml").exit_code == 2
    nowhere = str(tmp_path / "nowhere" / "c.csv")
    assert shelf.run("catalog", "export", "--format", "csv", "-o", nowhere).exit_code == 6
    below_a_file = shelf.run("catalog", "export", "--format", "csv", "-o", f"{path}/catalog.csv")
    assert below_a_file.exit_code == 6
    assert "Not a directory" in below_a_file.output


def test_remove_takes_a_file_down(shelf):
    file_id = str(shelf.json("catalog", "search", "births")["items"][0]["id"])
    assert shelf.run("catalog", "remove", file_id, "--reason", " ").exit_code == 2
    removed = shelf.run("catalog", "remove", file_id, "--reason", "asked for", "--json")
    assert json.loads(removed.stdout)["blobs_deleted"] == 2
    assert found(shelf) == ["Table of deaths"]
    assert shelf.json("catalog", "show", file_id)["removal_reason"] == "asked for"
    assert shelf.run("catalog", "get", file_id, "-o", "-").exit_code == 7
    assert shelf.run("catalog", "remove", "4711", "--reason", "x").exit_code == 2


def test_verify_finds_what_is_missing_and_what_is_too_many(shelf):
    assert shelf.run("catalog", "verify").exit_code == 0
    blobs = sorted((shelf.home / "store" / "blobs").rglob("*/*/*"))
    lost = next(path for path in blobs if path.is_file())
    lost.unlink()
    result = shelf.run("catalog", "verify", "--deep", "--json")
    assert result.exit_code == 7
    [problem] = json.loads(result.stdout)["items"]
    assert (problem["kind"], problem["what"]) == ("missing_blob", lost.name)
    assert "1 problem" in shelf.run("catalog", "verify").stdout


def test_upgrade_tells_the_revision(shelf):
    assert "revision" in shelf.run("catalog", "upgrade").stdout


def test_retention_keeps_the_newest_versions(shelf):
    assert shelf.run("catalog", "retention", "--keep", "none").exit_code == 2
    kept = json.loads(shelf.run("catalog", "retention", "--keep", "1", "--json").stdout)
    assert (kept["versions"], kept["blobs_deleted"]) == (1, 1)
    file_id = str(shelf.json("catalog", "search", "births")["items"][0]["id"])
    assert shelf.run("catalog", "get", file_id, "--version", "1", "-o", "-").exit_code == 7
    assert shelf.run("catalog", "get", file_id, "-o", "-").exit_code == 0


def test_diff_names_what_a_version_changed(shelf):
    births = shelf.json("catalog", "search", "births")["items"][0]["id"]
    answer = shelf.json("catalog", "diff", str(births))
    assert (answer["from_version"], answer["to_version"]) == (1, 2)
    assert answer["summary"] == "1 row added"
    assert answer["tables"][0]["added"] == [{"a": 5, "b": 6}]
    printed = shelf.run("catalog", "diff", str(births), "--from", "1", "--to", "2").stdout
    assert "version 1 to 2: 1 row added" in printed
    assert printed.count("1 row added") == 2
    with open_catalog(Settings(home=shelf.home)) as catalog:
        assert catalog.diff(births).summary == "1 row added"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--from", "2", "--to", "2"), "is not older than"),
        (("--from", "1", "--to", "9"), "has no version 9"),
        (("--to", "1"), "has no version before 1"),
    ],
)
def test_diff_of_versions_that_are_not_there_is_said(shelf, arguments, sentence):
    births = shelf.json("catalog", "search", "births")["items"][0]["id"]
    ended = shelf.run("catalog", "diff", str(births), *arguments)
    assert ended.exit_code == 2
    assert sentence in ended.stderr


def test_sql_prints_tables_csv_and_json(shelf):
    births = shelf.json("catalog", "search", "births")["items"][0]["id"]
    query = f"select a, b from file({births}) order by a"
    assert shelf.json("sql", query) == {"total": 2, "items": [{"a": 1, "b": 2}, {"a": 5, "b": 6}]}
    assert shelf.run("sql", query, "--csv").stdout == "a,b\n1,2\n5,6\n"
    assert shelf.run("sql", query, "--rows", "1").stdout.split() == ["a", "b", "1", "2"]
    refused = shelf.run("sql", "drop table files")
    assert refused.exit_code == 2
    assert "write one SELECT" in refused.stderr
