"""Crawls in which one call fails: run as a program with the shim preloaded.

    python runs.py FOLDER < "[[call, error], ...]"

It imports everything once and forks for each crawl, so that a hundred of them take seconds. Each
crawl has a home of its own below FOLDER, and is followed by one without a failure. One line of JSON
for each: the call that failed, both exit codes, what was printed.
"""

import contextlib
import ctypes
import json
import os
import sys
import traceback
from pathlib import Path


def crawl(home: Path, call: int, error: int) -> tuple[int, str, str]:
    """The exit code of `tallyho crawl`, what it printed, and which call failed."""
    output, report = home.parent / f"{home.name}.out", home.parent / f"{home.name}.failed"
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = _crawl_here(home, call, error, output, report)
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code, output.read_text(), report.read_text()


def _crawl_here(home: Path, call: int, error: int, output: Path, report: Path) -> int:
    from crawler.cli import main

    shim = ctypes.CDLL(None)
    shim.fault_failed.restype = ctypes.c_char_p
    shim.fault_count.restype = ctypes.c_long
    os.environ["TALLYHO_HOME"] = str(home)
    printed = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    sys.argv = ["tallyho", "crawl", "small"]
    code = 0
    shim.fault_arm(ctypes.c_long(call), error)
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 98
    count, failed = shim.fault_count(), shim.fault_failed().decode()
    shim.fault_arm(ctypes.c_long(0), 0)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    report.write_text(json.dumps([count, failed]))
    return code


def run(folder: Path) -> None:
    """Reads which calls are to fail, and prints what came of each."""
    import crawler.pipeline.crawl.acquire
    import crawler.pipeline.services

    assert crawler.pipeline.crawl.acquire
    assert crawler.pipeline.services
    for call, error in json.load(sys.stdin):
        home = folder / f"home-{call}-{error}"
        code, printed, report = crawl(home, call, error)
        count, failed = json.loads(report)
        again, printed_again, _ = crawl(home, 0, 0)
        row = {"call": call, "error": error, "failed": failed, "count": count, "code": code}
        row |= {"printed": printed, "again": again, "printed_again": printed_again}
        print(json.dumps({**row, "home": str(home)}), flush=True)


if __name__ == "__main__":
    run(Path(sys.argv[1]))
