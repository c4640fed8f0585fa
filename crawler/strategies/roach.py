"""`roach`: an apprentice ranks links by words, looks and page; a critic says what they gave.

Paper 004, "ROACH: Online Apprentice Critic Focused Crawling via CSS Cues and Reinforcement".
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from lxml import etree

from crawler.config.roach import RoachApprentice, RoachCritic, RoachStyles
from crawler.learning.apprentice import Apprentice
from crawler.learning.regressors import Regression
from crawler.learning.reinforcement import Followed, reinforced
from crawler.pages.cue import Cue
from crawler.pages.cues import MAX_WORDS, WORDS_OF_LINK, Looks, hashed, text_words, words_of
from crawler.pages.html import Page, PageReader
from crawler.pages.mime import UrlClass
from crawler.pages.styles.cascade import PageStyles
from crawler.pages.styles.rendered import RenderedStyles, StyleBrowser
from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.strategies.baselines import EVERYTHING
from crawler.strategies.frontier import LINKS_AT_ONCE
from crawler.strategies.interface import (
    NO_ACTION,
    Candidate,
    ReadPage,
    Selection,
    Strategy,
    SupportingFile,
)
from crawler.strategies.page_sheets import MAX_HELD_BYTES, HeldPage, PageSheets, sources
from crawler.strategies.roach_critic import PageCritic
from crawler.strategies.roach_records import (
    Example,
    LinkCues,
    LookBook,
    Outcome,
    PageNote,
    pack_links,
    side_by_side,
    unpack_links,
)

MAX_EXAMPLES = 5_000
"""Followed links that are remembered, whatever the parameters say."""
LEAST_EXAMPLES = 10
MAX_STYLED_LINKS = 2_000
"""New links of one page whose looks are worked out."""
_SCORED_A_STEP = 200
"""Links scored anew for each one followed, on average: the work does not grow with the frontier."""


class Roach(Strategy):
    """Follows the link that the stacked models like best; they learn from round to round.

    Until the first round is over links are followed in the order in which they were found.
    """

    def __init__(
        self,
        *,
        critic: RoachCritic,
        examples: Sequence[str],
        threshold: float,
        apprentice: RoachApprentice,
        stack: Sequence[Sequence[Cue]],
        round: int,  # noqa: A002
        rounds: int,
        reinforcement: bool,
        styles: RoachStyles,
        max_sheets: int,
        browser: StyleBrowser | None = None,
    ) -> None:
        """`browser` says what links look like, where `styles` is computed."""
        self._by_targets = critic is RoachCritic.TARGETS
        self._round_length = round
        self._rounds = rounds
        self._reinforcement = reinforcement
        both = apprentice is RoachApprentice.BOTH
        kinds = list(Regression) if both else [Regression(apprentice.value)]
        self._apprentice = Apprentice(stack, kinds)
        self._uses_looks = any(Cue.CSS in cues for cues in stack)
        self._browser = browser if styles is RoachStyles.COMPUTED else None
        most = 0 if styles is RoachStyles.INLINE else max_sheets
        self._sheets = PageSheets(most, keep_texts=self._browser is not None)
        self._critic = PageCritic(() if self._by_targets else examples, threshold)
        self._looks = LookBook()
        self._reader = PageReader()
        self._waiting: dict[int, LinkCues] = {}
        self._queue: list[tuple[float, int]] = []
        """Minus the score, and the link."""
        self._new: dict[int, LinkCues] = {}
        """Links of the page in work that are not queued yet."""
        self._left: Counter[int] = Counter()
        """How many links of a page wait."""
        self._kept: dict[int, list[str]] = {}
        """The names under which the links of a page are kept."""
        self._followed: LinkCues | None = None
        """The link in work, until it is known what it came to."""
        self._examples: list[Example] = []
        self._pages: dict[int, PageNote] = {}
        self._next_example = self._round = self._since = self._next_id = 0
        self._queued: list[LinkUpdate] = []
        self._memory: dict[str, bytes] = {}

    def wanted(self) -> str | None:
        """Example pages for the critic first, then the style sheets of the page in work."""
        wanted = self._critic.wanted or self._sheets.wanted
        return wanted[0] if wanted else None

    def take_file(self, file: SupportingFile) -> None:
        """An example page, or a style sheet."""
        if self._critic.wanted:
            page = self._reader.read(file.body, file.url, file.content_type)
            self._critic.take_example(page.root)
            return
        page_in_work = self._sheets.take(file.body)
        if page_in_work is not None:
            self._note_links(page_in_work)

    def read(self, page: ReadPage) -> None:
        """Judge a page, and note what its links show."""
        number = page.link.id
        ids = tuple(page.id_of(link.fingerprint) for link in page.content.links)
        note = self._pages[number] = PageNote()
        if not self._by_targets:
            note.similarity = self._critic.judge(number, page.content.root)
        note.published = self._score(note)
        self._memory[f"page {number}"] = note.save()
        self._settle(Outcome.PAGE, number)
        held = HeldPage(number, page.content, ids)
        if not self._uses_looks or not self._sheets.must_wait(held):
            self._note_links(held)

    def _note_links(self, page: HeldPage) -> None:
        self._new = {}
        new = [
            (link, number)
            for link, number in zip(page.content.links, page.ids, strict=True)
            if number is not None and number >= self._next_id
        ]
        seen = [link.element for link, _ in new[:MAX_STYLED_LINKS]]
        looks = self._looks_on(page.content, seen) if self._uses_looks else None
        around: dict[etree._Element, list[int]] = {}
        for at, (link, number) in enumerate(new):
            parent = link.element.getparent()
            words = text_words(link.element, WORDS_OF_LINK)
            if parent is not None and parent not in around:
                around[parent] = text_words(parent, MAX_WORDS)
            look = 0
            if looks is not None and at < MAX_STYLED_LINKS:
                outer = looks.of(parent) if parent is not None else looks.of(link.element)
                look = self._looks.number(Looks(looks.of(link.element), outer))
            row = words_of(words, around[parent] if parent is not None else [])
            self._new[number] = LinkCues(number, page.number, look, row.tobytes())
        self._next_id = max([self._next_id, *(number + 1 for _, number in new)])
        self._memory["new"] = pack_links(self._new.values()) if self._new else b""

    def _looks_on(self, page: Page, links: Sequence[etree._Element]) -> PageStyles | RenderedStyles:
        found, library = sources(page), self._sheets.library
        parsed = PageStyles(library.cascade(found))
        if self._browser is None or page.root is None or len(page.body) > MAX_HELD_BYTES:
            return parsed
        around = [parent for link in links if (parent := link.getparent()) is not None]
        texts = library.texts(found)
        return RenderedStyles(self._browser, page.root, [*links, *around], texts, parsed)

    def queue(self, links: Sequence[Candidate]) -> None:
        """Take these links of one page into the priority queue."""
        cues = [self._new.get(link.id) or _plain(link.id, link.page, link.anchor) for link in links]
        for link, score in zip(cues, self._scores(cues), strict=True):
            self._waiting[link.link] = link
            self._left[link.page] += 1
            heappush(self._queue, (-score, link.link))
            self._queued.append(LinkUpdate(link.link, LinkStatus.FRONTIER, EVERYTHING))
        by_page: dict[int, list[LinkCues]] = {}
        for link in cues:
            by_page.setdefault(link.page, []).append(link)
        for page, found in by_page.items():
            if page in self._pages:
                self._pages[page].links += len(found)
                self._memory[f"page {page}"] = self._pages[page].save()
            name = f"links {page} {found[0].link}"
            self._kept.setdefault(page, []).append(name)
            self._memory[name] = pack_links(found)
        if any(link.id in self._new for link in links):
            self._new = {}
            self._memory["new"] = b""

    def next_link(self, t: int) -> Selection | None:  # noqa: ARG002
        """The link with the best score; of links that are alike the oldest one."""
        if self._followed is not None:
            self._settle(Outcome.NOTHING)
        if self._since >= max(self._round_length, len(self._waiting) // _SCORED_A_STEP):
            self._end_round()
        if not self._queue:
            return None
        _, link = heappop(self._queue)
        cues = self._followed = self._waiting.pop(link)
        self._left[cues.page] -= 1
        if not self._left[cues.page]:
            del self._left[cues.page]
            self._memory |= dict.fromkeys(self._kept.pop(cues.page), b"")
        return Selection(link, NO_ACTION)

    def forget_selection(self) -> None:
        """What comes next was not reached by following a link."""
        self._followed = None

    def learn(self, link: Candidate, url_class: UrlClass) -> None:  # noqa: ARG002
        """A followed link is a target, or of no use; a page is settled when it was read."""
        if self._followed is None or url_class is UrlClass.HTML:
            return
        is_target = url_class is UrlClass.TARGET
        page = self._followed.page
        note = self._pages.get(page)
        if is_target and note is not None:
            note.targets += 1
            self._memory[f"page {page}"] = note.save()
            if note.targets == 1 and not self._by_targets:
                self._critic.had_target(page)
        self._settle(Outcome.TARGET if is_target else Outcome.NOTHING)

    def _settle(self, outcome: Outcome, led_to: int = 0) -> None:
        cues, self._followed = self._followed, None
        if cues is None:
            return
        example = Example(self._next_example, self._round, led_to, outcome, cues)
        self._examples.append(example)
        self._memory[f"example {self._next_example % MAX_EXAMPLES:04}"] = example.save()
        self._next_example += 1
        self._since += 1
        if len(self._examples) > MAX_EXAMPLES:
            del self._examples[: len(self._examples) - MAX_EXAMPLES]

    def _score(self, note: PageNote) -> float:
        """Of a page: the targets that a request for it and for them gives, or its similarity."""
        return note.targets / (note.targets + 1) if self._by_targets else note.similarity

    def _own_score(self, example: Example) -> float:
        match example.outcome:
            case Outcome.TARGET:
                return 1.0
            case Outcome.PAGE:
                note = self._pages.get(example.led_to)
                return self._score(note) if note is not None else 0.0
            case Outcome.NOTHING:
                return 0.0

    def _end_round(self) -> None:
        """Learn from the last rounds, and rank everything that waits anew."""
        first = self._round - self._rounds + 1
        known = [one for one in self._examples if one.round >= first]
        if self._by_targets:
            # A page that nothing was followed on has no targets for want of trying.
            tried = {one.cues.page for one in known}
            known = [
                one
                for one in known
                if one.outcome is not Outcome.PAGE
                or one.led_to in tried
                or not self._pages[one.led_to].links
            ]
        graph = [Followed(one.cues.page, one.led_to, self._own_score(one)) for one in known]
        scores = reinforced(graph) if self._reinforcement else [one.score for one in graph]
        self._since, turn = 0, self._round
        self._round += 1
        if len(known) >= LEAST_EXAMPLES:
            cues = side_by_side([one.cues for one in known], self._parents(known))
            at = [position for position, one in enumerate(known) if one.round == turn]
            last = [known[position] for position in at]
            self._apprentice.weigh(
                side_by_side([one.cues for one in last], self._parents(last)),
                [scores[position] for position in at],
                self._looks.looks,
            )
            self._apprentice.train(cues, scores, self._looks.looks)
            saved = self._apprentice.save()
            self._memory |= {f"model {name}": value for name, value in saved.items()}
        self._critic.end_round()
        self._publish()
        self._rank()

    def _parents(self, examples: Iterable[Example]) -> list[float]:
        return [self._parent_score(one.cues.page) for one in examples]

    def _parent_score(self, page: int) -> float:
        note = self._pages.get(page)
        return note.published if note is not None else 0.0

    def _publish(self) -> None:
        for number, note in self._pages.items():
            score = self._score(note)
            if score != note.published:
                note.published = score
                self._memory[f"page {number}"] = note.save()

    def _scores(self, cues: Sequence[LinkCues]) -> list[float]:
        if not cues or not self._apprentice.is_trained:
            return [0.0] * len(cues)
        side = side_by_side(cues, (self._parent_score(link.page) for link in cues))
        scores: list[float] = self._apprentice.predict(side, self._looks.looks).tolist()
        return scores

    def _rank(self) -> None:
        waiting = list(self._waiting.values())
        self._queue = []
        for start in range(0, len(waiting), LINKS_AT_ONCE):
            links = waiting[start : start + LINKS_AT_ONCE]
            pairs = zip(links, self._scores(links), strict=True)
            self._queue += [(-score, link.link) for link, score in pairs]
        heapify(self._queue)

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._queued)
        self._queued = []
        looks = {f"look {name}": value for name, value in self._looks.take_new().items()}
        critic = {f"critic {name}": value for name, value in self._critic.take_changes().items()}
        changes.memory |= self._memory | looks | critic | self._sheets.take_changes()
        self._memory = {}

    def progress(self) -> dict[str, Any]:
        """The link in work, what is wanted, and how far the round is."""
        return {
            "followed": self._followed.save().hex() if self._followed else None,
            "sheets": self._sheets.wanted,
            "critic": self._critic.wanted,
            "next": [self._next_example, self._round, self._since, self._next_id],
        }

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring models, frontier, examples, pages and sheets back."""
        self._next_example, self._round, self._since, self._next_id = progress["next"]
        if progress["followed"]:
            self._followed = LinkCues.load(bytes.fromhex(progress["followed"]))
        waiting = {link for link, _ in state.frontier()}
        models: dict[str, bytes] = {}
        sheets: list[bytes] = []
        held = b""
        for name, value in state.memory():
            kind, _, rest = name.partition(" ")
            match kind:
                case "links":
                    self._kept.setdefault(int(rest.partition(" ")[0]), []).append(name)
                    for cues in unpack_links(value):
                        if cues.link in waiting:
                            self._waiting[cues.link] = cues
                case "new":
                    self._new = {cues.link: cues for cues in unpack_links(value)}
                case "page":
                    self._pages[int(rest)] = PageNote.load(value)
                case "example":
                    self._examples.append(Example.load(value))
                case "look":
                    self._looks.load(value)
                case "model":
                    models[rest] = value
                case "critic":
                    self._critic.load(rest, value)
                case "sheet":
                    sheets.append(value)
                case "held":
                    held = value
        self._examples.sort(key=lambda example: example.number)
        self._critic.wanted = progress["critic"]
        self._sheets.load(sheets, held, progress["sheets"])
        self._apprentice.load(models)
        self._left.update(cues.page for cues in self._waiting.values())
        self._rank()


def _plain(link: int, page: int, anchor: str) -> LinkCues:
    """A link that stands on no page, as in a sitemap."""
    return LinkCues(link, page, 0, words_of(hashed(anchor, WORDS_OF_LINK), []).tobytes())
