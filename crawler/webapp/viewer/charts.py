"""Series as numbers for an SVG drawing: a line over time, bars over places."""

import math
from dataclasses import dataclass

from crawler.webapp.plot import HEIGHT, WIDTH, Tick
from crawler.webapp.viewer.series import Series

_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 16, 16, 40
_BAR, _GAP = 18, 8
_LABEL = 170
_TICKS = 5
_LABELS = 8


@dataclass(frozen=True, slots=True)
class LineChart:
    """Where to draw a line and the marks of its axes."""

    title: str
    line: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    rows: tuple[tuple[str, str], ...]
    """The same as text, for those who cannot see the drawing."""
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    bottom: int = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar with its label before it and its figure behind it."""

    label: str
    figure: str
    top: int
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """Where to draw bars, the longest first."""

    title: str
    bars: tuple[Bar, ...]
    height: int
    width: int = WIDTH
    label: int = _LABEL
    bar: int = _BAR


def draw_line(series: Series | None) -> LineChart | None:
    """The drawing of a series over time; None where there is none."""
    if series is None:
        return None
    values = [point.value for point in series.points]
    marks = _marks(min(0.0, *values), max(0.0, *values))
    low, high = min(marks[0], *values), max(marks[-1], *values)
    step = (WIDTH - _LEFT - _RIGHT) / (len(values) - 1)

    def y(value: float) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low), 1)

    places = [round(_LEFT + step * number, 1) for number in range(len(values))]
    every = -(-len(values) // _LABELS)
    return LineChart(
        title=series.title,
        line=" ".join(f"{x},{y(value)}" for x, value in zip(places, values, strict=True)),
        across=tuple(
            Tick(x, point.label[:12])
            for number, (x, point) in enumerate(zip(places, series.points, strict=True))
            if number % every == 0
        ),
        up=tuple(Tick(y(mark), figure(mark)) for mark in marks),
        rows=tuple((point.label, figure(point.value)) for point in series.points),
    )


def draw_bars(series: Series | None) -> BarChart | None:
    """The drawing of a series over places; None where there is none."""
    if series is None:
        return None
    low = min(0.0, *(point.value for point in series.points))
    high = max(0.0, *(point.value for point in series.points))
    scale = (WIDTH - _LABEL - _LEFT) / ((high - low) or 1.0)
    return BarChart(
        title=series.title,
        height=len(series.points) * (_BAR + _GAP) + _GAP,
        bars=tuple(
            Bar(
                point.label[:24],
                figure(point.value),
                _GAP + number * (_BAR + _GAP),
                round(_LABEL + scale * (min(point.value, 0.0) - low), 1),
                round(scale * abs(point.value), 1),
            )
            for number, point in enumerate(series.points)
        ),
    )


def figure(value: float) -> str:
    """A figure as people write it."""
    return f"{value:,.0f}" if value.is_integer() or abs(value) >= 1000 else f"{value:,.4g}"


def _marks(low: float, high: float) -> list[float]:
    """Round numbers from below the lowest to above the highest value."""
    span = (high - low) or 1.0
    step = 10.0 ** math.floor(math.log10(span / _TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= _TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [number * step for number in range(first, last + 1)]
