"""Take each defence away in a copy of the project, and see its tests fail.

    python -m benchmarks.defences [--attack 16] [--minutes 4]

A test that passes with and without what it is about proves nothing. `benchmarks/attacks.toml` lists
the defences against the attacks of docs/limits.md. The tests of each pass with it; without it they
fail, do not come to an end within the minutes, or die. Exit code 1: some did not notice, or the
code has changed so that a defence is not found any more.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

MAX_MEMORY = 6 * 1000**3
"""Address space of the tests: without their defences, some files take all that there is."""
ROOT = Path(__file__).parents[1]
LIST = ROOT / "benchmarks" / "attacks.toml"


@dataclass(frozen=True, slots=True)
class Defence:
    """A piece of a file, what stands there without the defence, and the tests that notice."""

    attack: int
    what: str
    file: str
    present: str
    absent: str
    tests: list[str]


class Outcome(StrEnum):
    """What a run of tests came to."""

    PASSED = "passed"
    FAILED = "failed"
    ENDLESS = "did not end"
    """The attack succeeded: something takes all the time there is."""
    DIED = "ended the process"
    """The attack succeeded: it took all the memory there is, or the library gave up."""
    NOT_RUN = "could not be run"


def copied(target: Path) -> None:
    """Copy what git knows of the project, as it is now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def tested(project: Path, tests: Sequence[str], minutes: float) -> tuple[Outcome, str]:
    """Run tests of a copy; what came of them, and the first that failed."""
    # No bytecode: a file that is changed and changed back within a second looks like the other.
    environment = os.environ | {"PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    with subprocess.Popen(
        command,
        cwd=project,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY)),
    ) as process:
        try:
            said, _ = process.communicate(timeout=60 * minutes)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return Outcome.ENDLESS, ""
    if process.returncode < 0:
        return Outcome.DIED, said[-400:]
    outcomes = {0: Outcome.PASSED, 1: Outcome.FAILED}
    failed = [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    told = failed[0].split(" ")[1] if failed else said[-400:]
    return outcomes.get(process.returncode, Outcome.NOT_RUN), told


@contextmanager
def without(project: Path, defence: Defence) -> Iterator[bool]:
    """The copy without the defence; False where the code does not have it in this form."""
    path = project / defence.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(defence.present, defence.absent), encoding="utf-8")
    try:
        yield defence.present in text
    finally:
        path.write_text(text, encoding="utf-8")


def problems_of(project: Path, defence: Defence, minutes: float) -> list[str]:
    """Print one line for each of a defence's tests; those that notice nothing."""
    problems = []
    for test in defence.tests:
        before, told = tested(project, [test], minutes)
        if before is not Outcome.PASSED:
            problems.append(f"{test} {before} with the defence: {told}")
            continue
        with without(project, defence) as is_found:
            after, told = tested(project, [test], minutes) if is_found else (Outcome.NOT_RUN, "")
        if not is_found:
            problems.append(f"{defence.file} has no {defence.present!r}")
        elif after not in (Outcome.FAILED, Outcome.ENDLESS, Outcome.DIED):
            problems.append(f"{test} {after} without: {defence.what} {told}")
        sys.stdout.write(f"| {defence.attack} | {defence.what} | {test} | {after} |\n")
        sys.stdout.flush()
    return problems


def main() -> int:
    """Exit code 0 when every test noticed that its defence was gone."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--attack", type=int, action="append", default=[])
    parser.add_argument("--minutes", type=float, default=4.0)
    options = parser.parse_args()
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["defence"]
    defences = [Defence(**each) for each in listed]
    wanted = [each for each in defences if not options.attack or each.attack in options.attack]
    sys.stdout.write("| attack | without | test | outcome |\n|---:|---|---|---|\n")
    problems = []
    with tempfile.TemporaryDirectory(prefix="defences-") as folder:
        copied(Path(folder))
        for defence in wanted:
            problems += problems_of(Path(folder), defence, options.minutes)
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    attacks = len({each.attack for each in wanted})
    sys.stdout.write(
        f"{len(wanted)} defences against {attacks} attacks, {len(problems)} not noticed\n"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
