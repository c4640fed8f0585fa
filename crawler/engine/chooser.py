"""What to fetch next: a page's predicted targets first, then what the strategy selects."""

from heapq import heappop

from crawler.engine.events import Rewarded
from crawler.engine.frame import Frame
from crawler.engine.ledger import Ledger
from crawler.engine.task import Purpose, Task
from crawler.state.records import LinkRow
from crawler.state.saved import SavedState
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, Strategy


def _known(row: LinkRow) -> Candidate:
    """A link of the frontier has its action already, so its tag path is not needed any more."""
    return Candidate(row.id, row.url, row.depth, tag_path="", anchor=row.anchor)


class Chooser:
    """Algorithm 3, and the loop over a page's links in Algorithm 4, without recursion."""

    def __init__(self, ledger: Ledger, strategy: Strategy, state: SavedState) -> None:
        self._ledger = ledger
        self._strategy = strategy
        self._state = state

    def next_task(self) -> Task | None:
        """The next URL to work on; None when nothing is left."""
        ledger = self._ledger
        while ledger.frames:
            task = self._place_links(ledger.frames[-1])
            if task is not None:
                return task
            self._close(ledger.frames.pop())
        if ledger.entries:
            return Task(ledger.entries.popleft(), Purpose.ENTRY)
        selection = self._strategy.next_link(ledger.totals.gets)
        if selection is not None:
            link = _known(self._state.link(selection.link))
            return Task(link, Purpose.SELECTED, selection.action)
        if ledger.deferred:
            row = self._state.link(heappop(ledger.deferred))
            return Task(_known(row), Purpose.SELECTED, row.action, second_chance=True)
        return None

    def _place_links(self, frame: Frame) -> Task | None:
        """Place a page's links in their order, up to one that needs a request.

        The strategy is asked for all of them at once, and again whenever its opinion has changed:
        a classifier trained on the first targets of a page judges the rest of it better.
        """
        strategy = self._strategy
        while not frame.done:
            if frame.opinion != strategy.opinion or frame.placement() is None:
                frame.placements = strategy.place(frame.links[frame.position :])
                frame.placed_from = frame.position
                frame.opinion = strategy.opinion
            start = frame.position
            while frame.placement() is Placement.QUEUE:
                frame.position += 1
            if frame.position > start:
                strategy.queue(frame.links[start : frame.position])
            placement = frame.placement()
            if placement is not None:
                link = frame.links[frame.position]
                frame.position += 1
                asked = placement is Placement.ASK
                return Task(link, Purpose.ASKED if asked else Purpose.PREDICTED)
        return None

    def _close(self, frame: Frame) -> None:
        """All links of a page are placed: its action gets the reward."""
        if frame.action != NO_ACTION:
            self._strategy.reward(frame.action, frame.reward)
        self._ledger.events.append(Rewarded(frame.url, frame.action, frame.reward))
