"""From the tokens of a declaration to a value, and from a specified length to pixels."""

from collections.abc import Sequence
from typing import Any

from tinycss2.color4 import parse_color

from crawler.pages.styles.properties import (
    CATEGORIES,
    COLORS,
    CURRENT_COLOR,
    FONTS,
    Length,
    Rgba,
    Value,
)

VIEWPORT = (1280.0, 720.0)
"""Width and height in pixels of the screen that relative sizes and media queries are about."""
MAX_PIXELS = 100_000.0
MAX_FONTS = 8
_FONT_LENGTH = 40
_KEYWORD_LENGTH = 40

CSS_WIDE = frozenset({"inherit", "initial", "unset", "revert"})
_WITHOUT_UNIT = frozenset({"line-height", "z-index"})
_LENGTH_KEYWORDS = {
    "border-width": {"thin": 1.0, "medium": 3.0, "thick": 5.0},
    "font-size": {
        "xx-small": 9.0,
        "x-small": 10.0,
        "small": 13.0,
        "medium": 16.0,
        "large": 18.0,
        "x-large": 24.0,
        "xx-large": 32.0,
    },
}
_RELATIVE_SIZES = {"larger": 1.2, "smaller": 1 / 1.2}
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}
_FONT_UNITS = {"em": 1.0, "ex": 0.5, "ch": 0.5}


def significant(tokens: Sequence[Any]) -> list[Any]:
    """The tokens without white space and comments."""
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def value_of(name: str, tokens: Sequence[Any]) -> Value | None:
    """The value of a longhand property; None when it is none that is understood."""
    tokens = significant(tokens)
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in CSS_WIDE:
        return str(tokens[0].lower_value)
    if name == FONTS:
        return _fonts(tokens)
    if name == "text-decoration":
        return _decoration(tokens)
    if len(tokens) != 1:
        return None
    if name in COLORS:
        return color_of(tokens[0])
    if name in CATEGORIES:
        if name == "vertical-align" and tokens[0].type in ("dimension", "percentage", "number"):
            return "length"
        return str(tokens[0].lower_value)[:_KEYWORD_LENGTH] if tokens[0].type == "ident" else None
    return _length(name, tokens[0])


def color_of(token: Any) -> Value | None:
    """A colour; None when the token is none."""
    if token.type not in ("ident", "hash", "function"):
        return None
    color = parse_color(token)
    if color is None:
        return None
    if color == CURRENT_COLOR:
        return CURRENT_COLOR
    try:
        red, green, blue, alpha = color.to("srgb")
    except (NotImplementedError, ValueError):
        return None
    parts = [round(255 * min(max(float(part), 0.0), 1.0)) for part in (red, green, blue)]
    return Rgba(parts[0], parts[1], parts[2], min(max(float(alpha), 0.0), 1.0))


def _length(name: str, token: Any) -> Value | None:
    if token.type == "dimension":
        unit = str(token.lower_unit)
        known = unit in _PIXELS or unit in _FONT_UNITS or unit in ("rem", "vw", "vh")
        return Length(float(token.value), unit) if known else None
    if token.type == "percentage":
        return Length(float(token.value), "%")
    if token.type == "number":
        if name in _WITHOUT_UNIT:
            return Length(float(token.value), "")
        return Length(0.0) if token.value == 0 else None
    if token.type != "ident":
        return None
    keyword = str(token.lower_value)
    family = "border-width" if name.startswith("border-") else name
    pixels = _LENGTH_KEYWORDS.get(family, {}).get(keyword)
    if pixels is not None:
        return Length(pixels)
    if name == "font-size":
        factor = _RELATIVE_SIZES.get(keyword)
        return None if factor is None else Length(factor, "em")
    return keyword if keyword in ("auto", "normal") else None


def _decoration(tokens: Sequence[Any]) -> Value | None:
    """The line of a decoration; its colour and style are not among the properties."""
    lines = {"underline", "overline", "line-through", "none"}
    for token in tokens:
        if token.type == "ident" and token.lower_value in lines:
            return str(token.lower_value)
    return None


def _fonts(tokens: Sequence[Any]) -> Value | None:
    families: list[str] = []
    words: list[str] = []
    for token in tokens:
        if token.type in ("ident", "string"):
            words.append(str(token.value))
        elif token.type == "literal" and token.value == ",":
            families.append(" ".join(words))
            words = []
        else:
            return None
    families.append(" ".join(words))
    named = [family.strip().lower()[:_FONT_LENGTH] for family in families[:MAX_FONTS]]
    return tuple(named) if all(named) else None


def pixels(length: Length, font_size: float, root_size: float, whole: float) -> float:
    """A length in pixels; `whole` is what a percentage is of."""
    value, unit = length
    if unit in _PIXELS:
        found = value * _PIXELS[unit]
    elif unit in _FONT_UNITS:
        found = value * _FONT_UNITS[unit] * font_size
    elif unit == "rem":
        found = value * root_size
    elif unit == "%":
        found = value / 100 * whole
    elif unit in ("vw", "vh"):
        found = value / 100 * VIEWPORT[unit == "vh"]
    else:
        found = value
    return min(max(found, -MAX_PIXELS), MAX_PIXELS)
