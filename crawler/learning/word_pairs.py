"""Distinct 2-grams of a page's words: the items of a page in paper 002 (Section 2.2)."""

import re
from zlib import crc32

import numpy as np
import numpy.typing as npt

Items = npt.NDArray[np.uint32]
"""Items as sorted, distinct hashes: two in a thousand million pairs of items share one."""

MAX_PAIRS = 5_000
"""2-grams of one page; a longer one is as rich as a page needs to be."""

_WORD = re.compile(r"\w+")
_SPREAD = 0x9E3779B1


def word_pairs(text: str) -> Items:
    """The distinct pairs of neighbouring words, in small letters, of which the first are kept."""
    codes: dict[str, int] = {}
    words = [
        codes.setdefault(word, crc32(word.encode("utf-8", "surrogatepass")))
        for word in _WORD.findall(text.lower())
    ]
    hashes = np.array(words, dtype=np.uint32)
    pairs = hashes[:-1] * np.uint32(_SPREAD) + hashes[1:]
    distinct, first = np.unique(pairs, return_index=True)
    kept = np.sort(np.argsort(first, kind="stable")[:MAX_PAIRS])
    items: Items = distinct[kept]
    return items
