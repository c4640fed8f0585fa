"""Makes the archives of this folder. Run it once, with the code of the version that they are from:

    PYTHONPATH=CHECKOUT python tests/upgrade/make_homes.py CHECKOUT VERSION

Each archive is a home as that version left it: catalog, crawl states, store, manifests.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from office import START_URL, running_office  # noqa: E402

STALL_AFTER = 17
"""Requests that the interrupted crawls had made when their process was killed."""


def site_file(folder: Path, proxy: str, strategy: str) -> None:
    """Writes the site file; only the proxy's port differs from run to run."""
    folder.mkdir(parents=True, exist_ok=True)
    site = {
        "start_url": START_URL,
        "http": {"proxy": proxy},
        "strategy": {"name": strategy},
        "politeness": {"delay": 0, "robots": False},
        "early_stopping": False,
        "allow_private_hosts": True,
        "seed": 3,
    }
    (folder / "office.yaml").write_text(json.dumps(site))


def tallyho(folder: Path, checkout: str, *arguments: str) -> "subprocess.Popen[bytes]":
    """Starts a command of that version."""
    places = {"TALLYHO_HOME": str(folder / "home"), "TALLYHO_SITES_DIR": str(folder / "sites")}
    environment = os.environ | places | {"PYTHONPATH": checkout, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "crawler", *arguments]
    return subprocess.Popen(command, cwd=checkout, env=environment)


def finish(process: "subprocess.Popen[bytes]") -> None:
    """Waits for a command that must succeed."""
    if code := process.wait():
        raise SystemExit(f"the command ended with {code}")


def complete_home(folder: Path, checkout: str) -> None:
    """Two complete crawls, the second with a changed file; verdicts; one file taken down."""
    for edition, options in ((1, []), (2, ["--fresh"])):
        with running_office(edition) as office:
            site_file(folder / "sites", office.url, "tallyho")
            finish(tallyho(folder, checkout, "crawl", "office", *options))
        finish(tallyho(folder, checkout, "validate", "office"))
    finish(tallyho(folder, checkout, "catalog", "remove", "4", "--reason", "asked for"))


def interrupted_home(folder: Path, checkout: str, strategy: str, name: str) -> list[str]:
    """Packs a crawl that was killed; gives the requests that the same version makes afterwards."""
    with running_office(stall_after=STALL_AFTER) as office:
        site_file(folder / "sites", office.url, strategy)
        process = tallyho(folder, checkout, "crawl", "office")
        office.stalled.wait(60)
        process.kill()
        process.wait()
    pack(folder, name)
    with running_office() as office:
        site_file(folder / "sites", office.url, strategy)
        finish(tallyho(folder, checkout, "crawl", "office"))
        return list(office.paths)


def pack(folder: Path, name: str) -> None:
    """Packs a home; the log of a killed process goes with its database."""
    with tarfile.open(HERE / f"{name}.tar.xz", "w:xz") as archive:
        archive.add(folder / "home", "home")


def main(checkout: str, version: str) -> None:
    """Makes the three homes of one version."""
    with tempfile.TemporaryDirectory(prefix="homes-") as temporary:
        folder = Path(temporary) / "complete"
        complete_home(folder, checkout)
        pack(folder, f"{version}-complete")
        continued = {}
        for strategy in ("tallyho", "sb"):
            folder = Path(temporary) / strategy
            name = f"{version}-interrupted-{strategy}"
            continued[strategy] = interrupted_home(folder, checkout, strategy, name)
    (HERE / f"{version}-continued.json").write_text(json.dumps(continued, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
