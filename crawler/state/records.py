"""What the state keeps, as plain values: the engine fills them, the state file stores them."""

from dataclasses import dataclass, field
from enum import IntEnum

from crawler.pages.kept_file import KeptFile
from crawler.state.history_records import HistoryChanges


class LinkStatus(IntEnum):
    """Where a known URL stands."""

    NEW = 0
    """A link of the page in work, not placed yet."""
    FRONTIER = 1
    PAGE = 2
    """Fetched, and read as HTML."""
    TARGET = 3
    """Fetched, and kept."""
    SKIPPED = 4
    """Not fetched, or of no use; the reason says why."""
    DEFERRED = 5
    """No answer for now; tried once more when all else is done."""
    REDIRECT = 6
    """Answered with a redirection that was followed."""
    IN_WORK = 7
    """Being asked for again, or about to be: its task is in the progress."""


@dataclass(slots=True)
class LinkRow:
    """A known URL, and the link by which it became known."""

    id: int
    fingerprint: int
    url: str
    parent: int = 0
    depth: int = 0
    tag_path: int = 0
    """Fingerprint of the tag path, see `Changes.tag_paths`."""
    anchor: str = ""
    rel: str = ""
    status: LinkStatus = LinkStatus.NEW
    action: int = -1
    slot: int = -1
    """Place in the frontier of its action: it makes a resumed crawl draw the same link."""
    reason: str = ""
    headings: str = ""
    """What the link stands below on its page."""


@dataclass(frozen=True, slots=True)
class LinkUpdate:
    """A known URL moved on."""

    id: int
    status: LinkStatus
    action: int = -1
    slot: int = -1
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action: its centroid and its arm. `path` is an example, for people."""

    id: int
    path: str
    buckets: bytes
    sums: bytes
    square: float
    selections: int
    reward: float


@dataclass(frozen=True, slots=True)
class ArmRow:
    """What selecting an action has given; it changes far more often than the centroid."""

    id: int
    selections: int
    reward: float


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page that was read."""

    link: int
    title: str
    language: str
    action: int
    links: int
    new_links: int
    licence: str = ""
    publisher: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class StepRow:
    """One request: what was asked, what came, and the totals after it."""

    number: int
    """Which request of the crawl it was."""
    link: int
    """0 for robots.txt, and for files that a strategy needs beside pages."""
    method: str
    status: int
    outcome: str
    targets: int
    received: int


@dataclass(frozen=True, slots=True)
class RobotsRow:
    """What robots.txt of an origin said, and when (wall clock)."""

    origin: str
    fetched_at: float
    verdict: str
    body: bytes


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The URL classifier's weights and its optimiser's state."""

    coefficients: bytes
    intercept: float
    steps: int
    trainings: int


@dataclass(slots=True)
class WeightRow:
    """A feature of links in the models of `tallyho`: as learned, and as last published.

    Dozens are written with every step: a frozen one takes three times as long to make.
    """

    id: int
    target: float
    target_squares: float
    yielded: float
    yielded_squares: float
    published_target: float
    published_yield: float
    alive: float
    alive_squares: float
    published_alive: float


@dataclass(frozen=True, slots=True)
class IndexOperationRow:
    """A centroid that was put into the HNSW index after its last snapshot."""

    number: int
    action: int
    buckets: bytes
    sums: bytes


@dataclass(frozen=True, slots=True)
class IndexSnapshotRow:
    """The HNSW index after a number of operations."""

    number: int
    data: bytes


@dataclass(slots=True)
class Changes:
    """All that one step changed; it is committed whole or not at all."""

    links: list[LinkRow] = field(default_factory=list)
    updates: list[LinkUpdate] = field(default_factory=list)
    tag_paths: dict[int, str] = field(default_factory=dict)
    ngrams: list[tuple[int, str]] = field(default_factory=list)
    actions: list[ActionRow] = field(default_factory=list)
    arms: list[ArmRow] = field(default_factory=list)
    """Of actions whose centroid stayed."""
    pages: list[PageRow] = field(default_factory=list)
    targets: list[KeptFile] = field(default_factory=list)
    steps: list[StepRow] = field(default_factory=list)
    robots: list[RobotsRow] = field(default_factory=list)
    counters: dict[int, int] = field(default_factory=dict)
    weights: list[WeightRow] = field(default_factory=list)
    memory: dict[str, bytes] = field(default_factory=dict)
    """What a strategy keeps under names of its own; an empty value forgets the name."""
    model: ModelRow | None = None
    index_snapshot: IndexSnapshotRow | None = None
    """Replaces the older one and every operation before it."""
    index_operations: list[IndexOperationRow] = field(default_factory=list)
    """Only those after the snapshot, where there is one."""
    history: HistoryChanges = field(default_factory=HistoryChanges)
    progress: str = ""
    """The small rest as JSON: totals, the page in work, the generator's state."""
