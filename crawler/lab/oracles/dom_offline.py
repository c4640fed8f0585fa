"""`dom-off`: groups of tag paths, ranked once after a sample of the site (paper 000, IV-C)."""

from collections import deque
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from crawler.lab.oracles import Oracle
from crawler.learning.bandit import Arm
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.strategies.baselines import Baseline
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, Selection
from crawler.strategies.path_groups import PathGroups


class DomOffline(Baseline):
    """DOM-OFF: a breadth-first sample, then the groups in the order of their mean benefit.

    The benefit of a followed link is the number of new targets among the links of its page, as
    the oracle knows it without a request; that of a link that is a target itself is 1. Groups that
    appear after the sample have benefit zero for ever. Within a group the oldest link goes first.
    """

    def __init__(
        self,
        oracle: Oracle,
        *,
        n: int,
        theta: float,
        m: int,
        w: int,
        max_actions: int,
        sample: int,
    ) -> None:
        super().__init__()
        self._oracle = oracle
        self._sample = sample
        self._followed = 0
        self._groups = PathGroups(n, m, w, theta, max_actions)
        self._arms: list[Arm] = []
        self._queues: list[deque[int]] = []
        self._awake: list[tuple[float, int]] = []
        """Groups with links by falling benefit; while the sample lasts, by their oldest link."""
        self._benefit = 0
        """Targets among the links of the page that is being placed."""
        self._queued: list[LinkUpdate] = []
        self._played: set[int] = set()

    @property
    def _sampling(self) -> bool:
        return self._followed < self._sample

    @property
    def _learning(self) -> bool:
        # The last link of the sample counts too: its answer comes after it was followed.
        return self._followed <= self._sample

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Every link is queued; while the sample lasts the oracle says what the page is worth."""
        if self._learning:
            self._benefit += sum(self._oracle(link.url) is UrlClass.TARGET for link in links)
        return [Placement.QUEUE] * len(links)

    def queue(self, links: Sequence[Candidate]) -> None:
        """Map links to groups as sb does, path by path in the order of first appearance."""
        by_path: dict[str, list[Candidate]] = {}
        for link in links:
            by_path.setdefault(link.tag_path, []).append(link)
        for path, members in by_path.items():
            group = self._groups.assign(path, len(members))
            if group == len(self._arms):
                self._arms.append(Arm(0, 0.0))
                self._queues.append(deque())
            waiting = self._queues[group]
            first = not waiting
            for link in members:
                waiting.append(link.id)
                self._queued.append(LinkUpdate(link.id, LinkStatus.FRONTIER, group))
            if first:
                heappush(self._awake, (self._rank(group), group))

    def _rank(self, group: int) -> float:
        if self._sampling:
            return self._queues[group][0]
        arm = self._arms[group]
        return -arm.reward / max(arm.selections, 1)

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The oldest link of all while the sample lasts, then the oldest of the best group."""
        self._benefit = 0
        if not self._awake:
            return None
        _, group = heappop(self._awake)
        link = self._queues[group].popleft()
        if self._sampling:
            arm = self._arms[group]
            self._arms[group] = Arm(arm.selections + 1, arm.reward)
            self._played.add(group)
        self._followed += 1
        if self._followed == self._sample:
            self._wake()
        elif self._queues[group]:
            heappush(self._awake, (self._rank(group), group))
        return Selection(link, group)

    def reward(self, action: int, reward: int) -> None:
        """What a followed link gave, of which only the sample is learned from."""
        if action != NO_ACTION and self._learning:
            arm = self._arms[action]
            self._arms[action] = Arm(arm.selections, arm.reward + reward + self._benefit)
            self._played.add(action)
            if not self._sampling:
                self._wake()
        self._benefit = 0

    def _wake(self) -> None:
        """Order all groups that have links anew."""
        self._awake = [(self._rank(g), g) for g, waiting in enumerate(self._queues) if waiting]
        heapify(self._awake)

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._queued)
        self._queued = []
        self._groups.save(changes, self._played, self._arms.__getitem__)
        self._played.clear()

    def progress(self) -> dict[str, Any]:
        """How far the sample is."""
        return {"followed": self._followed}

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring groups, benefits and queues back."""
        self._followed = int(progress["followed"])
        self._arms = self._groups.load(state)
        self._queues = [deque() for _ in self._arms]
        for link, group in state.frontier():
            self._queues[group].append(link)
        self._wake()
