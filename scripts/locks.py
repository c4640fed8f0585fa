"""Resolves the lock files from pyproject.toml."""

from complaint import Complaint
from installers import find_uv, run

RUNTIME = "requirements.txt"
COMPILE = [
    "pip",
    "compile",
    "--universal",
    "--python-version",
    "3.11",
    "--no-header",
    "--quiet",
    "--generate-hashes",
]


def resolve_locks() -> None:
    """Write the lock files with hashes; the pins of the runtime lock bind the others."""
    uv = find_uv()
    if not uv:
        raise Complaint("`make lock` needs uv: install it (pipx install uv), then try again.")
    for more in (
        ["pyproject.toml", "-o", RUNTIME],
        ["pyproject.toml", "--group", "dev", "-c", RUNTIME, "-o", "requirements-dev.txt"],
        ["--group", "build", "-c", RUNTIME, "-o", "requirements-build.txt"],
    ):
        result = run([uv, *COMPILE, *more])
        if result.returncode:
            raise Complaint(f"{result.stdout}\nThe lock could not be resolved; see above.")
        print(f"wrote {more[-1]}")
