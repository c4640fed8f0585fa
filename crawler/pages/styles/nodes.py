"""The elements of a page as selectors see them."""

from __future__ import annotations

from itertools import islice

from lxml import etree


class Node:
    """An element with what selectors ask for most; siblings are looked up where one asks."""

    __slots__ = ("classes", "element", "id", "parent", "tag")

    def __init__(self, element: etree._Element, parent: Node | None) -> None:
        self.element = element
        self.parent = parent
        tag = element.tag
        self.tag = tag.lower() if isinstance(tag, str) else ""
        self.id = element.get("id") or ""
        names = element.get("class")
        self.classes = frozenset(names.split()) if names else frozenset()

    def get(self, attribute: str) -> str | None:
        """The value of an attribute."""
        value: str | None = self.element.get(attribute)
        return value

    def previous(self) -> Node | None:
        """The element before it under the same parent."""
        before = self.element.getprevious()
        return None if before is None else Node(before, self.parent)

    def position(self, *, from_end: bool = False, limit: int) -> int:
        """Its number among its siblings, counted from 1 and no further than a limit."""
        beside = self.element.itersiblings(preceding=not from_end)
        return 1 + sum(1 for _ in islice(beside, limit - 1))


class Steps:
    """How much matching an element may still cost: a hostile sheet must not hold a crawl."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, count: int = 1) -> bool:
        """Whether so many are left, which are then gone."""
        self.left -= count
        return self.left >= 0
