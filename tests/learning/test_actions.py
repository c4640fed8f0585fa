"""Actions: Algorithm 1 of paper 000, against a reference that keeps explicit means."""

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.learning.actions import Actions
from crawler.learning.tag_paths import PathVector, TagPathProjection

DIMENSION = 16
TOLERANCE = 2e-5

TAGS = ["html", "body", "div", "div#main", "ul.data", "li", "p", "a"]
PATHS = st.lists(st.sampled_from(TAGS), min_size=1, max_size=8).map(" ".join)
STEPS = st.lists(st.tuples(PATHS, st.integers(1, 5)), min_size=1, max_size=40)


def vector(*values: float) -> PathVector:
    """A vector by its first values; the rest are zero."""
    buckets = np.flatnonzero(values)
    return PathVector(buckets, np.array(values, dtype=np.float32)[buckets])


def test_first_path_opens_an_action() -> None:
    actions = Actions(DIMENSION)
    assert len(actions) == 0
    assert actions.assign(vector(1, 2)) == 0
    assert len(actions) == 1


def test_similar_path_joins_and_another_opens_an_action() -> None:
    actions = Actions(DIMENSION, theta=0.75)
    actions.assign(vector(1, 0))
    assert actions.assign(vector(1, 2)) == 1  # cosine 0.45
    assert actions.assign(vector(2, 0.5)) == 0  # cosine 0.97
    assert len(actions) == 2


def test_similarity_of_exactly_theta_joins() -> None:
    actions = Actions(DIMENSION, theta=0.6)
    actions.assign(vector(1, 0))
    assert actions.assign(vector(3, 4)) == 0


def test_similarity_just_under_theta_opens_an_action() -> None:
    actions = Actions(DIMENSION, theta=0.601)
    actions.assign(vector(1, 0))
    assert actions.assign(vector(3, 4)) == 1


def test_path_joins_the_nearest_of_several_actions() -> None:
    actions = Actions(DIMENSION, theta=0.9)
    for values in [(1, 0, 0), (0, 1, 0), (1, 1, 0)]:
        actions.assign(vector(*values))
    assert len(actions) == 3
    assert actions.assign(vector(5, 4, 0)) == 2
    assert actions.assign(vector(9, 1, 0)) == 0


def test_length_of_a_vector_does_not_matter() -> None:
    actions = Actions(DIMENSION, theta=0.99)
    actions.assign(vector(1, 2, 3))
    assert actions.assign(vector(100, 200, 300)) == 0


def test_centroid_moves_with_the_links_that_join() -> None:
    untouched, moved = Actions(DIMENSION, theta=0.8), Actions(DIMENSION, theta=0.8)
    for actions in (untouched, moved):
        actions.assign(vector(1, 0))
    moved.assign(vector(4, 2))  # cosine 0.89; the mean is now (2.5, 1)
    assert untouched.assign(vector(1, 1)) == 1  # cosine 0.71 to (1, 0)
    assert moved.assign(vector(1, 1)) == 0  # cosine 0.92 to (2.5, 1)


def test_centroid_is_the_mean_of_its_links() -> None:
    actions = Actions(DIMENSION, theta=0.1)
    links = [(1, 0, 0, 2), (0, 3, 0, 1), (2, 0, 0, 1)]
    for values in links:
        assert actions.assign(vector(*values)) == 0
    saved = actions.centroid(0)
    assert np.frombuffer(saved.buckets, dtype=np.uint16).tolist() == [0, 1, 3]
    sums = np.frombuffer(saved.sums, dtype=np.float32)
    assert (sums / len(links)).tolist() == pytest.approx([1, 1, 4 / 3])
    assert saved.square == pytest.approx(3 * 3 + 3 * 3 + 4 * 4)


def test_tiny_theta_puts_all_links_into_one_action() -> None:
    actions = Actions(DIMENSION, theta=1e-6)
    assert {actions.assign(vector(*row)) for row in np.eye(DIMENSION).tolist()} == {0}


def test_theta_of_one_keeps_different_paths_apart_and_equal_paths_together() -> None:
    projection = TagPathProjection()
    actions = Actions(projection.dimension, theta=1.0)
    rng = random.Random(3)
    paths = sorted({" ".join(rng.choices(TAGS, k=rng.randint(1, 20))) for _ in range(200)})
    for path in paths:
        projection.vector(path)
    numbers = {path: actions.assign(projection.vector(path)) for path in paths}
    assert sorted(numbers.values()) == list(range(len(paths)))
    for path in rng.choices(paths, k=1000):
        assert actions.assign(projection.vector(path), rng.randint(1, 9)) == numbers[path]


def test_equal_paths_stay_together_over_thousands_of_links() -> None:
    actions = Actions(DIMENSION, theta=1.0)
    thirds = vector(1 / 3, 2 / 3, 1 / 7, 1 / 2)
    assert {actions.assign(thirds) for _ in range(5_000)} == {0}


def test_no_more_than_max_actions_and_later_paths_join_the_nearest() -> None:
    actions = Actions(DIMENSION, theta=0.99, max_actions=2)
    assert actions.assign(vector(1, 0, 0)) == 0
    assert actions.assign(vector(0, 1, 0)) == 1
    assert actions.assign(vector(1, 3, 9)) == 1
    assert actions.assign(vector(3, 1, 0)) == 0
    assert len(actions) == 2


def test_actions_beyond_the_first_capacity_keep_their_centroids() -> None:
    actions = Actions(512, theta=0.9, max_actions=300)
    rows = np.eye(512).tolist()
    assert [actions.assign(vector(*row)) for row in rows[:300]] == list(range(300))
    assert [actions.assign(vector(*row)) for row in rows[:300]] == list(range(300))
    assert len(actions) == 300


class Reference:
    """Algorithm 1 link by link, with every action's links at hand."""

    def __init__(self, theta: float, max_actions: int) -> None:
        self.theta = theta
        self.max_actions = max_actions
        self.links: list[list[npt.NDArray[np.float64]]] = []

    def right_answers(self, link: npt.NDArray[np.float64]) -> set[int]:
        """The action of a link; several where only rounding decides."""
        if not self.links:
            return {0}
        means = np.array([np.mean(links, axis=0) for links in self.links])
        cosines = means @ link / (np.linalg.norm(means, axis=1) * np.linalg.norm(link))
        best = float(cosines.max())
        nearest = {int(action) for action in np.flatnonzero(cosines >= best - TOLERANCE)}
        if len(self.links) >= self.max_actions or best >= self.theta + TOLERANCE:
            return nearest
        opened = {len(self.links)}
        return nearest | opened if best >= self.theta - TOLERANCE else opened

    def join(self, action: int, link: npt.NDArray[np.float64]) -> None:
        if action == len(self.links):
            self.links.append([])
        self.links[action].append(link)


@given(STEPS, st.sampled_from([0.2, 0.5, 0.75, 0.9, 1.0]), st.sampled_from([3, 1000]))
@settings(max_examples=60, deadline=None)
def test_links_are_assigned_as_algorithm_1_does_link_by_link(
    steps: list[tuple[str, int]], theta: float, max_actions: int
) -> None:
    projection = TagPathProjection(m=6, w=8)
    together, one_by_one = (Actions(64, theta, max_actions) for _ in range(2))
    reference = Reference(theta, max_actions)
    for path, links in steps:
        projected = projection.vector(path)
        link = np.zeros(64)
        link[projected.buckets] = projected.values
        action = together.assign(projected, links)
        for _ in range(links):
            assert action in reference.right_answers(link)
            reference.join(action, link)
            assert one_by_one.assign(projected) == action
    for action, links_of in enumerate(reference.links):
        saved = together.centroid(action)
        mean = np.zeros(64)
        buckets = np.frombuffer(saved.buckets, dtype=np.uint16)
        mean[buckets] = np.frombuffer(saved.sums, dtype=np.float32) / len(links_of)
        assert mean == pytest.approx(np.mean(links_of, axis=0), rel=1e-5)


@given(STEPS, STEPS, st.sampled_from([0.5, 0.75, 1.0]), st.sampled_from([3, 1000]))
@settings(max_examples=60, deadline=None)
def test_reloaded_actions_assign_exactly_as_the_living_ones(
    before: list[tuple[str, int]], after: list[tuple[str, int]], theta: float, max_actions: int
) -> None:
    projection = TagPathProjection(m=6, w=8)
    living, reloaded = (Actions(64, theta, max_actions) for _ in range(2))
    for path, links in before:
        living.assign(projection.vector(path), links)
    reloaded.load([living.centroid(action) for action in range(len(living))])
    assert len(reloaded) == len(living)
    for path, links in after:
        projected = projection.vector(path)
        assert reloaded.assign(projected, links) == living.assign(projected, links)
    for action in range(len(living)):
        assert reloaded.centroid(action) == living.centroid(action)
