"""What to fetch next: a page's predicted targets first, then what the strategy selects."""

from collections.abc import Callable
from heapq import heappop

from crawler.engine.events import Rewarded
from crawler.engine.frame import Frame
from crawler.engine.ledger import Ledger
from crawler.engine.night import Night, Phase
from crawler.engine.night_tasks import NightTasks
from crawler.engine.supporting import SupportingFiles
from crawler.engine.task import Purpose, Task
from crawler.state.records import LinkRow
from crawler.state.saved import SavedState
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, Strategy


def _known(row: LinkRow) -> Candidate:
    """A link of the frontier has its action already, so its tag path is not needed any more."""
    return Candidate(row.id, row.url, row.depth, tag_path="", anchor=row.anchor, page=row.parent)


class Chooser:
    """Algorithm 3, and the loop over a page's links in Algorithm 4, without recursion."""

    def __init__(
        self,
        ledger: Ledger,
        strategy: Strategy,
        state: SavedState,
        night_tasks: NightTasks | None,
        requests_left: Callable[[], int],
        supporting: SupportingFiles,
        gives_nothing: Callable[[int], bool],
    ) -> None:
        self._ledger = ledger
        self._strategy = strategy
        self._state = state
        self._night_tasks = night_tasks
        self._requests_left = requests_left
        self._supporting = supporting
        self._gives_nothing = gives_nothing

    def next_task(self) -> Task | None:
        """The next URL to work on; None when nothing is left."""
        ledger = self._ledger
        supporting = self._supporting.next_task()
        if supporting is not None:
            return supporting
        while ledger.frames:
            task = self._place_links(ledger.frames[-1])
            if task is not None:
                return task
            self._close(ledger.frames.pop())
        if ledger.entries:
            return Task(ledger.entries.popleft(), Purpose.ENTRY)
        if ledger.night is not None and self._night_tasks is not None:
            task = self._next_of_night(ledger.night, self._night_tasks)
            if task is not None:
                return task
        task = self._select()
        if task is not None:
            return task
        if ledger.deferred:
            row = self._state.link(heappop(ledger.deferred))
            return Task(_known(row), Purpose.SELECTED, row.action, second_chance=True)
        if ledger.postponed:
            row = self._state.link(ledger.postponed.take(ledger.totals.gets, self._gives_nothing))
            return Task(_known(row), Purpose.SELECTED, row.action, postponed=True)
        return None

    def _next_of_night(self, night: Night, tasks: NightTasks) -> Task | None:
        """What is planned, with the frontier's share of the night between pages and files."""
        task = tasks.next_task(night)
        if task is None and night.phase is Phase.NEW_LINKS:
            # The files that are due must not starve, however much was found tonight.
            if night.may_select and self._requests_left() > len(night.ahead):
                task = self._select()
            if task is not None:
                night.selected += 1
                return task
            tasks.frontier_is_done(night)
            task = tasks.next_task(night)
        return task

    def _select(self) -> Task | None:
        """What the strategy chooses from the frontier."""
        selection = self._strategy.next_link(self._ledger.totals.gets)
        if selection is None:
            return None
        if self._ledger.night is not None:
            self._ledger.night.is_leftover = selection.link < self._ledger.night.first_link
        link = _known(self._state.link(selection.link))
        return Task(link, Purpose.SELECTED, selection.action)

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
                if self._ledger.night is not None:
                    self._ledger.night.queue(frame.position - start)
            placement = frame.placement()
            if placement is not None:
                link = frame.links[frame.position]
                frame.position += 1
                asked = placement is Placement.ASK
                return Task(link, Purpose.ASKED if asked else Purpose.PREDICTED)
        return None

    def _close(self, frame: Frame) -> None:
        """All links of a page are placed: the action that led to it gets the reward."""
        if frame.action != NO_ACTION and not frame.is_visit:
            self._strategy.reward(frame.action, frame.reward)
        self._ledger.events.append(Rewarded(frame.url, frame.action, frame.reward))
