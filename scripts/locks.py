"""Resolves the lock files from pyproject.toml."""

from installers import find_uv, run
from requisites import SetupError

COMPILE = [
    "pip",
    "compile",
    "pyproject.toml",
    "--universal",
    "--python-version",
    "3.11",
    "--no-header",
    "--quiet",
]


def resolve_locks() -> None:
    """Write both lock files; the pins of the runtime lock bind the other."""
    uv = find_uv()
    if not uv:
        raise SetupError("`make lock` needs uv: install it (pipx install uv), then try again.")
    for more in (
        ["-o", "requirements.txt"],
        ["--group", "dev", "-c", "requirements.txt", "-o", "requirements-dev.txt"],
    ):
        result = run([uv, *COMPILE, *more])
        if result.returncode:
            raise SetupError(f"{result.stdout}\nThe lock could not be resolved; see above.")
        print(f"wrote {more[-1]}")
