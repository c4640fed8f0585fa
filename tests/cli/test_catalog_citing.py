"""`tallyho catalog cite | lookup | package` and `--as-of`, as scripts call them."""

import hashlib
import json

import pytest

from tests.cli.test_catalog import FILES, shelf

__all__ = ["shelf"]


def births(shelf) -> int:
    return shelf.json("catalog", "search", "births")["items"][0]["id"]


def test_cite_prints_every_format(shelf):
    file = str(births(shelf))
    shown = shelf.json("catalog", "show", file)
    assert shelf.run("catalog", "cite", file).stdout.strip() == shown["citation"]
    assert shelf.run("catalog", "cite", file, "--format", "bibtex").stdout.startswith("@misc{demo-")
    assert "TY  - DATA" in shelf.run("catalog", "cite", file, "--format", "ris").stdout
    assert "Version 1, " in shelf.run("catalog", "cite", file, "--version", "1").stdout
    wrong = shelf.run("catalog", "cite", file, "--format", "word")
    assert wrong.exit_code == 2
    assert "'word' is not one of 'text', 'bibtex', 'ris'" in wrong.output


def test_lookup_takes_an_address_and_the_output_of_sha256sum(shelf):
    file = births(shelf)
    found = shelf.json("catalog", "lookup", "https://x.example/births.csv")
    assert [item["id"] for item in found["items"]] == [file]
    first = hashlib.sha256(FILES["births.csv"]).hexdigest()
    by_hash = shelf.json("catalog", "lookup", first, "births.csv")
    assert [item["matching_versions"] for item in by_hash["items"]] == [[1]]
    assert str(file) in shelf.run("catalog", "lookup", first[:16]).stdout
    nothing = shelf.run("catalog", "lookup", "https://x.example/other.csv")
    assert (nothing.exit_code, "no such file" in nothing.output) == (2, True)
    neither = shelf.run("catalog", "lookup", "births")
    assert (neither.exit_code, "neither an address" in neither.output) == (2, True)


def test_package_downloads_what_a_search_finds(shelf, tmp_path):
    folder = tmp_path / "package"
    made = shelf.json("catalog", "package", "births", "-o", str(folder))
    assert (made["files"], made["complete"], made["already_there"]) == (1, True, 0)
    package = json.loads((folder / "datapackage.json").read_text())
    (resource,) = package["resources"]
    body = (folder / resource["path"]).read_bytes()
    assert resource["hash"] == f"sha256:{hashlib.sha256(body).hexdigest()}"
    again = shelf.run("catalog", "package", "births", "-o", str(folder))
    assert again.exit_code == 0
    assert "The one file that was found." in again.stdout
    assert "1 of them there already" in again.stdout
    some = shelf.run("catalog", "package", "--limit", "1", "-o", str(tmp_path / "some"))
    assert "The first 1 files of 2 datasets that were found" in some.stdout
    nothing = shelf.run("catalog", "package", "zebras", "-o", str(folder))
    assert (nothing.exit_code, "finds nothing to download" in nothing.output) == (2, True)


@pytest.mark.parametrize("command", ["show", "history", "get", "cite"])
def test_as_of_a_day_before_the_file_came_there_is_none(shelf, command):
    file = str(births(shelf))
    then = shelf.run("catalog", command, file, "--as-of", "2020-01-01")
    assert then.exit_code == 2
    assert f"the catalog has no file {file} as of 2020-01-01" in then.output
    wrong = shelf.run("catalog", command, file, "--as-of", "banana")
    assert wrong.exit_code == 2
    assert "'banana' is no time" in wrong.output


def test_search_as_of_a_day(shelf):
    assert shelf.json("catalog", "search", "--as-of", "2020-01-01")["total"] == 0
    assert shelf.json("catalog", "search", "--as-of", "2100-01-01")["total"] == 2
    assert shelf.run("catalog", "search", "--as-of", "banana").exit_code == 2


@pytest.mark.slow
def test_the_keys_of_a_site_file_reach_the_citations(desk, office):
    licence = "https://creativecommons.org/licenses/by/4.0/"
    said = {"title": "Office of Testing", "publisher": "Testers", "licence": licence}
    desk.add_site("demo", office.base, budget={"requests": 40}, **said)
    assert desk.run("crawl", "demo").exit_code == 0
    found = desk.json("catalog", "search", "--publisher", "Testers")
    assert found["total"] > 0
    item = found["items"][0]
    assert (item["publisher"], item["licence"]) == ("Testers", licence)
    assert desk.run("catalog", "cite", str(item["id"])).stdout.startswith("Testers (")
