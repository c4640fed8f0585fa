"""The focused crawler's classifier (paper 000, Section IV-C): depth, URL and anchor 2-grams."""

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

from crawler.learning.link_classifier import LinkClassifier, LinkText
from crawler.learning.two_grams import FEATURES, two_grams


def link(url: str = "", anchor: str = "", depth: int = 0) -> LinkText:
    return LinkText(url, anchor, depth)


def taught(*examples: tuple[LinkText, bool], times: int = 5) -> LinkClassifier:
    classifier = LinkClassifier()
    for _ in range(times):
        for example, is_target in examples:
            classifier.learn(example, is_target=is_target)
    return classifier


def test_everything_is_alike_before_the_first_example():
    assert LinkClassifier().scores([link("https://a.example/x.csv", "Data", 3), link()]) == [0, 0]
    assert LinkClassifier().scores([]) == []


def test_it_learns_from_the_url():
    classifier = taught((link("/a.csv"), True), (link("/a.html"), False))
    data, page = classifier.scores([link("/b.csv"), link("/b.html")])
    assert data > 0 > page


def test_it_learns_from_the_anchor():
    classifier = taught((link("/1", "Download"), True), (link("/1", "Contact"), False))
    data, page = classifier.scores([link("/9", "Download"), link("/9", "Contact")])
    assert data > 0 > page


def test_the_same_letters_mean_different_things_in_url_and_anchor():
    classifier = taught((link("csv"), True), (link("", "csv"), False))
    in_url, in_anchor = classifier.scores([link("csv"), link("", "csv")])
    assert in_url > 0 > in_anchor


def test_it_learns_from_the_depth():
    classifier = taught((link(depth=6), True), (link(depth=1), False), times=30)
    deep, shallow = classifier.scores([link(depth=6), link(depth=1)])
    assert deep > shallow


def test_very_deep_links_are_alike():
    classifier = taught((link(depth=6), True), (link(depth=1), False), times=30)
    assert len(set(classifier.scores([link(depth=20), link(depth=90), link(depth=2000)]))) == 1


@pytest.mark.parametrize("pieces", [1, 2, 7, 30])
def test_score_does_not_depend_on_what_else_is_asked(pieces):
    rng = random.Random(3)
    texts = [
        link(
            "https://é.example/" + "".join(rng.choices("ab/.?=1é", k=rng.randrange(40))),
            "".join(rng.choices("Data ñ\n", k=rng.randrange(12))),
            rng.randrange(30),
        )
        for _ in range(30)
    ]
    classifier = taught(*((text, bool(number % 3)) for number, text in enumerate(texts)))
    together = classifier.scores(texts)
    apart = [
        score
        for start in range(0, 30, pieces)
        for score in classifier.scores(texts[start : start + pieces])
    ]
    assert apart == together
    assert len(set(together)) > 20


def test_weights_are_those_of_logistic_regression():
    rng = random.Random(5)
    examples = [
        (
            link(
                f"/{rng.choice(['data', 'news'])}/{number}",
                rng.choice(["Table", "More"]),
                rng.randrange(30),
            ),
            rng.random() < 0.5,
        )
        for number in range(60)
    ]
    ours = taught(*examples, times=1)
    rows = np.zeros((60, 2 * FEATURES + 1))
    for row, (text, _) in zip(rows, examples, strict=True):
        np.add.at(row, two_grams(text.url), 1)
        np.add.at(row, two_grams(text.anchor) + FEATURES, 1)
        row[-1] = min(text.depth, 20)
    theirs = SGDClassifier(loss="log_loss", shuffle=False, max_iter=1, tol=None)
    theirs.fit(csr_matrix(rows), [is_target for _, is_target in examples])
    expected = theirs.decision_function(csr_matrix(rows))
    assert np.allclose(ours.scores([text for text, _ in examples]), expected)


def test_saved_weights_score_and_learn_as_the_living_ones():
    living = taught((link("/a.csv", "x", 2), True), (link("/b", "y", 30), False))
    saved = LinkClassifier()
    saved.load(living.weights())
    for classifier in (living, saved):
        classifier.learn(link("/c.xls", "é", 4), is_target=True)
    asked = [link("/z.csv", "xy", 9), link("/c.xls")]
    assert saved.scores(asked) == living.scores(asked)
    assert saved.weights() == living.weights()
