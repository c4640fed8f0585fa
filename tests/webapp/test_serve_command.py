"""`tallyho serve`: says where it listens, serves there, and ends on Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys

import pytest
import requests

from crawler.catalog import open_catalog
from crawler.cli.serve import serve
from crawler.config.settings import Settings
from crawler.errors import ConfigError

COMMAND = "import typer; from crawler.cli.serve import serve; typer.run(serve)"


@pytest.fixture
def environment(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLYHO_")}
    open_catalog(Settings(home=tmp_path / "home"), create=True).close()
    return kept | {"TALLYHO_HOME": str(tmp_path / "home")}


@pytest.mark.slow
def test_empty_catalog_is_served_on_loopback_until_ctrl_c(environment):
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--port", "0"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = process.stdout.readline()
            assert said.startswith("Serving the catalog at http://127.0.0.1:")
            base = said.split()[4]
            answer = requests.get(f"{base}health", timeout=30)
            assert answer.json() == {"status": "ok"}
            assert "server" not in answer.headers
            assert "The catalog is empty" in requests.get(base, timeout=30).text
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()


def test_port_in_use_is_told(environment, monkeypatch):
    monkeypatch.setenv("TALLYHO_HOME", environment["TALLYHO_HOME"])
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(ConfigError, match="the port is in use"),
    ):
        serve(host="127.0.0.1", port=taken.getsockname()[1])
