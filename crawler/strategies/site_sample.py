"""The offline phase of `acebot`: the sampled pages, and the patterns that are learned from them."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import numpy as np

from crawler.config.strategy import PageItems, PathAttributes
from crawler.learning.navigation_patterns import OUTSIDE, NavigationPattern, PatternTree, Step
from crawler.learning.pattern_selection import Selected, select_patterns
from crawler.learning.site_graph import MAX_LINKS, SiteGraph, Vertex
from crawler.learning.word_pairs import Items, word_pairs
from crawler.strategies.interface import ReadPage
from crawler.strategies.known_labels import NO_LABEL, KnownLabels
from crawler.strategies.pattern_set import PatternSet, SavedPattern

MIN_FILES = 10
"""Files that a sample must have where they are the items: fewer say nothing about patterns."""


class SiteSample:
    """Collects pages and files as they come; what is new is saved page by page."""

    def __init__(self, items: PageItems) -> None:
        self._items = items
        self._graph = SiteGraph()
        self._files: set[int] = set()
        self._changes: dict[str, bytes] = {}

    @property
    def pages(self) -> int:
        """Pages sampled so far."""
        return len(self._graph)

    def is_enough(self, pages: float) -> bool:
        """Whether it has this many pages, and something to score patterns by."""
        lacks_items = self._items is PageItems.TARGETS and len(self._files) < MIN_FILES
        return len(self._graph) >= pages and not lacks_items

    def add_page(self, page: ReadPage, link: int, labels: KnownLabels) -> list[int]:
        """A page that was read, and the link that was followed to it; the links that it shows."""
        shown = [
            (labels.number(each.tag_path), target)
            for each in page.content.links[:MAX_LINKS]
            if (target := page.id_of(each.fingerprint)) is not None
        ]
        shown = [each for each in shown if each[0] != NO_LABEL]
        words = self._items is PageItems.WORDS
        vertex = Vertex(
            link=link,
            is_root=page.link.depth == 0,
            items=word_pairs(page.content.text) if words else np.array([], dtype=np.uint32),
            labels=np.array([label for label, _ in shown], dtype=np.uint32),
            targets=np.array([target for _, target in shown], dtype=np.uint32),
        )
        self._graph.add(page.link.id, vertex)
        self._changes[f"page/{page.link.id:010}"] = vertex.encode()
        return [target for _, target in shown]

    def add_file(self, link: int) -> None:
        """A link that led to a file."""
        self._files.add(link)
        self._changes[f"file/{link:010}"] = b"1"

    def learn(
        self,
        labels: KnownLabels,
        attributes: PathAttributes,
        start_url: str,
        waiting: Collection[int],
        *,
        steps: int,
        repetitions: int,
        completion: float,
    ) -> PatternSet:
        """The patterns that lead to the sample's items with the fewest pages.

        `waiting` are the known URLs of the site that are not sampled.
        """
        if self._items is PageItems.TARGETS:
            for page, vertex in self._graph.vertices.items():
                self._graph.add(page, replace(vertex, items=self._targets_of(vertex, labels)))
        clusters = self._graph.clusters(steps, repetitions, waiting)
        selection = select_patterns(self._graph, clusters, completion)
        return PatternSet(
            start_url=start_url,
            attributes=attributes,
            scored_by=self._items,
            sampled_pages=len(self._graph),
            coverage=selection.coverage,
            patterns=tuple(_saved(each, labels, start_url) for each in selection.patterns),
            files=tuple(labels.files()),
        )

    def _targets_of(self, vertex: Vertex, labels: KnownLabels) -> Items:
        """The links of a page that are files, or have a label that leads to files."""
        files = {
            link
            for label, link in _links(vertex)
            if link in self._files or labels.leads_to_files(label)
        }
        return np.array(sorted(files), dtype=np.uint32)

    def places(
        self, tree: PatternTree, labels: KnownLabels
    ) -> tuple[dict[int, int], dict[int, int]]:
        """Where the sampled pages, and the other links on them, are in the patterns."""
        vertices = self._graph.vertices
        pages = {vertex.link: page for page, vertex in vertices.items()}
        places = {page: tree.start for page, vertex in vertices.items() if vertex.is_root}
        waiting: dict[int, int] = {}
        ahead = deque(places)
        while ahead:
            page = ahead.popleft()
            for label, link in _links(vertices[page]):
                place = tree.follow(places[page], labels.text(label))
                target = pages.get(link, link)
                known = places if target in vertices else waiting
                if place != OUTSIDE and tree.comes_before(place, known.get(target, OUTSIDE)):
                    known[target] = place
                    if target in vertices:
                        ahead.append(target)
        return places, waiting

    def forget(self) -> None:
        """The patterns are learned: the sample is not needed any more."""
        self._changes |= {f"page/{page:010}": b"" for page in self._graph.vertices}
        self._changes |= {f"file/{link:010}": b"" for link in self._files}
        self._graph, self._files = SiteGraph(), set()

    def take_changes(self) -> dict[str, bytes]:
        """What is new since the last call, under its names."""
        changes, self._changes = self._changes, {}
        return changes

    def load(self, memory: Mapping[str, bytes]) -> None:
        """Bring everything back."""
        for name, value in memory.items():
            kind, _, number = name.partition("/")
            if kind == "page":
                self._graph.add(int(number), Vertex.decode(value))
            elif kind == "file":
                self._files.add(int(number))


def _links(vertex: Vertex) -> Iterator[tuple[int, int]]:
    return zip(vertex.labels.tolist(), vertex.targets.tolist(), strict=True)


def _saved(selected: Selected, labels: KnownLabels, start_url: str) -> SavedPattern:
    steps = tuple(Step(labels.text(each.label), each.repeats) for each in selected.path)
    return SavedPattern(
        pattern=NavigationPattern(steps).written(start_url),
        score=round(selected.score, 3),
        pages=selected.pages,
        items=selected.items,
    )
