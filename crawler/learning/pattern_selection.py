"""Which navigation patterns to follow: greedily by new items per page (paper 002, Algorithm 1)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler.learning.navigation_patterns import MAX_PATTERNS
from crawler.learning.site_graph import ROOT, Cluster, SiteGraph, distinct_items, path_to
from crawler.learning.word_pairs import Items


@dataclass(frozen=True, slots=True)
class Selected:
    """A navigation pattern that is worth following, as the clusters that it leads through."""

    path: tuple[Cluster, ...]
    pages: int
    """Pages that it adds to those of the patterns before it."""
    items: int
    """Items that these add."""

    @property
    def score(self) -> float:
        """Items per page (Definition 4)."""
        return self.items / self.pages


@dataclass(frozen=True, slots=True)
class Selection:
    """The patterns in the order of their selection, and how much of the site's items they have."""

    patterns: tuple[Selected, ...]
    items: int
    """Distinct items of all sampled pages but the start pages."""

    @property
    def coverage(self) -> float:
        """The share of the items that is on pages of the patterns."""
        return sum(each.items for each in self.patterns) / self.items if self.items else 1.0


class PatternScores:
    """The scores of all patterns that start at the root, without the pages selected so far.

    There is one pattern for each cluster: the labels that lead to it. Its pages are those of all
    clusters on the way (Definition 3), and the start pages count for none. Every cluster is left
    the items that no cluster before it on the way has, so that the items of a pattern are a sum.
    """

    def __init__(self, graph: SiteGraph, clusters: list[Cluster]) -> None:
        self._clusters = clusters
        pages = [vertex for vertex in graph.vertices.values() if not vertex.is_root]
        known = distinct_items(pages)
        self.items = len(known)
        self._own = self._own_items(graph, known)
        self._counts = np.array([len(own) for own in self._own])
        """Items of every cluster that no selected pattern has."""
        self._sizes = np.array([len(each.pages) - len(each.redundant) for each in clusters])
        self._sizes[ROOT] = 0
        self._paths = self._padded([path_to(clusters, each.number) for each in clusters])
        self._open = self._sizes > 0
        self._covered = np.zeros(self.items, dtype=np.bool_)
        owners = np.repeat(np.arange(len(clusters), dtype=np.int32), self._counts)
        order = np.argsort(np.concatenate(self._own), kind="stable")
        self._owners = owners[order]
        """The clusters of the first item, then those of the second, and so on."""
        held = np.bincount(np.concatenate(self._own), minlength=self.items)
        self._ends = np.cumsum(held)
        self._held = held

    def _own_items(self, graph: SiteGraph, known: Items) -> list[npt.NDArray[np.int32]]:
        """Of every cluster the items, by their position, that its ancestors do not have."""
        own: list[npt.NDArray[np.int32]] = [np.array([], dtype=np.int32)]
        for cluster in self._clusters[ROOT + 1 :]:
            items = distinct_items(graph.vertices[page] for page in cluster.pages)
            left = np.searchsorted(known, items).astype(np.int32)
            for ancestor in path_to(self._clusters, cluster.parent):
                before = own[ancestor.number]
                at = np.minimum(np.searchsorted(before, left), max(len(before) - 1, 0))
                left = left[before[at] != left] if len(before) else left
            own.append(left)
        return own

    def _padded(self, paths: list[list[Cluster]]) -> npt.NDArray[np.intp]:
        """The paths as rows of one array; the root, which has neither pages nor items, fills up."""
        rows = np.full((len(paths), max(map(len, paths), default=1) or 1), ROOT, dtype=np.intp)
        for row, path in zip(rows, paths, strict=True):
            row[: len(path)] = [cluster.number for cluster in path]
        return rows

    def of(self, number: int) -> Selected:
        """The pattern that leads to a cluster."""
        numbers = self._paths[number]
        pages, items = int(self._sizes[numbers].sum()), int(self._counts[numbers].sum())
        return Selected(tuple(path_to(self._clusters, number)), pages, items)

    def best(self) -> Selected | None:
        """The pattern with the highest score; of equal ones the shortest, then the first."""
        pages, items = self._sizes[self._paths].sum(axis=1), self._counts[self._paths].sum(axis=1)
        scores = np.where(self._open, items / np.maximum(pages, 1), 0.0)
        best = self.of(int(np.argmax(scores)))
        return best if best.items else None

    def select(self, pattern: Selected) -> None:
        """Count its pages and items no more, and drop the patterns that it begins with."""
        numbers = [cluster.number for cluster in pattern.path]
        items = np.unique(np.concatenate([self._own[number] for number in numbers]))
        new = items[~self._covered[items]]
        self._covered[new] = True
        # Every item is taken from its clusters once, however many patterns are selected.
        held, ends = self._held[new], self._ends[new]
        within = np.arange(held.sum()) - np.repeat(np.cumsum(held) - held, held)
        owners = self._owners[np.repeat(ends - held, held) + within]
        self._counts -= np.bincount(owners, minlength=len(self._counts))
        self._sizes[numbers] = 0
        self._open[numbers] = False


def select_patterns(graph: SiteGraph, clusters: list[Cluster], completion: float) -> Selection:
    """The best pattern again and again, until this share of the items is covered."""
    scores = PatternScores(graph, clusters)
    selected: list[Selected] = []
    covered = 0
    while covered < completion * scores.items and len(selected) < MAX_PATTERNS:
        best = scores.best()
        if best is None:
            break
        selected.append(best)
        covered += best.items
        scores.select(best)
    return Selection(tuple(selected), scores.items)
