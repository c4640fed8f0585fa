"""One hostile file, and what must be said of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crawler.readers.content import Trouble

LOST_CONTROL = frozenset({Trouble.TIMEOUT.value, Trouble.MEMORY.value, Trouble.CRASHED.value})
"""Codes of files whose reader did not answer by itself; true only where a file expects them."""

VALID, SUSPECT, DOCUMENT, BROKEN = "valid", "suspect", "document", "broken"
NOT_A_DATASET = "not_a_dataset"

BOMB = Trouble.BOMB.value
CORRUPT = Trouble.CORRUPT.value
CUT_SHORT = f"{Trouble.TRUNCATED}|{Trouble.CORRUPT}"
ENCRYPTED = Trouble.ENCRYPTED.value
MEMORY = Trouble.MEMORY.value
"""Where a library takes memory by what the file says, and is stopped at its bound."""
TOO_DEEP = Trouble.TOO_DEEP.value
TOO_LARGE = Trouble.TOO_LARGE.value
TRUNCATED = Trouble.TRUNCATED.value
UNSUPPORTED = Trouble.UNSUPPORTED.value


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file that was made to hurt its reader."""

    name: str
    make: Callable[[], bytes]
    file_name: str
    verdicts: str
    """Verdicts that are true of it, with `|` between them."""
    reasons: str = ""
    """Codes of reasons that are true of it, with `|` between them; empty: there must be none."""
    rows: int | None = None
    """Rows that it has, where they can be counted."""

    def mistakes(self, verdict: str, codes: Iterable[str], rows: int | None) -> list[str]:
        """What is not true of it in a verdict with these reasons; empty when all is."""
        got = set(codes)
        wanted = set(filter(None, self.reasons.split("|")))
        wrong = []
        if lost := got & LOST_CONTROL - wanted:
            wrong.append(f"its reader lost control: {sorted(lost)}")
        if verdict not in self.verdicts.split("|"):
            wrong.append(f"it is {self.verdicts}, not {verdict}")
        if untrue := got - wanted - LOST_CONTROL:
            wrong.append(f"not true of it: {sorted(untrue)}")
        if verdict not in (VALID, SUSPECT) and wanted and not got & wanted:
            wrong.append(f"it has the reason {self.reasons}, got {sorted(got)}")
        if self.rows is not None and rows != self.rows:
            wrong.append(f"it has {self.rows} rows, not {rows}")
        return wrong


def of_kind(
    ending: str,
) -> "Callable[..., Hostile]":
    """Makes hostile files whose name has this ending."""

    def hostile(
        name: str,
        make: Callable[[], bytes] | bytes,
        verdicts: str,
        reasons: str = "",
        rows: int | None = None,
    ) -> Hostile:
        made = make if callable(make) else (lambda: make)
        return Hostile(f"{ending}-{name}", made, f"births.{ending}", verdicts, reasons, rows)

    return hostile
