"""Navigation patterns: how they are written (paper 002, Figure 5), and how links follow them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from crawler.learning.link_labels import is_label

MAX_STEPS = 8
MAX_PATTERNS = 1_000
"""Patterns of one site; one that needs more has no templates."""
OUTSIDE = 0
"""Where links and pages are that no pattern leads to."""

_DOC = re.compile(r'doc\("([^"\s]*)"\)')


@dataclass(frozen=True, slots=True)
class Step:
    """One click: on a link with this label, or on one after the other where it repeats."""

    label: str
    repeats: bool = False

    def __str__(self) -> str:
        return f"/({self.label}){'+' if self.repeats else ''}"


@dataclass(frozen=True, slots=True)
class NavigationPattern:
    """The clicks that lead from a start page to pages."""

    steps: tuple[Step, ...]

    def written(self, start_url: str) -> str:
        """As the paper writes it: `doc("URL")/(/html/body/a/@href{click/})+/(...)`."""
        url = start_url.replace('"', "%22").replace(" ", "%20")
        return f'doc("{url}")' + "".join(map(str, self.steps))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Back from text, where spaces and lines between the steps do not matter."""
        doc = _DOC.match(text.strip())
        if doc is None:
            raise ValueError('does not begin with doc("URL")')
        steps = []
        rest = text.strip()[doc.end() :].strip()
        while rest:
            label, end, after = rest.removeprefix("/(").partition("{click/})")
            label += "{click/}"
            if not rest.startswith("/(") or not end or not is_label(label):
                raise ValueError(f"has a step that cannot be read: {rest[:60]!r}")
            steps.append(Step(label, after.startswith("+")))
            rest = after.removeprefix("+").strip()
        if not 1 <= len(steps) <= MAX_STEPS:
            raise ValueError(f"has {len(steps)} steps, where 1 to {MAX_STEPS} are allowed")
        return cls(tuple(steps))


class PatternTree:
    """Patterns joined by their common beginnings: says whether a link is still inside.

    A place in it is a number: 0 is outside, the others are the beginnings of patterns. Start pages
    are at `start`.
    """

    start = 1

    def __init__(self, patterns: Iterable[NavigationPattern]) -> None:
        self._steps: list[Step] = [Step(""), Step("")]
        self._below: list[dict[str, int]] = [{}, {}]
        self._ranks = [0, 0]
        self._parents = [OUTSIDE, OUTSIDE]
        for rank, pattern in enumerate(patterns):
            place = self.start
            for step in pattern.steps:
                place = self._add(place, step, rank)

    def _add(self, above: int, step: Step, rank: int) -> int:
        known = self._below[above].get(step.label)
        if known is not None:
            if step.repeats:
                self._steps[known] = step
            return known
        self._steps.append(step)
        self._below.append({})
        self._ranks.append(rank)
        self._parents.append(above)
        place = self._below[above][step.label] = len(self._steps) - 1
        return place

    def __len__(self) -> int:
        return len(self._steps)

    def follow(self, place: int, label: str) -> int:
        """Where a link with this label leads from a page at this place."""
        below = self._below[place].get(label)
        if below is not None:
            return below
        step = self._steps[place]
        return place if step.repeats and step.label == label else OUTSIDE

    def rank(self, place: int) -> int:
        """The number of the first pattern that leads through a place: the best one."""
        return self._ranks[place]

    def comes_before(self, place: int, other: int) -> bool:
        """Whether a place is followed first: by the rank of its pattern, and outside last."""
        if OUTSIDE in (place, other):
            return other == OUTSIDE != place
        return (self._ranks[place], place) < (self._ranks[other], other)

    def pattern(self, place: int) -> NavigationPattern:
        """The beginning of a pattern that ends at this place."""
        steps: list[Step] = []
        while place > self.start:
            steps.append(self._steps[place])
            place = self._parents[place]
        return NavigationPattern(tuple(reversed(steps)))
