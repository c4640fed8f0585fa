"""What reads like a note and not like a row: sources, remarks, explanations of signs."""

import re
from collections.abc import Sequence

from crawler.readers.cell_types import VALUES, type_of_text

MAX_NOTE = 300
LONG_TEXT = 60
_MAX_MARK = 4
_SHORT_LABEL = 3
"""Words that any label may have."""
# Words that notes begin with, in the languages of offices; as whole words, with a colon or alone.
_WORD = (
    r"sources?|notes?|notas?|footnotes?|legend|remarks?|last updated?|updated|copyright"
    r"|data extracted|extracted on|definitions?|explanat\w+|symbols?|key|please note|disclaimer"
    r"|remarques?|champ|lecture|avertissement|mise à jour|signes conventionnels|légende"
    r"|quellen?|anmerkung(?:en)?|hinweise?|zeichenerklärung|erläuterung(?:en)?|stand"
    r"|fuentes?|fontes?|bron|toelichting|källa|kilde|lähde|zdroj|źródło|uwagi?|forrás|πηγή"
    r"|источник\w*|примечани\w+|資料|出典|注|備考|來源|来源|자료|주"
)
_BEGINNING = re.compile(
    rf"\W{{0,3}}(?:{_WORD})\s*(?:[:：.;-]|$)|\W{{0,3}}(?:source|note|quelle|fuente)s?\b"
    r"|(?:\(c\)|©)"
    r"|[（(]注|注[\s\d]|\*+ ?\w|\(?\d{1,2}\)\s*[^\W\d]|\[\w{1,2}\]|\(?[a-z]\)\s*\w|[¹²³⁴⁵⁶⁷⁸⁹†‡§¶]"
    # `.. = not available`, `c = confidential`, `: not available`.
    r"|(?:\w|[^\w\s]{1,3})\s*=\s*[^\W\d]|(?:\.{1,3}|:)\s+[^\W\d]"
    r"|[-–—]\s*(?:not|no|nil|none|zero|nothing|less|rounds?|data|nichts?|néant|nul)\b"
    r"|(?:data |figures )?(?:as of|run (?:date|on)|prepared (?:on|by)|printed|generated)\b"
    r"|—— ?end|-{3,}|_{3,}|={3,}",
    re.IGNORECASE,
)
_STRONG = re.compile(rf"\W{{0,3}}(?:{_WORD})\s*[:：]|©", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,2}[.:]?\s*[^\W\d]\w+")
"""`1 Advanced mathematics includes`, `1Totals may`: a remark on what has the number beside it."""


def begins_as_note(text: str) -> bool:
    """Whether a text begins as sources and remarks do."""
    return _BEGINNING.match(text.strip()) is not None


def is_strong_note(text: str) -> bool:
    """Whether a text begins with a word that nothing but notes begins with."""
    return _STRONG.match(text.strip()) is not None


def reads_like_note(cells: Sequence[str]) -> bool:
    """Whether the filled cells of a row without figures are a note, wherever the row stands."""
    first = cells[0].strip()
    if begins_as_note(first) or len(first) > LONG_TEXT:
        return True
    if len(cells) == 1:
        return _NUMBERED.match(first) is not None and len(first.split()) > 3
    return is_mark_with_text(cells)


def is_mark_with_text(cells: Sequence[str]) -> bool:
    """A sign in one cell, and what it means in another: `*`, `provisional figures`."""
    if len(cells) < 2 or len(cells[0].strip()) > _MAX_MARK:
        return False
    second = cells[1].strip()
    others = all(type_of_text(cell[:400]) not in VALUES for cell in cells[1:])
    return others and len(second.split()) > 2 and len(cells) <= 3


def is_sign_with_text(cells: Sequence[str]) -> bool:
    """The same where the sign is none that could be a code: no letter and no digit."""
    sign = cells[0].strip()
    if len(cells) != 2 or len(sign) > _MAX_MARK or any(map(str.isalnum, sign)):
        return False
    return type_of_text(cells[1][:400]) not in VALUES


def is_odd_label(text: str, labels: Sequence[str]) -> bool:
    """Whether a label without figures is made otherwise than the labels of the other rows.

    It is longer than all of them, or has a colon or a full stop that none of them has: a remark,
    or the last place of the list.
    """
    words = len(text.split())
    if words > max(_SHORT_LABEL, *(len(label.split()) for label in labels)):
        return True
    is_told = any(sign in text for sign in ":：") or text.endswith(".")
    return is_told and not any(
        ":" in label or "：" in label or label.endswith(".") for label in labels
    )


def note_text(cells: Sequence[str]) -> str:
    """A note on one line."""
    return " ".join(" ".join(cells).split()).strip('"')[:MAX_NOTE]
