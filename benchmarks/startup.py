"""How long the command line takes to start, beside importing its two largest libraries.

    python -m benchmarks.startup [--runs 10]

The commands and the yardstick take turns, and of each the fastest run counts: what else the machine
does makes a run slower, never faster. It disturbs the processor time less than the wall clock. All
of them run from bytecode, as after an installation, whatever PYTHONDONTWRITEBYTECODE says here.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

YARDSTICK = ("-c", "import typer, sqlalchemy")
COMMANDS = {
    "tallyho --help": ("-m", "crawler", "--help"),
    "tallyho catalog search births": ("-m", "crawler", "catalog", "search", "births"),
}


def environment(folder: Path) -> dict[str, str]:
    """Variables for a run that keeps catalog and bytecode in this folder."""
    variables = {name: value for name, value in os.environ.items() if "BYTECODE" not in name}
    places = {"TALLYHO_HOME": folder / "home", "PYTHONPYCACHEPREFIX": folder / "bytecode"}
    return variables | {name: str(place) for name, place in places.items()}


def seconds_of(arguments: Sequence[str], variables: dict[str, str]) -> tuple[float, float]:
    """Wall clock and processor time of one run in a new process."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=variables,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    best: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(Path(folder))
        seconds_of(("-m", "crawler", "catalog", "upgrade"), variables)  # makes the catalog
        for arguments in (YARDSTICK, *COMMANDS.values()):
            seconds_of(arguments, variables)  # makes the bytecode
        for _ in range(runs):
            for name, arguments in {"yardstick": YARDSTICK, **COMMANDS}.items():
                wall, processor = seconds_of(arguments, variables)
                before = best.get(name, (wall, processor))
                best[name] = min(before[0], wall), min(before[1], processor)
    wall, processor = best.pop("yardstick")
    print(f"yardstick: python {YARDSTICK[0]} {YARDSTICK[1]!r}: {wall:.2f} s\n")
    print("| command | seconds | command / yardstick | of processor time |")
    print("|---|---:|---:|---:|")
    for name, (its_wall, its_processor) in best.items():
        ratios = f"{its_wall / wall:.2f} | {its_processor / processor:.2f}"
        print(f"| `{name}` | {its_wall:.2f} | {ratios} |")


if __name__ == "__main__":
    main()
