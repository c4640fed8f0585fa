"""Two rules for every test: no network but this machine, and nothing skipped in CI.

The fixtures of tests/servers are there for every room.
"""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
pytest_plugins = [f"tests.servers.{file.stem}" for file in sorted((HERE / "servers").glob("*.py"))]

IN_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")
HARMLESS = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
OUTSIDE_CALLS: list[str] = []


def is_this_machine(family: int, address: Any) -> bool:
    """Whether a socket of this family stays on the machine with this address."""
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = str(address[0]).partition("%")[0]
    if host == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback


@pytest.fixture(scope="session", autouse=True)
def only_this_machine() -> Iterator[None]:
    """Refuse every connection that would leave the machine."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def own_reader_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Readers of this process wait for each other, not for those of tests that run beside it."""
    folder = tmp_path_factory.mktemp("readers") / "shares"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crawler.validation.reader_memory.shared_folder", lambda: folder)
        yield


def _guarded(original: Any) -> Any:
    def connect(self: socket.socket, address: Any) -> Any:
        if not is_this_machine(self.family, address):
            OUTSIDE_CALLS.append(f"a test tried to connect to {address!r}; tests stay on loopback")
            raise AssertionError(OUTSIDE_CALLS[-1])
        return original(self, address)

    return connect


@pytest.fixture(autouse=True)
def no_swallowed_connection(only_this_machine: None) -> Iterator[None]:
    """Fail the test also when the code under test, or a thread, swallowed the refusal."""
    OUTSIDE_CALLS.clear()
    yield
    if OUTSIDE_CALLS:
        pytest.fail(OUTSIDE_CALLS[0])


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(SkipRule(config), "skip-rule")


class SkipRule:
    """In CI a skipped test is a failure: what CI does not run, nobody has run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.skipped: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped[report.nodeid] = _reason(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped[report.nodeid] = _reason(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        # xdist passes on the skipped tests of its workers, but not the skipped files.
        self.skipped.update(getattr(node, "workeroutput", {}).get("skipped", {}))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["skipped"] = self.skipped
        elif IN_CI and self.skipped and session.exitstatus in HARMLESS:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if IN_CI and self.skipped:
            terminalreporter.write_sep("=", "skipped in CI, which counts as failed", red=True)
            for name, reason in sorted(self.skipped.items()):
                terminalreporter.write_line(f"{name}: {reason}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    place = report.longrepr
    return str(place[2]) if isinstance(place, tuple) else str(place)
