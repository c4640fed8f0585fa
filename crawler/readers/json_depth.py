"""How deep JSON is nested, counted by its brackets before it is parsed."""

import re

from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable

_CHUNK = 1024**2
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def check_depth(data: bytes, most: int) -> None:
    """Raises when brackets are nested more than this deep."""
    # Brackets within texts count here too; only when they seem too many are texts left out.
    if _depth(data) > most and _depth(_STRINGS.sub(b"", data)) > most:
        raise Unreadable(Trouble.TOO_DEEP, f"the JSON is nested more than {most} deep")


def _depth(data: bytes) -> int:
    import numpy as np

    steps = np.zeros(256, dtype=np.int8)
    steps[[ord("["), ord("{")]] = 1
    steps[[ord("]"), ord("}")]] = -1
    deepest = level = 0
    for start in range(0, len(data), _CHUNK):
        signs = np.frombuffer(data, np.uint8, min(_CHUNK, len(data) - start), start)
        levels = np.cumsum(steps[signs], dtype=np.int32)
        deepest = max(deepest, level + int(levels.max()))
        level += int(levels[-1])
    return deepest
