"""Text from files and websites, made fit to stand in a sentence."""

import unicodedata
from collections.abc import Sequence

SHORT = 80
"""Characters of a name in a sentence."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str, limit: int = SHORT) -> str:
    """The text on one line, without control and direction characters, cut at a limit."""
    beginning = text[: 4 * limit]
    visible = "".join(
        " " if character.isspace() else character
        for character in beginning
        if character.isspace() or unicodedata.category(character) not in _INVISIBLE
    )
    line = " ".join(visible.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def listed(names: Sequence[str], most: int = 8, limit: int = SHORT) -> str:
    """Some names in a row: `A, B, C and 12 more`."""
    shown = ", ".join(plain(name, limit) or "(no name)" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
