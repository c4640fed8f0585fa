"""The graph of a site's sampled pages, and its clusters (paper 002, Sections 2 and 3.2)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from crawler.learning.word_pairs import Items

Numbers = npt.NDArray[np.uint32]

MAX_LINKS = 2_000
"""Links of one page that the graph has; those after it are not seen."""

ROOT = 0
"""The first cluster: the start pages."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A sampled page: its items, and its links by label and URL."""

    link: int
    """The link that led to it: another one than the page when it was redirected."""
    is_root: bool
    items: Items
    labels: Numbers
    targets: Numbers
    """The ids of the URLs that its links lead to."""

    def encode(self) -> bytes:
        """As the state keeps it."""
        header = [self.link, int(self.is_root), len(self.items), len(self.labels)]
        parts = (header, self.items, self.labels, self.targets)
        return b"".join(np.asarray(part, dtype="<u4").tobytes() for part in parts)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Back from the state."""
        numbers = np.frombuffer(data, dtype="<u4").astype(np.uint32)
        link, is_root, items, links = numbers[:4].tolist()
        rest = numbers[4:]
        return cls(
            link, bool(is_root), rest[:items], rest[items : items + links], rest[items + links :]
        )


@dataclass(slots=True)
class Cluster:
    """Pages that the same labels lead to from the start pages."""

    number: int
    parent: int
    label: int
    """The last one of its labels."""
    pages: list[int] = field(default_factory=list)
    redundant: set[int] = field(default_factory=set)
    """Those with the same items as a page before them: they count for nothing, but lead on."""
    repeats: bool = False
    """Whether its pages link to others under the label that led to them: `+`."""


class SiteGraph:
    """Pages with their items, joined by links that are labelled with root-to-link paths."""

    def __init__(self) -> None:
        self.vertices: dict[int, Vertex] = {}

    def __len__(self) -> int:
        return len(self.vertices)

    def add(self, page: int, vertex: Vertex) -> None:
        """A page that was read."""
        self.vertices[page] = vertex

    def clusters(
        self, steps: int, repetitions: int, waiting: Collection[int] = ()
    ) -> list[Cluster]:
        """Every page in the first cluster that a breadth-first traversal finds it in.

        The destinations that share a label belong together, and a label that is followed again from
        there, up to `repetitions` times, leads to pages of the same cluster. A page with the
        same items as one before it is redundant; having none is nothing that pages share.
        Links to `waiting` URLs of the site, which are not sampled, show that a label repeats.
        """
        return _Clustering(self.vertices, repetitions, waiting).run(steps)


class _Clustering:
    def __init__(
        self, vertices: dict[int, Vertex], repetitions: int, waiting: Collection[int]
    ) -> None:
        self._vertices = vertices
        self._repetitions = repetitions
        self._links = _links_within(vertices)
        self._waiting = waiting
        roots = [page for page, vertex in vertices.items() if vertex.is_root]
        self._roots = set(roots)
        self._clusters = [Cluster(ROOT, ROOT, -1, roots)]
        self._met = set(roots)
        self._items: set[bytes] = set()

    def run(self, steps: int) -> list[Cluster]:
        level = [self._clusters[ROOT]]
        for _ in range(steps):
            level = self._next_level(level)
        return self._clusters

    def _next_level(self, level: list[Cluster]) -> list[Cluster]:
        found: list[Cluster] = []
        for cluster in level:
            by_label: dict[int, Cluster] = {}
            for page in cluster.pages:
                for label, target in self._links[page]:
                    if label == cluster.label or not self._is_new(target):
                        continue
                    below = by_label.get(label)
                    if below is None:
                        below = Cluster(len(self._clusters), cluster.number, label)
                        by_label[label] = below
                        self._clusters.append(below)
                        found.append(below)
                    self._join(below, target)
        # Direct links first: what one label leads to is not another label's page flipping.
        for cluster in found:
            self._repeat(cluster)
        return found

    def _repeat(self, cluster: Cluster) -> None:
        newest = list(cluster.pages)
        if self._repetitions > 1:
            cluster.repeats = any(self._leads_on(page, cluster.label) for page in newest)
        for _ in range(self._repetitions - 1):
            added: list[int] = []
            for page in newest:
                for label, target in self._links[page]:
                    if label != cluster.label or target == page or target in self._roots:
                        continue
                    cluster.repeats = True
                    if self._is_new(target):
                        added.append(target)
                        self._join(cluster, target)
            newest = added

    def _leads_on(self, page: int, label: int) -> bool:
        """Whether a page links to a URL that is not sampled, under this label."""
        vertex = self._vertices[page]
        return any(url in self._waiting for url in vertex.targets[vertex.labels == label].tolist())

    def _is_new(self, page: int) -> bool:
        if page in self._met:
            return False
        self._met.add(page)
        return True

    def _join(self, cluster: Cluster, page: int) -> None:
        cluster.pages.append(page)
        items = self._vertices[page].items.tobytes()
        if items and items in self._items:
            cluster.redundant.add(page)
        self._items.add(items)


def _links_within(vertices: dict[int, Vertex]) -> dict[int, list[tuple[int, int]]]:
    """The links of every page that lead to sampled pages, as (label, page)."""
    pages = {vertex.link: page for page, vertex in vertices.items()} | {p: p for p in vertices}
    known = np.array(sorted(pages), dtype=np.uint32)
    links: dict[int, list[tuple[int, int]]] = {}
    for page, vertex in vertices.items():
        inside = np.isin(vertex.targets, known)
        targets = [pages[target] for target in vertex.targets[inside].tolist()]
        links[page] = list(zip(vertex.labels[inside].tolist(), targets, strict=True))
    return links


def path_to(clusters: list[Cluster], number: int) -> list[Cluster]:
    """The clusters on the way from the start pages to this one, which is the last."""
    path: list[Cluster] = []
    while number != ROOT:
        path.append(clusters[number])
        number = clusters[number].parent
    return path[::-1]


def distinct_items(vertices: Iterable[Vertex]) -> Items:
    """All items of these pages, each once."""
    items = [vertex.items for vertex in vertices]
    return np.unique(np.concatenate(items)) if items else np.array([], dtype=np.uint32)
