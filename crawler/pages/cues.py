"""What a link shows before it is followed (paper 004, Section 4.2): its words and its looks."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt
from lxml import etree

from crawler.pages.styles.properties import Style
from crawler.pages.text import visible_text

MAX_WORDS = 24
"""Words that are kept of a link and of the element around it together."""
WORDS_OF_LINK = 10
_TEXT_LENGTH = 300
_WORD_LENGTH = 30
_EDGES = ".,;:!?()[]{}<>\"'«»“”‘’…-–—*|/\\"

# Section 4.2.2 leaves out common English words; other languages are left to the weighting.
# fmt: off
STOP_WORDS = frozenset({
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as",
    "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
    "can", "could", "did", "do", "does", "doing", "down", "during", "each", "few", "for", "from",
    "further", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "just", "me", "more", "most", "my", "no", "nor",
    "not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over",
    "own", "same", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until",
    "up", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
    "why", "will", "with", "would", "you", "your", "yours",
})
# fmt: on

Words = npt.NDArray[np.uint32]
"""Hashes of words, `MAX_WORDS` of them; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The styles of a link and of the element around it: 2 times 61 features."""

    link: Style
    around: Style


def hashed(text: str, limit: int) -> list[int]:
    """The words of a text: letters alone, so that numbers, dates and user names are out."""
    found: list[int] = []
    for part in text.lower().split():
        word = part.strip(_EDGES)
        if 1 < len(word) <= _WORD_LENGTH and word.isalpha() and word not in STOP_WORDS:
            found.append(crc32(word.encode("utf-8", "surrogatepass")) or 1)
            if len(found) >= limit:
                break
    return found


def words_of(link: list[int], around: list[int]) -> Words:
    """The words of a link and those around it, in a row of fixed length."""
    words = np.zeros(MAX_WORDS, dtype=np.uint32)
    found = link[:WORDS_OF_LINK] + around
    found = found[:MAX_WORDS]
    words[: len(found)] = found
    return words


def text_words(element: etree._Element, limit: int) -> list[int]:
    """The words that an element shows."""
    return hashed(visible_text(element, _TEXT_LENGTH), limit)
