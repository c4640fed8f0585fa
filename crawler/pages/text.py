"""Visible text of a page's elements, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lxml import etree

_HIDDEN = frozenset({"script", "style", "noscript", "template", "head"})
# fmt: off
_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "mark", "s",
    "small", "span", "strong", "sub", "sup", "u",
})
# fmt: on
# An unclosed link may hold the rest of the page: its text is in what comes first.
_STEPS = 1000


def collapsed(text: str, limit: int) -> str:
    """The text on one line with single spaces, cut at a limit."""
    return " ".join(text[: 20 * limit].split())[:limit].rstrip()


def visible_text(element: etree._Element, limit: int) -> str:
    """The text of a link; else its title, its label, or what its first image shows."""
    text = element.text or "" if len(element) == 0 else _walked(element, limit)
    if text and (shown := collapsed(text, limit)):
        return shown
    for attribute in ("title", "aria-label", "alt"):
        if shown := collapsed(element.get(attribute) or "", limit):
            return shown
    for image in islice(element.iter("img"), 10):
        for attribute in ("alt", "title"):
            if shown := collapsed(image.get(attribute) or "", limit):
                return shown
    return ""


def visible_length(root: etree._Element) -> int:
    """About how many characters of a page are visible without JavaScript."""
    return sum(len((text or "").strip()) for _, text in _shown(root))


def page_text(root: etree._Element, limit: int) -> str:
    """The visible text of a page, cut at a limit; elements that are not inline end a line."""
    parts: list[str] = []
    length = 0
    for node, text in _shown(root):
        if node.tag not in _INLINE:
            parts.append("\n")
        if text:
            parts.append(text.replace("\n", " "))
            length += len(text)
            if length > limit:
                break
    return "".join(parts)[:limit]


def _shown(root: etree._Element) -> Iterator[tuple[etree._Element, str | None]]:
    """What stands at the beginning of every visible element, and behind the end of every one."""
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, node in walker:
        if event == "end":
            # The tail of a hidden element is visible, as it comes after its end.
            yield node, node.tail
        elif node.tag in _HIDDEN:
            walker.skip_subtree()
        else:
            yield node, node.text


def _walked(element: etree._Element, limit: int) -> str:
    parts: list[str] = []
    length = 0
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, node in islice(walker, _STEPS):
        hidden = node.tag in _HIDDEN
        if event == "start" and hidden:
            walker.skip_subtree()
            continue
        text = node.text if event == "start" else node.tail if node is not element else None
        if not hidden and node.tag not in _INLINE:
            parts.append(" ")
        if text:
            parts.append(text)
            length += len(text.strip())
            if length > limit:
                break
    return "".join(parts)
