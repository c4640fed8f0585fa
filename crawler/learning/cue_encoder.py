"""From what links show to numbers: tf-idf of words, CSS as in Figure 4 of paper 004, the score."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from crawler.pages.cue import Cue
from crawler.pages.cues import Looks
from crawler.pages.styles.properties import CATEGORIES

MAX_VOCABULARY = 1_000
"""Words that a model knows, the most frequent ones of its examples."""
MAX_ONE_HOT = 300
"""Columns for keywords and fonts."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cues:
    """What several links show, side by side."""

    words: npt.NDArray[np.uint32]
    """A row of hashed words for each."""
    looks: npt.NDArray[np.int32]
    """Which of the known looks each has."""
    parents: Floats
    """The score of the page of each."""

    def __len__(self) -> int:
        return len(self.looks)


class CueEncoder:
    """Knows the words, numbers, keywords and fonts of the examples that it was fitted on."""

    def __init__(self) -> None:
        self._vocabulary = np.zeros(0, dtype=np.uint32)
        self._idf = np.zeros(0)
        self._mean = np.zeros(0)
        self._scale = np.zeros(0)
        self._columns: dict[str, int] = {}
        """Of a keyword or font of the link or of the element around it."""
        self._encoded: list[tuple[list[int], list[float]]] = []
        """Columns and values of every known look."""

    def fit(self, cues: Cues, looks: Sequence[Looks]) -> None:
        """Learn what there is among these links."""
        self._fit_words(cues.words)
        used = [looks[number] for number in np.unique(cues.looks)]
        numbers = np.array([_numbers(looks[number]) for number in cues.looks])
        self._mean = numbers.mean(axis=0)
        deviation = numbers.std(axis=0)
        self._scale = np.where(deviation > 0, deviation, 1.0)
        names = sorted({name for look in used for name in _names(look)})[:MAX_ONE_HOT]
        self._columns = {name: len(self._mean) + at for at, name in enumerate(names)}
        self._encoded = []

    def _fit_words(self, words: npt.NDArray[np.uint32]) -> None:
        rows = [np.unique(row[row > 0]) for row in words]
        found, counts = np.unique(np.concatenate(rows), return_counts=True)
        kept = np.sort(np.lexsort((found, -counts))[:MAX_VOCABULARY])
        self._vocabulary = found[kept]
        self._idf = np.log((1 + len(words)) / (1 + counts[kept])) + 1

    def encode(self, cues: Cues, wanted: Sequence[Cue], looks: Sequence[Looks]) -> sparse.csr_array:
        """The links as rows of a matrix, the wanted cues side by side."""
        blocks = []
        for cue in wanted:
            match cue:
                case Cue.TEXT:
                    blocks.append(self._tf_idf(cues.words))
                case Cue.CSS:
                    blocks.append(self._styles(cues.looks, looks))
                case Cue.PARENT:
                    blocks.append(sparse.csr_array(cues.parents[:, np.newaxis]))
        return sparse.csr_array(sparse.hstack(blocks, format="csr"))

    def _tf_idf(self, words: npt.NDArray[np.uint32]) -> sparse.csr_array:
        """Counts times inverse document frequency, every row of length 1 (as scikit-learn's)."""
        shape = (len(words), max(len(self._vocabulary), 1))
        if not len(self._vocabulary):
            return sparse.csr_array(shape)
        at = np.searchsorted(self._vocabulary, words).clip(max=len(self._vocabulary) - 1)
        known = self._vocabulary[at] == words
        ends = np.concatenate([[0], known.sum(axis=1).cumsum()])
        matrix = sparse.csr_array((np.ones(int(ends[-1])), at[known], ends), shape=shape)
        matrix.sum_duplicates()
        matrix.data *= self._idf[matrix.indices]
        rows = np.repeat(np.arange(len(words)), np.diff(matrix.indptr))
        squares = np.zeros(len(words))
        np.add.at(squares, rows, matrix.data**2)
        matrix.data /= np.sqrt(squares)[rows]
        return matrix

    def _styles(self, numbers: npt.NDArray[np.int32], looks: Sequence[Looks]) -> sparse.csr_array:
        while len(self._encoded) < len(looks):
            self._encoded.append(self._style(looks[len(self._encoded)]))
        columns = [self._encoded[number][0] for number in numbers]
        values = [self._encoded[number][1] for number in numbers]
        ends = np.cumsum([0, *map(len, columns)])
        width = len(self._mean) + len(self._columns)
        flat = np.array([at for row in columns for at in row], dtype=np.int64)
        data = np.array([value for row in values for value in row])
        return sparse.csr_array((data, flat, ends), shape=(len(numbers), width))

    def _style(self, look: Looks) -> tuple[list[int], list[float]]:
        scaled = (np.array(_numbers(look)) - self._mean) / self._scale
        columns = np.flatnonzero(scaled).tolist()
        values = scaled[columns].tolist()
        hot = sorted({self._columns[name] for name in _names(look) if name in self._columns})
        return columns + hot, values + [1.0] * len(hot)

    def save(self) -> dict[str, bytes]:
        """Everything under names."""
        return {
            "vocabulary": self._vocabulary.tobytes(),
            "idf": self._idf.tobytes(),
            "mean": self._mean.tobytes(),
            "scale": self._scale.tobytes(),
            "columns": json.dumps(self._columns).encode(),
        }

    def load(self, saved: dict[str, bytes]) -> None:
        """Everything back; what was empty was not kept."""
        self._vocabulary = np.frombuffer(saved.get("vocabulary", b""), dtype=np.uint32).copy()
        self._idf, self._mean, self._scale = (
            np.frombuffer(saved.get(name, b"")).copy() for name in ("idf", "mean", "scale")
        )
        columns: dict[str, Any] = json.loads(saved["columns"])
        self._columns = {name: int(at) for name, at in columns.items()}
        self._encoded = []


def _numbers(look: Looks) -> tuple[float, ...]:
    return look.link.numbers + look.around.numbers


def _names(look: Looks) -> list[str]:
    """The keywords, one-hot, and the fonts, several at once, of both elements."""
    found = []
    for where, style in (("link", look.link), ("around", look.around)):
        pairs = zip(CATEGORIES, style.categories, strict=True)
        found += [f"{where} {name}: {value}" for name, value in pairs]
        found += [f"{where} font: {font}" for font in style.fonts]
    return found
