"""What all sections of a site file share: no unknown keys, no conversion, no later change.

Values are strict: `requests: "20"` and `enabled: 1` are reported as mistakes instead of converted.
Lists become tuples, so that a configuration cannot change after it was checked.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from crawler.described import Described
from crawler.pages.linear_pattern import compile_pattern

NAME_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,62}$"
"""Names of sites become parts of paths and of DAG ids."""


def is_site_name(name: str) -> bool:
    """Whether this can be the name of a site."""
    return re.fullmatch(NAME_PATTERN.rstrip("$"), name) is not None


class Section(Described):
    """A mapping of a site file."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
    )


def check_pattern(pattern: str) -> str:
    """The regular expression itself; ValueError with a sentence when it does not compile."""
    try:
        compile_pattern(pattern)
    except ValueError as error:
        raise ValueError(f"'{pattern[:60]}' is not a regular expression: {error}") from None
    return pattern


def check_line(text: str) -> str:
    """The text itself; ValueError when it has control characters or does not fit one line."""
    if not text.strip() or not text.isprintable():
        raise ValueError("must be one line of printable text")
    return text


Line = Annotated[str, Field(max_length=500), AfterValidator(check_line)]
"""One line of printable text."""

Pattern = Annotated[
    str,
    Field(max_length=1000, json_schema_extra={"format": "regex"}),
    AfterValidator(check_pattern),
]
"""A regular expression, searched in the whole URL."""
