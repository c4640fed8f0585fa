"""The style sheets of pages: which are still to be fetched, and the page that waits for them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import compress, decompress

from crawler.pages.html import Page, PageReader
from crawler.pages.styles.sheet import MAX_CHARACTERS
from crawler.pages.styles.sources import SheetLibrary, Source, sources_of

MAX_HELD_BYTES = 4_000_000
"""Of a page that waits for its sheets; a larger one is styled by those that are there."""


@dataclass(frozen=True, slots=True)
class HeldPage:
    """A page that was read, with the ids of its links in their order."""

    number: int
    content: Page
    ids: tuple[int | None, ...]

    def save(self) -> bytes:
        """All that is needed to read it again."""
        content = self.content
        head = json.dumps([self.number, content.url, content.content_type, self.ids]).encode()
        return compress(head + b"\n" + content.body, 1)

    @staticmethod
    def load(saved: bytes) -> "HeldPage":
        """Read it again."""
        head, _, body = decompress(saved).partition(b"\n")
        number, url, content_type, ids = json.loads(head)
        return HeldPage(number, PageReader().read(body, url, content_type), tuple(ids))


class PageSheets:
    """Asks for every sheet once, up to a number of them; a page waits until its own are there."""

    def __init__(self, max_sheets: int, *, keep_texts: bool = False) -> None:
        self.library = SheetLibrary(keep_texts=keep_texts)
        self.held: HeldPage | None = None
        self.wanted: list[str] = []
        self._max_sheets = max_sheets
        self._asked = 0
        self._new: list[tuple[str, str]] = []
        self._held_changed = False

    def must_wait(self, page: HeldPage) -> bool:
        """Whether sheets of a page are to be fetched first."""
        if page.content.root is None or len(page.content.body) > MAX_HELD_BYTES:
            return False
        self._ask(page)
        if self.wanted:
            self.held, self._held_changed = page, True
        return bool(self.wanted)

    def take(self, body: bytes) -> HeldPage | None:
        """The sheet that was wanted; the page that need not wait any more."""
        url = self.wanted.pop(0)
        text = body[: 4 * MAX_CHARACTERS].decode("utf-8", "replace")[:MAX_CHARACTERS]
        self._asked += 1
        self._new.append((url, text))
        self.library.add(url, text)
        page = self.held
        if page is None:
            return None
        self._ask(page)
        if self.wanted:
            return None
        self.held, self._held_changed = None, True
        return page

    def _ask(self, page: HeldPage) -> None:
        missing = self.library.missing(sources(page.content))
        self.wanted = missing[: max(self._max_sheets - self._asked, 0)]

    def take_changes(self) -> dict[str, bytes]:
        """What changed since the last call, under names."""
        first = self._asked - len(self._new)
        changes = {
            f"sheet {number:03}": compress(json.dumps(sheet).encode(), 1)
            for number, sheet in enumerate(self._new, first)
        }
        self._new = []
        if self._held_changed:
            changes["held"] = self.held.save() if self.held else b""
            self._held_changed = False
        return changes

    def load(self, sheets: Sequence[bytes], held: bytes, wanted: Sequence[str]) -> None:
        """Everything back."""
        for saved in sheets:
            url, text = json.loads(decompress(saved))
            self.library.add(url, text)
        self._asked = len(sheets)
        self.held = HeldPage.load(held) if held else None
        self.wanted = list(wanted)


def sources(page: Page) -> tuple[Source, ...]:
    """Where the styles of a page come from."""
    return () if page.root is None else sources_of(page.root, page.base)
