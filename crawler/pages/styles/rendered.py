"""Styles as a browser computes them, read into the features of Figure 4 of paper 004."""

import copy
import math
import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from lxml import etree

from crawler.pages.styles.cascade import PageStyles
from crawler.pages.styles.properties import CATEGORIES, COLORS, FONTS, LENGTHS, Style

MARK = "data-tallyho"
"""The attribute that holds the number of an element that a browser is asked about."""
ASKED = (
    *("text-decoration-line" if name == "text-decoration" else name for name in CATEGORIES),
    *LENGTHS,
    *COLORS,
    FONTS,
)
"""The properties that a browser is asked for."""
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")
_OPAQUE = 1.0


class StyleBrowser(Protocol):
    """Renders a page without a network."""

    def computed(
        self, root: etree._Element, sheets: Sequence[str], names: Sequence[str]
    ) -> dict[int, list[str]] | None:
        """The values of properties by the mark of an element; None if it could not be rendered."""
        ...


class RenderedStyles:
    """The styles of some elements as a browser computed them; of others, as we do."""

    def __init__(
        self,
        browser: StyleBrowser,
        root: etree._Element,
        elements: Iterable[etree._Element],
        sheets: Sequence[str],
        parsed: PageStyles,
    ) -> None:
        self._parsed = parsed
        numbers = {element: number for number, element in enumerate(dict.fromkeys(elements))}
        twin = copy.deepcopy(root)
        for one, other in zip(root.iter(), twin.iter(), strict=True):
            if one in numbers:
                other.set(MARK, str(numbers[one]))
        found = browser.computed(twin, sheets, ASKED) if numbers else None
        self._styles = {
            element: style_from(values)
            for element, number in numbers.items()
            if (values := (found or {}).get(number)) is not None
        }

    def of(self, element: etree._Element) -> Style:
        """The style of an element."""
        style = self._styles.get(element)
        return style if style is not None else self._parsed.of(element)


def style_from(values: Sequence[str]) -> Style:
    """The features from what a browser says of `ASKED`; what is no number counts as 0."""
    said = dict(zip((*CATEGORIES, *LENGTHS, *COLORS, FONTS), values, strict=True))
    numbers = [_numbers(said[name])[0] for name in LENGTHS]
    for name in COLORS:
        red, green, blue, *opaque = (*_numbers(said[name]), 0.0, 0.0)[:4]
        numbers += [red, green, blue, opaque[0] if said[name].startswith("rgba") else _OPAQUE]
    return Style(
        tuple(numbers),
        tuple(said[name].removeprefix("-webkit-")[:30] for name in CATEGORIES),
        tuple(font.strip().strip('"').lower()[:60] for font in said[FONTS].split(",")[:10]),
    )


def _numbers(text: str) -> list[float]:
    found = [float(number) for number in _NUMBER.findall(text[:200])]
    return [number for number in found if math.isfinite(number)] or [0.0]
