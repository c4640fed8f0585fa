"""The cascade: which rules an element meets, and which of them wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from lxml import etree

from crawler.pages.styles.computed import Computed, computed, font_size_of, style_of
from crawler.pages.styles.defaults import ATTRIBUTES, attribute_declarations, default_sheet
from crawler.pages.styles.nodes import Node, Steps
from crawler.pages.styles.properties import INITIAL, Style, Value
from crawler.pages.styles.sheet import Declaration, Rule, Sheet, declarations_of

STEPS_OF_AN_ELEMENT = 5_000
"""Comparisons with selectors; rules that come after them are not seen."""
STEPS_OF_A_PAGE = 300_000
"""Elements after them look like their parents."""
MAX_ATTRIBUTE = 2_000
_REMEMBERED_ELEMENTS = 20_000


class Layer(IntEnum):
    """Who speaks; the later one is heard."""

    BROWSER = 0
    ATTRIBUTE = 1
    SHEET = 2
    INLINE = 3
    IMPORTANT = 4
    IMPORTANT_INLINE = 5


Priority = tuple[Layer, tuple[int, int, int], int]
_NO_SELECTOR = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A rule and where it stands."""

    rule: Rule
    layer: Layer
    order: int


@dataclass(slots=True)
class _Place:
    """An element as all elements like it on such a path are: what it cost and what it looks like.

    The cost is charged wherever the place is met, also when it is remembered: what a page looks
    like must not depend on what was seen before it.
    """

    values: Computed
    style: Style
    cost: int
    below: dict[tuple[object, ...], _Place] = field(default_factory=dict)


class Cascade:
    """The rules of a set of sheets, looked up by what an element is.

    Elements with the same ancestors, ids, classes and attributes look alike, so that most elements
    of a site's pages are remembered; those that a rule judges by their siblings are not.
    """

    def __init__(self, sheets: Iterable[Sheet]) -> None:
        self._rules: dict[str, list[_Placed]] = defaultdict(list)
        self._by_siblings: set[str] = set()
        attributes: set[str] = set()
        order = 0
        for layer, sheet in [
            (Layer.BROWSER, default_sheet()),
            *((Layer.SHEET, one) for one in sheets),
        ]:
            for rule in sheet.rules:
                order += 1
                selector = rule.selector
                self._rules[selector.parts[0].key].append(_Placed(rule, layer, order))
                self._by_siblings.update(selector.sibling_keys)
                for part in selector.parts:
                    attributes |= part.attributes
        self._attributes = tuple(sorted(attributes | set(ATTRIBUTES)))
        self._remembered = 0
        self._top: dict[tuple[object, ...], _Place] = {}

    def place(self, node: Node, parent: _Place | None, root_size: float) -> _Place:
        """What an element looks like below its parent."""
        shared = self._by_siblings.isdisjoint(_keys(node))
        key = self._key(node)
        below = parent.below if parent is not None else self._top
        known = below.get(key) if shared else None
        if known is not None:
            return known
        place = self._compute(node, parent, root_size)
        if shared:
            if self._remembered >= _REMEMBERED_ELEMENTS:
                self._top.clear()
                self._remembered = 0
            self._remembered += 1
            below[key] = place
        return place

    def _key(self, node: Node) -> tuple[object, ...]:
        get = node.element.get
        said = tuple(value for name in self._attributes if (value := get(name)) is not None)
        is_link = node.tag in ("a", "area") and get("href") is not None
        return node.tag, node.id, get("class"), get("style"), is_link, said

    def _compute(self, node: Node, parent: _Place | None, root_size: float) -> _Place:
        steps = Steps(STEPS_OF_AN_ELEMENT)
        declared = self._declared(node, steps)
        above = parent.values if parent is not None else None
        values = computed(declared, above, root_size)
        return _Place(values, style_of(values), STEPS_OF_AN_ELEMENT - max(steps.left, 0))

    def _declared(self, node: Node, steps: Steps) -> dict[str, Value]:
        best: dict[str, tuple[Priority, Value]] = {}
        for key in _keys(node):
            for placed in self._rules.get(key, ()):
                selector = placed.rule.selector
                if selector.matches(node, steps):
                    _declare(
                        best,
                        placed.rule.declarations,
                        placed.layer,
                        selector.specificity,
                        placed.order,
                    )
        _declare(best, attribute_declarations(node), Layer.ATTRIBUTE, _NO_SELECTOR, 0)
        inline = node.get("style")
        if inline:
            said = declarations_of(inline[:MAX_ATTRIBUTE])
            _declare(best, said, Layer.INLINE, _NO_SELECTOR, 0)
        return {name: value for name, (_, value) in best.items()}


def _keys(node: Node) -> list[str]:
    keys = [f".{name}" for name in sorted(node.classes)]
    if node.id:
        keys.append(f"#{node.id}")
    return [*keys, node.tag, ""]


def _declare(
    best: dict[str, tuple[Priority, Value]],
    declarations: Sequence[Declaration],
    layer: Layer,
    specificity: tuple[int, int, int],
    order: int,
) -> None:
    for one in declarations:
        found = layer
        if one.important:
            found = Layer.IMPORTANT_INLINE if layer is Layer.INLINE else Layer.IMPORTANT
        priority = (found, specificity, order)
        known = best.get(one.name)
        if known is None or known[0] <= priority:
            best[one.name] = (priority, one.value)


class PageStyles:
    """What the elements of one page look like."""

    def __init__(self, cascade: Cascade) -> None:
        self._cascade = cascade
        self._places: dict[etree._Element, tuple[Node, _Place]] = {}
        self._steps = Steps(STEPS_OF_A_PAGE)
        self._root_size = font_size_of(INITIAL)

    def of(self, element: etree._Element) -> Style:
        """The style of an element."""
        missing = []
        above: etree._Element | None = element
        while above is not None and above not in self._places:
            missing.append(above)
            above = above.getparent()
        parent = self._places[above] if above is not None else None
        for one in reversed(missing):
            parent = self._places[one] = self._place(one, parent)
        return self._places[element][1].style

    def _place(
        self, element: etree._Element, parent: tuple[Node, _Place] | None
    ) -> tuple[Node, _Place]:
        node = Node(element, parent[0] if parent else None)
        if parent is not None and self._steps.left <= 0:
            return node, parent[1]
        place = self._cascade.place(node, parent[1] if parent else None, self._root_size)
        self._steps.take(place.cost)
        if parent is None:
            self._root_size = font_size_of(place.values)
        return node, place
