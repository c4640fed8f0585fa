"""Character 2-grams of URLs and anchor texts, the features of paper 000's classifiers (III-D)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_FIRST, _LAST = 0x20, 0x7E
_ALPHABET = _LAST - _FIRST + 1
FEATURES = _ALPHABET * _ALPHABET
"""One feature per pair of printable ASCII characters."""


def _codes(text: str) -> npt.NDArray[np.intp]:
    # One byte a character, also where it is not ASCII: "?" would be a character of URLs.
    raw = text.encode("ascii") if text.isascii() else _only_ascii(text)
    return np.frombuffer(raw, dtype=np.uint8).astype(np.intp) - _FIRST


def _only_ascii(text: str) -> bytes:
    return bytes(code if code < 0x80 else 0xFF for code in map(ord, text))


def two_grams(url: str) -> npt.NDArray[np.intp]:
    """The feature of every character pair of a URL, in order; pairs outside ASCII have none."""
    codes = _codes(url)
    pairs: npt.NDArray[np.intp] = codes[:-1] * _ALPHABET + codes[1:]
    fine = (codes >= 0) & (codes < _ALPHABET)
    return pairs if fine.all() else pairs[fine[:-1] & fine[1:]]


def two_gram_scores(
    texts: Sequence[str], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The sum of the weights of every text's pairs; the same whatever other texts are asked for."""
    # All texts in one array: a page with a hundred new links costs a handful of numpy calls.
    # The line break between two texts is outside the alphabet, so no pair spans them. Two of
    # them end the last one: every text then has as many terms wherever it stands, and the same
    # sum to the last bit.
    codes = _codes("\n".join(texts) + "\n\n")
    fine = (codes >= 0) & (codes < _ALPHABET)
    pairs = codes[:-1] * _ALPHABET + codes[1:]
    terms = np.where(fine[:-1] & fine[1:], weights.take(pairs, mode="clip"), 0.0)
    lengths = np.fromiter((len(text) + 1 for text in texts), dtype=np.intp, count=len(texts))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    scores: npt.NDArray[np.float64] = np.add.reduceat(terms, starts)
    return scores
