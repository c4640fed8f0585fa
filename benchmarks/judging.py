"""What the judge costs: processor time of one run of Great Expectations over a batch of facts.

`python -m benchmarks.judging`; no file is read here, see benchmarks.validation for the whole.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

from crawler.readers.kinds import Kind
from crawler.validation.expectations import Judge
from crawler.validation.facts import FileFacts, TableFacts
from crawler.validation.inspection import Inspection
from crawler.validation.running import RUNNER
from crawler.validation.suites import load_suites

ROUNDS = 5
SUITES = Path(__file__).parents[1] / "include" / "expectations"


def main() -> None:
    """Prints the best of some rounds for several batches."""
    judge = Judge(load_suites(SUITES))
    started = time.process_time()
    RUNNER.warm_up()
    _print("importing the library", time.process_time() - started)
    table = TableFacts("", 100, 5, has_header=True, numeric_share=0.8, ragged_share=0.0)
    facts = FileFacts(tables=1, rows=100, numeric_share=0.8, per_table=(table,))
    one = Inspection(Kind.DELIMITED, "a.csv", facts=facts)
    every_kind = [replace(one, kind=kind) for kind in Kind]
    for name, batch in (
        ("1 file", [one]),
        ("300 files of one kind", [one] * 300),
        (f"{len(every_kind)} files, one of each kind", every_kind),
        (f"{13 * len(every_kind)} files of all kinds", every_kind * 13),
    ):
        times = []
        for _ in range(ROUNDS):
            started = time.process_time()
            judge.judge(batch)
            times.append(time.process_time() - started)
        _print(name, min(times))


def _print(name: str, seconds: float) -> None:
    sys.stdout.write(f"{name:<32} {seconds:7.3f} s\n")


if __name__ == "__main__":
    main()
