"""From a page to the links on it that are new and may be followed."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from crawler.engine.robots_gate import RobotsGate
from crawler.pages.html import PageLink
from crawler.pages.idle_parameters import IdleParameters
from crawler.pages.mime import MimeRules
from crawler.pages.reasons import SkipReason
from crawler.pages.scope import Place, Scope
from crawler.pages.signals import NamedUrl, SignalPlace
from crawler.pages.traps import TrapRules
from crawler.pages.urls import canonical, fingerprint
from crawler.state.records import LinkRow, LinkStatus
from crawler.strategies.interface import Candidate

_REMEMBERED_PATHS = 50_000
_LINKS_BETWEEN_CHECKS = 500


LinkOnPage = PageLink | NamedUrl
"""A link as a page, a sitemap or a feed shows it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a page gave: links to follow, and why the other new ones are not."""

    candidates: list[Candidate]
    skipped: Counter[str]


class Discovery:
    """Knows every URL of the crawl, and says of a new one whether it may be followed."""

    def __init__(
        self,
        scope: Scope,
        mime: MimeRules,
        traps: TrapRules,
        idle_parameters: IdleParameters,
        gate: RobotsGate,
        *,
        files_anywhere: bool,
        max_urls: int,
        check_stop: Callable[[], None] = lambda: None,
    ) -> None:
        """`check_stop` is called every few hundred links, and may raise to abandon the step."""
        self._scope = scope
        self._files_anywhere = files_anywhere
        self._max_urls = max_urls
        self._check_stop = check_stop
        self._mime = mime
        self._traps = traps
        self._idle_parameters = idle_parameters
        self._gate = gate
        self._known: dict[int, int] = {}
        self._targets: set[int] = set()
        self._next_id = 1
        self._links: list[LinkRow] = []
        self._paths: dict[int, str] = {}
        self._path_prints: dict[str, int] = {}

    @property
    def next_id(self) -> int:
        """The id that the next new URL will get."""
        return self._next_id

    def links_of(self, links: Iterable[LinkOnPage], parent: int, depth: int, action: int) -> Found:
        """The new links of a page that may be followed; the others are noted with their reason."""
        known = self._known
        candidates = []
        skipped: Counter[str] = Counter()
        for position, link in enumerate(links):
            if position % _LINKS_BETWEEN_CHECKS == 0:
                self._check_stop()
            if link.fingerprint in known:
                continue
            if self._next_id > self._max_urls:
                skipped[SkipReason.TOO_MANY_URLS.value] += 1
                continue
            row = self._note(link.url, link.fingerprint, parent, depth)
            reason = self.refusal(row.url, depth)
            if reason is not None:
                row.status, row.reason = LinkStatus.SKIPPED, reason.value
                skipped[reason.value] += 1
                continue
            row.anchor, row.rel, row.headings = link.anchor, link.rel, link.headings
            path = link.tag_path
            row.tag_path = self._print_of(path)
            candidates.append(Candidate(row.id, row.url, depth, path, row.anchor, action, parent))
        return Found(candidates, skipped)

    def entry(self, url: str) -> Candidate:
        """A start page, which may be known already."""
        entry = self._single(url, parent=0, depth=0, tag_path="")
        return entry or Candidate(self._known[fingerprint(canonical(url))], url, 0, tag_path="")

    def hop(self, url: str, source: Candidate) -> Candidate | None:
        """Where a redirection leads; None when that URL is known already."""
        hop = self._single(url, source.id, source.depth, source.tag_path)
        return hop and replace(hop, page_action=source.page_action, page=source.page)

    def _single(self, url: str, parent: int, depth: int, tag_path: str) -> Candidate | None:
        key = fingerprint(canonical(url))
        if key in self._known:
            return None
        row = self._note(url, key, parent, depth)
        if tag_path:
            row.tag_path = self._print_of(tag_path)
        return Candidate(row.id, url, depth, tag_path)

    def sitemap(self, url: str) -> int | None:
        """The id of a sitemap that no page links to; None when it may not be fetched."""
        known = self.id_of(url)
        if known is not None:
            return known
        if self.refusal(url, 0) is not None:
            return None
        found = self._single(url, parent=0, depth=1, tag_path=SignalPlace.SITEMAP_OF_ROBOTS.value)
        return found.id if found is not None else None

    def unsaved(self, link_id: int) -> LinkRow | None:
        """A URL that was found in the step that is not committed yet."""
        return next((row for row in self._links if row.id == link_id), None)

    def id_of(self, url: str) -> int | None:
        """The id of a known URL."""
        return self._known.get(fingerprint(canonical(url)))

    def id_of_print(self, fingerprint: int) -> int | None:
        """The id of a known URL by the fingerprint of its canonical form."""
        return self._known.get(fingerprint)

    def add_target(self, url: str) -> None:
        """A file was kept for this URL."""
        self._targets.add(fingerprint(canonical(url)))

    def targets_among(self, links: Iterable[LinkOnPage]) -> list[int]:
        """Fingerprints of those links that lead to files that were kept."""
        return [link.fingerprint for link in links if link.fingerprint in self._targets]

    def refusal(self, url: str, depth: int) -> SkipReason | None:
        """Why a URL may not be followed, if so."""
        place = self._scope.place(url)
        if place is Place.OUTSIDE:
            return SkipReason.OFF_SITE
        if place is Place.EXCLUDED:
            return SkipReason.EXCLUDED
        if place is Place.FILE_HOST and self._files_anywhere and not self._mime.data_extension(url):
            # With `file_hosts: any`, every link to anywhere would be tried otherwise.
            return SkipReason.OFF_SITE
        if self._mime.is_media(url):
            return SkipReason.MEDIA
        if self.repeats_known(url):
            return SkipReason.IDLE_PARAMETER
        reason = self._traps.check(url, depth)
        if reason is None and not self._gate.allows(url):
            silent = self._gate.unavailable(url)
            return SkipReason.ROBOTS_UNAVAILABLE if silent else SkipReason.ROBOTS
        return reason

    def repeats_known(self, url: str) -> bool:
        """Whether a URL is a known one with a parameter that changes nothing."""
        if "?" not in url:
            return False
        return any(self.id_of(bare) is not None for bare in self._idle_parameters.idle(url))

    def _note(self, url: str, key: int, parent: int, depth: int) -> LinkRow:
        row = LinkRow(self._next_id, key, url, parent, depth)
        self._known[key] = row.id
        self._next_id += 1
        self._links.append(row)
        return row

    def _print_of(self, path: str) -> int:
        key = self._path_prints.get(path)
        if key is None:
            key = fingerprint(path)
            if len(self._path_prints) >= _REMEMBERED_PATHS:
                self._path_prints.clear()
            self._path_prints[path] = key
            self._paths[key] = path
        return key

    def take_new(self) -> tuple[list[LinkRow], dict[int, str]]:
        """The URLs noted since the last call, and the tag paths seen with them."""
        links, paths = self._links, self._paths
        self._links, self._paths = [], {}
        return links, paths

    def load(self, fingerprints: Iterable[tuple[int, int]], targets: Iterable[int]) -> None:
        """Bring the known URLs back, and which of them are files that were kept."""
        self._targets.update(targets)
        self._known.update(fingerprints)
        self._next_id = max(self._known.values(), default=0) + 1
