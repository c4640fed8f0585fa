"""What gets installed into .venv, and the stamps that record what is installed already."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


@dataclass(frozen=True, slots=True)
class Step:
    """One install; it is done again when one of its files changes."""

    name: str
    arguments: tuple[str, ...]
    files: tuple[str, ...]
    covers: tuple["Step", ...] = ()
    """Steps that need not be done after this one."""

    @property
    def stamp(self) -> Path:
        """Holds the checksum of the files that were installed; missing after an interruption."""
        return VENV / f".installed-{self.name}"

    def checksum(self) -> str:
        """Of all files of the step."""
        digest = hashlib.sha256()
        for name in self.files:
            digest.update((ROOT / name).read_bytes())
        return digest.hexdigest()

    def is_done(self) -> bool:
        """Whether the files are installed as they are now."""
        try:
            return self.stamp.read_text() == self.checksum()
        except FileNotFoundError:
            return False

    def mark(self, *, done: bool) -> None:
        """Write the stamp, or take it away."""
        for step in (self, *self.covers):
            if done:
                step.stamp.write_text(step.checksum())
            else:
                step.stamp.unlink(missing_ok=True)


RUNTIME = Step("runtime", ("--require-hashes", "-r", "requirements.txt"), ("requirements.txt",))
DEV = Step(
    "dev",
    ("--require-hashes", "-r", "requirements-dev.txt"),
    ("requirements.txt", "requirements-dev.txt"),
    covers=(RUNTIME,),
)
PROJECT = Step("project", ("--no-deps", "-e", "."), ("pyproject.toml",))
