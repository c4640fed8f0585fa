"""Texts of Eurostat: the keys of a row packed into its first value, `A,PC,DE` before tabs.

The header says so: `freq,unit,geo\\TIME_PERIOD`, and what comes after the bar names the other
columns, which are periods.
"""

import re

_HEADER = re.compile(r"[A-Za-z_]\w{0,40}(?:,[A-Za-z_]\w{0,40})*\\\w{1,40}\t")
_FIRST = re.compile(rb"(?m)^[^\t\n]*")


def has_packed_keys(text: str) -> bool:
    """Whether a text begins with such a header."""
    return _HEADER.match(text) is not None


def unpacked_keys(data: bytes) -> bytes:
    """The text with every key in a column of its own, and the name of the others left out."""
    head, end, body = data.partition(b"\n")
    first, tab, rest = head.partition(b"\t")
    names = first.rpartition(b"\\")[0] or first
    header = names.replace(b",", b"\t") + tab + rest
    return header + end + _FIRST.sub(lambda match: match[0].replace(b",", b"\t"), body)
