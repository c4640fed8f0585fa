"""`tallyho`: every waiting link is scored by what it looks like; the most promising goes first."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from crawler.learning.bandit import Arm, SleepingBandit
from crawler.learning.early_stopping import Forecast
from crawler.learning.link_features import Row, features_of, shape_of
from crawler.learning.yield_model import YieldModel
from crawler.pages.mime import UrlClass
from crawler.state.records import ActionRow, ArmRow, Changes, LinkRow
from crawler.state.saved import SavedState
from crawler.strategies.generator import Generator
from crawler.strategies.interface import NO_ACTION, Candidate, Placement, ReadPage, Selection
from crawler.strategies.read_pages import ReadPages
from crawler.strategies.saved_weights import row_of, weights_of
from crawler.strategies.scored_frontier import ScoredFrontier

_SCORED_A_STEP = 200
"""Links scored anew for each one followed, on average: the work does not grow with the frontier."""
_BEST_LINKS = 3
_MAX_PROMISE = 3.0
_DRAWS = 1_000_000
_LINKS_AT_ONCE = 5_000


@dataclass(slots=True)
class _Visit:
    """A page in work."""

    link: int
    action: int
    row: Row
    promises: list[float] = field(default_factory=list)
    """What its best new links seem to be worth, the largest first."""
    page: int = 0
    """The page, where redirections ended; 0 until it is read."""

    def promise(self, worth: float) -> None:
        self.promises = sorted([*self.promises, worth], reverse=True)[:_BEST_LINKS]

    def save(self) -> list[Any]:
        return [self.link, self.action, self.promises, self.row.tobytes().hex(), self.page]


class Tallyho:
    """Learns from URL, anchor and place of every link it followed what the next one is worth.

    A page is worth the logarithm of its new targets, and a share of what its best new links
    promise, so that hubs earn before their pages do; a target that was not recognised on its page
    earns for it when it is found. Of pages that promise as much the one found first goes first.
    Links that look like targets are fetched at once; dead ones teach what is alive, and links like
    them wait at the end. With `exploration`, a share of the choices goes to the least known action,
    chosen as by the sleeping bandit.
    """

    def __init__(
        self,
        *,
        alpha: float,
        exploration: float,
        hub_credit: float,
        certainty: float,
        max_actions: int,
        seed: int,
    ) -> None:
        self._exploration = exploration
        self._hub_credit = hub_credit
        self._certainty = certainty
        self._max_actions = max_actions
        self._model = YieldModel()
        self._frontier = ScoredFrontier()
        self._bandit = SleepingBandit(alpha)
        self._generator = Generator(seed)
        self._actions: dict[str, int] = {}
        """By the shape of the tag path."""
        self._examples: list[str] = []
        self._saved_actions = 0
        self._played: set[int] = set()
        self._visits: list[_Visit] = []
        """The page in work and, on top of it, pages that were taken for its targets."""
        self._pages = ReadPages()
        self._followed: _Visit | None = None
        """The selected link, until its class is known."""
        self._placed: dict[Candidate, Row] = {}
        """Features of the links that were placed last: most are queued or fetched next."""
        self._promised = 0.0
        """What all followed links seemed to be worth."""
        self._summed, self._mean_score = -1, 0.0
        self._publications = 0
        self._steps = 0
        """Choices since the last publication."""

    @property
    def opinion(self) -> int:
        """Changes with every publication, which comes between two pages."""
        return self._publications

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Fetch at once what is likely enough to be a target."""
        if not links:
            return []
        self._placed = {link: self._row(link) for link in links}
        chances = self._model.chances(np.stack(list(self._placed.values())))
        sure = chances > self._certainty
        return [Placement.FETCH if one else Placement.QUEUE for one in sure.tolist()]

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the frontier, each with its score."""
        rows = [self._row(link) for link in links]
        worth = self._model.worth(np.stack(rows), [link.id for link in links]).tolist()
        for link, row, score in zip(links, rows, worth, strict=True):
            action = self._action(link.tag_path)
            self._frontier.add(link.id, action, row, score)
            self._bandit.set_awake(action, True)
            if self._visits:
                self._visits[-1].promise(min(score, _MAX_PROMISE))

    def next_link(self, t: int) -> Selection | None:
        """The best link of all; with exploration, now and then one of the least known action."""
        self.forget_selection()
        self._steps += 1
        if self._steps * _SCORED_A_STEP >= len(self._frontier):
            self._publish()
        if not len(self._frontier):
            return None
        slot = self._slot(t)
        self._promised += min(self._frontier.score(slot), _MAX_PROMISE)
        link, action, row = self._frontier.take(slot)
        self._bandit.select(action)
        self._bandit.set_awake(action, self._frontier.count(action) > 0)
        self._played.add(action)
        self._followed = _Visit(link, action, row)
        self._visits.append(self._followed)
        return Selection(link, action)

    def forecast(self) -> Forecast:
        """What it has promised and expects; the waiting links are summed up now and then."""
        links = len(self._frontier)
        if self._summed != self._publications:
            self._mean_score = self._frontier.total() / max(links, 1)
            self._summed = self._publications
        return Forecast(self._promised, self._mean_score * links, links)

    def _slot(self, t: int) -> int:
        if self._generator.below(_DRAWS) < self._exploration * _DRAWS:
            action = self._bandit.choose(t)
            if action is not None:
                slots = self._frontier.slots_of(action)
                return int(slots[self._generator.below(len(slots))])
        return self._frontier.best()

    def _publish(self) -> None:
        self._model.publish()
        self._frontier.score_all(self._model.worth)
        self._publications += 1
        self._steps = 0

    def forget_selection(self) -> None:
        """What comes next was not reached by following a link."""
        self._visits.clear()
        self._followed = None

    def adopt(self, link: Candidate) -> int:
        """The action of a page that was taken for a target; it counts as a selection."""
        row, action = self._row(link), self._action(link.tag_path)
        self._bandit.select(action)
        self._played.add(action)
        self._visits.append(_Visit(link.id, action, row))
        return action

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """It is known by an answer what a link is: also that it is dead."""
        followed, self._followed = self._followed, None
        if followed is None and not link.tag_path:
            return  # a start page was not chosen
        row = followed.row if followed is not None else self._row(link)
        is_target = url_class is UrlClass.TARGET
        is_alive = url_class is not UrlClass.NEITHER
        self._model.learn_class(row, is_target=is_target, is_alive=is_alive)
        if followed is not None and url_class is not UrlClass.HTML:
            self._visits.clear()
            if is_target:
                self._credit(link.page)

    def _credit(self, page: int) -> None:
        """A target that was not recognised on its page earns for the page now."""
        known = self._pages.gave(page, 1)
        if known is not None:
            row, targets = known
            self._model.learn_yield(row, math.log1p(targets))

    def read(self, page: ReadPage) -> None:
        """Remember what led to the page."""
        if self._visits:
            self._visits[-1].page = page.link.id
            self._pages.add(page.link.id, self._visits[-1].row)

    def reward(self, action: int, reward: int) -> None:
        """A page gave this many new targets; a selected link that is a target itself gives one."""
        visit = self._visits.pop() if self._visits else None
        if visit is not None:
            credit = self._hub_credit * sum(visit.promises) / _BEST_LINKS
            self._model.learn_yield(visit.row, math.log1p(reward) + credit)
            if reward:
                self._pages.gave(visit.page, reward)
        self._bandit.reward(action, reward)
        self._played.add(action)

    def head_refused(self) -> None:
        """It never asks with HEAD: a name that looks like a file's is fetched."""

    def _row(self, link: Candidate) -> Row:
        placed = self._placed.get(link)
        if placed is not None:
            return placed
        action = self._action(link.tag_path)
        return features_of(link.url, link.anchor, link.tag_path, action, link.page_action)

    def _action(self, tag_path: str) -> int:
        shape = shape_of(tag_path)
        action = self._actions.get(shape)
        if action is None:
            if len(self._examples) >= self._max_actions:
                return self._max_actions - 1
            action = self._actions[shape] = len(self._examples)
            self._examples.append(tag_path)
            self._bandit.set_awake(action, False)
        return action

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._frontier.take_updates())
        for action in range(self._saved_actions, len(self._examples)):
            arm = self._bandit.arm(action)
            changes.actions.append(
                ActionRow(action, self._examples[action], b"", b"", 0.0, arm.selections, arm.reward)
            )
        for action in sorted(self._played):
            if action < self._saved_actions:
                arm = self._bandit.arm(action)
                changes.arms.append(ArmRow(action, arm.selections, arm.reward))
        self._saved_actions = len(self._examples)
        self._played.clear()
        changes.weights.extend(map(row_of, self._model.take_changed()))
        changes.memory.update(self._pages.take_changes())

    def progress(self) -> dict[str, Any]:
        """The generator, the pages in work, and how far the next publication is."""
        return {
            "generator": self._generator.save(),
            "visits": [visit.save() for visit in self._visits],
            "followed": self._followed is not None,
            "next_page": self._pages.next_place,
            "promised": self._promised,
            "summed": [self._summed, self._mean_score],
            "publications": self._publications,
            "steps": self._steps,
        }

    def inherit(self, state: SavedState) -> None:
        """Begin with the actions and the model of the site's last crawl."""
        for known in state.actions():
            self._actions.setdefault(shape_of(known.path), known.id)
            self._examples.append(known.path)
            self._bandit.load(known.id, Arm(known.selections, known.reward))
        self._saved_actions = len(self._examples)
        self._model.load(weights_of(state))

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring model, actions, frontier, pages in work and generator back."""
        self.inherit(state)
        self._frontier.load(self._waiting(state))
        self._frontier.score_all(self._model.worth)
        for action in range(len(self._examples)):
            self._bandit.set_awake(action, self._frontier.count(action) > 0)
        row_of_link = self._rows_from(state)
        for link, action, promises, *more in progress["visits"]:
            # A crawl that an earlier version began has neither features nor page of its visits.
            row = _row_from(more[0]) if more else row_of_link(state.link(int(link)))
            self._visits.append(_Visit(link, action, row, promises, more[1] if more else 0))
        if progress["followed"]:
            self._followed = self._visits[-1]
        self._pages.load(state.memory(), progress.get("next_page", 0))
        self._promised = progress.get("promised", 0.0)
        self._summed, self._mean_score = progress.get("summed", (-1, 0.0))
        self._generator.load(progress["generator"])
        self._publications, self._steps = int(progress["publications"]), int(progress["steps"])

    def _waiting(self, state: SavedState) -> Iterator[tuple[int, int, Row]]:
        ids = sorted(link for link, _ in state.frontier())
        wanted = set(ids)
        waiting: list[tuple[int, int, int, Row]] = []
        row_of_link = self._rows_from(state)
        for start in range(0, len(ids), _LINKS_AT_ONCE):
            some = ids[start : start + _LINKS_AT_ONCE]
            waiting += [
                (link.slot, link.id, link.action, row_of_link(link))
                for link in state.links(some[0], some[-1] + 1)
                if link.id in wanted
            ]
        for _, link, action, row in sorted(waiting, key=lambda one: one[0]):
            yield link, action, row

    def _rows_from(self, state: SavedState) -> Callable[[LinkRow], Row]:
        """From saved links to their features; neighbours share their page and their tag paths."""
        tag_path_of = cache(state.tag_path)
        action_of = cache(lambda page: state.link(page).action if page else NO_ACTION)

        def row_of_link(link: LinkRow) -> Row:
            tag_path = tag_path_of(link.tag_path)
            action = self._action(tag_path)
            return features_of(link.url, link.anchor, tag_path, action, action_of(link.parent))

        return row_of_link


def _row_from(text: str) -> Row:
    return np.frombuffer(bytes.fromhex(text), dtype=np.uint16)
