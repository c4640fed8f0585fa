"""What must be on the machine before an install: hnswlib is published as source only."""

import os
import re
import shlex
import shutil
import sysconfig
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from complaint import Complaint
from installers import run
from steps import ROOT, VENV

COMPILERS = ("c++", "g++", "clang++")
INCLUDE = "import sysconfig; print(sysconfig.get_path('include'))"


def has_hnswlib() -> bool:
    """Whether .venv has it, in the locked version."""
    lock = (ROOT / "requirements.txt").read_text()
    pin = re.search(r"^hnswlib==([\w.]+)", lock, re.MULTILINE)
    return bool(pin and any(VENV.glob(f"lib/*/site-packages/hnswlib-{pin[1]}.dist-info")))


def check_requisites(python: str, *, builds: bool, with_uv: bool) -> None:
    """Say in one sentence what the machine lacks; `builds` when hnswlib has yet to be built."""
    missing: list[tuple[str, str]] = []
    if builds:
        missing += _missing_for_a_build(python)
    if not with_uv and not find_spec("ensurepip"):
        missing.append(("Python's venv module", "python3-venv"))
    if missing:
        things = " and ".join(thing for thing, _ in missing)
        packages = " ".join(package for _, package in missing)
        raise Complaint(
            f"Tallyho needs {things}, which this machine lacks: install what is missing "
            f"(on Debian: apt-get install {packages}), then type the same command again."
        )


def _missing_for_a_build(python: str) -> Iterator[tuple[str, str]]:
    if not _has_compiler():
        yield "a C++ compiler (hnswlib is published as source only)", "g++"
    include = run([python, "-c", INCLUDE]).stdout.strip()
    if not (Path(include) / "Python.h").is_file():
        yield "the header files of Python (to build hnswlib)", "python3-dev"


def _has_compiler() -> bool:
    chosen = shlex.split(os.environ.get("CXX", ""))[:1]
    configured = shlex.split(sysconfig.get_config_var("CXX") or "")[:1]
    return any(shutil.which(name) for name in chosen or (*configured, *COMPILERS))
