"""What is wrong with a configuration file, where, and what was probably meant."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
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
        """For `--json`."""
        return {
            "file": str(self.file),
            "line": self.line,
            "field": self.field,
            "reason": redact(self.reason),
        }


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'; did you mean "requests"?', or nothing when no known word is similar."""
    near = get_close_matches(word.lower()[:80], list(known), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""
