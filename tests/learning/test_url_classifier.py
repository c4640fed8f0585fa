"""The online URL classifier: Algorithm 2 of paper 000."""

import random
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.learning.url_classifier import FEATURES, HTML, TARGET, UrlClassifier, two_grams

URLS = st.one_of(
    st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=40),
    st.text(max_size=12),
    st.sampled_from(["", "a", "é", "\n", "https://a.org/é/b.csv", "?", "~~", "  "]),
)


def pair_of(feature: int) -> str:
    """The two characters that a feature stands for."""
    first, second = divmod(int(feature), 95)
    return chr(first + 0x20) + chr(second + 0x20)


def pairs(url: str) -> list[str]:
    return [pair_of(feature) for feature in two_grams(url)]


def examples(seed: int = 1) -> Iterator[tuple[str, int]]:
    """Pages and files of an office, without end."""
    rng = random.Random(seed)
    while True:
        topic = rng.choice(["births", "trade", "prices", "labour"])
        number = rng.randrange(10_000)
        if rng.random() < 0.5:
            yield f"https://stat.example/data/{topic}/table-{number}.csv", TARGET
        else:
            yield f"https://stat.example/news/{topic}-{number}.html", HTML


def trained(count: int = 200, seed: int = 1) -> UrlClassifier:
    """A classifier that is asked after every example, so that it learns in batches of b."""
    classifier = UrlClassifier(b=10)
    for (url, label), _ in zip(examples(seed), range(count), strict=False):
        classifier.learn(url, label)
        if classifier.trained:
            classifier.predict([url])
    return classifier


@cache
def shared() -> UrlClassifier:
    """For the property tests, which only ask."""
    return trained()


def test_a_url_is_its_pairs_of_characters_as_in_the_paper() -> None:
    url = "https://www.A.com/data/file.csv"
    found = pairs(url)
    assert found[:3] == ["ht", "tt", "tp"]
    assert found[-3:] == [".c", "cs", "sv"]
    assert found == [url[i : i + 2] for i in range(len(url) - 1)]


def test_upper_and_lower_case_are_different_characters() -> None:
    assert pairs("CSV") == ["CS", "SV"]
    assert pairs("csv") == ["cs", "sv"]


def test_every_pair_of_printable_ascii_has_its_own_fixed_feature() -> None:
    printable = [chr(code) for code in range(0x20, 0x7F)]
    features = {int(two_grams(a + b)[0]) for a in printable for b in printable}
    assert features == set(range(FEATURES))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("ab/é/cd", ["ab", "b/", "/c", "cd"]),
        ("naïve", ["na", "ve"]),
        ("数据.csv", [".c", "cs", "sv"]),
        ("a\tb\x7fcd", ["cd"]),
        ("😀ab", ["ab"]),
        ("é", []),
        ("a", []),
        ("", []),
    ],
)
def test_pairs_with_a_character_outside_printable_ascii_have_no_feature(
    url: str, expected: list[str]
) -> None:
    assert pairs(url) == expected


def test_first_epoch_is_over_when_b_examples_have_come_and_not_before() -> None:
    classifier = UrlClassifier(b=10)
    source = examples()
    for count in range(1, 10):
        classifier.learn(*next(source))
        assert len(classifier.batch) == count
        assert not classifier.trained
    classifier.learn(*next(source))
    assert classifier.trained


def test_full_batch_is_learned_from_when_the_next_url_is_to_be_classified() -> None:
    classifier = UrlClassifier(b=10)
    for (url, label), _ in zip(examples(), range(10), strict=False):
        classifier.learn(url, label)
    assert classifier.trainings == 0
    assert classifier.weights() is None
    classifier.predict(["https://stat.example/x"])
    assert classifier.trainings == 1
    assert classifier.batch == []
    assert classifier.weights() is not None


def test_later_examples_are_trained_in_batches_of_b() -> None:
    classifier = trained(30)
    assert classifier.trainings == 3
    before = classifier.weights()
    source = examples(seed=5)
    batch = [next(source) for _ in range(9)]
    for url, label in batch:
        classifier.learn(url, label)
        classifier.predict([url])
    assert classifier.batch == batch
    assert classifier.weights() == before
    classifier.learn(*next(source))
    classifier.predict(["https://stat.example/x"])
    assert classifier.trainings == 4
    assert classifier.weights() != before


def test_examples_that_came_while_nothing_was_asked_are_one_batch() -> None:
    classifier = trained(10)
    source = examples(seed=5)
    for _ in range(17):
        classifier.learn(*next(source))
    classifier.predict(["https://stat.example/x"])
    assert classifier.trainings == 2
    assert classifier.batch == []


def test_batch_does_not_grow_without_end() -> None:
    classifier = trained(10)
    sizes = []
    for (url, label), _ in zip(examples(seed=5), range(500), strict=False):
        classifier.learn(url, label)
        sizes.append(len(classifier.batch))
    assert max(sizes) < 50
    assert classifier.trainings > 5


def test_opinion_changes_once_for_every_batch() -> None:
    classifier = UrlClassifier(b=10)
    opinions = []
    for (url, label), _ in zip(examples(), range(40), strict=False):
        opinions.append(classifier.opinion)
        classifier.learn(url, label)
        before = classifier.opinion
        if classifier.trained:
            classifier.predict([url])
        # The opinion announces the training; the training itself is no further change.
        assert classifier.opinion == before
    assert opinions == [0] * 10 + [1] * 10 + [2] * 10 + [3] * 10


def test_opinion_is_not_the_same_for_two_different_models() -> None:
    classifier = trained(10)
    seen = {}
    for (url, label), number in zip(examples(seed=5), range(400), strict=False):
        classifier.learn(url, label)
        if number % 7 == 0 or number > 200:
            opinion = classifier.opinion
            classifier.predict([url])
            assert seen.setdefault(opinion, classifier.weights()) == classifier.weights()
    assert len(seen) > 20


def test_batch_of_one_trains_on_every_example() -> None:
    classifier = UrlClassifier(b=1)
    for (url, label), count in zip(examples(), range(1, 6), strict=False):
        classifier.learn(url, label)
        classifier.predict([url])
        assert classifier.trainings == count


@pytest.mark.parametrize("label", [HTML, TARGET])
def test_first_batch_may_hold_one_class_alone(label: int) -> None:
    classifier = UrlClassifier(b=10)
    for number in range(10):
        classifier.learn(f"https://stat.example/{number}", label)
    assert classifier.predict(["https://stat.example/77"]) == [label]
    for (url, other), _ in zip(examples(), range(200), strict=False):
        classifier.learn(url, other)
    assert classifier.predict([url for url, _ in held_out()]) == [c for _, c in held_out()]


def held_out() -> list[tuple[str, int]]:
    return [
        ("https://stat.example/data/census/table-99999.csv", TARGET),
        ("https://stat.example/news/census-99999.html", HTML),
        ("https://stat.example/data/energy/table-12.csv", TARGET),
        ("https://stat.example/news/energy-12.html", HTML),
    ]


def test_learns_files_from_pages_by_the_url_alone() -> None:
    assert trained().predict([url for url, _ in held_out()]) == [c for _, c in held_out()]


def test_follows_a_change_in_the_form_of_urls() -> None:
    classifier = trained()
    downloads = [f"https://stat.example/node/{number}/download" for number in range(100)]
    pages = [f"https://stat.example/node/{number}/about" for number in range(100)]
    for download, page in zip(downloads, pages, strict=True):
        classifier.learn(download, TARGET)
        classifier.learn(page, HTML)
    unseen = ["https://stat.example/node/321/download", "https://stat.example/node/321/about"]
    assert classifier.predict(unseen) == [TARGET, HTML]


def test_answers_are_of_two_classes() -> None:
    urls = [url for (url, _), _ in zip(examples(seed=9), range(300), strict=False)]
    assert set(trained().predict(urls)) == {HTML, TARGET}


def test_no_urls_have_no_classes() -> None:
    assert trained().predict([]) == []


@given(st.lists(URLS, max_size=12))
@settings(deadline=None)
def test_a_url_has_the_same_class_alone_as_among_others(urls: list[str]) -> None:
    classifier = shared()
    assert classifier.predict(urls) == [classifier.predict([url])[0] for url in urls]


@given(st.lists(URLS, min_size=1, max_size=12))
@settings(deadline=None)
def test_class_is_the_sign_of_the_weights_of_the_pairs(urls: list[str]) -> None:
    model = shared()._model
    for url, label in zip(urls, shared().predict(urls), strict=True):
        score = sum(model.weights[feature] for feature in two_grams(url)) + model.intercept
        assert abs(score) < 1e-9 or label == (TARGET if score > 0 else HTML)


@pytest.mark.parametrize("count", [0, 4, 10, 57, 130])
def test_reloaded_classifier_goes_on_bit_by_bit(count: int) -> None:
    living, reloaded = trained(count), UrlClassifier(b=10)
    reloaded.load(living.weights(), living.trainings, living.batch)
    for (url, label), number in zip(examples(seed=7), range(150), strict=False):
        assert reloaded.trained == living.trained
        assert reloaded.opinion == living.opinion
        assert reloaded.batch == living.batch
        assert reloaded.weights() == living.weights()
        for classifier in (living, reloaded):
            classifier.learn(url, label)
        # Asked often at first, then never: both ways to train.
        if living.trained and number < 70:
            assert reloaded.predict([url]) == living.predict([url])
    assert living.trainings > 4


def test_classifier_saved_with_a_full_batch_learns_from_it_when_it_is_asked() -> None:
    living, reloaded = UrlClassifier(b=10), UrlClassifier(b=10)
    for (url, label), _ in zip(examples(), range(13), strict=False):
        living.learn(url, label)
    reloaded.load(living.weights(), living.trainings, living.batch)
    urls = [url for url, _ in held_out()]
    assert reloaded.predict(urls) == living.predict(urls)
    assert reloaded.weights() == living.weights()


def test_reloaded_batch_is_its_own() -> None:
    living, reloaded = trained(13), UrlClassifier(b=10)
    reloaded.load(living.weights(), living.trainings, living.batch)
    reloaded.learn("https://stat.example/x", HTML)
    assert len(living.batch) == 3
    assert len(reloaded.batch) == 4
