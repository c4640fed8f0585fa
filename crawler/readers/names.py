"""The names of columns: the lines of a header joined, none twice, none empty."""

from collections import Counter
from collections.abc import Sequence

MAX_NAME = 300
SEPARATOR = " / "


def levels_of(rows: Sequence[Sequence[str]], width: int, *, spread: bool) -> list[list[str]]:
    """The labels of each line of a header, for every column.

    With `spread` a label stands over the empty cells on its right, as merged cells are saved in
    texts; the last line names only its own columns.
    """
    lines = [[" ".join(cell.split()) for cell in row[:width]] for row in rows]
    lines = [[*line, *[""] * (width - len(line))] for line in lines]
    if not spread:
        return lines
    return [*[_spread(line, lines[at + 1 :]) for at, line in enumerate(lines[:-1])], *lines[-1:]]


def joined(levels: Sequence[Sequence[str]], width: int) -> list[str]:
    """One name for each column: its labels from top to bottom, those that are said twice once."""
    names: list[str] = []
    for place in range(width):
        parts = dict.fromkeys(line[place] for line in levels if line[place])
        names.append(SEPARATOR.join(parts)[:MAX_NAME])
    return names


def name_key(name: str) -> str:
    """What two names have in common that differ in case and blanks only."""
    return " ".join(name.casefold().split())


def repeated_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that several columns have."""
    return tuple(name for name, times in Counter(names).items() if times > 1 and name)


def unique_names(names: Sequence[str]) -> list[str]:
    """Names without gaps and repetitions: `column 3` for none, `a_4` for a second `a`."""
    unique: list[str] = []
    taken: set[str] = set()
    for place, name in enumerate(names):
        new = name or f"column {place + 1}"
        while new in taken:
            new = f"{new}_{place + 1}"
        taken.add(new)
        unique.append(new)
    return unique


def _spread(line: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Labels continued over empty cells, as long as a line below names the column."""
    spread: list[str] = []
    label = ""
    for place, cell in enumerate(line):
        label = cell or label
        is_named = cell or any(row[place] for row in below)
        spread.append(label if is_named else "")
    return spread
