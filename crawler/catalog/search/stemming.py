"""Stems of words, by the rules of each language (Snowball): births and birth are one word.

A document's words are stemmed in its own language. A question may be in any: its words have the
stems of all languages that are written in their letters.
"""

import re
from functools import cache, lru_cache
from typing import Any

_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
_SCRIPTS = {
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
_LATIN = tuple(language for language in _ALGORITHMS if language not in _SCRIPTS)
_SAME = {"nb": "no", "nn": "no", "uk": "ru", "be": "ru", "bg": "ru"}
"""Languages whose words are stemmed by the rules of a neighbour."""
DEFAULT_LANGUAGE = "en"
MIN_LETTERS = 4
"""Shorter words are abbreviations and codes as often as not; they stay as they are."""


def language_code(tag: str) -> str:
    """The first part of a language tag: `pt` for `pt-BR`."""
    return tag.strip().lower().replace("_", "-").partition("-")[0]


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """The stem of a normalised word in a language; English where the language is unknown."""
    if len(word) < MIN_LETTERS or not word.isalpha():
        return word
    code = _SAME.get(language, language)
    if code not in _ALGORITHMS or not _fits(word, code):
        code = next((name for name in _SCRIPTS if _fits(word, name)), DEFAULT_LANGUAGE)
    return str(_stemmer(code).stemWord(word)) or word


@lru_cache(maxsize=20_000)
def stems(word: str) -> tuple[str, ...]:
    """The different stems that a word may have, the English one first, itself last."""
    script = next((name for name in _SCRIPTS if _fits(word, name)), None)
    languages = (script,) if script else (DEFAULT_LANGUAGE, *_LATIN)
    return tuple(dict.fromkeys([*(stem(word, language) for language in languages), word]))


def _fits(word: str, language: str) -> bool:
    script = _SCRIPTS.get(language)
    if script is not None:
        return script.search(word) is not None
    return not any(other.search(word) for other in _SCRIPTS.values())


@cache
def _stemmer(code: str) -> Any:
    # Imported here: all languages together take long, and many commands never search.
    import snowballstemmer

    return snowballstemmer.stemmer(_ALGORITHMS[code])
