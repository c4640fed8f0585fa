"""What a crawl reads back: the engine and the strategies know the state by this alone."""

from collections.abc import Iterator
from typing import Protocol

from crawler.pages.kept_file import Link
from crawler.state.history import History
from crawler.state.records import (
    ActionRow,
    IndexOperationRow,
    IndexSnapshotRow,
    LinkRow,
    ModelRow,
    RobotsRow,
    WeightRow,
)


class SavedState(Protocol):
    """The reading side of a crawl state."""

    @property
    def history(self) -> History:
        """What was recorded of known pages and files, for revisiting."""
        ...

    def progress(self) -> str:
        """The small rest as JSON; empty when no step was committed yet."""
        ...

    def link(self, link_id: int) -> LinkRow:
        """One known URL."""
        ...

    def links(self, first: int, end: int) -> list[LinkRow]:
        """The known URLs with ids from `first` up to, not including, `end`."""
        ...

    def found_on(self, link_id: int) -> Link:
        """Where a known URL was found first; an empty link when the file does not have it yet."""
        ...

    def tag_path(self, fingerprint: int) -> str:
        """The text of a tag path."""
        ...

    def fingerprints(self) -> Iterator[tuple[int, int]]:
        """Fingerprint and id of every known URL."""
        ...

    def frontier(self) -> Iterator[tuple[int, int]]:
        """Id and action of every link of the frontier, in the order of their slots."""
        ...

    def deferred(self) -> list[int]:
        """Links that gave no answer and are to be tried once more."""
        ...

    def actions(self) -> Iterator[ActionRow]:
        """Every action, in the order of their numbers."""
        ...

    def ngrams(self) -> Iterator[tuple[int, str]]:
        """The vocabulary of n-grams, in the order of their positions."""
        ...

    def counters(self) -> Iterator[tuple[int, int]]:
        """The counters of the trap rules."""
        ...

    def robots(self) -> Iterator[RobotsRow]:
        """What is known of robots.txt files."""
        ...

    def model(self) -> ModelRow | None:
        """The URL classifier, once it was trained."""
        ...

    def weights(self) -> Iterator[WeightRow]:
        """What the models of `tallyho` know of every feature they met."""
        ...

    def memory(self) -> Iterator[tuple[str, bytes]]:
        """What the strategy keeps under names of its own, in the order of the names."""
        ...

    def index_snapshot(self) -> IndexSnapshotRow | None:
        """The HNSW index as it was last written whole; None before that."""
        ...

    def index_operations(self) -> Iterator[IndexOperationRow]:
        """What was put into the HNSW index since then, in order."""
        ...
