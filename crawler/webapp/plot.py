"""The curve of a run: targets found over requests made, as numbers for an SVG drawing."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 48
_TICKS = 5
_ROWS = 12


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Where to draw what, in the units of the drawing."""

    line: str
    """The points of the curve, as `polyline` wants them."""
    area: str
    """The same, closed along the axis."""
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    requests: int
    targets: int
    rows: tuple[tuple[int, int], ...]
    """A dozen of the points, for those who cannot see the drawing."""
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def draw_curve(pairs: Sequence[tuple[int, int]]) -> Curve | None:
    """The drawing of a curve; None when there are too few points for one."""
    points = sorted({(max(0, across), max(0, up)) for across, up in pairs})
    if len(points) < 2 or points[-1][0] == 0:
        return None
    max_requests = points[-1][0]
    max_targets = max(up for _, up in points)
    across_ticks = _ticks(max_requests)
    up_ticks = _ticks(max(max_targets, 1))
    right = max(max_requests, across_ticks[-1])
    top = max(max_targets, up_ticks[-1])

    def x(requests: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * requests / right, 1)

    def y(targets: int) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * targets / top, 1)

    line = " ".join(f"{x(across)},{y(up)}" for across, up in points)
    ground = HEIGHT - _BOTTOM
    return Curve(
        line=line,
        area=f"{x(points[0][0])},{ground} {line} {x(max_requests)},{ground}",
        across=tuple(Tick(x(value), f"{value:,}") for value in across_ticks),
        up=tuple(Tick(y(value), f"{value:,}") for value in up_ticks),
        requests=max_requests,
        targets=max_targets,
        rows=_sampled(points),
    )


def _ticks(maximum: int) -> list[int]:
    """Round numbers from 0 on; the last one reaches `maximum` or stands just before it."""
    step = 1
    while maximum / step > _TICKS:
        digit = int(str(step)[0])
        step = step * 2 if digit == 1 else step * 5 // 2 if digit == 2 else step * 2
    return list(range(0, maximum + 1, step))


def _sampled(points: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    if len(points) <= _ROWS:
        return tuple(points)
    last = len(points) - 1
    return tuple(points[round(place * last / (_ROWS - 1))] for place in range(_ROWS))
