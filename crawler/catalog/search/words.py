"""Words as the search compares them: without case, accents and marks, the same on all databases."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise

MAX_WORD = 40
MAX_WORDS = 16
"""Words of a question; more only narrow what is empty already."""
MAX_PAIRED = 20

_MAX_TEXT = 10_000
_WORD = re.compile(r"[^\W_]+")
# Chinese and Japanese write no spaces: each character is a word of its own.
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Letters that Unicode does not take apart, though people leave the stroke out.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)


def normalised(text: str) -> str:
    """The text without case and accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(mark for mark in apart if not unicodedata.combining(mark))
    # Taking apart can give capitals and lose their case only on a second look.
    return _IDEOGRAPH.sub(r" \1 ", bare.casefold().translate(_PLAIN))


def words_asked(text: str, limit: int | None = MAX_WORDS) -> list[str]:
    """The words of a question, each once."""
    return list(dict.fromkeys(words_in_order(text)))[:limit]


def words_in_order(text: str) -> list[str]:
    """The words of a text as they stand in it."""
    return [word[:MAX_WORD] for word in _WORD.findall(normalised(text[:_MAX_TEXT]))]


def pairs_of(texts: Iterable[str], limit: int) -> list[str]:
    """Words that stand beside each other, joined: what a search for a phrase looks up."""
    pairs: dict[str, None] = {}
    for text in texts:
        words = words_in_order(text)
        pairs.update((joined(*pair), None) for pair in pairwise(words))
        if len(pairs) >= limit:
            break
    return list(pairs)[:limit]


def joined(first: str, second: str) -> str:
    """Two words as one; a zero cannot stand between two words by itself."""
    return f"{first[:MAX_PAIRED]}0{second[:MAX_PAIRED]}"


def words_of(texts: Iterable[str], limit: int) -> list[str]:
    """The first different words of texts, sorted; `births2024` also gives its two parts."""
    words: set[str] = set()
    for word in _all_words(texts):
        words.add(word[:MAX_WORD])
        if len(words) >= limit:
            break
    return sorted(words)


def _all_words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        cut = text[:_MAX_TEXT]
        for word in _WORD.findall(normalised(cut)):
            yield word
            if not word.isalpha() and not word.isdigit():
                yield from _PARTS.findall(word)
        if len(humps := _CAMEL.sub(" ", cut)) != len(cut):
            yield from _WORD.findall(normalised(humps))
