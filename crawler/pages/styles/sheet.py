"""A style sheet: the rules that set properties of Figure 4, within bounds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import tinycss2

from crawler.pages.styles.media import applies
from crawler.pages.styles.properties import Value
from crawler.pages.styles.selectors import Selector, selectors_of
from crawler.pages.styles.shorthands import longhands

MAX_CHARACTERS = 400_000
"""Of a sheet; what is after them is not read."""
MAX_RULES = 5_000
MAX_IMPORTS = 10
_MAX_DECLARATIONS = 200
_MAX_NESTING = 3


@dataclass(frozen=True, slots=True)
class Declaration:
    """A property with its value."""

    name: str
    value: Value
    important: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """A selector and what it says of the elements it selects."""

    selector: Selector
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of a style sheet in their order, and the sheets it imports before them."""

    rules: tuple[Rule, ...]
    imports: tuple[str, ...] = ()


def sheet_of(text: str) -> Sheet:
    """Read a style sheet; never raises, and what is not understood is left out."""
    try:
        parsed = tinycss2.parse_stylesheet(
            text[:MAX_CHARACTERS], skip_comments=True, skip_whitespace=True
        )
        imports = _imports(parsed)
        rules = tuple(islice(_rules(parsed, 0), MAX_RULES))
    except RecursionError:
        return Sheet(())
    return Sheet(rules, tuple(imports))


def declarations_of(content: str | Iterable[Any]) -> tuple[Declaration, ...]:
    """The declarations of a block, or of a style attribute."""
    found: list[Declaration] = []
    try:
        parsed = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    except RecursionError:
        return ()
    for one in parsed[:_MAX_DECLARATIONS]:
        if one.type == "declaration":
            found += [
                Declaration(name, value, one.important)
                for name, value in longhands(one.lower_name, one.value)
            ]
    return tuple(found)


def _imports(parsed: list[Any]) -> list[str]:
    found: list[str] = []
    for node in parsed:
        if node.type == "at-rule" and node.lower_at_keyword == "charset":
            continue
        if node.type != "at-rule" or node.lower_at_keyword != "import":
            break  # an import after a rule does not count
        prelude = [token for token in node.prelude if token.type != "whitespace"]
        url = _url(prelude[0]) if prelude else ""
        if url and applies(prelude[1:]) and len(found) < MAX_IMPORTS:
            found.append(url)
    return found


def _url(token: Any) -> str:
    if token.type in ("url", "string"):
        return str(token.value)
    if token.type == "function" and token.lower_name == "url" and token.arguments:
        return str(getattr(token.arguments[0], "value", ""))
    return ""


def _rules(parsed: list[Any], nesting: int) -> Iterator[Rule]:
    for node in parsed:
        if node.type == "qualified-rule":
            declarations = declarations_of(node.content)
            if declarations:
                for selector in selectors_of(tinycss2.serialize(node.prelude).strip()):
                    yield Rule(selector, declarations)
        elif node.type == "at-rule" and node.content is not None and nesting < _MAX_NESTING:
            keyword = node.lower_at_keyword
            holds = keyword == "media" and applies(node.prelude)
            if holds or keyword in ("supports", "layer"):
                inner = tinycss2.parse_rule_list(
                    node.content, skip_comments=True, skip_whitespace=True
                )
                yield from _rules(inner, nesting + 1)
