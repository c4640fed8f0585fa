"""The nearest action of a tag path: exact search against the HNSW index, on the same actions.

    python -m benchmarks.nearest_action [--actions 300,1000,5000] [--unrelated]

The actions are those that Algorithm 1 makes, with the paper's defaults, of random tag paths of a
site with very many templates (or of paths that have hardly anything in common). Both kinds are
measured in one process, each figure the median of single calls; the last two columns show how often
the index found an action as near as the nearest one: for new paths, and for those that made an
action.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from crawler.learning.actions import Actions
from crawler.learning.hnsw_actions import HnswActions
from crawler.learning.tag_paths import PathVector, TagPathProjection

QUERIES = 300
INSERTS = 100
UPDATES = 50
TAGS = ("div", "ul", "li", "p", "span", "section", "td", "nav", "main")
SYLLABLES = ("ra", "ne", "to", "li", "su", "ka", "mi", "do")


@dataclass(frozen=True)
class Costs:
    """Microseconds of one call."""

    query: float
    insert: float
    update: float


def template_path(rng: random.Random) -> str:
    """A link somewhere in a tree of templates: each element has four kinds of children."""
    path = ["html", f"body.page-{rng.randrange(12)}"]
    for _ in range(rng.randint(12, 30)):
        child = random.Random(" ".join(path) + str(rng.randrange(4)))
        name = "".join(child.choices(SYLLABLES, k=2))
        path.append(f"{child.choice(TAGS)}.{name}")
    return " ".join([*path, "a"])


def unrelated_path(rng: random.Random) -> str:
    """A link under elements that have ids of their own, in any order."""
    tags = [f"div#block-{rng.randrange(300)}" for _ in range(rng.randint(1, 9))]
    return " ".join(["html", "body", *tags, "a"])


def actions_of(
    size: int, projection: TagPathProjection, next_path: Callable[[], str]
) -> tuple[Actions, list[str]]:
    """So many actions, made by Algorithm 1, and the first path of each."""
    actions = Actions(projection.dimension, max_actions=size + INSERTS)
    firsts: list[str] = []
    while len(actions) < size:
        path = next_path()
        if actions.assign(projection.vector(path)) == len(firsts):
            firsts.append(path)
    return actions, firsts


def indexed(actions: Actions, projection: TagPathProjection) -> HnswActions:
    """The same actions with an index over them."""
    index = HnswActions(projection.dimension, max_actions=actions.max_actions)
    index.load(actions.centroid(action) for action in range(len(actions)))
    for action in range(len(actions)):
        index._operate(action)
    return index


def median(call: Callable[[PathVector], None], vectors: Iterable[PathVector]) -> float:
    """Microseconds of the middle one of these calls."""
    times = []
    for vector in vectors:
        begin = time.perf_counter()
        call(vector)
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6


def measure(actions: Actions, vectors: list[PathVector]) -> Costs:
    """What the parts of `assign` cost, each alone."""
    targets = random.Random(2)

    def insert(vector: PathVector) -> None:
        action = actions._add(vector, 1, float((vector.values**2).sum()))
        if isinstance(actions, HnswActions):
            actions._operate(action)

    def update(vector: PathVector) -> None:
        action = targets.randrange(len(actions))
        actions._join(action, vector, 1)
        if isinstance(actions, HnswActions) and actions._has_moved(action):
            actions._operate(action)

    def query(vector: PathVector) -> None:
        actions._nearest(vector)

    return Costs(
        median(query, vectors),
        median(insert, vectors[:INSERTS]),
        median(update, vectors[:UPDATES]),
    )


def found_share(exact: Actions, hnsw: HnswActions, vectors: list[PathVector]) -> float:
    """How often the index answers with an action as near as the nearest."""

    def cosine(actions: Actions, vector: PathVector) -> float:
        action, product = actions._nearest(vector)
        assert action is not None
        return product / math.sqrt(exact._squares[action])

    good = sum(cosine(hnsw, each) >= cosine(exact, each) * (1 - 1e-5) for each in vectors)
    return good / len(vectors)


def row(size: int, random_path: Callable[[random.Random], str]) -> str:
    """One line of the table."""
    rng = random.Random(size)
    projection = TagPathProjection()
    exact, firsts = actions_of(size, projection, lambda: random_path(rng))
    hnsw = indexed(exact, projection)
    new = [projection.vector(random_path(rng)) for _ in range(QUERIES)]
    known = [projection.vector(path) for path in rng.sample(firsts, QUERIES)]
    shares = [found_share(exact, hnsw, vectors) for vectors in (new, known)]
    ours, theirs = measure(exact, new), measure(hnsw, new)
    cells = [
        f"{a:,.0f} / {b:,.0f} ({b / a:,.0f}x)"
        for a, b in (
            (ours.query, theirs.query),
            (ours.insert, theirs.insert),
            (ours.update, theirs.update),
        )
    ]
    return f"{size:8,} " + " ".join(
        [f"{cell:>22}" for cell in cells] + [f"{share:>10.0%}" for share in shares]
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", default="300,1000,5000", help="numbers of actions")
    parser.add_argument("--unrelated", action="store_true", help="paths with little in common")
    options = parser.parse_args()
    print("microseconds: exact / hnsw (hnsw in units of exact)")
    costs = " ".join(f"{cost:>22}" for cost in ("query", "insert", "update"))
    print(f"{'actions':>8} {costs} {'new found':>10} {'old found':>10}")
    for size in map(int, options.actions.split(",")):
        print(row(size, unrelated_path if options.unrelated else template_path), flush=True)


if __name__ == "__main__":
    main()
