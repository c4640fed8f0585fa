"""What the engine asks of a strategy: to place new links, to choose the next, to learn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, runtime_checkable

from crawler.learning.early_stopping import Forecast
from crawler.pages.html import Page
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
    page: int = 0
    """The page that shows it; 0 for a start page."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The link to follow next, and the action that its reward belongs to."""

    link: int
    action: int


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read for the first time, before its new links are placed."""

    link: Candidate
    """The link that led to it."""
    action: int
    """The action that its reward belongs to."""
    content: Page
    """Its links, known ones too, and what it says; worked out where it is asked for."""
    id_of: Callable[[int], int | None]
    """From the fingerprint of a link on the page to the id of its URL; None where it has none."""


@dataclass(frozen=True, slots=True)
class SupportingFile:
    """A file that a strategy wanted; empty when it could not be had."""

    url: str = ""
    """Where it was found; redirections may have led there."""
    body: bytes = b""
    content_type: str = ""


@runtime_checkable
class WantsFiles(Protocol):
    """A strategy that needs files beside pages, such as style sheets, before links are placed."""

    def wanted(self) -> str | None:
        """The URL of the next one, the same until it is handed over; None when it has all."""
        ...

    def take_file(self, file: SupportingFile) -> None:
        """What came of the one that was wanted."""
        ...


class Strategy(Protocol):
    """A way to choose the next link.

    Everything a strategy remembers is in its `save` and `progress`: after `load` it takes the same
    decisions as one that was never interrupted. What has a body here is how a strategy behaves that
    queues every link and learns nothing.
    """

    @property
    def opinion(self) -> int:
        """Changes whenever `place` might answer otherwise than before."""
        return 0

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """What to do with new links; a shorter answer means: ask again after the last of these."""
        return [Placement.QUEUE] * len(links)

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the frontier."""
        ...

    def next_link(self, t: int) -> Selection | None:
        """The link to follow at time t, taken out of the frontier; None when that is empty."""
        ...

    def forget_selection(self) -> None:
        """The link that was selected last is not worked on any more; a known page comes next."""
        return

    def adopt(self, link: Candidate) -> int:  # noqa: ARG002
        """The action of a page that was fetched without being selected, counted as a selection."""
        return NO_ACTION

    def read(self, page: ReadPage) -> None:  # noqa: ARG002
        """A page was read; its new links are placed next."""
        return

    def reward(self, action: int, reward: int) -> None:  # noqa: ARG002
        """A selected link gave this many new targets."""
        return

    def learn(self, link: Candidate, url_class: UrlClass) -> None:  # noqa: ARG002
        """The class of a link is known by an answer; NEITHER also stands for a dead one."""
        return

    def head_refused(self) -> None:
        """A HEAD request did not give the class of a URL."""
        return

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        ...

    def progress(self) -> dict[str, Any]:
        """The small rest that is saved as JSON with every step."""
        ...

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring everything back."""
        ...


@runtime_checkable
class Forecasting(Protocol):
    """A strategy that says what it expects of the links that wait."""

    def forecast(self) -> Forecast:
        """What it has promised so far, and what the waiting links promise."""
        ...


@runtime_checkable
class Inheriting(Protocol):
    """A strategy that may begin with what an earlier crawl of the same site learned."""

    def inherit(self, state: SavedState) -> None:
        """Take over what a state without progress holds."""
        ...
