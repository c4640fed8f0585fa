"""Tag paths as vectors: the n-grams and the projection of Section III-B (paper 000)."""

import os
import subprocess
import sys
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.learning.tag_paths import PRIME, PathVector, TagPathProjection

TAGS = ["html", "body", "div", "div#main", "ul.data", "li", "p", "a"]
PATHS = st.lists(st.sampled_from(TAGS), min_size=1, max_size=8).map(" ".join)


def dense(vector: PathVector, dimension: int) -> list[float]:
    """The whole vector, zeros too."""
    whole = np.zeros(dimension)
    whole[vector.buckets] = vector.values
    return [float(value) for value in whole]


def same(one: PathVector, other: PathVector) -> bool:
    return np.array_equal(one.buckets, other.buckets) and np.array_equal(one.values, other.values)


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, ["BOS", "html", "body", "a", "EOS"]),
        (2, ["BOS html", "html body", "body a", "a EOS"]),
        (3, ["BOS html body", "html body a", "body a EOS"]),
    ],
)
def test_ngrams_run_from_the_begin_mark_to_the_end_mark(n: int, expected: list[str]) -> None:
    assert TagPathProjection(n=n).ngrams("html body a") == expected


def test_path_shorter_than_n_is_one_ngram() -> None:
    assert TagPathProjection(n=5).ngrams("a") == ["BOS a EOS"]


def test_ids_and_classes_belong_to_the_tag() -> None:
    ngrams = TagPathProjection(n=2).ngrams("html div#main.wide a")
    assert ngrams == ["BOS html", "html div#main.wide", "div#main.wide a", "a EOS"]


@pytest.mark.parametrize(
    ("m", "w", "expected"),
    [
        # Π mod 2^3 = 1, so h(x) = (x mod 8) div 2.
        (2, 3, [0, 0, 1, 1, 2, 2, 3, 3, 0, 0]),
        # Π mod 2^5 = 17: 0 17 2 19 4 21 6 23 8 25, each div 8.
        (2, 5, [0, 2, 0, 2, 0, 2, 0, 2, 1, 3]),
    ],
)
def test_hash_of_a_position_worked_by_hand(m: int, w: int, expected: list[int]) -> None:
    projection = TagPathProjection(m=m, w=w)
    assert [projection.bucket(x) for x in range(10)] == expected


@given(st.integers(0, 10**9), st.integers(1, 16), st.integers(1, 16))
@settings(deadline=None)
def test_hash_is_the_formula_of_the_paper(x: int, m: int, more: int) -> None:
    w = m + more
    bucket = TagPathProjection(m=m, w=w).bucket(x)
    assert bucket == floor(((PRIME * x) % 2**w) / 2 ** (w - m))
    assert 0 <= bucket < 2**m


def test_a_path_projected_into_four_dimensions() -> None:
    projection = TagPathProjection(n=2, m=2, w=3)
    # position   0         1          2         3 (twice)  4      5
    # n-gram     BOS html  html body  body div  div div    div a  a EOS
    # count      1         1          1         2          1      1
    # bucket     0         0          1         1          2      2
    vector = projection.vector("html body div div div a")
    assert projection.dimension == 4
    assert dense(vector, 4) == [1.0, 1.5, 1.0, 0.0]
    assert projection.take_new() == [
        (0, "BOS html"),
        (1, "html body"),
        (2, "body div"),
        (3, "div div"),
        (4, "div a"),
        (5, "a EOS"),
    ]


def test_a_second_path_adds_to_the_vocabulary_and_shares_buckets_with_the_first() -> None:
    projection = TagPathProjection(n=2, m=2, w=3)
    projection.vector("html body div div div a")
    projection.take_new()
    # BOS html (0), html body (1), a EOS (5) are known; body ul (6) and ul a (7) are new.
    # The n-grams at positions 2, 3 and 4 are absent and still count in the mean of their buckets.
    vector = projection.vector("html body ul a")
    assert dense(vector, 4) == [1.0, 0.0, 0.5, 1.0]
    assert projection.take_new() == [(6, "body ul"), (7, "ul a")]


def test_known_path_changes_its_vector_when_the_vocabulary_grows() -> None:
    projection = TagPathProjection(n=2, m=2, w=3)
    # BOS a (0) and a EOS (1) share bucket 0.
    assert dense(projection.vector("a"), 4) == [1.0, 0.0, 0.0, 0.0]
    # BOS p (2) and p a (3) in bucket 1, a EOS (1) known.
    assert dense(projection.vector("p a"), 4) == [0.5, 1.0, 0.0, 0.0]
    # p p (4) has bucket 2 for itself ...
    assert dense(projection.vector("p p a"), 4) == [0.5, 1.0, 1.0, 0.0]
    # ... until BOS li (5) shares it; li p (6) goes to bucket 3.
    projection.vector("li p a")
    assert dense(projection.vector("p p a"), 4) == [0.5, 1.0, 0.5, 0.0]
    assert dense(projection.vector("a"), 4) == [1.0, 0.0, 0.0, 0.0]


def test_known_ngrams_are_not_new_again() -> None:
    projection = TagPathProjection()
    projection.vector("html body a")
    assert len(projection.take_new()) == 4
    projection.vector("html body a")
    assert projection.take_new() == []


def test_repeated_ngram_is_counted() -> None:
    vector = TagPathProjection(n=1, m=12, w=15).vector("div div div")
    assert sorted(vector.values.tolist()) == [1.0, 1.0, 3.0]


def reference(
    vocabulary: list[str], ngrams: list[str], projection: TagPathProjection
) -> list[float]:
    """Section III-B word by word: a dense bag of words, then the mean over colliding positions."""
    for ngram in ngrams:
        if ngram not in vocabulary:
            vocabulary.append(ngram)
    colliding: list[list[int]] = [[] for _ in range(projection.dimension)]
    for position, ngram in enumerate(vocabulary):
        colliding[projection.bucket(position)].append(ngrams.count(ngram))
    return [sum(counts) / len(counts) if counts else 0.0 for counts in colliding]


@given(st.lists(PATHS, max_size=20), st.integers(1, 3), st.integers(1, 6))
@settings(deadline=None)
def test_every_vector_is_the_mean_over_all_positions_of_its_bucket(
    paths: list[str], n: int, m: int
) -> None:
    projection = TagPathProjection(n=n, m=m, w=12)
    vocabulary: list[str] = []
    for path in [*paths, *paths]:
        expected = reference(vocabulary, projection.ngrams(path), projection)
        assert dense(projection.vector(path), 1 << m) == pytest.approx(expected, rel=1e-6)


@given(st.lists(PATHS, max_size=10), st.lists(PATHS, max_size=10), st.integers(3, 8))
@settings(deadline=None)
def test_reloaded_vocabulary_gives_the_same_vectors(
    before: list[str], after: list[str], w: int
) -> None:
    living = TagPathProjection(m=2, w=w)
    for path in before:
        living.vector(path)
    reloaded = TagPathProjection(m=2, w=w)
    reloaded.load(living.take_new())
    assert reloaded.take_new() == []
    for path in [*after, *before]:
        assert same(reloaded.vector(path), living.vector(path))
    assert reloaded.take_new() == living.take_new()


def closed_projection() -> TagPathProjection:
    """A vocabulary with all its 2^w = 8 n-grams: two in each of four buckets."""
    projection = TagPathProjection(n=1, m=2, w=3)
    projection.vector("one two three four five six")
    return projection


def test_vocabulary_is_closed_after_2_to_the_w_ngrams() -> None:
    projection = closed_projection()
    assert len(projection.take_new()) == 8
    vector = projection.vector("unseen1 unseen2 unseen3")
    assert projection.take_new() == []
    # Five n-grams with the marks, each of which shares its bucket with another position.
    assert float(vector.values.sum()) == 5 / 2


def test_closed_vocabulary_leaves_known_vectors_as_they_were() -> None:
    projection = closed_projection()
    before = projection.vector("one two three")
    projection.vector("unseen1 unseen2 unseen3")
    assert same(projection.vector("one two three"), before)


def test_unseen_ngrams_of_a_closed_vocabulary_do_not_depend_on_what_came_before() -> None:
    one, other = closed_projection(), closed_projection()
    one.vector("unseen1 unseen2")
    other.vector("unseen9 unseen8 unseen7")
    reloaded = TagPathProjection(n=1, m=2, w=3)
    reloaded.load(closed_projection().take_new())
    expected = one.vector("unseen3 unseen4")
    assert same(other.vector("unseen3 unseen4"), expected)
    assert same(reloaded.vector("unseen3 unseen4"), expected)


def test_unseen_ngrams_of_a_closed_vocabulary_do_not_depend_on_the_process() -> None:
    script = (
        "from crawler.learning.tag_paths import TagPathProjection\n"
        "projection = TagPathProjection(n=1, m=6, w=7)\n"
        "projection.vector(' '.join(f't{i}' for i in range(126)))\n"
        "print(projection.vector('un#seen no.where née').buckets.tolist())\n"
    )
    buckets = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(buckets) == 1
