"""JSON as Python reads it, but for what Python refuses: endless integers and half characters."""

import json
import re
from typing import Any

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
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
