"""The apprentice: models over cues, weighed by how they ranked the last round."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.feature_extraction.text import TfidfVectorizer

from crawler.learning.apprentice import Apprentice, modified_tau
from crawler.learning.cue_encoder import CueEncoder, Cues
from crawler.learning.regressors import MAX_DEPTH, TREES, Forest, Regression
from crawler.pages.cue import Cue
from crawler.pages.cues import MAX_WORDS, Looks, hashed, words_of
from crawler.pages.styles.computed import computed, style_of
from crawler.pages.styles.properties import FEATURES, Length, Rgba

PLAIN = style_of(computed({}, None, 16))
LARGE = style_of(
    computed({"font-size": Length(30), "float": "left", "font-family": ("arial", "x")}, None, 16)
)
RED = style_of(computed({"color": Rgba(255, 0, 0, 1)}, None, 16))
LOOKS = [Looks(PLAIN, PLAIN), Looks(LARGE, PLAIN), Looks(RED, LARGE)]


def cues(texts: list[str], looks: list[int], parents: list[float]) -> Cues:
    words = [words_of(hashed(text, 24), []) for text in texts]
    return Cues(
        np.array(words, dtype=np.uint32).reshape(len(words), MAX_WORDS),
        np.array(looks, dtype=np.int32),
        np.array(parents, dtype=np.float64),
    )


def example(count: int, seed: int) -> tuple[Cues, list[float]]:
    """Links whose worth is in their words and looks; the score of the page is noise."""
    rng = np.random.default_rng(seed)
    good = rng.random(count) < 0.4
    texts = ["download data table" if one else "read news story" for one in good]
    looks = [1 if one else int(rng.integers(0, 3)) for one in good]
    return cues(texts, looks, rng.random(count).tolist()), good.astype(float).tolist()


def test_words_without_digits_and_stop_words() -> None:
    assert hashed("The GDP of 2024: user_7, data!", 9) == hashed("gdp data", 9)
    assert len(hashed("one two three four five six", 3)) == 3


def test_tf_idf_is_that_of_scikit_learn() -> None:
    texts = ["births region data", "births births deaths", "prices"]
    encoder = CueEncoder()
    links = cues(texts, [0, 0, 0], [0, 0, 0])
    encoder.fit(links, LOOKS)
    ours = encoder.encode(links, [Cue.TEXT], LOOKS).toarray()
    theirs = TfidfVectorizer().fit_transform(texts).toarray()
    assert np.sort(ours, axis=None) == pytest.approx(np.sort(theirs, axis=None))
    assert np.sort(ours[1]) == pytest.approx(np.sort(theirs[1]))


def test_css_has_numbers_one_hot_keywords_and_fonts_of_both_elements() -> None:
    encoder = CueEncoder()
    links = cues(["a", "b", "c"], [0, 1, 2], [0, 0, 0])
    encoder.fit(links, LOOKS)
    matrix = encoder.encode(links, [Cue.CSS], LOOKS).toarray()
    numbers = 2 * (FEATURES - 12 - 1)
    assert numbers == 96
    sizes = matrix[:, :numbers]
    assert sizes.mean(axis=0) == pytest.approx(np.zeros(numbers))
    hot = matrix[:, numbers:]
    assert set(hot.flatten()) == {0.0, 1.0}
    # Twelve keywords of each element, one font of a plain one, two of the large one.
    assert hot.sum(axis=1).tolist() == [24 + 1 + 1, 24 + 2 + 1, 24 + 1 + 2]


def test_parent_score_is_one_column() -> None:
    encoder = CueEncoder()
    links = cues(["a", "b"], [0, 0], [0.25, 0.5])
    encoder.fit(links, LOOKS)
    assert encoder.encode(links, [Cue.PARENT], LOOKS).toarray().tolist() == [[0.25], [0.5]]
    assert encoder.encode(links, [Cue.PARENT, Cue.CSS, Cue.TEXT], LOOKS).shape[0] == 2


def test_forest_predicts_as_scikit_learn_does() -> None:
    links, scores = example(200, seed=1)
    encoder = CueEncoder()
    encoder.fit(links, LOOKS)
    features = encoder.encode(links, [Cue.TEXT, Cue.CSS, Cue.PARENT], LOOKS)
    theirs = RandomForestRegressor(
        n_estimators=TREES,
        max_depth=MAX_DEPTH,
        min_samples_leaf=2,
        max_features="sqrt",
        random_state=0,
    ).fit(features.toarray().astype(np.float32), scores)
    ours = Forest.fitted(features, np.array(scores))
    expected = theirs.predict(features.toarray().astype(np.float32))
    assert ours.predict(features) == pytest.approx(expected)
    assert np.array_equal(Forest.load(ours.save()).predict(features), ours.predict(features))


@pytest.mark.parametrize("kind", Regression)
def test_apprentice_ranks_links_by_what_it_learned(kind: Regression) -> None:
    apprentice = Apprentice([[Cue.CSS, Cue.PARENT], [Cue.TEXT]], [kind])
    first, scores = example(150, seed=1)
    assert apprentice.predict(first, LOOKS).tolist() == [0.0] * 150
    apprentice.train(first, scores, LOOKS)
    second, wanted = example(150, seed=2)
    assert modified_tau(apprentice.predict(second, LOOKS).tolist(), wanted) > 0.95


def test_models_weigh_what_they_ranked_right() -> None:
    apprentice = Apprentice([[Cue.PARENT], [Cue.TEXT]], [Regression.RIDGE])
    first, scores = example(150, seed=1)
    apprentice.weigh(first, scores, LOOKS)
    assert apprentice.importances == [0.5, 0.5]
    apprentice.train(first, scores, LOOKS)
    second, wanted = example(150, seed=2)
    apprentice.weigh(second, wanted, LOOKS)
    noise, text = apprentice.importances
    assert noise + text == pytest.approx(1)
    # Equations 9 and 10: the taus are about 0.5 and 1.
    assert text == pytest.approx(1 / 1.5, abs=0.05)


def test_stack_is_the_weighed_mean_of_its_models() -> None:
    first, scores = example(100, seed=1)
    alone = []
    for cue in (Cue.PARENT, Cue.TEXT):
        one = Apprentice([[cue]], [Regression.RIDGE])
        one.train(first, scores, LOOKS)
        alone.append(one.predict(first, LOOKS))
    both = Apprentice([[Cue.PARENT], [Cue.TEXT]], [Regression.RIDGE])
    both.train(first, scores, LOOKS)
    both.importances = [0.25, 0.75]
    assert both.predict(first, LOOKS) == pytest.approx(0.25 * alone[0] + 0.75 * alone[1])


@pytest.mark.parametrize("kinds", [[Regression.RIDGE], list(Regression)])
def test_saved_apprentice_says_the_same_to_the_last_bit(kinds: list[Regression]) -> None:
    stack = [[Cue.CSS], [Cue.TEXT, Cue.PARENT]]
    apprentice = Apprentice(stack, kinds)
    links, scores = example(100, seed=3)
    apprentice.train(links, scores, LOOKS)
    apprentice.weigh(links, scores, LOOKS)
    back = Apprentice(stack, kinds)
    back.load(apprentice.save())
    whole = back.predict(links, LOOKS)
    assert np.array_equal(whole, apprentice.predict(links, LOOKS))
    # One by one or all at once: a resumed crawl scores in other portions.
    for at in range(5):
        one = Cues(links.words[at : at + 1], links.looks[at : at + 1], links.parents[at : at + 1])
        assert back.predict(one, LOOKS)[0] == whole[at]


def test_models_of_another_stack_are_not_taken_over() -> None:
    apprentice = Apprentice([[Cue.TEXT]], [Regression.RIDGE])
    links, scores = example(50, seed=3)
    apprentice.train(links, scores, LOOKS)
    other = Apprentice([[Cue.CSS]], [Regression.RIDGE])
    other.load(apprentice.save())
    assert not other.is_trained
