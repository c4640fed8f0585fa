"""Tag paths: the label of a link, from the root of the page to its element (paper 000, II-B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAME_CHARACTERS = 64
_CLASS_CHARACTERS = 256
_HEAD = 100
_TAIL = 100


class TagPaths:
    """The tag paths of one page. Ancestors are remembered, so that siblings share the work.

    Of a path deeper than 200 tags the first 100 and the last 100 are kept. A name is cut at 64
    characters, and the classes of one tag at 256 together.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        # An element to the path of its first 100 tags and the up to 100 tags that end it. Keeping
        # the element here keeps lxml's proxy alive, without which its identity would be reused.
        self._known: dict[_Element, tuple[int, str, tuple[str, ...]]] = {}

    def of(self, element: _Element) -> str:
        """The tag path of an element, such as `html body div#main ul.datasets li a`."""
        parent = element.getparent()
        if parent is None:
            label = _label(element)
            return label if element.tag == "html" else f"html {label}"
        depth, head, tail = self._place(parent)
        if depth < _HEAD:
            return f"{head} {_label(element)}"
        return " ".join((head, *tail[-_TAIL + 1 :], _label(element)))

    def _place(self, element: _Element) -> tuple[int, str, tuple[str, ...]]:
        known = self._known
        pending: list[_Element] = []
        node: _Element | None = element
        while node is not None and node not in known:
            pending.append(node)
            node = node.getparent()
        if node is not None:
            depth, head, tail = known[node]
        else:
            depth, head, tail = 0, "", ()
        for node in reversed(pending):
            if depth == 0:
                depth, head = (
                    (1, _label(node)) if node.tag == "html" else (2, f"html {_label(node)}")
                )
            elif depth < _HEAD:
                depth, head = depth + 1, f"{head} {_label(node)}"
            else:
                depth, tail = depth + 1, (*tail, _label(node))[-_TAIL:]
            known[node] = (depth, head, tail)
        return depth, head, tail


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
