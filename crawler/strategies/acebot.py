"""`acebot`: the structure-driven crawler of paper 002: sample, choose patterns, follow them."""

from array import array
from collections.abc import Sequence
from typing import Any

from crawler.config.strategy import PageItems, PathAttributes
from crawler.learning.navigation_patterns import OUTSIDE, PatternTree
from crawler.learning.site_graph import MAX_LINKS
from crawler.pages.mime import UrlClass
from crawler.state.records import ActionRow, ArmRow, Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.strategies.frontier import waiting_rows
from crawler.strategies.generator import Generator
from crawler.strategies.interface import (
    NO_ACTION,
    Candidate,
    Placement,
    ReadPage,
    Selection,
    Strategy,
)
from crawler.strategies.known_labels import NO_LABEL, KnownLabels
from crawler.strategies.pattern_set import LEARNED, PATTERNS, PatternSet, read_pattern_set
from crawler.strategies.placed_links import NAMED, PlacedLinks
from crawler.strategies.site_sample import SiteSample

MIN_SAMPLE = 50
"""Pages that are sampled however small a site seems to be."""


class Acebot(Strategy):
    """Offline phase: a sample. Online phase: its best patterns, then everything else.

    A link whose label led to files before is fetched with the page that shows it: files are what
    its pages are visited for.
    """

    def __init__(
        self,
        *,
        sample: int,
        sample_share: float,
        attributes: PathAttributes,
        items: PageItems,
        steps: int,
        repetitions: int,
        completion: float,
        seed: int,
        patterns: PatternSet | None = None,
    ) -> None:
        self._max_sample, self._sample_share = sample, sample_share
        self._steps, self._repetitions, self._completion = steps, repetitions, completion
        self._attributes = attributes
        self._sample = SiteSample(items)
        self._generator = Generator(seed)
        self._labels = KnownLabels(attributes)
        self._links = PlacedLinks()
        self._label_of_link = array("i")
        self._tree = PatternTree([])
        self._arms: list[tuple[int, float]] = [(0, 0.0)]
        """Selections and reward of every place."""
        self._played: set[int] = set()
        self._saved_arms = 0
        self._sampling = True
        self._queued = 0
        """Links that waited so far: as many as the site is known to have."""
        self._start_url = ""
        self._followed: tuple[int, int] | None = None
        """The link in work, if it was selected, and its label."""
        self._updates: list[LinkUpdate] = []
        self._memory: dict[str, bytes] = {}
        if patterns is not None:
            self._follow(patterns)
            self._labels.expect_files(patterns.files)
            self._memory[PATTERNS] = patterns.encode()

    @property
    def opinion(self) -> int:
        """Changes when a label begins, or ceases, to lead to files."""
        return self._labels.opinion

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """Fetch the files of a page with it; what else it links to waits."""
        labels = self._labels
        return [
            Placement.FETCH
            if labels.leads_to_files(labels.number(link.tag_path))
            else Placement.QUEUE
            for link in links
        ]

    def queue(self, links: Sequence[Candidate]) -> None:
        """Let every link wait where its label leads from the place of its page."""
        for link in links:
            label = self._labels.number(link.tag_path)
            self._note_label(link.id, label)
            self._links.add(link.id, NAMED if label == NO_LABEL else self._place(link, label))
        self._queued += len(links)

    def _place(self, link: Candidate, label: int) -> int:
        page = link.page_action
        if page == NO_ACTION:
            page = self._tree.start if link.depth == 1 else OUTSIDE
        return self._tree.follow(page, self._labels.text(label))

    def _note_label(self, link: int, label: int) -> None:
        if link >= len(self._label_of_link):
            missing = link + 1 - len(self._label_of_link)
            self._label_of_link.extend([NO_LABEL] * missing)
        self._label_of_link[link] = label

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """From either end of the sample's queue at random; later the first of the best pattern."""
        self._followed = None
        link, place = self._next_of_sample(), OUTSIDE
        if link is None:
            if self._sampling and self._sample.pages:
                self._learn_patterns()
            best = self._links.take_best()
            if best is None:
                return None
            link, place = best
        self._followed = link, self._label_of_link[link]
        if place != NAMED:
            self._count(place, 1, 0)
        return Selection(link, place)

    def _next_of_sample(self) -> int | None:
        wanted = max(MIN_SAMPLE, self._sample_share * self._queued)
        is_full = self._sample.pages >= self._max_sample
        if not self._sampling or is_full or self._sample.is_enough(wanted):
            return None
        take = self._links.take_last if self._generator.below(2) else self._links.take_first
        return take(OUTSIDE)

    def _count(self, place: int, selections: int, reward: float) -> None:
        before = self._arms[place]
        self._arms[place] = before[0] + selections, before[1] + reward
        self._played.add(place)

    def forget_selection(self) -> None:
        """The next answer is not that of a followed link."""
        self._followed = None

    def adopt(self, link: Candidate) -> int:
        """The place of a page that was taken for a file; it counts as a selection."""
        self._followed = None
        place = self._place(link, self._labels.number(link.tag_path))
        self._count(place, 1, 0)
        return place

    def read(self, page: ReadPage) -> None:
        """Take a page into the sample; later, let known links on it wait at better places."""
        followed, self._followed = self._followed, None
        if self._sampling:
            self._take_into_sample(page, followed[0] if followed else page.link.id)
            return
        place = self._tree.start if page.link.depth == 0 else page.action
        if place <= OUTSIDE:
            return
        for link in page.content.links[:MAX_LINKS]:
            known = page.id_of(link.fingerprint)
            if known is not None and self._links.place_of(known) is not None:
                label = self._labels.text(self._labels.number(link.tag_path))
                self._links.improve(known, self._tree.follow(place, label))

    def _take_into_sample(self, page: ReadPage, link: int) -> None:
        for target in self._sample.add_page(page, link, self._labels):
            if self._links.place_of(target) == NAMED:
                self._links.add(target, OUTSIDE)
        self._start_url = self._start_url or page.link.url

    def reward(self, action: int, reward: int) -> None:
        """What the pages of a place gave, for those who look at it."""
        if action != NO_ACTION:
            self._count(action, 0, reward)

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """What links with a label lead to: files, or pages and dead ends."""
        is_target = url_class is UrlClass.TARGET
        if self._sampling and is_target:
            self._sample.add_file(link.id)
        if link.tag_path:
            self._labels.learn(self._labels.number(link.tag_path), is_target=is_target)
        elif self._followed is not None:
            self._labels.learn(self._followed[1], is_target=is_target)

    def _learn_patterns(self) -> None:
        """The end of the offline phase: choose the patterns, and place what is known by them."""
        patterns = self._sample.learn(
            self._labels,
            self._attributes,
            self._start_url,
            set(self._links.waiting(OUTSIDE)),
            steps=self._steps,
            repetitions=self._repetitions,
            completion=self._completion,
        )
        self._memory |= {PATTERNS: patterns.encode(), LEARNED: b"1"}
        self._follow(patterns)
        places, waiting = self._sample.places(self._tree, self._labels)
        for page, place in places.items():
            if place != self._tree.start:
                self._updates.append(LinkUpdate(page, LinkStatus.PAGE, place))
        for link in list(self._links.waiting(OUTSIDE)):
            if link in waiting:
                self._links.add(link, waiting[link])
        self._sample.forget()

    def _follow(self, patterns: PatternSet) -> None:
        """Begin the online phase."""
        self._sampling = False
        if patterns.attributes is not self._attributes:
            # The paths of these patterns are written with other attributes than the site file says.
            self._attributes, self._labels = patterns.attributes, KnownLabels(patterns.attributes)
        self._start_url = patterns.start_url
        self._tree = PatternTree(patterns.navigation())
        self._links.use(self._tree)
        self._arms += [(0, 0.0)] * (len(self._tree) - len(self._arms))

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._updates)
        changes.updates.extend(self._links.take_updates())
        changes.memory |= self._labels.take_changes() | self._sample.take_changes() | self._memory
        self._updates, self._memory = [], {}
        for place in range(self._saved_arms, len(self._arms)):
            changes.actions.append(
                ActionRow(place, self._shown(place), b"", b"", 0.0, *self._arms[place])
            )
        for place in sorted(self._played):
            if place < self._saved_arms:
                changes.arms.append(ArmRow(place, *self._arms[place]))
        self._saved_arms = len(self._arms)
        self._played.clear()

    def _shown(self, place: int) -> str:
        if place == OUTSIDE:
            return "outside the patterns"
        return self._tree.pattern(place).written(self._start_url)

    def progress(self) -> dict[str, Any]:
        """The generator, the link in work, and how far the sample is."""
        return {
            "generator": self._generator.save(),
            "followed": self._followed,
            "queued": self._queued,
            "next_slot": self._links.next_slot,
            "start_url": self._start_url,
        }

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring patterns or sample, labels, places and generator back."""
        memory = dict(state.memory())
        # What the crawl follows was decided when it started, whatever patterns there are now.
        self._memory.clear()
        self._sampling, self._labels = True, KnownLabels(self._attributes)
        self._tree = PatternTree([])
        self._start_url = progress["start_url"]
        if PATTERNS in memory:
            self._follow(read_pattern_set(memory[PATTERNS]))
        self._labels.load(memory)
        self._sample.load(memory)
        self._arms = [(row.selections, row.reward) for row in state.actions()] or [(0, 0.0)]
        self._saved_arms = len(self._arms)
        self._links.load(state.frontier())
        self._links.next_slot = int(progress["next_slot"])
        self._load_labels(state)
        self._generator.load(progress["generator"])
        followed = progress["followed"]
        self._followed = (int(followed[0]), int(followed[1])) if followed else None
        self._queued = int(progress["queued"])

    def _load_labels(self, state: SavedState) -> None:
        """The labels of waiting links, by their tag paths in the state."""
        numbers: dict[int, int] = {}
        for row in waiting_rows(state):
            if not row.tag_path:
                continue
            number = numbers.get(row.tag_path)
            if number is None:
                number = self._labels.number(state.tag_path(row.tag_path))
                numbers[row.tag_path] = number
            self._note_label(row.id, number)
