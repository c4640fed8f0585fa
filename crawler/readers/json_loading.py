"""JSON as Python reads it, but for endless integers and half characters, and not nested too deeply.

How deep a document is nested is counted by its brackets before it is parsed.
"""

import json
import re
from typing import Any

from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_CHUNK = 1024**2
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_MAX_DIGITS = 300
"""A longer integer is no number of statistics, and too large for a decimal number."""


def loads(text: str) -> Any:
    """The document in a text; an integer of thousands of digits comes as the text it is."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses to convert integers of over 4,300 digits, and says so by this error.
        return json.loads(text, parse_int=_integer_or_text)


def without_lone_surrogates(text: str) -> str:
    """The text with a replacement sign for each half of a character that stands alone."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda match: "\\ufffd" if match["lone"] else match[0], text)


def _integer_or_text(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


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
