"""`tallyho lab record, import, export, synth, statistics`: what they accept, write and say."""

import json

import pytest
import yaml
from typer.testing import CliRunner

from crawler.cli import app
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site


def run(*arguments: object, **environment: str):
    return CliRunner().invoke(app, ["lab", *map(str, arguments)], env=environment)


def test_synth_prints_its_statistics_beside_the_papers():
    done = run("synth", "cl", "--pages", 150)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[1].startswith("synth:cl:150:1")
    assert lines[2].split()[:6] == ["in", "the", "paper", "1,840", "3,700", "66.8"]
    assert "concentrated" in done.stderr


def test_synth_writes_a_replica_that_is_exported_and_imported_again(tmp_path):
    replica, file, again = (tmp_path / name for name in ("cl.db", "reference.db", "again.db"))
    written = json.loads(run("synth", "cl", "--pages", 150, "-o", replica, "--json").stdout)
    exported = run("export", replica, "-o", file)
    assert "cl_150_1" in exported.stdout
    imported = json.loads(run("import", file, "-o", again, "--json").stdout)
    assert imported["answers"] == written["answers"]
    assert imported["targets"] == written["targets"]
    assert imported["start_url"] == "http://127.0.0.1:8351/"
    both = json.loads(run("statistics", replica, again, "--json").stdout)["items"]
    assert {**both[0], "site": ""} == {**both[1], "site": ""}
    assert both[0]["targets"] == written["targets"]


def test_import_says_what_it_made(tmp_path):
    run("synth", "qa", "--pages", 60, "-o", tmp_path / "r.db")
    run("export", tmp_path / "r.db", "-o", tmp_path / "x.db", "--table", "office")
    done = run("import", tmp_path / "x.db", "-o", tmp_path / "y.db", "--table", "office")
    assert "office" in done.stdout
    assert "http://127.0.0.1:8351/" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("synth", "xx"), 2, "there is no kind 'xx'"),
        (("synth", "be", "--pages", 0), 2, "--pages"),
        (("statistics", "nowhere.db"), 3, "no such replica"),
        (("import", "nowhere.db", "-o", "x.db"), 3, "cannot be read"),
        (("export", "nowhere.db", "-o", "x.db"), 6, "unable to open"),
        (("record", "nowhere", "-o", "x.db"), 3, "nowhere"),
    ],
)
def test_mistakes_are_told_with_their_exit_codes(arguments, code, said):
    done = run(*arguments)
    assert done.exit_code == code
    assert said in done.output


def test_record_writes_a_replica_and_says_when_it_is_complete(tmp_path):
    home, sites = tmp_path / "home", tmp_path / "sites"
    environment = {"TALLYHO_HOME": str(home), "TALLYHO_SITES_DIR": str(sites)}
    replica = tmp_path / "demo.replica.db"
    sites.mkdir()
    with running_site(demo_site(60)) as base:
        site = {"start_url": f"{base}/", "allow_private_hosts": True, "politeness": {"delay": 0}}
        (sites / "demo.yaml").write_text(yaml.safe_dump(site))
        first = run("record", "demo", "-o", replica, "--requests", 30, **environment)
        second = run("record", "demo", "-o", replica, "--json", **environment)
        third = run("record", "demo", "-o", replica, **environment)
    assert "the same command resumes it" in first.stderr
    result = json.loads(second.stdout)
    assert (result["complete"], result["stop_reason"]) == (True, "frontier_empty")
    assert result["answers"] > 100
    assert "is complete already" in third.stderr
    assert [done.exit_code for done in (first, second, third)] == [0, 0, 0]


def test_record_of_a_site_that_is_away_is_exit_code_4(tmp_path):
    sites = tmp_path / "sites"
    sites.mkdir()
    site = {
        "start_url": "http://127.0.0.1:9/",
        "allow_private_hosts": True,
        "politeness": {"delay": 0, "retries": 0},
    }
    (sites / "away.yaml").write_text(yaml.safe_dump(site))
    environment = {"TALLYHO_HOME": str(tmp_path / "home"), "TALLYHO_SITES_DIR": str(sites)}
    assert run("record", "away", "-o", tmp_path / "r.db", **environment).exit_code == 4


@pytest.mark.parametrize("command", ["record", "import", "export", "synth", "statistics"])
def test_help_has_an_example(command):
    assert f"tallyho lab {command} " in run(command, "--help").output
