"""Regular expressions of site files, searched in time linear in the URL (RE2).

The expression comes from the site's owner and the URL from a stranger: with a backtracking engine
`(a+)+$` and one long URL would hold a crawl for hours.
"""

from functools import lru_cache
from typing import Protocol

import re2

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 8 << 20


class LinearPattern(Protocol):
    """A compiled expression."""

    def search(self, text: str) -> object | None:
        """Something where the expression is found, else None."""


@lru_cache(maxsize=1000)
def compile_pattern(expression: str) -> LinearPattern:
    """The expression, ready to be searched; ValueError with the reason when it cannot be."""
    try:
        pattern: LinearPattern = re2.compile(expression, _OPTIONS)
    except (re2.error, OverflowError, RecursionError, UnicodeError) as error:
        reason = error.args[0] if error.args else error
        told = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(
            f"{told} (look-ahead, look-behind and references to groups are not available)"
        ) from None
    return pattern
