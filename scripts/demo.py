"""`make run`: one night of the demo site through Airflow, then what came of it and what is next.

Run by the Python of .venv, from the project's folder.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

from airflow_home import ROOT, AirflowHome
from children import child
from complaint import (
    Complaint,
    answer_of,
    check_demo_port,
    exit_code,
    from_here,
    last_lines,
    wait_until,
)
from live_line import live_line
from night_summary import print_night
from sessions import saved_session
from up import run_file

from crawler.config.load import find_file, find_site
from crawler.config.settings import Settings, load_settings
from crawler.errors import TallyhoError

TALLYHO = Path(sys.executable).with_name("tallyho")
SITE = "demo"
START_SECONDS = 60
STEPS = ("plan", "crawl", "batches", "validate", "publish", "close")


def run_demo(port: int | None) -> int:
    """0 when the night went well."""
    # The demo is part of the project, whatever folder of sites the environment names.
    os.environ["TALLYHO_SITES_DIR"] = str(ROOT / "include" / "sites")
    os.environ["TALLYHO_EXPECTATIONS_DIR"] = str(ROOT / "include" / "expectations")
    settings = load_settings()
    running = saved_session(run_file(settings))
    if running is not None:
        raise Complaint(
            f"`make up` is running and does this by itself: open {running.address}, or type "
            "`make down` first."
        )
    home = AirflowHome.of(settings)
    start_url = find_site(SITE, settings.sites_dir).start_url
    if port is not None and port != urlsplit(start_url).port:
        settings = _at_another_port(settings, port)
        start_url = find_site(SITE, settings.sites_dir).start_url
    log = home.logs / "night.log"
    with _served(start_url, home.logs / "demo-site.log"):
        print(f"The demo statistics office is open at {start_url}", flush=True)
        print(f"Airflow runs its night, acquire__{SITE}; its log is {from_here(log)}", flush=True)
        night = _night(settings, home, log)
    print_night(settings, SITE, night)
    _print_next(settings)
    return 0


def _at_another_port(settings: Settings, port: int) -> Settings:
    """The settings with a folder of sites in which the demo has this port."""
    folder = settings.home / "run" / "sites"
    folder.mkdir(parents=True, exist_ok=True)
    text = find_file(SITE, settings.sites_dir).read_text(encoding="utf-8")
    moved = re.sub(r"(?m)^(start_url: http://127\.0\.0\.1):\d+/", rf"\g<1>:{port}/", text)
    (folder / f"{SITE}.yaml").write_text(moved, encoding="utf-8")
    os.environ["TALLYHO_SITES_DIR"] = str(folder)
    return load_settings()


@contextmanager
def _served(start_url: str, log: Path) -> Iterator[None]:
    port = urlsplit(start_url).port or 80
    check_demo_port(port)
    serve = [sys.executable, "-m", "crawler", "lab", "serve", SITE, "--port", str(port)]
    # Ctrl-C on the terminal is for the night alone, which still has to save its state.
    with log.open("wb") as output, child(serve, output=output, group=0) as server:
        wait_until(
            lambda: answer_of(start_url) is not None,
            lambda: server.poll() is not None,
            "The demo site",
            START_SECONDS,
            log,
        )
        yield


def _night(settings: Settings, home: AirflowHome, log: Path) -> Mapping[str, object]:
    """The states of the tasks and what they returned."""
    result = home.folder / "night.json"
    result.unlink(missing_ok=True)
    script = Path(__file__).with_name("night.py")
    command = [sys.executable, str(script), SITE, str(ROOT / "dags"), str(result)]
    with (
        log.open("wb") as output,
        child(command, output=output, environment=home.environment(settings)) as night,
        live_line(settings, SITE) as show,
    ):
        while night.poll() is None:
            show()
            try:
                night.wait(0.5)
            except subprocess.TimeoutExpired:
                continue
    if night.returncode == 0:
        return dict(json.loads(result.read_text()))
    failed = _failed_task(result)
    what = f"The night failed in {failed}" if failed else "The night could not be run"
    raise Complaint(f"{last_lines(log)}{what}; all that Airflow said is in {from_here(log)}")


def _failed_task(result: Path) -> str:
    """The first task that failed; the later ones depend on it."""
    if not result.exists():
        return ""
    tasks = json.loads(result.read_text())["tasks"]
    return next((name for name in STEPS if tasks.get(name) == "failed"), "")


def _print_next(settings: Settings) -> None:
    manifest = from_here(settings.manifest_path(SITE))
    command = from_here(TALLYHO)
    with settings.manifest_path(SITE).open(encoding="utf-8") as lines:
        url = json.loads(next(lines))["url"]
    elsewhere = settings.sites_dir != ROOT / "include" / "sites"
    sites = f"\n  export TALLYHO_SITES_DIR={from_here(settings.sites_dir)}" if elsewhere else ""
    print(
        f"""
What to type next:{sites}
  make up                       Airflow itself, live, with the catalog's pages; make down ends it
  {command} catalog search births --valid
  {command} serve
  {command} status {SITE}
  {command} explain {SITE} {url}
  head -n 3 {manifest}
Your own site: write include/sites/NAME.yaml with its start_url, then
  {command} sites probe NAME
  {command} nightly NAME"""
    )


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    """Exit code 0 when the night went well."""
    # So that server and night are stopped in these cases too.
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGHUP, _end)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, help="port of the demo site, instead of its file's")
    port = parser.parse_args().port
    return exit_code(lambda: run_demo(port), TallyhoError)


if __name__ == "__main__":
    sys.exit(main())
