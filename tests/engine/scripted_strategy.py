"""A strategy that does what the test says, and notes what the engine asked of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from crawler.pages.mime import UrlClass
from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.strategies.interface import Candidate, Placement, ReadPage, Selection
from tests.engine.scripted_site import shown

FETCH, ASK, QUEUE = Placement.FETCH, Placement.ASK, Placement.QUEUE


class ScriptedStrategy:
    """Places links as told and selects them in the order they were queued.

    The action of a link is the number told for its path, 0 otherwise. Calls go to `journal`, which
    a test may share with the site's, so that calls and requests stand in one order.
    """

    def __init__(
        self,
        placements: Mapping[str, Placement] | None = None,
        actions: Mapping[str, int] | None = None,
        journal: list[str] | None = None,
    ) -> None:
        self.placements = placements or {}
        self.actions = actions or {}
        self.journal = [] if journal is None else journal
        self.opinion = 0
        self.times: list[int] = []
        self.rewards: list[tuple[int, int]] = []
        self.adopted: list[tuple[str, str]] = []
        self.lessons: list[tuple[str, UrlClass]] = []
        self.pages: list[ReadPage] = []
        self.refusals = 0
        self._waiting: list[tuple[int, int]] = []
        self._updates: list[LinkUpdate] = []

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        return [self.placements.get(shown(link.url), Placement.QUEUE) for link in links]

    def queue(self, links: Sequence[Candidate]) -> None:
        self.journal.append("queue " + " ".join(shown(link.url) for link in links))
        for link in links:
            action = self.actions.get(shown(link.url), 0)
            self._waiting.append((link.id, action))
            self._updates.append(LinkUpdate(link.id, LinkStatus.FRONTIER, action, link.id))

    def next_link(self, t: int) -> Selection | None:
        self.times.append(t)
        if not self._waiting:
            return None
        return Selection(*self._waiting.pop(0))

    def forget_selection(self) -> None:
        pass

    def adopt(self, link: Candidate) -> int:
        self.journal.append(f"adopt {shown(link.url)}")
        self.adopted.append((shown(link.url), link.tag_path))
        return self.actions.get(shown(link.url), 0)

    def read(self, page: ReadPage) -> None:
        self.pages.append(page)

    def reward(self, action: int, reward: int) -> None:
        self.journal.append(f"reward {action} {reward}")
        self.rewards.append((action, reward))

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        self.lessons.append((shown(link.url), url_class))

    def head_refused(self) -> None:
        self.refusals += 1

    def save(self, changes: Changes) -> None:
        changes.updates.extend(self._updates)
        self._updates = []

    def progress(self) -> dict[str, Any]:
        return {"waiting": self._waiting}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        self._waiting = [(link, action) for link, action in progress["waiting"]]
