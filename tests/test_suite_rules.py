"""The rules of conftest.py, each tried on a small suite of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # each of them starts a pytest of its own

SKIPS_A_TEST = """
import pytest

def test_that_runs(): pass

@pytest.mark.skip(reason="no printer here")
def test_that_prints(): pass
"""
SKIPS_ITSELF = """
import pytest

pytest.skip("no scanner here", allow_module_level=True)
"""
CONNECTS = """
import socket
import threading

import pytest

def test_outside_by_address():
    with socket.socket() as outside:
        outside.connect(("192.0.2.1", 80))

def test_outside_by_name():
    socket.socket().connect(("statistics.invalid", 80))

def test_outside_by_ipv6():
    socket.socket(socket.AF_INET6).connect_ex(("2001:db8::1", 80))

def test_outside_swallowed():
    with pytest.raises(AssertionError):
        socket.socket().connect(("192.0.2.1", 80))

def test_outside_in_a_thread():
    def call():
        try:
            socket.socket().connect(("192.0.2.1", 80))
        except AssertionError:
            pass
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()

def test_inside_by_ipv4():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_inside_by_name():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.socket() as client:
            client.connect(("localhost", server.getsockname()[1]))

def test_inside_by_ipv6():
    with socket.socket(socket.AF_INET6) as client:
        with pytest.raises(OSError):
            client.connect(("::1", 1))

def test_inside_by_path(tmp_path):
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(tmp_path / "s"))
        server.listen()
        client.connect(str(tmp_path / "s"))
"""


WAYS_OUT = ("by_address", "by_name", "by_ipv6", "swallowed", "in_a_thread")


def run_suite(
    folder: Path, source: str, *options: str, ci: str
) -> subprocess.CompletedProcess[str]:
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    (folder / "test_small.py").write_text(source)
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    # The plug-ins of other packages take two seconds to import, and none of these rules needs one.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "xdist",
            *options,
            str(folder),
        ],
        cwd=folder,
        env={**environment, "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (SKIPS_A_TEST, "test_small.py::test_that_prints: Skipped: no printer here"),
        (SKIPS_ITSELF, "test_small.py: Skipped: no scanner here"),
    ],
    ids=["test", "file"],
)
@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "workers"])
def test_skipped_test_fails_the_run_in_ci_and_is_named(tmp_path, source, told, options):
    result = run_suite(tmp_path, source, *options, ci="true")
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert "skipped in CI, which counts as failed" in result.stdout
    assert told in result.stdout


@pytest.mark.parametrize("ci", ["", "false"])
def test_skipped_test_is_let_pass_elsewhere(tmp_path, ci):
    result = run_suite(tmp_path, SKIPS_A_TEST, ci=ci)
    assert result.returncode == pytest.ExitCode.OK
    assert "counts as failed" not in result.stdout


def test_run_without_skips_passes_in_ci(tmp_path):
    result = run_suite(tmp_path, "def test_that_runs(): pass", ci="true")
    assert result.returncode == pytest.ExitCode.OK


def test_connection_off_this_machine_fails_its_test_and_only_that(tmp_path):
    result = run_suite(tmp_path, CONNECTS, "-rA", ci="true")
    lines = result.stdout.splitlines()
    failed = {
        line.split()[1].partition("::")[2] for line in lines if line[:6] in ("FAILED", "ERROR ")
    }
    passed = {line.split()[1].partition("::")[2] for line in lines if line.startswith("PASSED")}
    assert failed == {f"test_outside_{way}" for way in WAYS_OUT}
    assert passed - failed == {f"test_inside_by_{way}" for way in ("ipv4", "name", "ipv6", "path")}
    assert "a test tried to connect to ('192.0.2.1', 80)" in result.stdout
