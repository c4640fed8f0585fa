"""Fuzzes one target, or all one after the other, for some seconds each.

    python -m fuzzing [robots|html|urls|yaml|readers|all] [--seconds 60] [--keep FOLDER]

Needs atheris, which is not among the locked packages: `.venv/bin/uv pip install atheris==3.0.0`.
What makes a target fail is written to crash-…; it belongs into a test of its room. With --keep the
corpus is kept between runs, and stays small: only inputs that reach new code are added.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzzing.seeds import SEEDS

MAX_INPUT = 65_536
SECONDS_OF_ONE_INPUT = 10
MEGABYTES = 2048


def main() -> int:
    """Exit code 0 when nothing was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("target", nargs="?", default="all", choices=[*SEEDS, "all"])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        fuzz(options.target, options.seconds, options.keep)
    names = list(SEEDS) if options.target == "all" else [options.target]
    failed = [name for name in names if not run(name, options.seconds, options.keep)]
    print(
        f"{len(names)} targets, {options.seconds} s each: {', '.join(failed) or 'nothing'} failed"
    )
    return 1 if failed else 0


def run(name: str, seconds: int, keep: Path | None) -> bool:
    """Fuzz in a process of its own, as atheris ends the one that it is in."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = keep / name if keep else Path(folder)
        command = [sys.executable, "-m", "fuzzing", name, "--one", "--keep", str(corpus)]
        return subprocess.run([*command, "--seconds", str(seconds)], check=False).returncode == 0


def fuzz(name: str, seconds: int, corpus: Path) -> None:
    """Never returns."""
    import atheris

    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[name]):
        (corpus / f"seed-{number}").write_bytes(seed)
    with atheris.instrument_imports(include=["crawler"]):
        from fuzzing.targets import TARGETS
    limits = [f"-max_total_time={seconds}", f"-max_len={MAX_INPUT}", f"-rss_limit_mb={MEGABYTES}"]
    arguments = [sys.argv[0], *limits, f"-timeout={SECONDS_OF_ONE_INPUT}", str(corpus)]
    atheris.Setup(arguments, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
