"""SIGKILL at random moments of crawl, validate, revisit and nightly: what is lost or repeated.

    python -m benchmarks.kills [--kills 1000] [--minutes 40] [--pages 30] [--seed 14]

The demo site is served by a process of its own and changes between the commands. A round takes a
new home through `crawl`, `validate`, three times `revisit`, and `nightly`; each is killed after
random delays and started again until it ends. After each command the home is compared with that
of a twin that was never killed: catalog, state, manifest, store, sightings, runs, verdicts, and
the server's access log. Rounds follow until the kills or the minutes are used up.

A night that is killed after its crawl has ended is another night when it is started again; its
twin runs the same number of nights. Exit code 0: nothing lost, nothing twice, at most one request
repeated for each kill, sightings and runs exact.
"""

import argparse
import json
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from benchmarks.kill_stage import (
    SITE,
    Differences,
    Request,
    Stage,
    another_run_is_over,
    ended_runs,
    last_run,
    stage_of,
)
from benchmarks.killed_command import CommandFailed, Home, KilledCommand

MAX_KILLS_OF_A_PHASE = 50
MIN_DELAY, MAX_DELAY = 0.3, 2.0
PART_OF_THE_TWIN = 0.3
"""The moment of a kill is drawn between 0 and this part of the seconds that the twin took, within
these bounds: a command is killed several times before it comes to its end."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A command, and the night of the site on which it runs."""

    name: str
    arguments: tuple[str, ...]
    night: int
    starts_a_run: bool
    """A new start after its run has ended makes another run."""


PHASES = (
    Phase("crawl", ("crawl", SITE), 0, starts_a_run=False),
    Phase("validate", ("validate", "--jobs", "1"), 0, starts_a_run=False),
    *(Phase("revisit", ("revisit", SITE), night, starts_a_run=True) for night in (5, 10, 15)),
    Phase("nightly", ("nightly", SITE), 20, starts_a_run=True),
)


@dataclass(frozen=True, slots=True)
class TwinStage:
    """The twin after one command."""

    home: Home
    stage: Stage
    asked: list[Request]
    seconds: float


@dataclass
class Place:
    """The served site, and the folder for homes."""

    folder: Path
    sites: Path
    log: Path
    night: Path
    twins: dict[tuple[int, int], TwinStage] = field(default_factory=dict)
    """By the place of the phase, and how often it ran."""

    def home(self, name: str) -> Home:
        """A home of this name."""
        return Home(self.folder / name, self.sites)

    def asked(self, since: int) -> tuple[list[Request], int]:
        """What the server was asked from a position of its log on, and the new position."""
        data = self.log.read_bytes()[since:] if self.log.exists() else b""
        entries = map(json.loads, data.splitlines())
        return [(entry["method"], entry["path"]) for entry in entries], since + len(data)

    def position(self) -> int:
        """The present end of the server's log."""
        return self.log.stat().st_size if self.log.exists() else 0

    def twin(self, place: int, runs: int) -> TwinStage:
        """The twin after the phase at this place, which ran this many times; made once."""
        phase = PHASES[place]
        key = (place, runs)
        if key not in self.twins:
            before = self._before(place, runs)
            home = self.home(f"twin-{place}-{runs}")
            if before is not None:
                shutil.copytree(before.home.path, home.path)
            self.night.write_text(str(phase.night))
            since = self.position()
            command = KilledCommand(home, phase.arguments, random.Random(0), self.folder / "said")
            seconds = command.to_its_end()
            asked = self.asked(since)[0] + (before.asked if before and runs > 1 else [])
            self.twins[key] = TwinStage(home, stage_of(home.path), asked, seconds)
        return self.twins[key]

    def _before(self, place: int, runs: int) -> TwinStage | None:
        if runs > 1:
            return self.twin(place, runs - 1)
        return self.twin(place - 1, 1) if place else None


@contextmanager
def served(folder: Path, pages: int) -> Iterator[Place]:
    """The demo site in a process of its own, and its site file."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    sites = folder / "sites"
    sites.mkdir()
    place = Place(folder, sites, folder / "access.jsonl", folder / "night")
    place.night.write_text("0")
    site = {
        "start_url": f"http://127.0.0.1:{port}/",
        "allow_private_hosts": True,
        "politeness": {"delay": 0},
        "early_stopping": False,
        # Everything is looked at in every night, so that clocks make no difference.
        "revisit": {"pages": "100%", "files": "100%"},
    }
    (sites / f"{SITE}.yaml").write_text(yaml.safe_dump(site))
    command = [sys.executable, "-m", "crawler", "lab", "serve", "demo", "--habits", "honest"]
    command += ["--port", str(port), "--pages", str(pages)]
    command += ["--access-log", str(place.log), "--night-file", str(place.night)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout is None or "Serving" not in server.stdout.readline():
                raise RuntimeError("the demo site is not served")
            yield place
        finally:
            server.kill()


@dataclass
class Rounds:
    """Homes that are killed again and again, one after the other."""

    place: Place
    chance: random.Random
    kills: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    found: Differences = field(default_factory=Differences)

    def one(self, left: int, end: float) -> None:
        """Take a new home through all phases; `left` kills are left, until `end`."""
        self.rounds += 1
        home = self.place.home(f"round-{self.rounds}")
        for index, phase in enumerate(PHASES):
            may_kill = time.monotonic() < end
            told = len(self.found.sentences)
            kills = self._phase(index, phase, home, min(left, MAX_KILLS_OF_A_PHASE) * may_kill)
            left -= kills
            for sentence in self.found.sentences[told:]:
                print(sentence, flush=True)
        shutil.rmtree(home.path)

    def _phase(self, index: int, phase: Phase, home: Home, max_kills: int) -> int:
        place, said = self.place, self.place.folder / "said"
        name = f"round {self.rounds}, {phase.name}"
        twin = place.twin(index, 1)
        place.night.write_text(str(phase.night))
        since, before = place.position(), ended_runs(home.path)
        command = KilledCommand(home, phase.arguments, self.chance, said)
        delay = min(max(MIN_DELAY, PART_OF_THE_TWIN * twin.seconds), MAX_DELAY)
        known = last_run(home.path)

        def is_over() -> bool:
            # Started again after its end, `revisit` would be another run.
            return phase.name == "revisit" and another_run_is_over(home.path, known)

        try:
            command.until_it_ends(max_kills, delay, is_over)
        except CommandFailed as error:
            self.found.sentences.append(f"{name}: {error}")
        self.kills[phase.name] += command.kills
        time.sleep(0.1)  # a request that was in flight reaches the log of the living server
        asked = place.asked(since)[0]
        runs = ended_runs(home.path) - before if phase.starts_a_run else 1
        twin = place.twin(index, max(runs, 1))
        self.found.requests(name, command.kills, asked, twin.asked)
        self.found.compare(name, stage_of(home.path), twin.stage)
        return command.kills


def main() -> int:
    """Exit code 0 when every promise was kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--seed", type=int, default=14)
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    with (
        tempfile.TemporaryDirectory(prefix="kills-") as folder,
        served(Path(folder), options.pages) as place,
    ):
        rounds = Rounds(place, random.Random(options.seed))
        warm = KilledCommand(place.home("twin"), ("--help",), rounds.chance, place.folder / "said")
        warm.to_its_end()
        while (left := options.kills - rounds.kills.total()) > 0 and time.monotonic() < end:
            rounds.one(left, end)
            progress(rounds)
    report(rounds)
    return 1 if rounds.found.any else 0


def progress(rounds: Rounds) -> None:
    """Print where the rounds stand."""
    kills, problems = dict(rounds.kills), len(rounds.found.sentences)
    print(f"round {rounds.rounds}: {kills} kills, {problems} problems", flush=True)


def report(rounds: Rounds) -> None:
    """Print the figures."""
    found, kills = rounds.found, rounds.kills.total()
    for name, count in rounds.kills.items():
        print(f"{name:<10} {count:>5} kills")
    print(f"{'together':<10} {kills:>5} kills in {rounds.rounds} rounds")
    print(f"files lost              {found.lost}")
    print(f"files twice             {found.twice}")
    print(f"sightings that differ   {found.sightings}")
    print(f"runs that differ        {found.runs}")
    print(f"runs left open          {found.open_runs}")
    print(f"verdicts that differ    {found.verdicts}")
    print(f"requests never made     {found.missing_requests}")
    print(
        f"requests repeated       {found.repeats} ({found.repeats / max(kills, 1):.2f} a kill; "
        f"{found.most_repeats:.2f} in the worst phase)"
    )


if __name__ == "__main__":
    sys.exit(main())
