"""What paper 001 learns from (section 3.1): hashed tokens of a URL, and the labels of its parents.

A link has binary features, each a number: from 0 to `hashes` - 1 for tokens, then those of parents.
"""

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt

MAX_FEATURES = 24
"""Features of one link; later tokens of a long URL are dropped."""
PARENT_FEATURES = 5
"""One for a relevant parent, four for the share of relevant parents."""

NUMBER = "[NUMBER]"
_MIN_LENGTH = 3
_TOKEN = re.compile(r"[^\W_]+")
_SHARES = (0.0, 1 / 3, 2 / 3)

Row = npt.NDArray[np.uint16]
"""The features of one link, filled up with the number after the last feature."""


def java_hash(text: str) -> int:
    """String.hashCode of Java: a signed number of 32 bits, over UTF-16."""
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    value = 0
    for unit in units.tolist():
        value = (31 * value + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


@lru_cache(maxsize=1 << 16)
def bucket(token: str, hashes: int) -> int:
    """Equation 1: where a token stands in the vector, from 0 to hashes - 1."""
    return java_hash(token) % hashes


def tokens_of(url: str) -> list[str]:
    """The parts between other characters than letters and digits, three characters or more."""
    tokens = (token for token in _TOKEN.findall(url) if len(token) >= _MIN_LENGTH)
    return [NUMBER if token.isdecimal() else token for token in tokens]


def url_features(url: str, hashes: int) -> list[int]:
    """The buckets of a URL's tokens, each once."""
    buckets = dict.fromkeys(bucket(token, hashes) for token in tokens_of(url))
    return list(buckets)[: MAX_FEATURES - 2]


def parent_features(parents: int, relevant: int, hashes: int) -> list[int]:
    """Whether a known parent is relevant, and which share of them is: none, thirds of them."""
    if not parents:
        return []
    share = sum(relevant / parents > limit for limit in _SHARES)
    return [*([hashes] if relevant else []), hashes + 1 + share]


def row_of(features: list[int], hashes: int) -> Row:
    """Features in a row of fixed length."""
    row = np.full(MAX_FEATURES, hashes + PARENT_FEATURES, dtype=np.uint16)
    row[: len(features)] = features
    return row
