"""The cell of a process that reads hostile files: what it may touch, beside what it may take.

Each layer is put on where the kernel offers it, without root. A layer that is missing leaves the
others in force; `tallyho doctor` reports it.
"""

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path

from crawler.validation.landlock import restrict_files
from crawler.validation.seccomp import refuse_system_calls

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_DUMPABLE = 4
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt", "/etc", "/nix", "/gnu")
_MACHINE = (
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/vmstat",
    "/proc/zoneinfo",
    "/sys/devices/system",
    "/sys/fs/cgroup",
)
"""What libraries look at to decide how much to do at once."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_PACKAGE = str(Path(__file__).resolve().parents[1])
"""Our own modules: where they were found by way of the working folder, no path says so."""
_PASSED_ON = frozenset(
    {"HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "TZ", "VIRTUAL_ENV"}
)
"""Variables that a reader may need; all others may hold secrets."""


class Layer(StrEnum):
    """What holds a reader back."""

    PRIVILEGES = "no new privileges"
    FILES = "files"
    """Landlock: reads libraries and what it is given, writes in its own folder."""
    SYSTEM_CALLS = "system calls"
    """seccomp: no network, no programs, no signals to others."""


def bare_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what may be a secret."""
    return {
        name: value
        for name, value in environment.items()
        if name in _PASSED_ON or name.startswith("LC_")
    }


def lock_in(folder: Path, readable: Iterable[Path]) -> dict[Layer, str]:
    """Puts all layers on this process, for good; which could not be, and why.

    It writes in its folder only. It reads the libraries and what is `readable`; when that is not
    known, everything but the processes of others.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    # Other processes of this user may not look into it, nor find a dump of it.
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    places = _libraries() | set(readable or _everything())
    layers: tuple[tuple[Layer, Callable[[], None]], ...] = (
        (Layer.PRIVILEGES, lambda: _no_new_privileges(libc)),
        (
            Layer.FILES,
            lambda: restrict_files(places, [folder, *map(Path, _DEVICES)]),
        ),
        (Layer.SYSTEM_CALLS, refuse_system_calls),
    )
    missing: dict[Layer, str] = {}
    for layer, put_on in layers:
        try:
            put_on()
        except OSError as error:
            missing[layer] = error.strerror or str(error)
    return missing


def missing_layers() -> dict[Layer, str]:
    """What this machine lacks, and why, tried out in a process that ends at once."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with tempfile.TemporaryDirectory() as folder:
                missing = lock_in(Path(folder), ())
                said = "\n".join(f"{layer}\t{reason}" for layer, reason in missing.items())
                os.write(writing, said.encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as file:
        lines = file.read().splitlines()
    os.waitpid(child, 0)
    return {Layer(name): reason for name, _, reason in (line.partition("\t") for line in lines)}


def _no_new_privileges(libc: ctypes.CDLL) -> None:
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _libraries() -> set[Path]:
    python = {sys.prefix, sys.base_prefix, *(entry for entry in sys.path if entry), _PACKAGE}
    own = {f"/proc/{os.getpid()}"}
    return {Path(place) for place in {*python, *_SYSTEM, *_MACHINE, *own}}


def _everything() -> set[Path]:
    hidden = {"proc", "sys", "dev", "run"}
    return {entry for entry in Path("/").iterdir() if entry.name not in hidden}
