"""`make run`: serves the demo site on this machine, crawls it, checks its files, says what is next.

Run by the Python of .venv, from the project's folder.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

from crawler.config.load import find_site
from crawler.config.settings import Settings, load_settings
from crawler.errors import TallyhoError

ROOT = Path(__file__).resolve().parent.parent
TALLYHO = Path(sys.executable).with_name("tallyho")
SITE = "demo"
START_SECONDS = 60
STOP_SECONDS = 10


class DemoError(Exception):
    """A sentence for a person: what is wrong and what to do."""


def run_demo() -> int:
    """The exit code of the crawl, or of the validation."""
    # The demo is part of the project, whatever folders the environment names.
    os.environ["TALLYHO_SITES_DIR"] = str(ROOT / "include" / "sites")
    os.environ["TALLYHO_EXPECTATIONS_DIR"] = str(ROOT / "include" / "expectations")
    settings = load_settings()
    start_url = find_site(SITE, settings.sites_dir).start_url
    with _served(start_url):
        print(f"The demo statistics office is open at {start_url}", flush=True)
        code = _run("crawl", SITE, "--fresh")
    if code == 0:
        print("\nAre these files what they claim to be?", flush=True)
        code = _run("validate", SITE)
    if code == 0:
        _print_next(settings)
    return code


@contextmanager
def _served(start_url: str) -> Iterator[None]:
    port = urlsplit(start_url).port or 80
    _check_port(port)
    # Ctrl-C on the terminal is for the crawl alone, which still has to save its state.
    with _started("lab", "serve", SITE, "--port", str(port), quiet=True, group=0) as server:
        _wait_for(start_url, server)
        yield


@contextmanager
def _started(
    *arguments: str, quiet: bool = False, group: int | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """A tallyho command that does not outlive this block."""
    process = None
    try:
        with _signals_held():
            process = subprocess.Popen(  # noqa: S603 - no part of the command comes from outside
                [TALLYHO, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if quiet else None,
                process_group=group,
            )
        yield process
    finally:
        if process:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def _signals_held() -> Iterator[None]:
    """Deliver signals at the end: in the middle of a start they would leave a process behind."""
    caught: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: caught.append(number))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for held in caught:
        signal.raise_signal(held)


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise DemoError(
                f"The demo site needs port {port} of this machine, which cannot be had "
                f"({os.strerror(error.errno or 0)}): end the program that uses it, perhaps an "
                "earlier demo, then type `make run` again."
            ) from error


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    # Straight to this machine, whatever proxy the environment names.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise DemoError(f"The demo site ended at once, with exit code {server.returncode}.")
        try:
            with opener.open(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise DemoError(f"The demo site did not answer at {url} within {START_SECONDS} seconds.")


def _run(*arguments: str) -> int:
    """The exit code of a tallyho command."""
    # The terminal sends Ctrl-C to the command too: wait until it has saved.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with _started(*arguments) as command:
            code = command.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def _print_next(settings: Settings) -> None:
    manifest = _from_here(settings.manifest_path(SITE))
    command = _from_here(TALLYHO)
    with settings.manifest_path(SITE).open(encoding="utf-8") as lines:
        url = json.loads(next(lines))["url"]
    print(
        f"""
What to type next:
  {command} status {SITE}
  {command} explain {SITE} {url}
  {command} catalog search births --valid
  {command} serve
  head -n 3 {manifest}
  {command} sites check
A site of your own: write include/sites/NAME.yaml with its start_url, then
  {command} sites probe NAME
  {command} crawl NAME"""
    )


def _from_here(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    """A sentence and exit code 1 when the demo cannot start."""
    # So that the server is stopped in these cases too.
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGHUP, _end)
    try:
        return run_demo()
    except (DemoError, TallyhoError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
