"""A page whose new links are being placed: one level of Algorithm 4's recursion."""

from dataclasses import dataclass, field
from typing import Any

from crawler.strategies.interface import Candidate, Placement


@dataclass(slots=True)
class Frame:
    """The page, the action that its reward goes to, and the links that are still to be placed.

    A predicted target that turns out to be a page opens a frame inside this one. The links of a
    frame have consecutive ids, so a saved frame is a few numbers.
    """

    page: int
    url: str
    action: int
    end: int
    """One past the id of the page's last link."""
    links: list[Candidate]
    reward: int = 0
    position: int = 0
    placements: list[Placement] = field(default_factory=list)
    """What the strategy said of the links from `placed_from` on."""
    placed_from: int = 0
    opinion: int = -1
    """The strategy's opinion at that time."""
    is_visit: bool = False
    """The page was known and visited again: no action is rewarded for it."""

    @property
    def done(self) -> bool:
        """Whether every link has its place."""
        return self.position >= len(self.links)

    def placement(self) -> Placement | None:
        """What the strategy said of the next link, if it said anything."""
        index = self.position - self.placed_from
        return self.placements[index] if index < len(self.placements) else None

    def save(self) -> dict[str, Any]:
        """Ready for JSON."""
        first = self.end if self.done else self.links[self.position].id
        return {
            "page": self.page,
            "url": self.url,
            "action": self.action,
            "reward": self.reward,
            "first": first,
            "end": self.end,
            "is_visit": self.is_visit,
        }
