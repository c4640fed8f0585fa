"""Declarations that set several properties at once: font, margin, padding, border, background."""

from collections.abc import Iterator, Sequence
from typing import Any

from crawler.pages.styles.properties import (
    BORDER_COLORS,
    BORDER_STYLES,
    BORDER_WIDTHS,
    CURRENT_COLOR,
    FONTS,
    INITIAL,
    PROPERTIES,
    SIDES,
    TRANSPARENT,
    Value,
)
from crawler.pages.styles.values import CSS_WIDE, color_of, significant, value_of

Longhand = tuple[str, Value]

_BOXES = {
    "margin": tuple(f"margin-{side}" for side in SIDES),
    "padding": tuple(f"padding-{side}" for side in SIDES),
    "border-width": BORDER_WIDTHS,
    "border-style": BORDER_STYLES,
    "border-color": BORDER_COLORS,
}
_BORDER_KEYWORDS = frozenset(
    ["none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset"]
)
_SLANTS = frozenset({"italic", "oblique", "normal"})
_IGNORED_IN_FONT = frozenset({"small-caps", "bold", "bolder", "lighter", "condensed", "expanded"})


def longhands(name: str, tokens: Sequence[Any]) -> list[Longhand]:
    """The properties of Figure 4 that a declaration sets; none when it is not understood."""
    if name in ("text-decoration-line", "text-decoration"):
        name = "text-decoration"
    if name in PROPERTIES:
        value = value_of(name, tokens)
        return [] if value is None else [(name, value)]
    tokens = significant(tokens)
    wide = len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in CSS_WIDE
    if name in _BOXES:
        return _box(_BOXES[name], tokens)
    if name == "font":
        if wide:
            keyword = str(tokens[0].lower_value)
            return [(one, keyword) for one in ("font-style", "font-size", "line-height", FONTS)]
        return list(_font(tokens))
    if name == "background":
        return _background(tokens)
    if name == "border":
        return [pair for side in SIDES for pair in _border(side, tokens)]
    side = name.removeprefix("border-")
    if name.startswith("border-") and side in SIDES:
        return _border(side, tokens)
    return []


def _box(names: tuple[str, ...], tokens: list[Any]) -> list[Longhand]:
    """One to four values, in the order top, right, bottom, left."""
    if not 1 <= len(tokens) <= 4:
        return []
    values = [value_of(names[0], [token]) for token in tokens]
    if any(value is None for value in values):
        return []
    top = values[0]
    right = values[1] if len(values) > 1 else top
    bottom = values[2] if len(values) > 2 else top
    left = values[3] if len(values) > 3 else right
    found = zip(names, (bottom, left, right, top), strict=True)
    return [(name, value) for name, value in found if value is not None]


def _border(side: str, tokens: list[Any]) -> list[Longhand]:
    width, style, color = f"border-{side}-width", f"border-{side}-style", f"border-{side}-color"
    found: dict[str, Value] = {width: INITIAL[width], style: "none", color: CURRENT_COLOR}
    for token in tokens:
        if token.type == "ident" and token.lower_value in _BORDER_KEYWORDS:
            found[style] = str(token.lower_value)
        elif (length := value_of(width, [token])) is not None:
            found[width] = length
        elif (shade := color_of(token)) is not None:
            found[color] = shade
        else:
            return []
    return list(found.items())


def _background(tokens: list[Any]) -> list[Longhand]:
    """The colour alone is among the properties; a picture without one leaves it transparent."""
    for token in tokens:
        shade = value_of("background-color", [token])
        if shade is not None:
            return [("background-color", shade)]
    return [("background-color", TRANSPARENT)] if tokens else []


def _font(tokens: list[Any]) -> Iterator[Longhand]:
    """`italic bold 12px/1.5 "Open Sans", sans-serif`."""
    slant = "normal"
    for position, token in enumerate(tokens):
        keyword = token.lower_value if token.type == "ident" else ""
        if keyword in _SLANTS or keyword in _IGNORED_IN_FONT or token.type == "number":
            slant = keyword if keyword in _SLANTS else slant
            continue
        size = value_of("font-size", [token])
        rest = tokens[position + 1 :]
        height: Value | None = "normal"
        if rest and rest[0].type == "literal" and rest[0].value == "/":
            height = value_of("line-height", rest[1:2])
            rest = rest[2:]
        fonts = value_of(FONTS, rest)
        if size is None or height is None or fonts is None:
            return
        yield "font-style", slant
        yield "font-size", size
        yield "line-height", height
        yield FONTS, fonts
        return
