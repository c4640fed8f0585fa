"""What found datasets can be narrowed by, counted from their documents."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from pydantic import Field

from crawler.catalog.read.record import Record

MAX_CHOICES = 100
"""Values of a facet; a longer list is no help to choose from."""


class Facet(Record):
    """A value to narrow a search by, and how many datasets have it."""

    value: str = Field(examples=["csv"])
    """The value of the filter."""
    count: int = Field(examples=[9])
    """Datasets of this search that have it."""


class Facets(Record):
    """What the found datasets can be narrowed by, the most frequent first."""

    site: tuple[Facet, ...] = ()
    """Names of sites."""
    format: tuple[Facet, ...] = ()
    """Groups of file types."""
    verdict: tuple[Facet, ...] = ()
    """Verdicts, `unchecked` among them."""
    language: tuple[Facet, ...] = ()
    """Languages of pages and files."""
    period: tuple[Facet, ...] = ()
    """Years that the tables cover."""
    place: tuple[Facet, ...] = ()
    """Places that the tables cover."""
    publisher: tuple[Facet, ...] = ()
    """Publishers, as their pages say."""


_LETTERS = {
    "s": "site", "f": "format", "v": "verdict", "l": "language", "t": "period", "p": "place",
    "b": "publisher",
}  # fmt: skip


def count_facets(documents: Iterable[str], sites: dict[int, str]) -> Facets:
    """Counts by value, from the facets of every dataset that was found."""
    values = Counter(chain.from_iterable(facets.split("\n") for facets in documents))
    kinds: dict[str, Counter[str]] = {name: Counter() for name in _LETTERS.values()}
    for value, times in values.items():
        kind, name = _LETTERS.get(value[:1], ""), value[1:]
        if kind == "site":
            kinds[kind][sites.get(int(name), "")] += times
        elif kind == "period":
            first, _, last = name.partition("-")
            for year in range(int(first), int(last) + 1):
                kinds[kind][str(year)] += times
        elif kind:
            kinds[kind][name] += times
    return Facets(**{kind: _listed(counts, kind) for kind, counts in kinds.items()})


def _listed(counts: Counter[str], kind: str) -> tuple[Facet, ...]:
    """The most frequent first; of years that are as frequent, the latest."""
    sign = -1 if kind == "period" else 1

    def order(one: tuple[str, int]) -> tuple[int, int, str]:
        return -one[1], sign * int(one[0]) if kind == "period" else 0, one[0]

    chosen = sorted(counts.items(), key=order)[:MAX_CHOICES]
    return tuple(Facet(value=value, count=count) for value, count in chosen)
