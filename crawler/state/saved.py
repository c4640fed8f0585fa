"""What a crawl reads back: the engine and the strategies know the state by this alone."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from crawler.pages.kept_file import Link
from crawler.state.changes import (
    ACTION,
    INDEX_OPERATION,
    INDEX_SNAPSHOT,
    LINK,
    MODEL,
    ROBOTS,
    WEIGHT,
)
from crawler.state.history import History
from crawler.state.kept_files import FOUND_ON
from crawler.state.records import (
    ActionRow,
    IndexOperationRow,
    IndexSnapshotRow,
    LinkRow,
    LinkStatus,
    ModelRow,
    RobotsRow,
    WeightRow,
)


class SavedState(ABC):
    """The reading side of a crawl state."""

    @abstractmethod
    def rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        """The rows of a query."""

    @abstractmethod
    def link(self, link_id: int) -> LinkRow:
        """One known URL."""

    @staticmethod
    def _link(row: tuple[Any, ...]) -> LinkRow:
        link = LinkRow(*row)
        link.status = LinkStatus(link.status)
        return link

    @property
    def history(self) -> History:
        """What was recorded of known pages and files, for revisiting."""
        return History(self.rows)

    def progress(self) -> str:
        """The small rest as JSON; empty when no step was committed yet."""
        row = next(self.rows("SELECT json FROM progress"), None)
        return row[0] if row else ""

    def links(self, first: int, end: int) -> list[LinkRow]:
        """The known URLs with ids from `first` up to, not including, `end`."""
        query = f"SELECT {LINK.columns} FROM link WHERE id >= ? AND id < ? ORDER BY id"  # noqa: S608
        return [self._link(row) for row in self.rows(query, (first, end))]

    def found_on(self, link_id: int) -> Link:
        """Where a known URL was found first; an empty link when the file does not have it yet."""
        facts = next(self.rows(FOUND_ON, (link_id,)), ())
        return Link(*facts)

    def tag_path(self, fingerprint: int) -> str:
        """The text of a tag path."""
        query = "SELECT path FROM tag_path WHERE fingerprint = ?"
        return next((str(row[0]) for row in self.rows(query, (fingerprint,))), "")

    def fingerprints(self) -> Iterator[tuple[int, int]]:
        """Fingerprint and id of every known URL."""
        return self.rows("SELECT fingerprint, id FROM link")

    def frontier(self) -> Iterator[tuple[int, int]]:
        """Id and action of every link of the frontier, in the order of their slots."""
        query = "SELECT id, action FROM link WHERE status = ? ORDER BY action, slot, id"
        return self.rows(query, (LinkStatus.FRONTIER,))

    def deferred(self) -> list[int]:
        """Links that gave no answer and are to be tried once more."""
        query = "SELECT id FROM link WHERE status = ? ORDER BY id"
        return [row[0] for row in self.rows(query, (LinkStatus.DEFERRED,))]

    def actions(self) -> Iterator[ActionRow]:
        """Every action, in the order of their numbers."""
        query = f"SELECT {ACTION.columns} FROM action ORDER BY id"  # noqa: S608
        return (ActionRow(*row) for row in self.rows(query))

    def ngrams(self) -> Iterator[tuple[int, str]]:
        """The vocabulary of n-grams, in the order of their positions."""
        return self.rows("SELECT position, ngram FROM ngram ORDER BY position")

    def counters(self) -> Iterator[tuple[int, int]]:
        """The counters of the trap rules."""
        return self.rows("SELECT fingerprint, count FROM counter")

    def robots(self) -> Iterator[RobotsRow]:
        """What is known of robots.txt files."""
        return (
            RobotsRow(*row)
            for row in self.rows(f"SELECT {ROBOTS.columns} FROM robots")  # noqa: S608
        )

    def model(self) -> ModelRow | None:
        """The URL classifier, once it was trained."""
        row = next(self.rows(f"SELECT {MODEL.columns} FROM model"), None)  # noqa: S608
        return ModelRow(*row) if row else None

    def weights(self) -> Iterator[WeightRow]:
        """What the models of `tallyho` know of every feature they met."""
        return (
            WeightRow(*row)
            for row in self.rows(f"SELECT {WEIGHT.columns} FROM weight")  # noqa: S608
        )

    def memory(self) -> Iterator[tuple[str, bytes]]:
        """What the strategy keeps under names of its own, in the order of the names."""
        return self.rows("SELECT name, value FROM memory ORDER BY name")

    def index_snapshot(self) -> IndexSnapshotRow | None:
        """The HNSW index as it was last written whole; None before that."""
        query = f"SELECT {INDEX_SNAPSHOT.columns} FROM index_snapshot"  # noqa: S608
        row = next(self.rows(query), None)
        return IndexSnapshotRow(*row) if row else None

    def index_operations(self) -> Iterator[IndexOperationRow]:
        """What was put into the HNSW index since then, in order."""
        query = f"SELECT {INDEX_OPERATION.columns} FROM index_operation ORDER BY number"  # noqa: S608
        return (IndexOperationRow(*row) for row in self.rows(query))
