"""What is wrong with a site file, and where."""

from dataclasses import dataclass
from pathlib import Path

from crawler.redaction import redact


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One mistake in one file."""

    file: Path
    line: int
    field: str
    """The path of keys, such as budget.requests; empty when the file as a whole is wrong."""
    reason: str

    def __str__(self) -> str:
        field = f" {self.field}:" if self.field else ""
        return redact(f"{self.file}:{self.line}:{field} {self.reason}")

    def as_dict(self) -> dict[str, str | int]:
        """The same for `--json`."""
        return {
            "file": str(self.file),
            "line": self.line,
            "field": self.field,
            "reason": redact(self.reason),
        }
