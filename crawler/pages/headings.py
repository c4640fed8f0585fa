"""The headings that a link stands below: what its section of the page is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.pages.text import collapsed, visible_text

if TYPE_CHECKING:
    from lxml import etree

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
MAX_LENGTH = 300
SEPARATOR = " › "
_ONE_LENGTH = 120


class Headings:
    """The last heading of each level before some links, the highest level first."""

    __slots__ = ("_elements", "_text")

    def __init__(self, elements: tuple[etree._Element, ...] = ()) -> None:
        self._elements = elements
        self._text: str | None = None

    def followed_by(self, heading: etree._Element) -> Headings:
        """The headings of what comes after this one: it ends sections of its level and below."""
        above = (element for element in self._elements if element.tag < heading.tag)
        return Headings((*above, heading))

    @property
    def text(self) -> str:
        """In words, such as `Population › Births by region`; worked out once for all links."""
        if self._text is None:
            said = (visible_text(element, _ONE_LENGTH) for element in self._elements)
            self._text = collapsed(SEPARATOR.join(filter(None, said)), MAX_LENGTH)
        return self._text
