"""Sizes in bytes, as people write them: 5000, '200 MB', '2GiB'."""

import re
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field

_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([KMGT]?)(i?)B?", re.IGNORECASE)

MB = 1000**2
GB = 1000**3
GIB = 1024**3

_JSON_PATTERN = r"^[0-9]+(\.[0-9]+)? ?[kKmMgGtT]?i?[bB]?$"


def parse_size(value: object) -> object:
    """The bytes that '200 MB' means; a value that is not text is returned as it is."""
    if not isinstance(value, str):
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None or (match[3] and not match[2]):
        raise ValueError(f"'{value[:40]}' is not a size; write 5000, '200 MB' or '2 GiB'")
    power = _POWERS.get(match[2].upper(), 0)
    size = Decimal(match[1]) * (1024 if match[3] else 1000) ** power
    if size != int(size):
        raise ValueError(f"'{value[:40]}' is not a whole number of bytes")
    return int(size)


def write_size(size: int) -> str:
    """The shortest exact way to write a size: 2147483648 is '2 GiB'."""
    ways = [
        f"{size // base**power} {letter}{mark}"
        for base, mark in ((1024, "iB"), (1000, "B"))
        for letter, power in _POWERS.items()
        if size and size % base**power == 0
    ]
    return min(ways, key=len, default=str(size))


Size = Annotated[
    int,
    Field(ge=1),
    BeforeValidator(
        parse_size,
        json_schema_input_type=Annotated[int, Field(ge=1)]
        | Annotated[str, Field(pattern=_JSON_PATTERN)],
    ),
]
"""A number of bytes; text with a unit is understood."""
