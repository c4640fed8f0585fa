"""What the engine asks of a strategy: to place new links, to choose the next, to learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from crawler.pages.mime import UrlClass
from crawler.state.records import Changes
from crawler.state.saved import SavedState

NO_ACTION = -1


class Placement(Enum):
    """What to do with a new link."""

    QUEUE = "queue"
    """It goes to the frontier."""
    FETCH = "fetch"
    """It is taken for a target and fetched at once."""
    ASK = "ask"
    """Its class is asked for with a HEAD request."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A link that may be followed."""

    id: int
    url: str
    depth: int
    tag_path: str
    anchor: str = ""
    page_action: int = NO_ACTION
    """The action of the page that shows it."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The link to follow next, and the action that its reward belongs to."""

    link: int
    action: int


class Strategy(Protocol):
    """A way to choose the next link.

    Everything a strategy remembers is in its `save` and `progress`: after `load` it takes the same
    decisions as one that was never interrupted.
    """

    @property
    def opinion(self) -> int:
        """Changes whenever `place` might answer otherwise than before."""
        ...

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """What to do with new links; a shorter answer means: ask again after the last of these."""
        ...

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the frontier."""
        ...

    def next_link(self, t: int) -> Selection | None:
        """The link to follow at time t, taken out of the frontier; None when that is empty."""
        ...

    def forget_selection(self) -> None:
        """The link that was selected last is not worked on any more; a known page comes next."""
        ...

    def adopt(self, link: Candidate) -> int:
        """The action of a page that was fetched without being selected, counted as a selection."""
        ...

    def reward(self, action: int, reward: int) -> None:
        """A selected link gave this many new targets."""
        ...

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """The class of a link is known by an answer; NEITHER also stands for a dead one."""
        ...

    def head_refused(self) -> None:
        """A HEAD request did not give the class of a URL."""
        ...

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        ...

    def progress(self) -> dict[str, Any]:
        """The small rest that is saved as JSON with every step."""
        ...

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring everything back."""
        ...
