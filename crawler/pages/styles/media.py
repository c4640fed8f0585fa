"""Media queries, for a screen of a fixed size."""

from collections.abc import Sequence
from typing import Any

import tinycss2

from crawler.pages.styles.properties import Length
from crawler.pages.styles.values import VIEWPORT, pixels, significant

_SCREENS = frozenset({"all", "screen", "only", "and"})
_FONT_SIZE = 16.0


def applies(query: str | Sequence[Any]) -> bool:
    """Whether a list of media queries is about a screen of our size; an empty one is."""
    tokens = tinycss2.parse_component_value_list(query) if isinstance(query, str) else query
    queries: list[list[Any]] = [[]]
    for token in significant(tokens):
        if token.type == "literal" and token.value == ",":
            queries.append([])
        else:
            queries[-1].append(token)
    return any(_holds(one) for one in queries)


def _holds(tokens: list[Any]) -> bool:
    for token in tokens:
        if token.type == "ident":
            if token.lower_value not in _SCREENS:
                return False
        elif token.type != "() block" or not _feature(significant(token.content)):
            return False
    return True


def _feature(tokens: list[Any]) -> bool:
    """`(min-width: 40em)`; features that are not about the screen's size do not hold."""
    if len(tokens) != 3 or tokens[0].type != "ident" or tokens[2].type != "dimension":
        return False
    edge, _, what = tokens[0].lower_value.partition("-")
    if what not in ("width", "height") or edge not in ("min", "max"):
        return False
    size = VIEWPORT[what == "height"]
    length = Length(float(tokens[2].value), tokens[2].lower_unit)
    wanted = pixels(length, _FONT_SIZE, _FONT_SIZE, 0.0)
    return size >= wanted if edge == "min" else size <= wanted
