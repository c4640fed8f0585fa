"""CSS selectors: parsed by cssselect, matched from right to left as browsers do.

cssselect would turn each selector into XPath over the whole page; a site's thousands of rules ask
for that on every page. Here an element meets those few rules whose last part names its id, one of
its classes or its tag.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cssselect import SelectorError
from cssselect.parser import (
    Attrib,
    Class,
    CombinedSelector,
    Element,
    Function,
    Hash,
    Matching,
    Negation,
    Pseudo,
    SpecificityAdjustment,
    parse,
    parse_series,
)

from crawler.pages.styles.nodes import Node, Steps

MAX_LENGTH = 400
"""Characters of a selector; a longer one is ignored."""
MAX_PARTS = 12
_SIBLINGS_COUNTED = 1000

Test = Callable[[Node, Steps], bool]
# What a visitor does, or what the page is in: a link that was just read is in none of them.
_NEVER = frozenset({"hover", "active", "focus", "focus-within", "focus-visible", "visited"})


class Unsupported(Exception):
    """A selector that nothing is matched with."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one element must be."""

    tag: str
    id: str
    classes: frozenset[str]
    tests: tuple[Test, ...]
    attributes: frozenset[str]
    """The attributes that it asks for."""
    looks_at_siblings: bool

    @property
    def key(self) -> str:
        """What an element must have for this part to be tried at all."""
        if self.id:
            return f"#{self.id}"
        return f".{min(self.classes)}" if self.classes else self.tag

    def holds(self, node: Node, steps: Steps) -> bool:
        """Whether an element is that."""
        if not steps.take():
            return False
        if self.tag and self.tag != node.tag:
            return False
        if self.id and self.id != node.id:
            return False
        return self.classes <= node.classes and all(test(node, steps) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Selector:
    """Parts from the right to the left, with the combinators between them."""

    parts: tuple[Part, ...]
    combinators: tuple[str, ...]
    specificity: tuple[int, int, int]

    def matches(self, node: Node, steps: Steps) -> bool:
        """Whether it selects an element."""
        return self.parts[0].holds(node, steps) and self._rest(0, node, steps)

    def _rest(self, at: int, node: Node, steps: Steps) -> bool:
        if at == len(self.combinators):
            return True
        combinator, part = self.combinators[at], self.parts[at + 1]
        upwards = combinator in (" ", ">")
        once = combinator in (">", "+")
        other = node.parent if upwards else node.previous()
        while other is not None:
            if part.holds(other, steps) and self._rest(at + 1, other, steps):
                return True
            if once or steps.left <= 0:
                return False
            other = other.parent if upwards else other.previous()
        return False

    @property
    def sibling_keys(self) -> list[str]:
        """Keys of the elements whose siblings decide whether it matches."""
        keys = [part.key for part in self.parts if part.looks_at_siblings]
        beside = zip(self.combinators, self.parts, strict=False)
        return keys + [part.key for combinator, part in beside if combinator in ("+", "~")]


def selectors_of(text: str) -> list[Selector]:
    """The selectors of a rule, those left out that are about states, or not understood."""
    if len(text) > MAX_LENGTH:
        return []
    try:
        parsed = parse(text)
    except (SelectorError, RecursionError):
        return []
    found = []
    for one in parsed:
        if one.pseudo_element is not None:
            continue
        try:
            found.append(_compiled(one.parsed_tree, one.specificity()))
        except (Unsupported, RecursionError):
            continue
    return found


def _compiled(tree: Any, specificity: tuple[int, int, int] = (0, 0, 0)) -> Selector:
    parts, combinators = [], []
    while isinstance(tree, CombinedSelector):
        parts.append(_part(tree.subselector))
        combinators.append(tree.combinator)
        tree = tree.selector
        if len(parts) >= MAX_PARTS:
            raise Unsupported
    parts.append(_part(tree))
    return Selector(tuple(parts), tuple(combinators), specificity)


def _part(tree: Any) -> Part:
    tag = identity = ""
    classes: set[str] = set()
    tests: list[Test] = []
    attributes: set[str] = set()
    siblings = False
    while not isinstance(tree, Element):
        match tree:
            case Class():
                classes.add(tree.class_name)
            case Hash():
                identity = tree.id
            case Attrib():
                tests.append(_attribute(tree))
                attributes.add(tree.attrib.lower())
            case Pseudo():
                test, structural = _pseudo(tree.ident)
                tests.append(test)
                siblings = siblings or structural
            case Function():
                tests.append(_nth(tree))
                siblings = True
            case Negation() | Matching() | SpecificityAdjustment():
                inner = _inner(tree)
                tests.append(_any_of(inner, wanted=not isinstance(tree, Negation)))
                for part in (part for one in inner for part in one.parts):
                    attributes |= part.attributes
                    siblings = siblings or part.looks_at_siblings
            case _:
                raise Unsupported
        tree = tree.selector
    if tree.namespace not in (None, "*"):
        raise Unsupported
    tag = (tree.element or "").lower()
    tag = "" if tag == "*" else tag
    return Part(tag, identity, frozenset(classes), tuple(tests), frozenset(attributes), siblings)


def _inner(tree: Any) -> list[Selector]:
    trees = [tree.subselector] if isinstance(tree, Negation) else tree.selector_list
    inner = [_compiled(getattr(one, "parsed_tree", one)) for one in trees]
    if any(combinator in ("+", "~") for one in inner for combinator in one.combinators):
        raise Unsupported
    return inner


def _any_of(inner: list[Selector], *, wanted: bool) -> Test:
    return lambda node, steps: any(one.matches(node, steps) for one in inner) is wanted


def _attribute(tree: Any) -> Test:
    name, operator = tree.attrib.lower(), tree.operator
    value = tree.value.value if tree.value is not None else ""

    def holds(node: Node, steps: Steps) -> bool:  # noqa: ARG001
        has = node.get(name)
        if has is None:
            return False
        match operator:
            case "exists":
                return True
            case "=":
                return has == value
            case "~=":
                return value in has.split()
            case "|=":
                return has == value or has.startswith(f"{value}-")
            case "^=":
                return bool(value) and has.startswith(value)
            case "$=":
                return bool(value) and has.endswith(value)
            case "*=":
                return bool(value) and value in has
        return False

    return holds


def _pseudo(name: str) -> tuple[Test, bool]:
    """The test, and whether it looks at siblings."""
    if name in _NEVER:
        return (lambda node, steps: False), False  # noqa: ARG005
    if name in ("link", "any-link"):
        return _is_link, False
    if name == "root":
        return (lambda node, steps: node.parent is None), False  # noqa: ARG005
    if name in ("first-child", "last-child", "only-child"):
        return _edge(name), True
    raise Unsupported


def _is_link(node: Node, steps: Steps) -> bool:  # noqa: ARG001
    return node.tag in ("a", "area") and node.get("href") is not None


def _edge(name: str) -> Test:
    def holds(node: Node, steps: Steps) -> bool:  # noqa: ARG001
        first = node.element.getprevious() is None
        last = node.element.getnext() is None
        return {"first-child": first, "last-child": last, "only-child": first and last}[name]

    return holds


def _nth(tree: Any) -> Test:
    if tree.name not in ("nth-child", "nth-last-child"):
        raise Unsupported
    try:
        step, offset = parse_series(tree.arguments)
    except ValueError as error:
        raise Unsupported from error
    from_end = tree.name == "nth-last-child"

    def holds(node: Node, steps: Steps) -> bool:
        limit = max(min(_SIBLINGS_COUNTED, steps.left), 1)
        position = node.position(from_end=from_end, limit=limit)
        if not steps.take(position):
            return False
        ahead = position - offset
        return ahead == 0 if step == 0 else ahead % step == 0 and ahead // step >= 0

    return holds
