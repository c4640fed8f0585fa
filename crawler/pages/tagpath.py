"""Tag paths: the label of a link, from the root of the page to its element (paper 000, II-B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_TAGS_AT_AN_END = 100
MAX_CHARACTERS_AT_AN_END = 2048
MAX_DISTINCT_PATHS = 5000
"""Different tag paths of one page; further ones are all `html`."""

_NAME_CHARACTERS = 64
_CLASS_CHARACTERS = 256
_ROOT = "html"


_Place = tuple["_Place | None", str]
"""An element's parent and its own label: a chain up to the root, so that memory stays small."""


class TagPaths:
    """The tag paths of one page. Ancestors are remembered, so that siblings share the work.

    Of a path deeper than 200 tags the first 100 and the last 100 are kept, and of one that is
    longer than 4,096 characters the tags that fit into 2,048 at each end. A name is cut at 64
    characters, and the classes of one tag at 256 together. A page with more than 5,000 different
    paths would fill memory and disk, as each path is stored and learned from.
    """

    __slots__ = ("_known", "_last", "_last_labels", "_paths")

    def __init__(self) -> None:
        # Keeping the element here keeps lxml's proxy alive, without which its identity would be
        # reused.
        self._known: dict[_Element, _Place] = {}
        self._last: _Place | None = None
        self._last_labels: list[str] = []
        self._paths: dict[str, str] = {}

    def of(self, element: _Element) -> str:
        """The tag path of an element, such as `html body div#main ul.datasets li a`."""
        parent = element.getparent()
        labels = [_ROOT] if parent is None else self._labels(self._place(parent))
        if parent is None and element.tag == _ROOT:
            labels = []
        path = _within_limits([*labels, _label(element)])
        # One string for all links that share it.
        known = self._paths.get(path)
        if known is not None:
            return known
        if len(self._paths) >= MAX_DISTINCT_PATHS:
            return _ROOT
        self._paths[path] = path
        return path

    def _place(self, element: _Element) -> _Place:
        known = self._known
        pending: list[_Element] = []
        node: _Element | None = element
        while node is not None and node not in known:
            pending.append(node)
            node = node.getparent()
        place = known[node] if node is not None else None
        for node in reversed(pending):
            if place is None and node.tag != _ROOT:
                place = (None, _ROOT)
            place = known[node] = (place, _label(node))
        return place or (None, _ROOT)

    def _labels(self, place: _Place) -> list[str]:
        if place is not self._last:
            labels: list[str] = []
            above: _Place | None = place
            while above is not None:
                labels.append(above[1])
                above = above[0]
            labels.reverse()
            self._last, self._last_labels = place, labels
        return self._last_labels


def _within_limits(labels: list[str]) -> str:
    path = " ".join(labels)
    if len(labels) <= 2 * MAX_TAGS_AT_AN_END and len(path) <= MAX_CHARACTERS_AT_AN_END:
        return path
    head = _fitting(labels[:MAX_TAGS_AT_AN_END])
    rest = labels[len(head) :]
    tail = _fitting(rest[: -MAX_TAGS_AT_AN_END - 1 : -1])
    return " ".join([*head, *reversed(tail)])


def _fitting(labels: list[str]) -> list[str]:
    """The first labels, as far as they fit into the characters of one end."""
    length = 0
    for count, label in enumerate(labels):
        length += len(label) + 1
        if length > MAX_CHARACTERS_AT_AN_END:
            return labels[:count]
    return labels


def _label(element: _Element) -> str:
    label = element.tag
    if len(label) > _NAME_CHARACTERS:
        label = label[:_NAME_CHARACTERS]
    name = element.get("id")
    if name:
        name = "".join(name.split())[:_NAME_CHARACTERS]
        if name:
            label = f"{label}#{name}"
    classes = element.get("class")
    if classes:
        joined = ".".join([part[:_NAME_CHARACTERS] for part in classes.split()])
        if joined:
            label = f"{label}.{joined[:_CLASS_CHARACTERS]}"
    return label
