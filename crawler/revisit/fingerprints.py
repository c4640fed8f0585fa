"""Sets of links as sorted 64-bit fingerprints, packed into bytes and bounded in size.

A set that is too large keeps its smallest fingerprints (a bottom-k sketch): as fingerprints are
spread evenly, the overlap of two such samples estimates the overlap of the whole sets.
"""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

FINGERPRINT = np.dtype("<u8")
Fingerprints = npt.NDArray[np.uint64]

MAX_LINKS = 256
"""Fingerprints kept of one set: at most 2 KB."""


def fingerprint(url: str) -> int:
    """The 64-bit fingerprint of a URL."""
    return int.from_bytes(hashlib.blake2b(url.encode(), digest_size=8).digest(), "little")


def pack(fingerprints: Iterable[int], limit: int = MAX_LINKS) -> bytes:
    """The smallest `limit` of these fingerprints, sorted, each once."""
    values = np.unique(np.fromiter(fingerprints, dtype=FINGERPRINT))
    return values[:limit].tobytes()


def unpack(packed: bytes) -> Fingerprints:
    """The fingerprints as an array, smallest first."""
    return np.frombuffer(packed, dtype=FINGERPRINT)


def merge(first: bytes, second: bytes, limit: int = MAX_LINKS) -> bytes:
    """The union of two sets, bounded like each of them."""
    return np.union1d(unpack(first), unpack(second))[:limit].tobytes()
