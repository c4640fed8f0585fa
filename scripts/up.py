"""`make up`: Airflow with the nights, the catalog's pages and the demo site, live on this machine.

Run by the Python of .venv, from the project's folder. `make down` ends all of it.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from airflow_home import ROOT, USER, AirflowHome
from complaint import answer_of, check_port, exit_code, free_port, from_here, wait_until
from sessions import Session, new_session, saved_session

from crawler.config.load import find_site
from crawler.config.settings import Settings, load_settings
from crawler.errors import ConfigError, TallyhoError

DEMO = "demo"
BIN = Path(sys.executable).parent
START_SECONDS = 600
HEALTHY = ("metadatabase", "scheduler", "dag_processor")


def run_file(settings: Settings) -> Path:
    """The file that records the running session."""
    return settings.home / "run" / "up.json"


def project_settings() -> Settings:
    """The settings; without a folder of sites in the environment, those of the project."""
    os.environ.setdefault("TALLYHO_SITES_DIR", str(ROOT / "include" / "sites"))
    return load_settings()


def up(port: int) -> int:
    """Starts everything and waits until it works."""
    settings = project_settings()
    place = run_file(settings)
    running = saved_session(place)
    if running is not None:
        print("It is running already.")
        _print(running, AirflowHome.of(settings))
        return 0
    home = AirflowHome.of(settings)
    demo = _demo_address(settings)
    check_port(port, "Airflow", "end the program that uses it, or type `make up PORT=8081`.")
    if demo:
        what = "perhaps an earlier demo, then type `make up` again."
        check_port(
            urlsplit(demo).port or 80, "The demo site", f"end the program that uses it, {what}"
        )
    print("Starting Airflow; the first time takes about a minute ...", flush=True)
    session = _start(settings, home, port, demo)
    log = home.logs / "airflow.log"
    try:
        wait_until(
            lambda: _is_healthy(session.address),
            lambda: not session.members(),
            "Airflow",
            START_SECONDS,
            log,
        )
    except BaseException:
        session.end()
        place.unlink(missing_ok=True)
        raise
    _print(session, home)
    return 0


def _start(settings: Settings, home: AirflowHome, port: int, demo: str) -> Session:
    home.password()
    address = f"http://127.0.0.1:{port}"
    environment = home.environment(settings) | {
        "AIRFLOW__API__HOST": "127.0.0.1",
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": address,
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{address}/execution/",
        "AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT": str(free_port()),
        "AIRFLOW__LOGGING__TRIGGER_LOG_SERVER_PORT": str(free_port()),
    }
    commands = [[str(home.logs / "airflow.log"), str(BIN / "airflow"), "standalone"]]
    if demo:
        serve = [str(BIN / "python"), "-m", "crawler", "lab", "serve", DEMO]
        where = ["--port", str(urlsplit(demo).port or 80)]
        where += ["--access-log", str(home.logs / "demo-site.jsonl")]
        commands.insert(0, [str(home.logs / "demo-site.log"), *serve, *where])
    leader = subprocess.Popen(  # noqa: S603 - no part of the command comes from outside
        [sys.executable, str(Path(__file__).with_name("keeper.py")), *map(json.dumps, commands)],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    session = new_session(leader.pid, address, USER, demo)
    session.save(run_file(settings))
    return session


def _demo_address(settings: Settings) -> str:
    """Where the demo site has to be; empty when there is none, or it is not ours to serve."""
    try:
        start_url = find_site(DEMO, settings.sites_dir).start_url
    except ConfigError:
        return ""
    return start_url if urlsplit(start_url).hostname == "127.0.0.1" else ""


def _is_healthy(address: str) -> bool:
    answer = answer_of(f"{address}/api/v2/monitor/health")
    if answer is None:
        return False
    parts = json.loads(answer)
    return all(parts[part]["status"] == "healthy" for part in HEALTHY)


def _print(session: Session, home: AirflowHome) -> None:
    print(
        f"""
Airflow     {session.address}
login       {session.user}
password    {home.password()}
catalog     {session.address}/plugin/tallyho   (the menu entry Tallyho)
demo site   {session.demo or "not served"}
logs        {from_here(home.logs)}

The night of the demo site, acquire__demo, runs by itself once. Your own site: write
include/sites/NAME.yaml with its start_url; within a minute there is a DAG acquire__NAME.
`make down` ends all of this.""",
        flush=True,
    )


def main() -> int:
    """Exit code 0 when it runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="port of Airflow's pages")
    port, left = parser.parse_args().port, "interrupted; nothing is left running"
    return exit_code(lambda: up(port), TallyhoError, interrupted=left)


if __name__ == "__main__":
    sys.exit(main())
