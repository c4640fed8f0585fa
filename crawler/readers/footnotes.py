"""The lines after a table that are not part of it: sources, notes, a copyright."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from crawler.readers.cells import is_value
from crawler.readers.dialect import split_lines

TAIL = 64 * 1024
_TOLD = 10
_LONGEST = 300
_BEGINNING = re.compile(
    r"\W{0,3}(?:source|note|notes|footnote|legend|last update|updated|copyright|©|data extracted"
    r"|remarque|champ|lecture|avertissement|mise à jour|signes conventionnels"
    r"|quelle|anmerkung|hinweis|stand|fuente|nota|fonte|bron|toelichting|källa|lähde|zdroj|źródło"
    r"|uwaga|forrás|πηγή|источник|примечание|資料|出典|注|備考|（注|\(注|來源|来源)(?![^\W_])"
    r"|\*+ ?\w|\(?\d{1,2}\)\s|\[\d{1,2}\]\s|[a-z]\)\s|[¹²³⁴⁵]|—— ?end|-{3,}|_{3,}|={3,}",
    re.IGNORECASE,
)

_SOURCE = re.compile(r"\W{0,3}[^\W\d_]{2,12} ?[:：] ?\S|\W{0,2}©", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Footnotes:
    """What stands below a table."""

    lines: int = 0
    """Lines from the last row of the table to the end."""
    texts: tuple[str, ...] = ()


def find_footnotes(lines: Sequence[str], delimiter: str, width: int) -> Footnotes:
    """The footnotes among the last lines of a text."""
    count = 0
    texts: list[str] = []
    after_gap = _gaps(lines)
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if line.strip():
            if not _is_note(line, delimiter, width, after_gap=after_gap[at]):
                break
            text = line.replace(delimiter, " ") if delimiter.strip() else line
            texts.append(" ".join(text.split()).strip('"')[:_LONGEST])
        count = len(lines) - at
    texts = [text for text in reversed(texts) if text]
    if not texts or count == len(lines):
        return Footnotes()
    return Footnotes(count, tuple(texts[:_TOLD]))


def _gaps(lines: Sequence[str]) -> list[bool]:
    """For each line whether the block of lines that it belongs to stands after an empty one."""
    gaps = []
    gap = False
    for at, line in enumerate(lines):
        gap = (gap or at > 0) if not line.strip() else gap
        gaps.append(gap)
    return gaps


def _is_note(line: str, delimiter: str, width: int, *, after_gap: bool) -> bool:
    rows = split_lines([line], delimiter)
    if not rows:
        return True
    cells = [cell.strip() for cell in rows[0].cells]
    filled = [cell for cell in cells if cell]
    if not filled:
        return True
    begins = _BEGINNING.match(filled[0]) is not None
    if width == 1:
        return begins or (len(line) > 60 and " " in line.strip())
    if len(filled) == 1:
        # A number on its own is what is left of a row.
        return not is_value(filled[0]) and bool(cells[0] or begins)
    if len(cells) == width and any(is_value(cell) for cell in filled[1:]):
        # A source has commas and a year too.
        return _SOURCE.match(filled[0]) is not None
    if begins or len(filled[0]) > 80:
        return True
    return after_gap and len(cells) != width and not any(is_value(cell) for cell in filled)
