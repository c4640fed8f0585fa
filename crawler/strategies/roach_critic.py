"""The critic of `roach` in a crawl: where its relevant pages come from, and what is saved."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from crawler.learning.critic import Critic, TextVector, vector_of
from crawler.pages.text import page_text

RECENT_PAGES = 200
"""Pages whose text is remembered, in case that one of their links turns out to be a target."""
_TEXT_LENGTH = 50_000


class PageCritic:
    """Compares pages with the examples of the site file, else with pages that had targets."""

    def __init__(self, examples: Sequence[str], threshold: float) -> None:
        self.wanted = list(examples)
        """Example pages that are still to be fetched."""
        self._learns = not examples
        self._critic = Critic(threshold)
        self._recent: dict[int, TextVector] = {}
        self._changes: dict[str, bytes] = {}

    def take_example(self, root: etree._Element | None) -> None:
        """The example page that was wanted; None when it could not be read."""
        self.wanted.pop(0)
        if root is not None:
            self._add(vector_of(page_text(root, _TEXT_LENGTH)))
        if not self.wanted:
            self.end_round()

    def judge(self, page: int, root: etree._Element | None) -> float:
        """How similar a page is to the relevant ones."""
        if root is None:
            return 0.0
        vector = vector_of(page_text(root, _TEXT_LENGTH))
        if self._learns and not self._critic.is_full and len(vector.ngrams):
            self._recent[page] = vector
            self._changes[f"recent {page}"] = vector.save()
            if len(self._recent) > RECENT_PAGES:
                self._forget(min(self._recent))
        return self._critic.score(vector)

    def had_target(self, page: int) -> None:
        """A link of this page is a target: pages like it are relevant."""
        vector = self._recent.get(page)
        if self._learns and vector is not None:
            self._forget(page)
            self._add(vector)

    def end_round(self) -> None:
        """Remove what is less relevant than the rest (Section 4.1.1)."""
        if self._critic.prune():
            self._save_all()

    def _forget(self, page: int) -> None:
        del self._recent[page]
        self._changes[f"recent {page}"] = b""

    def _add(self, vector: TextVector) -> None:
        before = len(self._critic.pages)
        self._critic.add(vector)
        if len(self._critic.pages) > before:
            self._changes[f"model {before:02}"] = vector.save()

    def _save_all(self) -> None:
        pages = self._critic.pages
        self._changes |= {f"model {at:02}": page.save() for at, page in enumerate(pages)}
        self._changes |= {f"model {at:02}": b"" for at in range(len(pages), 100)}

    def take_changes(self) -> dict[str, bytes]:
        """What changed since the last call, under names."""
        changes, self._changes = self._changes, {}
        return changes

    def load(self, name: str, saved: bytes) -> None:
        """Bring one of the saved pages back; they come in the order of their names."""
        kind, _, number = name.partition(" ")
        if kind == "model":
            self._critic.add(TextVector.load(saved))
            return
        self._recent[int(number)] = TextVector.load(saved)
