"""The Hoeffding tree beside the one of river, and its saving."""

import random

import numpy as np
import pytest
from river.naive_bayes import MultinomialNB
from river.tree import HoeffdingTreeClassifier

from crawler.learning.hoeffding_tree import HoeffdingTree, _Leaf, _Split
from crawler.learning.naive_bayes import Rows

FEATURES = 12


def stream(seed: int, length: int) -> list[tuple[set[int], bool]]:
    """The class depends on two features, in another way on each side of the first."""
    rng = random.Random(seed)
    examples = []
    for _ in range(length):
        present = {feature for feature in range(FEATURES) if rng.random() < 0.4}
        relevant = (1 in present) if 0 in present else (2 not in present)
        examples.append((present, relevant != (rng.random() < 0.05)))
    return examples


def row(present: set[int]) -> Rows:
    features = sorted(present)
    return np.array([*features, *[FEATURES] * (FEATURES - len(features))], dtype=np.uint16)


def as_dictionary(present: set[int]) -> dict[str, int]:
    return {f"f{feature:02}": int(feature in present) for feature in range(FEATURES)}


def shape_of_ours(tree: HoeffdingTree, number: int = 0) -> object:
    node = tree._nodes[number]
    if isinstance(node, _Split):
        sides = (node.without, node.with_it)
        return (f"f{node.feature:02}", *(shape_of_ours(tree, side) for side in sides))
    return tuple(node.examples)


def shape_of_theirs(node: object) -> object:
    if hasattr(node, "children"):
        sides = dict(zip((0, 1), node.children, strict=True))
        if not hasattr(node, "_mapping"):  # value == 0 or 1 against the other
            sides = {node.value: node.children[0], 1 - node.value: node.children[1]}
        return (node.feature, shape_of_theirs(sides[0]), shape_of_theirs(sides[1]))
    return (int(node.stats.get(False, 0)), int(node.stats.get(True, 0)))


@pytest.mark.parametrize("seed", range(2))
def test_it_splits_where_river_splits(seed):
    ours = HoeffdingTree(FEATURES)
    theirs = HoeffdingTreeClassifier(
        nominal_attributes=[f"f{feature:02}" for feature in range(FEATURES)],
        leaf_prediction="mc",
        max_share_to_split=1.0,
    )
    for number, (present, relevant) in enumerate(stream(seed, 4500)):
        ours.learn(row(present), relevant=relevant)
        theirs.learn_one(as_dictionary(present), relevant)
        if number % 500 == 499:
            assert shape_of_ours(ours) == shape_of_theirs(theirs._root)
    assert ours.leaves >= 3


def test_leaves_answer_as_the_naive_bayes_of_river():
    tree, models = HoeffdingTree(FEATURES), {}
    for present, relevant in stream(4, 3000):
        leaves = tree.leaves
        number = tree._leaf_of(row(present))[0]
        model = models.setdefault(number, MultinomialNB())
        x = dict.fromkeys(present, 1)
        if len(model.class_counts) == 2:
            expected = model.joint_log_likelihood(x)
            odds = tree.log_odds(row(present)[None])[0]
            assert odds == pytest.approx(expected[True] - expected[False], abs=1e-9)
        model.learn_one(x, relevant)
        tree.learn(row(present), relevant=relevant)
        assert tree.leaves in (leaves, leaves + 1)
    assert tree.leaves > 2


def test_it_learns_what_naive_bayes_cannot():
    tree, naive_bayes = HoeffdingTree(FEATURES), MultinomialNB()
    right_tree = right_naive_bayes = 0
    for number, (present, relevant) in enumerate(stream(9, 8_000)):
        x = dict.fromkeys(present, 1)
        if number >= 6_000:
            right_tree += (tree.log_odds(row(present)[None])[0] > 0) == relevant
            right_naive_bayes += naive_bayes.predict_one(x) == relevant
        tree.learn(row(present), relevant=relevant)
        naive_bayes.learn_one(x, relevant)
    assert right_tree > 1.1 * right_naive_bayes


def test_number_of_leaves_is_bounded():
    tree = HoeffdingTree(FEATURES, max_leaves=2)
    for present, relevant in stream(9, 4000):
        tree.learn(row(present), relevant=relevant)
    assert tree.leaves == 2


def test_saved_tree_answers_and_grows_as_the_one_that_lived():
    living, saved = HoeffdingTree(FEATURES), {}
    rows = np.stack([row(present) for present, _ in stream(11, 50)])
    for number, (present, relevant) in enumerate(stream(10, 3500)):
        living.learn(row(present), relevant=relevant)
        if number % 7 == 0:
            for name, value in living.take_changed():
                if value:
                    saved[name] = value
                else:
                    del saved[name]
        if number % 700 == 0:
            resumed = HoeffdingTree(FEATURES)
            for name, value in sorted(saved.items()):
                resumed.load(name, value)
            resumed.loaded()
            assert resumed.log_odds(rows).tolist() == living.log_odds(rows).tolist()
            assert shape_of_ours(resumed) == shape_of_ours(living)
            living = resumed
    assert living.leaves > 2
    splits = [number for number, node in enumerate(living._nodes) if isinstance(node, _Split)]
    leaves = [number for number, node in enumerate(living._nodes) if isinstance(node, _Leaf)]
    # A leaf that was split leaves nothing behind.
    assert {int(name.split()[0]) for name in saved if not name.endswith("split")} <= set(leaves)
    assert {f"{number} split" for number in splits} <= set(saved)
