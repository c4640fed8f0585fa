"""What happened to the files of a synthetic site on a night, by its graph."""

from collections.abc import Mapping
from dataclasses import dataclass

from crawler.lab.sites.graph import SiteGraph


@dataclass(frozen=True, slots=True)
class Truth:
    """What happened to the files of a site on one night.

    Each file comes with the pages that link to it: for files that are gone, those of the night
    before. Redirections count as the files that they lead to.
    """

    new: Mapping[str, tuple[str, ...]]
    changed: Mapping[str, tuple[str, ...]]
    gone: Mapping[str, tuple[str, ...]]


def truth_of(graph: SiteGraph, night: int) -> Truth:
    """What happened to the files since the night before."""
    before, after = graph.files(night - 1), graph.files(night)
    new = after.keys() - before.keys()
    changed = {url for url in after.keys() & before.keys() if after[url] != before[url]}
    gone = before.keys() - after.keys()
    now = _linked_on(graph, night, new | changed)
    then = _linked_on(graph, night - 1, gone)
    return Truth(
        new={url: tuple(now[url]) for url in sorted(new)},
        changed={url: tuple(now[url]) for url in sorted(changed)},
        gone={url: tuple(then[url]) for url in sorted(gone)},
    )


def _linked_on(graph: SiteGraph, night: int, urls: set[str]) -> dict[str, list[str]]:
    linked: dict[str, list[str]] = {url: [] for url in urls}
    for page in graph.pages(night) if urls else ():
        for url in urls.intersection(graph.links(night, page)):
            linked[url].append(page)
    return linked
