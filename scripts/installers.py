"""The ways to install a package into .venv: uv where it is or can be had, else pip."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence

from steps import PYTHON, ROOT, VENV

BUILD_LOCK = "requirements-build.txt"
"""The installer, and what builds packages that are published as source only."""
BUILT_BY = ("UV_BUILD_CONSTRAINT", "PIP_BUILD_CONSTRAINT")
PIP = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input")


def find_uv() -> str | None:
    """A uv that runs: a name on the PATH may be a version manager's empty shell."""
    for uv in (shutil.which("uv"), shutil.which(str(VENV / "bin" / "uv"))):
        if uv and run([uv, "--version"]).returncode == 0:
            return uv
    return None


def ways_to_install(uv: str | None) -> Iterator[tuple[str, ...]]:
    """The first words of install commands, the best way first.

    pip comes second: it may be configured with mirrors and certificates that uv does not know.
    """
    if not uv and _has_pip():
        run([*PIP, "install", "--quiet", "--retries", "1", "--require-hashes", "-r", BUILD_LOCK])
        uv = find_uv()
    if uv:
        yield (uv, "pip", "install", "--python", str(PYTHON))
    if not uv or _has_pip():
        yield (*PIP, "install")


def _has_pip() -> bool:
    """Also after an attempt to put it there: an environment made for uv is made without it."""
    return run([*PIP, "--version"]).returncode == 0 or (
        run([str(PYTHON), "-m", "ensurepip"]).returncode == 0
    )


def run(
    command: Sequence[str], keep_open: tuple[int, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's folder, with all its output as one text."""
    return subprocess.run(  # noqa: S603 - no part of a command comes from outside
        command,
        cwd=ROOT,
        # Packages are built with the locked tools, by uv and by pip from version 25.3 on.
        env=os.environ | {name: BUILD_LOCK for name in BUILT_BY if (ROOT / BUILD_LOCK).exists()},
        pass_fds=keep_open,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
