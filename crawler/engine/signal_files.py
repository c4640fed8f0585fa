"""Sitemaps and feeds that were fetched: the URLs they name are links, their dates are signals."""

from collections.abc import Callable
from dataclasses import dataclass

from crawler.engine.discovery import Found
from crawler.engine.first_visit import body_hash, unsigned, validators_of
from crawler.engine.frame import Frame
from crawler.engine.ledger import Ledger
from crawler.engine.rules import Rules
from crawler.engine.task import Task
from crawler.pages.signal_kind import SignalKind
from crawler.pages.signals import NamedUrl, SignalFile, read_signal
from crawler.revisit.observe import PageSeen, observe_page
from crawler.revisit.page_history import PageHistory
from crawler.revisit.visit_log import SECONDS_PER_DAY, Outcome
from crawler.state.history_records import SignalRow, SourceKind, SourceRow
from crawler.state.records import PageRow
from crawler.state.saved import SavedState
from crawler.strategies.interface import Candidate
from crawler.web.messages import Reply

MAX_SITEMAPS = 1_000
"""Sitemaps of one index that are remembered."""
MAX_KNOWN_URLS = 2_000_000
"""A crawl that knows more URLs takes no new ones from sitemaps: they can be made without end."""
LINKS_PER_FRAME = 1_000
"""A strategy may be asked again and again about the rest of a frame, so a large sitemap is many."""


@dataclass(frozen=True, slots=True)
class SignalRead:
    """What a sitemap or feed gave."""

    candidates: list[Candidate]
    """Links that are new to the crawl."""
    sitemaps: list[SourceRow]
    """Other sitemaps that it names, new and known ones."""
    end: int
    """One past the id of its last new link."""
    outlinks: list[int]
    has_news: bool
    """Whether it says that something changed since it was last read."""

    @property
    def is_index(self) -> bool:
        """Whether its new links are sitemaps and nothing else."""
        names = {row.link for row in self.sitemaps}
        return bool(names) and all(link.id in names for link in self.candidates)


class SignalFiles:
    """Reads sitemaps and feeds in acquisitions and revisits alike."""

    def __init__(
        self, ledger: Ledger, rules: Rules, state: SavedState, wall_clock: Callable[[], float]
    ) -> None:
        self._ledger = ledger
        self._rules = rules
        self._state = state
        self._now = wall_clock

    def read(self, task: Task, reply: Reply, kind: SignalKind) -> SignalRead:
        """Take in the links and dates of a file; its history is not touched."""
        ledger, link, discovery = self._ledger, task.link, self._rules.discovery
        file = read_signal(reply.body, link.url, kind)
        if discovery.next_id > MAX_KNOWN_URLS:
            file.urls = [one for one in file.urls if discovery.id_of_print(one.fingerprint)]
        discovered = discovery.links_of(file.urls, link.id, link.depth + 1, task.action)
        history = self._state.history.page(link.id)
        since = history.last_visit if history is not None and history.last_visit else 0.0
        signals, sitemaps = self._signals(file, link.id)
        known = self._state.history.source(link.id)
        ledger.changes.history.sources.append(
            SourceRow(link.id, SourceKind(kind.value), known.changed_at if known else 0.0)
        )
        ledger.changes.history.sources.extend(sitemaps)
        ledger.changes.history.signals.extend(signals)
        self._count(task, file, discovered)
        return SignalRead(
            candidates=discovered.candidates,
            sitemaps=sitemaps,
            end=discovery.next_id,
            outlinks=[unsigned(one.fingerprint) for one in file.urls],
            has_news=any(row.at > since for row in signals)
            or any(row.changed_at > since for row in sitemaps),
        )

    def _count(self, task: Task, file: SignalFile, discovered: Found) -> None:
        ledger, title = self._ledger, file.title or file.kind.value
        ledger.totals.pages += 1
        ledger.totals.skipped.update(discovered.skipped)
        links, new = len(file.urls), len(discovered.candidates)
        ledger.changes.pages.append(PageRow(task.link.id, title, "", task.action, links, new))

    def _signals(self, file: SignalFile, source: int) -> tuple[list[SignalRow], list[SourceRow]]:
        """Dates of known URLs; what lies in the future says nothing."""
        latest = self._now() + SECONDS_PER_DAY
        signals: list[SignalRow] = []
        sitemaps: list[SourceRow] = []
        for named in file.urls:
            link = self._rules.discovery.id_of_print(named.fingerprint)
            at = named.at if named.at is not None and named.at <= latest else None
            if link is None:
                continue
            if named.is_sitemap and self._may_be_read(named):
                if len(sitemaps) < MAX_SITEMAPS:
                    sitemaps.append(SourceRow(link, SourceKind.SITEMAP, at or 0.0))
            elif at is not None:
                signals.append(SignalRow(link, source, at))
        return signals, sitemaps

    def _may_be_read(self, named: NamedUrl) -> bool:
        return self._rules.discovery.refusal(named.url, 0) is None

    def observe(self, task: Task, reply: Reply, read: SignalRead) -> Outcome:
        """The history of the file after it was read; what the reading came to."""
        link, page = task.link, self.history_of(task.link)
        changed = read.candidates or read.has_news
        known = Outcome.CHANGED if changed else Outcome.UNCHANGED
        outcome = known if page.visit_count else Outcome.NEW
        seen = PageSeen(
            self._now(), outcome, outlinks=read.outlinks, new_links=len(read.candidates)
        )
        changes = self._ledger.changes.history
        changes.pages.append(observe_page(page, seen))
        changes.validators.append(validators_of(link.id, reply, body_hash(reply.body)))
        return outcome

    def history_of(self, link: Candidate) -> PageHistory:
        """The history of a file, also of one that was never read."""
        known = self._state.history.page(link.id)
        return known or PageHistory(link.id, "signal", self._now(), depth=link.depth)

    def open_frames(self, task: Task, read: SignalRead, *, rewarded: bool) -> None:
        """Let the strategy place the new links, in their order, a thousand at a time.

        The first thousand are what the action of the link is rewarded by.
        """
        links = read.candidates
        frames = []
        for start in range(0, len(links), LINKS_PER_FRAME):
            after = start + LINKS_PER_FRAME
            end = links[after].id if after < len(links) else read.end
            is_visit = start > 0 or not rewarded
            frames.append(
                Frame(
                    task.link.id,
                    task.link.url,
                    task.action,
                    end,
                    links[start:after],
                    is_visit=is_visit,
                )
            )
        if rewarded and not frames:
            frames.append(Frame(task.link.id, task.link.url, task.action, read.end, []))
        self._ledger.frames.extend(reversed(frames))
