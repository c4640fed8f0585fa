"""What a page says about files that are known: that it links to them, or that it no longer does."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from crawler.engine.discovery import Discovery
from crawler.engine.events import FileLinked
from crawler.engine.first_visit import unsigned
from crawler.engine.ledger import Ledger
from crawler.engine.night_planner import file_history
from crawler.pages.html import Page, PageLink
from crawler.pages.kept_file import Link
from crawler.revisit.fingerprints import MAX_LINKS, unpack
from crawler.state.saved import SavedState
from crawler.strategies.interface import NO_ACTION

MAX_NEW_SIGHTINGS = 50
"""Known files that one page may be newly seen to link to: each is a write to the catalog."""
MAX_UNLINKED = 200
"""Files that one visit may put on the list of those to be checked."""


class KnownLinks:
    """Compares the links of a page with those it had when it was last read."""

    def __init__(
        self,
        ledger: Ledger,
        discovery: Discovery,
        state: SavedState,
        wall_clock: Callable[[], float],
    ) -> None:
        self._ledger = ledger
        self._discovery = discovery
        self._state = state
        self._now = wall_clock

    def compare(self, page: Page, before: bytes, action: int, first_new: int) -> list[int]:
        """Fingerprints of the known files that a page links to.

        Files that it did not link to before become events; files that it no longer links to are
        to be checked. Links with the id `first_new` or a higher one were found just now.
        """
        id_of = self._discovery.id_of_print
        ids = {link.fingerprint: id_of(link.fingerprint) for link in page.links}
        known = {number for number in ids.values() if number is not None and number < first_new}
        kept = self._state.history.kept(known)
        files = [link for link in page.links if ids[link.fingerprint] in kept]
        old = set(unpack(before).tolist())
        # A bounded set knows nothing of links above its largest fingerprint.
        up_to = max(old) if len(old) >= MAX_LINKS else 1 << 64
        appeared = [
            link
            for link in files
            if unsigned(link.fingerprint) not in old and unsigned(link.fingerprint) <= up_to
        ]
        self._note(page, appeared[:MAX_NEW_SIGHTINGS], action)
        now = {unsigned(link.fingerprint) for link in page.links}
        self._mark_unlinked(self._ids_of(old - now))
        return [unsigned(link.fingerprint) for link in files]

    def mark_files_of(self, page: int) -> None:
        """A page is gone: the files that it led to are to be checked."""
        self._mark_unlinked([page])

    def _note(self, page: Page, links: Iterable[PageLink], action: int) -> None:
        known = action if action != NO_ACTION else None
        for link in links:
            shown = Link(
                page.url, page.title, link.anchor, link.tag_path, known, headings=link.headings
            )
            self._ledger.events.append(FileLinked(link.url, shown, self._now()))

    def _mark_unlinked(self, links: list[int]) -> None:
        """Files among these links, and files behind pages among them, are doubtful."""
        history = self._state.history
        files = history.kept(links)
        for link in links:
            page = history.page(link) if link not in files else None
            if page is not None:
                files |= history.kept(self._ids_of(unpack(page.target_links).tolist()))
        for link in sorted(files)[:MAX_UNLINKED]:
            file = history.known_file(link)
            if file is not None:
                doubtful = replace(file_history(file), unlinked=True)
                self._ledger.changes.history.files.append(doubtful)

    def _ids_of(self, fingerprints: Iterable[int]) -> list[int]:
        ids = (self._discovery.id_of_print(_signed(one)) for one in fingerprints)
        return sorted(number for number in ids if number is not None)


def _signed(fingerprint: int) -> int:
    return fingerprint - (1 << 64) if fingerprint >= 1 << 63 else fingerprint
