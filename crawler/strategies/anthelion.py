"""`anthelion`: a bandit chooses a group of links, a classifier the best of them (paper 001)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from crawler.config.strategy import Classifier, Grouping
from crawler.learning.bandit import Arm
from crawler.learning.group_bandit import Exploration, GroupBandit
from crawler.learning.group_score import Score
from crawler.learning.hoeffding_tree import HoeffdingTree
from crawler.learning.naive_bayes import NaiveBayes
from crawler.learning.url_tokens import (
    PARENT_FEATURES,
    Row,
    parent_features,
    row_of,
    url_features,
)
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes
from crawler.state.saved import SavedState
from crawler.strategies.confident_frontier import (
    MAX_PARENTS,
    ConfidentFrontier,
    Waiting,
    confidence_of,
    order_of,
)
from crawler.strategies.directory_groups import DirectoryGroups, directory_of
from crawler.strategies.frontier import waiting_rows
from crawler.strategies.generator import Generator
from crawler.strategies.interface import NO_ACTION, Candidate, ReadPage, Selection, Strategy
from crawler.strategies.page_notes import MAX_KNOWN_LINKS, PageNote, PageNotes
from crawler.strategies.path_groups import PathGroups

_SCORED_A_STEP = 50
_PASSED_A_STEP = 1_000
"""Waiting links that are scored anew for each one followed, and ids that are looked at for that."""
_MIN_MOVE = 4
"""A quarter of a log odd: less is not worth writing to the state."""
_CLASSIFIER, _PAGE = "classifier", "page"


@dataclass(frozen=True, slots=True)
class _Followed:
    """The selected link, until its class is known."""

    link: int
    page: int
    row: Row


class Anthelion(Strategy):
    """Relevant is what is a target, and a page that was the first to show one.

    A page is not relevant when it is read; it becomes so with the first target among its links,
    which is when classifier, group and the other links of the page hear of it.
    """

    def __init__(
        self,
        *,
        classifier: Classifier,
        score: Score,
        exploration: float,
        decay: int | None,
        hashes: int,
        groups: Grouping,
        n: int,
        theta: float,
        m: int,
        w: int,
        max_actions: int,
        seed: int,
    ) -> None:
        features = hashes + PARENT_FEATURES
        self._hashes = hashes
        self._classifier: NaiveBayes | HoeffdingTree = (
            NaiveBayes(features)
            if classifier is Classifier.NAIVE_BAYES
            else HoeffdingTree(features)
        )
        self._by_directory = groups is Grouping.DIRECTORIES
        self._groups: PathGroups | DirectoryGroups = (
            DirectoryGroups(max_actions)
            if self._by_directory
            else PathGroups(n, m, w, theta, max_actions)
        )
        self._bandit = GroupBandit(score, Exploration(exploration, decay))
        self._frontier = ConfidentFrontier()
        self._notes = PageNotes()
        self._generator = Generator(seed)
        self._played: set[int] = set()
        """Groups whose counts changed since the last save."""
        self._followed: _Followed | None = None
        self._arrived: _Followed | None = None
        """The link whose answer is taken in at this moment."""
        self._reading = 0
        """The page whose links are being placed."""
        self._scored = self._newest = 0
        """The link that was scored anew last, and the newest of all."""

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into their groups, each with its confidence."""
        by_key: dict[str, list[Candidate]] = {}
        for link in links:
            key = directory_of(link.url) if self._by_directory else link.tag_path
            by_key.setdefault(key, []).append(link)
        for key, members in by_key.items():
            group = self._groups.assign(key, len(members))
            for link in members:
                tokens = url_features(link.url, self._hashes)
                self._frontier.add(link.id, Waiting(group, link.page, tokens, int(link.page > 0)))
                note = self._notes.get(link.page)
                if note is not None:
                    note.children.add(link.id)
        self._newest = max(self._newest, *(link.id for link in links))
        self._score([link.id for link in links])

    def next_link(self, t: int) -> Selection | None:
        """Algorithm 1: the group by its score or at random, then the best link of it."""
        self.forget_selection()
        self._score_some()
        group = self._bandit.choose(t, self._generator.draws)
        if group is None:
            return None
        link, waiting = self._frontier.take(group)
        self._followed = _Followed(link, waiting.page, self._row(waiting))
        self._bandit.record(group, bad=1)
        self._played.add(group)
        self._renew([group])
        return Selection(link, group)

    def forget_selection(self) -> None:
        """What comes next was not reached by following a link."""
        self._notes.drop_if_childless(self._reading)
        self._reading = 0
        self._arrived = None
        followed, self._followed = self._followed, None
        if followed is not None:
            self._notes.release(followed.page, followed.link)

    def adopt(self, link: Candidate) -> int:
        """The group of a page that was not selected; it counts as a selection."""
        group = self._groups.assign(
            directory_of(link.url) if self._by_directory else link.tag_path, 1
        )
        self._bandit.record(group, bad=1)
        self._played.add(group)
        return group

    def read(self, page: ReadPage) -> None:
        """A page is a parent of all links on it, also of those that wait already."""
        self._notes.drop_if_childless(self._reading)
        links = self._frontier.links
        ids = (page.id_of(link.fingerprint) for link in page.content.links)
        known = [link for link in dict.fromkeys(ids) if link is not None and link in links]
        counted = [link for link in known if links[link].parents < MAX_PARENTS]
        for link in counted:
            links[link].parents += 1
        self._score(counted)
        row = self._arrived.row if self._arrived is not None else None
        self._reading = page.link.id
        self._notes.add(self._reading, PageNote(page.action, row, known[:MAX_KNOWN_LINKS]))

    def reward(self, action: int, reward: int) -> None:
        """A selected link is a target."""
        if reward:
            self._bandit.record(action, good=1, bad=-1)
            self._played.add(action)

    def learn(self, link: Candidate, url_class: UrlClass) -> None:  # noqa: ARG002
        """An example: what a followed link turned out to be; a dead one is not relevant."""
        followed, self._followed = self._followed, None
        self._arrived = followed
        if followed is None:
            return
        is_target = url_class is UrlClass.TARGET
        self._classifier.learn(followed.row, relevant=is_target)
        if is_target:
            self._page_is_relevant(followed.page)
        self._notes.release(followed.page, followed.link)

    def _page_is_relevant(self, page: int) -> None:
        """The first target that it shows was fetched."""
        note = self._notes.pop(page)
        if note is None:
            return
        if note.row is not None:
            self._classifier.learn(note.row, relevant=True)
        if note.group != NO_ACTION:
            self._bandit.record(note.group, good=1, bad=-1)
            self._played.add(note.group)
        links = self._frontier.links
        waiting = [link for link in [*sorted(note.children), *note.known] if link in links]
        for link in waiting:
            links[link].relevant = min(links[link].relevant + 1, links[link].parents)
        self._score(waiting)

    def _row(self, waiting: Waiting) -> Row:
        parents = parent_features(waiting.parents, waiting.relevant, self._hashes)
        return row_of([*waiting.tokens, *parents], self._hashes)

    def _score(self, links: Sequence[int], min_move: int = 0) -> None:
        """Ask the classifier; links whose confidence moved less than that stay as they are."""
        if not links:
            return
        waiting = [self._frontier.links[link] for link in links]
        odds = self._classifier.log_odds(np.stack([self._row(each) for each in waiting])).tolist()
        for link, each, odd in zip(links, waiting, odds, strict=True):
            order = order_of(odd)
            if abs(order - each.order) >= min_move:
                self._frontier.changed(link, order)
        self._renew({each.group for each in waiting})

    def _score_some(self) -> None:
        """The next few links in turn: the work of a step does not grow with the frontier."""
        links, chosen = self._frontier.links, []
        for _ in range(min(_PASSED_A_STEP, self._newest)):
            self._scored = self._scored % self._newest + 1
            if self._scored in links:
                chosen.append(self._scored)
                if len(chosen) == _SCORED_A_STEP:
                    break
        self._score(chosen, _MIN_MOVE)

    def _renew(self, groups: Iterable[int]) -> None:
        """Tell the bandit what the best link of these groups is."""
        for group in groups:
            best = self._frontier.best(group)
            if best is None:
                self._bandit.sleep(group)
            else:
                self._bandit.wake(group, confidence_of(best))

    def _arm(self, group: int) -> Arm:
        good = self._bandit.good(group)
        return Arm(round(good + self._bandit.bad(group)), good)

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._frontier.take_updates())
        self._groups.save(changes, self._played, self._arm)
        self._played.clear()
        for room, parts in ((_CLASSIFIER, self._classifier), (_PAGE, self._notes)):
            for name, value in parts.take_changed():
                changes.memory[f"{room} {name}"] = value

    def progress(self) -> dict[str, Any]:
        """The generator, the link and the page in work, and which link is scored next."""
        followed = self._followed
        return {
            "generator": self._generator.save(),
            "followed": followed and [followed.link, followed.page, followed.row.tolist()],
            "reading": self._reading,
            "scored": self._scored,
            "newest": self._newest,
        }

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring classifier, groups, frontier, pages and generator back."""
        for name, value in state.memory():
            room, _, part = name.partition(" ")
            (self._classifier if room == _CLASSIFIER else self._notes).load(part, value)
        self._classifier.loaded()
        for group, arm in enumerate(self._groups.load(state)):
            self._bandit.record(group, arm.reward, arm.selections - arm.reward)
        self._load_frontier(state)
        self._renew(range(len(self._groups)))
        if progress["followed"] is not None:
            link, page, row = progress["followed"]
            self._followed = _Followed(link, page, np.array(row, dtype=np.uint16))
            note = self._notes.get(page)
            if note is not None:
                note.children.add(link)
        self._generator.load(progress["generator"])
        self._reading = int(progress["reading"])
        self._scored, self._newest = int(progress["scored"]), int(progress["newest"])

    def _load_frontier(self, state: SavedState) -> None:
        for row in waiting_rows(state):
            waiting = Waiting(row.action, row.parent, url_features(row.url, self._hashes))
            waiting.restore(row.slot)
            self._frontier.restore(row.id, waiting)
            note = self._notes.get(row.parent)
            if note is not None:
                note.children.add(row.id)
