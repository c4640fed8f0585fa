"""The CSS properties of Figure 4 of paper 004, and the style that they make up: 61 features."""

from dataclasses import dataclass
from typing import NamedTuple

SIDES = ("bottom", "left", "right", "top")
BORDER_STYLES = tuple(f"border-{side}-style" for side in SIDES)
BORDER_WIDTHS = tuple(f"border-{side}-width" for side in SIDES)
BORDER_COLORS = tuple(f"border-{side}-color" for side in SIDES)

CATEGORIES = (
    "float",
    "display",
    "clear",
    "text-align",
    "text-decoration",
    "font-style",
    *BORDER_STYLES,
    "visibility",
    "vertical-align",
)
LENGTHS = (
    "height",
    "width",
    "font-size",
    "text-indent",
    "letter-spacing",
    "word-spacing",
    "line-height",
    *BORDER_WIDTHS,
    "left",
    "top",
    "right",
    "bottom",
    "z-index",
    *(f"margin-{side}" for side in SIDES),
    *(f"padding-{side}" for side in SIDES),
)
COLORS = ("background-color", "color", *BORDER_COLORS)
FONTS = "font-family"

NUMBERS = (*LENGTHS, *(f"{name}{part}" for name in COLORS for part in range(1, 5)))
"""The numeric features; a colour has four: red, green, blue and how opaque it is."""

PROPERTIES = frozenset({*CATEGORIES, *LENGTHS, *COLORS, FONTS})
FEATURES = len(NUMBERS) + len(CATEGORIES) + 1

INHERITED = frozenset(
    {
        "color",
        "font-family",
        "font-size",
        "font-style",
        "letter-spacing",
        "line-height",
        "text-align",
        "text-indent",
        "visibility",
        "word-spacing",
    }
)


class Length(NamedTuple):
    """A number with its unit; the unit of a plain number is empty."""

    value: float
    unit: str = "px"


class Rgba(NamedTuple):
    """A colour: three parts from 0 to 255, and how opaque it is from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float


Value = str | Length | Rgba | tuple[str, ...]
"""A keyword, a length, a colour, or font families."""

TRANSPARENT = Rgba(0, 0, 0, 0)
BLACK = Rgba(0, 0, 0, 1)
CURRENT_COLOR = "currentcolor"
ZERO = Length(0)
DEFAULT_FONT = ("serif",)

INITIAL: dict[str, Value] = {
    **dict.fromkeys(LENGTHS, ZERO),
    **dict.fromkeys(("height", "width", "left", "top", "right", "bottom", "z-index"), "auto"),
    **dict.fromkeys(("letter-spacing", "word-spacing", "line-height"), "normal"),
    **dict.fromkeys(BORDER_WIDTHS, Length(3)),
    **dict.fromkeys(BORDER_COLORS, CURRENT_COLOR),
    **dict.fromkeys((*BORDER_STYLES, "float", "clear", "text-decoration"), "none"),
    "font-size": Length(16),
    "display": "inline",
    "text-align": "start",
    "font-style": "normal",
    "visibility": "visible",
    "vertical-align": "baseline",
    "background-color": TRANSPARENT,
    "color": BLACK,
    FONTS: DEFAULT_FONT,
}


@dataclass(frozen=True, slots=True)
class Style:
    """How an element looks: the values of Figure 4, in the order of their names above."""

    numbers: tuple[float, ...]
    categories: tuple[str, ...]
    fonts: tuple[str, ...]
