"""`tallyho lab serve`: what it accepts, and that it serves what it was asked for."""

import json
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from crawler.cli.lab import app
from crawler.errors import ConfigError


def test_an_unknown_site_is_a_usage_error_that_lists_what_exists():
    result = CliRunner().invoke(app, ["serve", "nowhere"])
    assert result.exit_code == 2
    assert "there is no site 'nowhere'; there are: demo" in " ".join(
        result.output.replace("│", " ").split()
    )


@pytest.mark.parametrize(
    "wrong", [["--port", "0"], ["--port", "70000"], ["--pages", "0"], ["--seed", "x"]]
)
def test_a_value_out_of_range_is_a_usage_error(wrong):
    assert CliRunner().invoke(app, ["serve", "demo", *wrong]).exit_code == 2


def test_help_has_an_example():
    assert "tallyho lab serve demo" in CliRunner().invoke(app, ["serve", "--help"]).output


def test_a_busy_port_is_a_configuration_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["serve", "demo", "--port", port])
    assert isinstance(result.exception, ConfigError)


def test_the_demo_site_is_served_with_its_options(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path / "access.jsonl"
    options = f"serve demo --port {port} --pages 60 --seed 5 --unique-ids --access-log {log}"
    with subprocess.Popen(
        [sys.executable, "-c", "from crawler.cli.lab import app; app()", *options.split()],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        said = process.stdout.readline()
        with urlopen(f"http://127.0.0.1:{port}/en/") as answer:
            body = answer.read()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert f"http://127.0.0.1:{port}/" in said
    assert b' id="u' in body
    assert [json.loads(line)["path"] for line in log.read_text().splitlines()] == ["/en/"]
