"""The critic of paper 004: how similar a page is to pages that are known to be relevant."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt

LEAST_WORDS = 5
"""Of a sentence; shorter ones are menus and the like (Section 3.1)."""
MAX_NGRAMS = 3_000
"""Distinct n-grams that are kept of a page."""
MAX_PAGES = 50
"""Relevant pages that are compared with."""

_SENTENCE_END = re.compile(r"[.!?。]+\s|\n")
_WORD = re.compile(r"\w+")
_PRIME = np.uint64(0x9E3779B97F4A7C15)

NGrams = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class TextVector:
    """The 1-, 2- and 3-grams of a page's words, as hashes in order, with weights of length 1."""

    ngrams: NGrams
    weights: npt.NDArray[np.float64]

    def cosine(self, other: "TextVector") -> float:
        """How similar two pages are, from 0 to 1."""
        _, mine, theirs = np.intersect1d(
            self.ngrams, other.ngrams, assume_unique=True, return_indices=True
        )
        return float((self.weights[mine] * other.weights[theirs]).sum())

    def save(self) -> bytes:
        """As bytes."""
        return self.ngrams.tobytes() + self.weights.tobytes()

    @staticmethod
    def load(saved: bytes) -> "TextVector":
        """Back from bytes."""
        half = len(saved) // 2
        return TextVector(
            np.frombuffer(saved[:half], dtype=np.uint64).copy(),
            np.frombuffer(saved[half:], dtype=np.float64).copy(),
        )


def vector_of(text: str) -> TextVector:
    """The vector of a page's text, one block to a line."""
    ngrams: list[NGrams] = []
    for sentence in _SENTENCE_END.split(text.lower()):
        words = _WORD.findall(sentence)
        if len(words) >= LEAST_WORDS:
            hashes = [crc32(word.encode("utf-8", "surrogatepass")) for word in words]
            one = np.array(hashes, dtype=np.uint64)
            with np.errstate(over="ignore"):
                two = one[:-1] * _PRIME + one[1:]
                three = two[:-1] * _PRIME + one[2:]
            ngrams += [one, two, three]
    if not ngrams:
        return TextVector(np.zeros(0, dtype=np.uint64), np.zeros(0))
    found, counts = np.unique(np.concatenate(ngrams), return_counts=True)
    # The smallest hashes are a sample that is the same on every page.
    found, weights = found[:MAX_NGRAMS], counts[:MAX_NGRAMS].astype(np.float64)
    return TextVector(found, weights / np.sqrt((weights**2).sum()))


class Critic:
    """The relevant pages; a page's score is the mean of its similarities with them."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self.pages: list[TextVector] = []
        self._mean: TextVector | None = None

    @property
    def is_full(self) -> bool:
        """Whether it has as many pages as it keeps."""
        return len(self.pages) >= MAX_PAGES

    def add(self, page: TextVector) -> None:
        """Take a page for relevant."""
        if len(page.ngrams) and not self.is_full:
            self.pages.append(page)
            self._mean = None

    def score(self, page: TextVector) -> float:
        """The arithmetic mean of the cosines (Section 4.1.1); 0 without relevant pages."""
        if not self.pages:
            return 0.0
        if self._mean is None:
            # The mean of the cosines is the product with the mean of the vectors.
            self._mean = _mean_of(self.pages)
        return page.cosine(self._mean)

    def prune(self) -> bool:
        """Remove pages that have less to do with the others than the threshold asks for."""
        kept = [
            page
            for page in self.pages
            if _mean(page.cosine(other) for other in self.pages if other is not page)
            >= self._threshold
        ]
        removed = 0 < len(kept) < len(self.pages)
        if removed:
            self.pages, self._mean = kept, None
        return removed


def _mean_of(pages: Sequence[TextVector]) -> TextVector:
    found, where = np.unique(np.concatenate([page.ngrams for page in pages]), return_inverse=True)
    weights = np.zeros(len(found))
    np.add.at(weights, where, np.concatenate([page.weights for page in pages]))
    return TextVector(found, weights / len(pages))


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
