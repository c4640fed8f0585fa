"""Actions by an HNSW index: Algorithm 1 of paper 000 with the paper's own search."""

import random

import numpy as np
import pytest

from crawler.errors import StateUnreadable
from crawler.learning.actions import Actions
from crawler.learning.hnsw_actions import (
    OPERATIONS_PER_SNAPSHOT,
    HnswActions,
    IndexLog,
    IndexOperation,
    IndexSnapshot,
)
from crawler.learning.tag_paths import PathVector, TagPathProjection

DIMENSION = 16
TAGS = ["div", "ul", "li", "p", "span", "section", "td", "nav", "main"]


def vector(*values: float) -> PathVector:
    """A vector by its first values; the rest are zero."""
    buckets = np.flatnonzero(values)
    return PathVector(buckets, np.array(values, dtype=np.float32)[buckets])


def random_path(rng: random.Random) -> str:
    """A link somewhere in a site's templates: each element has four kinds of children."""
    path = ["html", f"body.page-{rng.choice('abcdef')}", "div#wrapper"]
    for _ in range(rng.randint(2, 5)):
        child = random.Random(" ".join(path) + str(rng.randrange(4)))
        path.append(f"{child.choice(TAGS)}.{child.choice('abcdefghij')}{child.choice('klmnop')}")
    if rng.random() < 0.3:
        path.append(f"li#item-{rng.randrange(40)}")
    return " ".join([*path, "a"])


def different_vectors(count: int) -> list[PathVector]:
    """So far from each other that with a theta of 0.9999 each opens an action."""
    rows = np.random.default_rng(1).random((count, DIMENSION)) ** 3
    return [vector(*row) for row in rows]


class Kept:
    """What a crawl's state keeps of an index: the last snapshot and what was logged since."""

    def __init__(self) -> None:
        self.snapshot: IndexSnapshot | None = None
        self.operations: list[IndexOperation] = []
        self.snapshots = 0

    def keep(self, log: IndexLog) -> None:
        if log.snapshot is not None:
            self.snapshot, self.operations = log.snapshot, []
            self.snapshots += 1
        self.operations += log.operations

    def restored(self, living: HnswActions) -> HnswActions:
        actions = HnswActions(64, living.theta, living.max_actions)
        actions.load([living.centroid(action) for action in range(len(living))])
        actions.load_index(self.snapshot, self.operations)
        return actions


@pytest.mark.parametrize("m", [6, 10])
def test_paths_are_nearly_always_assigned_as_the_exact_search_does(m: int) -> None:
    rng = random.Random(m)
    projection = TagPathProjection(m=m, w=m + 3)
    found = HnswActions(projection.dimension)
    exact = Actions(projection.dimension)
    agreed = 0
    for _ in range(1500):
        path, links = projection.vector(random_path(rng)), rng.randint(1, 3)
        if found.assign(path, links) == exact.assign(path, links):
            agreed += 1
            continue
        # From here on both go on from the same actions again.
        exact = Actions(projection.dimension)
        exact.load([found.centroid(action) for action in range(len(found))])
    assert len(found) > 200
    assert agreed >= 0.95 * 1500


def test_first_path_opens_an_action() -> None:
    actions = HnswActions(DIMENSION)
    assert actions.assign(vector(1, 2)) == 0
    assert len(actions) == 1


def test_similar_path_joins_and_another_opens_an_action() -> None:
    actions = HnswActions(DIMENSION, theta=0.75)
    actions.assign(vector(1, 0))
    assert actions.assign(vector(1, 2)) == 1  # cosine 0.45
    assert actions.assign(vector(2, 0.5)) == 0  # cosine 0.97


def test_similarity_of_exactly_theta_joins() -> None:
    actions = HnswActions(DIMENSION, theta=0.6)
    actions.assign(vector(1, 0))
    assert actions.assign(vector(3, 4)) == 0


def test_similarity_just_under_theta_opens_an_action() -> None:
    actions = HnswActions(DIMENSION, theta=0.601)
    actions.assign(vector(1, 0))
    assert actions.assign(vector(3, 4)) == 1


def test_similarity_is_that_to_the_centroid_and_not_to_the_indexed_vector() -> None:
    actions = HnswActions(DIMENSION, theta=0.5)
    actions.assign(vector(100, 0))
    actions.take_log()
    actions.assign(vector(100, 8))  # the mean is now (100, 4), as good as where it was
    assert actions.take_log().operations == []
    # To (1, 0) the cosine is 0.49; to (100, 4) it is 0.52.
    assert actions.assign(vector(0.49, 0.8717)) == 0


def test_no_more_than_max_actions_and_later_paths_join_the_nearest() -> None:
    actions = HnswActions(DIMENSION, theta=0.99, max_actions=2)
    assert actions.assign(vector(1, 0, 0)) == 0
    assert actions.assign(vector(0, 1, 0)) == 1
    assert actions.assign(vector(1, 3, 9)) == 1
    assert actions.assign(vector(3, 1, 0)) == 0
    assert len(actions) == 2


def test_actions_beyond_the_first_capacity_are_found_again() -> None:
    actions = HnswActions(DIMENSION, theta=0.9999)
    vectors = different_vectors(300)
    assert [actions.assign(each) for each in vectors] == list(range(300))
    assert [actions.assign(each) for each in vectors] == list(range(300))


def test_new_action_is_put_into_the_index_with_its_sums() -> None:
    actions = HnswActions(DIMENSION)
    actions.assign(vector(1, 0, 2), links=3)
    (operation,) = actions.take_log().operations
    assert (operation.number, operation.action) == (1, 0)
    assert np.frombuffer(operation.buckets, dtype=np.uint16).tolist() == [0, 2]
    assert np.frombuffer(operation.sums, dtype=np.float32).tolist() == [3, 6]


def test_joining_path_that_hardly_moves_the_centroid_leaves_the_index_alone() -> None:
    actions = HnswActions(DIMENSION)
    actions.assign(vector(1, 1))
    actions.take_log()
    actions.assign(vector(1, 1))
    actions.assign(vector(10, 10.5))
    assert actions.take_log().operations == []


def test_joining_path_that_moves_the_centroid_puts_it_into_the_index_again() -> None:
    actions = HnswActions(DIMENSION)
    actions.assign(vector(1, 1))
    actions.take_log()
    actions.assign(vector(1, 2))
    (operation,) = actions.take_log().operations
    assert (operation.number, operation.action) == (2, 0)
    assert np.frombuffer(operation.sums, dtype=np.float32).tolist() == [2, 3]


def test_many_negligible_moves_in_one_direction_are_not_negligible_together() -> None:
    actions = HnswActions(DIMENSION)
    actions.assign(vector(10, 10))
    actions.take_log()
    joins = 0
    while not (operations := actions.take_log().operations):
        assert actions.assign(vector(1, 1.5)) == 0
        joins += 1
        assert joins < 100
    assert joins > 1
    assert len(operations) == 1


def test_index_is_written_whole_at_the_fixed_number_of_operations() -> None:
    actions = HnswActions(DIMENSION, theta=0.9999)
    *before, last = different_vectors(OPERATIONS_PER_SNAPSHOT)
    for each in before:
        actions.assign(each)
    log = actions.take_log()
    assert log.snapshot is None
    assert [done.number for done in log.operations] == list(range(1, OPERATIONS_PER_SNAPSHOT))
    actions.assign(last)
    log = actions.take_log()
    assert log.snapshot is not None
    assert log.snapshot.number == OPERATIONS_PER_SNAPSHOT
    assert log.operations == []


def test_snapshot_takes_the_place_of_what_was_logged_before_it() -> None:
    actions = HnswActions(DIMENSION, theta=0.9999)
    for each in different_vectors(OPERATIONS_PER_SNAPSHOT + 2):
        actions.assign(each)
    log = actions.take_log()
    assert log.snapshot is not None
    first, second = OPERATIONS_PER_SNAPSHOT + 1, OPERATIONS_PER_SNAPSHOT + 2
    assert [done.number for done in log.operations] == [first, second]
    assert actions.take_log() == IndexLog(None, [])


@pytest.mark.slow
def test_restored_actions_assign_and_log_exactly_as_the_living_ones() -> None:
    rng = random.Random(8)
    projection = TagPathProjection(m=6, w=9)
    living = HnswActions(64, max_actions=250)
    kept = Kept()
    for _ in range(10):
        for _ in range(rng.randint(1, 400)):
            living.assign(projection.vector(random_path(rng)), rng.randint(1, 4))
        kept.keep(living.take_log())
        restored = kept.restored(living)
        for _ in range(100):
            path, links = projection.vector(random_path(rng)), rng.randint(1, 4)
            assert restored.assign(path, links) == living.assign(path, links)
        log = living.take_log()
        assert restored.take_log() == log
        kept.keep(log)
    assert kept.snapshots >= 3
    assert len(living) == 250


def test_snapshot_that_is_damaged_is_told_and_not_used() -> None:
    actions = HnswActions(DIMENSION, theta=0.9999)
    for each in different_vectors(OPERATIONS_PER_SNAPSHOT):
        actions.assign(each)
    snapshot = actions.take_log().snapshot
    assert snapshot is not None
    whole, middle = snapshot.data, len(snapshot.data) // 2
    flipped = bytes(byte ^ 0xFF for byte in whole[middle : middle + 8])
    for data in (whole[:middle] + flipped + whole[middle + 8 :], whole[:middle], b"", b"none"):
        with pytest.raises(StateUnreadable, match="--fresh"):
            HnswActions(DIMENSION).load_index(IndexSnapshot(snapshot.number, data), [])


def test_index_without_all_its_actions_is_told() -> None:
    actions = HnswActions(DIMENSION)
    actions.assign(vector(1, 0))
    restored = HnswActions(DIMENSION)
    restored.load([actions.centroid(0)])
    with pytest.raises(StateUnreadable, match="0 of 1 actions"):
        restored.load_index(None, [])
