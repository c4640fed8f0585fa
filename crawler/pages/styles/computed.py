"""From what is declared for an element to what it looks like: inheritance and relative sizes."""

from collections.abc import Mapping

from crawler.pages.styles.properties import (
    BORDER_STYLES,
    BORDER_WIDTHS,
    CATEGORIES,
    COLORS,
    CURRENT_COLOR,
    FONTS,
    INHERITED,
    INITIAL,
    LENGTHS,
    PROPERTIES,
    TRANSPARENT,
    Length,
    Rgba,
    Style,
    Value,
)
from crawler.pages.styles.values import VIEWPORT, pixels

Computed = Mapping[str, Value]
"""The value of every property; lengths are in pixels, or a factor of the font size."""

_ROOT_SIZE = 16.0


def computed(declared: Mapping[str, Value], parent: Computed | None, root_size: float) -> Computed:
    """The computed values of an element."""
    found: dict[str, Value] = {}
    above = parent or INITIAL
    size = _font_size(declared.get("font-size"), above, root_size)
    for name in PROPERTIES:
        value = declared.get(name)
        if value is None or value in ("unset", "revert"):
            value = "inherit" if name in INHERITED else INITIAL[name]
        elif value == "initial":
            value = INITIAL[name]
        if value == "inherit":
            value = above[name]
        elif isinstance(value, Length) and not (name == "line-height" and value.unit == ""):
            whole = size if name == "line-height" else VIEWPORT[0]
            value = Length(pixels(value, size, root_size, whole))
        found[name] = value
    found["font-size"] = Length(size)
    if found["color"] == CURRENT_COLOR:
        found["color"] = above["color"]
    for style, width in zip(BORDER_STYLES, BORDER_WIDTHS, strict=True):
        if found[style] in ("none", "hidden"):
            found[width] = Length(0)
    if found["float"] != "none" and found["display"] == "inline":
        found["display"] = "block"
    return found


def font_size_of(values: Computed | None) -> float:
    """In pixels."""
    size = values["font-size"] if values else None
    return size.value if isinstance(size, Length) else _ROOT_SIZE


def style_of(values: Computed) -> Style:
    """The features of Figure 4."""
    numbers = [_number(name, values) for name in LENGTHS]
    for name in COLORS:
        numbers.extend(_color(name, values))
    fonts = values[FONTS]
    return Style(
        tuple(numbers),
        tuple(str(values[name]) for name in CATEGORIES),
        fonts if isinstance(fonts, tuple) and not isinstance(fonts, (Length, Rgba)) else (),
    )


def _font_size(declared: Value | None, above: Computed, root_size: float) -> float:
    parent = font_size_of(above)
    if isinstance(declared, Length):
        return max(pixels(declared, parent, root_size, parent), 0.0)
    return _ROOT_SIZE if declared == "initial" else parent


def _number(name: str, values: Computed) -> float:
    """`auto` and `normal` count as 0."""
    value = values[name]
    if not isinstance(value, Length):
        return 0.0
    if name == "line-height" and value.unit == "":
        return value.value * font_size_of(values)
    return value.value


def _color(name: str, values: Computed) -> Rgba:
    value = values[name]
    if value == CURRENT_COLOR:
        value = values["color"]
    return value if isinstance(value, Rgba) else TRANSPARENT
