"""The memory of a crawl in Airflow: its task and the supervisor of the task, while it crawls.

`python -m benchmarks.task_memory` starts Airflow as `make up` does, with one site of this machine,
and looks at the two processes that the crawl holds. `private` is what nobody else uses, which is
what the machine gets back when the task ends; `proportional` adds their share of what they have in
common with the worker; `resident` counts all of that for each process again.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site

ROOT = Path(__file__).parents[1]
FIELDS = {"resident": ("Rss",), "proportional": ("Pss",), "private": ("Private_",)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90, help="How long it crawls.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, running_site(demo_site(5000)) as base:
        folder = Path(name)
        (folder / "sites").mkdir()
        text = "allow_private_hosts: true\nschedule: '@once'\npoliteness: {delay: 0.05}\n"
        (folder / "sites" / "office.yaml").write_text(f"start_url: {base}/\n{text}")
        demo = f"start_url: http://127.0.0.1:{_free_port()}/\nallow_private_hosts: true\n"
        (folder / "sites" / "demo.yaml").write_text(f"{demo}enabled: false\n")
        environment = os.environ | {
            "TALLYHO_HOME": str(folder / "home"),
            "TALLYHO_SITES_DIR": str(folder / "sites"),
        }
        try:
            _script("up.py", environment, "--port", str(_free_port()))
            task = _crawler(folder / "home" / "state" / "office.lock")
            time.sleep(options.seconds)
            supervisor = int(_stat(task)[1])
            rows = {"task": _memory(task), "supervisor": _memory(supervisor)}
        finally:
            _script("down.py", environment)
    print(f"after {options.seconds:.0f} s of crawling, in MB:")
    print(f"{'':12}" + "".join(f"{name:>14}" for name in FIELDS))
    rows["together"] = {name: sum(row[name] for row in rows.values()) for name in FIELDS}
    for what, row in rows.items():
        print(f"{what:12}" + "".join(f"{row[name]:14.0f}" for name in FIELDS))


def _script(name: str, environment: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def _crawler(lock: Path) -> int:
    while not lock.exists() or not lock.read_text():
        time.sleep(0.5)
    return int(lock.read_text())


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _memory(pid: int) -> dict[str, float]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return {
        name: sum(kb for field, kb in kilobytes.items() if _is_of(field, parts)) / 1000
        for name, parts in FIELDS.items()
    }


def _is_of(field: str, parts: tuple[str, ...]) -> bool:
    return any(field == part or (part.endswith("_") and field.startswith(part)) for part in parts)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


if __name__ == "__main__":
    main()
